"""The verbs for the key that proves a seat."""

from pathlib import Path

import click

from takmail.cli.common import config_option, settings_of, wrong
from takmail.config.seat_keys import accepted_until, make, rotate
from takmail.runtime.parts import utc_now


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
        raise click.ClickException(
            f"there is no key in {file} yet; the first start makes one, or `takmail key new` if it is lost"
        ) from None
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


@key.command("new")
@config_option
def key_new(config_file: Path) -> None:
    """Make a key where the one before is lost for good.

    Letters that are out were written with the lost one: who answers them is asked back whether the mail is theirs,
    until they have a letter that was written with the new one. Moves wait for that answer and none is lost.
    A copy of the old key, put back to its place, spares everybody this.

    \b
    Example:
      takmail key new --config /etc/takmail/config.toml
    """
    service = settings_of(config_file).service
    if service.key_env is not None:
        raise click.ClickException(
            f"the key stands in the variable {service.key_env}, which is yours to change; "
            "`openssl rand -hex 32` makes one"
        )
    try:
        is_made = make(service.key_file)
    except OSError as error:
        wrong(config_file, [f"[service] key_file: {error}"])
    if not is_made:
        raise click.ClickException(f"there is a key in {service.key_file}; `takmail key rotate` changes it")
    click.echo(
        f"{service.key_file}: a new key stands in it. "
        "Answers to letters that were written with the old one prove nothing any more: "
        "whoever writes one is asked back."
    )
