"""The verbs that run the service, or try whether it could run."""

import asyncio
import gc
import logging
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import click

from takmail.admin import metrics
from takmail.admin.status import Health, health_of
from takmail.cli import settings_check
from takmail.cli.common import config_option, opened, settings_of, wrong
from takmail.config import ConfigError, Settings
from takmail.runtime import logs
from takmail.runtime.bootstrap import App, stop_on_signals
from takmail.runtime.net.lmtp_socket import CannotListen
from takmail.runtime.parts import has_keys, keys
from takmail.runtime.systemd import SystemdNotifier


@click.command()
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What a line of the log is: a sentence, or a JSON object.",
)
@config_option
def serve(log_format: str, config_file: Path) -> None:
    """Read the mailbox, play, and answer.

    Runs until SIGTERM or Ctrl-C, and then sends off the letter in hand and exits with 0. While a server is away
    it tries again and again; where the database can't be opened at the start it exits with 75.

    The log goes to standard error, a line for each mail and letter; it never shows
    players' addresses, tokens or words.

    \b
    Examples:
      takmail serve --config /etc/takmail/config.toml
      takmail serve --log-format json
    """
    as_json = log_format == "json"
    try:
        with opened(config_file, os.EX_TEMPFAIL, logging.INFO, log_as_json=as_json) as app:
            # What is there by now stays: looking for garbage among it takes 70 ms, in which no mail is answered.
            gc.freeze()
            asyncio.run(SystemdNotifier(os.environ).run(_serve(app)))
    except click.ClickException as error:
        if not as_json:
            raise
        logs.tell_as_json(error.message)
        sys.exit(error.exit_code)


async def _serve(app: App) -> None:
    stop, port = stop_on_signals(), app.settings.service.metrics_port

    def health() -> Health:
        with app.store.transaction() as session:
            return health_of(session, app.settings, app.causes.clock())

    async with AsyncExitStack() as while_it_runs:
        try:
            await while_it_runs.enter_async_context(metrics.shown(port, health))
        except OSError as error:
            raise click.ClickException(f"[service] metrics_port: {error.strerror or error}") from None
        try:
            await app.serve(stop)
        except CannotListen as error:
            raise click.ClickException(f"[lmtp] {error}") from None


@click.command("check-config")
@config_option
@click.option(
    "--connect",
    is_flag=True,
    help="Also log in to both servers, open the database (or make it) and look where LMTP is listened for.",
)
def check_config(config_file: Path, connect: bool) -> None:
    """Tell everything that is wrong with the settings at once.

    Names every key that is unknown, missing or wrong, each secret that others can read, and a key that is lost; with
    --connect also whatever keeps takmail out of either server or the database, or from listening. Exits with 78 if
    anything is wrong.

    \b
    Example:
      takmail check-config --config config.toml --connect
    """
    settings = settings_of(config_file)
    problems = _key_problems(settings) + settings_check.readable_secrets(config_file, settings)
    problems += (
        settings_check.connection_problems(settings) if connect else settings_check.lost_key_of_file(settings)
    )
    if problems:
        wrong(config_file, problems)
    click.echo(f"{config_file}: all is well" + (", and takmail can log in" if connect else ""))
    if not has_keys(settings) and (connect or not settings_check.is_on_a_server(settings)):
        click.echo(f"{settings.service.key_file}: there is no key yet; the first start makes it")


@click.command()
@click.option("--stay", is_flag=True, help="Keep it running afterwards, to be looked at with a mail program.")
@click.option(
    "--folder",
    "kept_in",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where mails, game and database go; a new folder in the system's temporary one if not given.",
)
def demo(stay: bool, kept_in: Path | None) -> None:
    """Watch two people play a whole game by mail.

    Everything happens inside this program: a mail system, the service as `takmail serve` runs it, and two
    players who write real mails. Nothing leaves this machine. It needs the extra: pip install 'takmail[demo]'.

    \b
    Example:
      takmail demo --folder my-demo --stay
    """
    try:
        from takmail.cli.demo.play import run  # the extra takmail[demo] may be missing
    except ImportError as error:
        raise click.ClickException(
            f"the demo needs its own mail system ({error.name}): pip install 'takmail[demo]'"
        ) from error
    try:
        asyncio.run(run(kept_in, stay=stay, say=lambda text: click.echo(text)))
    except OSError as error:
        raise click.ClickException(f"the demo can't go on: {error}") from error


def _key_problems(settings: Settings) -> list[str]:
    """What is wrong with a key that is there; whether one may be made, only the database can tell."""
    folder = settings.service.key_file.parent
    try:
        if has_keys(settings):
            keys(settings)
        elif not folder.is_dir():
            return [f"[service] key_file: there is no folder {folder}"]
    except OSError as error:
        return [f"[service] key_file: {error}"]
    except ConfigError as error:
        return error.problems
    return []
