"""The verbs for the key that proves a seat."""

from pathlib import Path

import click

from takmail.cli.common import config_option, settings_of, wrong
from takmail.service.trust.keys import accepted_until, rotate
from takmail.wiring import utc_now


@click.group()
def key() -> None:
    """Change the key that proves who sits where.

    \b
    Example:
      takmail key rotate
    """


@key.command("rotate")
@config_option
def key_rotate(config_file: Path) -> None:
    """Put a new key in the place of the old one.

    The old one stays in the file, and answers to letters that were written with it are accepted for `old_key_days`
    more. `takmail serve` uses the new one from its next start on, so start it anew at once.

    \b
    Example:
      takmail key rotate --config /etc/takmail/config.toml
    """
    service = settings_of(config_file).service
    file, days, now = service.key_file, service.old_key_days, utc_now()
    if service.key_env is not None:
        raise click.ClickException(
            f"the key stands in the variable {service.key_env}, which is yours to change: the new key first, "
            f"then a comma and the old one with today's date behind a space ({now.date()})"
        )
    try:
        rotate(file, now, days)
    except FileNotFoundError:
        raise click.ClickException(f"there is no key in {file} yet; the first start makes one") from None
    except (OSError, ValueError) as error:
        wrong(config_file, [f"[service] key_file: {error}"])
    until = accepted_until(now.date(), days)
    click.echo(
        f"{file}: a new key stands in it. It counts from the next start of takmail serve on: start it anew now.\n"
        + (
            f"The old key is accepted until {until} (UTC)."
            if days
            else "The old key is not accepted any more."
        )
    )
