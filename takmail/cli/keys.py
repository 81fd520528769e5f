"""Define the commands that replace the key of the seat tokens."""

from pathlib import Path

import click

from takmail.cli.common import config_option, now, settings_of, wrong
from takmail.config.seat_keys import accepted_until, make, rotate


@click.group()
def key() -> None:
    """Replace the key that signs the seat tokens.

    \b
    Example:
      takmail key rotate
    """


@key.command("rotate")
@config_option
def key_rotate(config_file: Path) -> None:
    """Replace the key with a new one.

    The old key stays in the file. Answers to letters with its tokens are accepted for another `old_key_days` days.
    A running `takmail serve` uses the new key within ten seconds; `takmail status` reports one that doesn't.

    \b
    Example:
      takmail key rotate --config /etc/takmail/config.toml
    """
    service = settings_of(config_file).service
    file, days, time = service.key_file, service.old_key_days, now()
    if service.key_env is not None:
        raise click.ClickException(
            f"the key is in the variable {service.key_env}; set it to the new key, a comma, the old key, a space "
            f"and today's date ({time.date()})"
        )
    try:
        rotate(file, time, days)
    except FileNotFoundError:
        raise click.ClickException(
            f"there is no key in {file}; the first start makes one. If the key is lost, run `takmail key new`"
        ) from None
    except (OSError, ValueError) as error:
        wrong(config_file, [f"[service] key_file: {error}"])
    until = accepted_until(time.date(), days)
    click.echo(
        f"{file} has a new key. A running `takmail serve` uses it within ten seconds.\n"
        + (f"The old key is accepted until {until} (UTC)." if days else "The old key is no longer accepted.")
    )


@key.command("new")
@config_option
def key_new(config_file: Path) -> None:
    """Make a new key after the old one is lost for good.

    Letters that were sent before have tokens of the lost key. A player who answers one of them is asked to confirm the
    mail. Moves wait for this confirmation, and none is lost. If you have a copy of the old key, put it back instead.

    \b
    Example:
      takmail key new --config /etc/takmail/config.toml
    """
    service = settings_of(config_file).service
    if service.key_env is not None:
        raise click.ClickException(
            f"the key is in the variable {service.key_env}; set it to a new key, such as the output of "
            "`openssl rand -hex 32`"
        )
    try:
        is_made = make(service.key_file)
    except OSError as error:
        wrong(config_file, [f"[service] key_file: {error}"])
    if not is_made:
        raise click.ClickException(f"{service.key_file} already has a key; `takmail key rotate` replaces it")
    click.echo(
        f"{service.key_file} has a new key. "
        "Tokens of the old key can't be verified; players who answer letters with them are asked for confirmation."
    )
