"""Define the commands that run the service, check its settings, and show the demo."""

import asyncio
import gc
import logging
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import click

from takmail.cli import settings_check
from takmail.cli.common import config_option, opened, say, settings_of, time_source, wrong
from takmail.config import ConfigError, Settings
from takmail.config.extras import how_to_install
from takmail.runtime import logs, metrics
from takmail.runtime.allocator import give_memory_back
from takmail.runtime.bootstrap import App, stop_on_signals
from takmail.runtime.health import Health, health_of
from takmail.runtime.net.lmtp_socket import CannotListen
from takmail.runtime.parts import has_keys, keys, token_problems
from takmail.runtime.systemd import SystemdNotifier

log = logging.getLogger(__name__)

YOUNG_OBJECTS = 10_000
"""The number of new objects after which garbage is collected.

A mail makes several hundred, and few of them are in cycles.
"""


@click.command()
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The format of log lines: text, or JSON objects.",
)
@config_option
def serve(log_format: str, config_file: Path) -> None:
    """Run the service: receive mails, play, and answer.

    Runs until SIGTERM or Ctrl-C, then finishes sending the current letters and exits with 0. While a server can't be
    reached, it retries. If the database can't be opened at the start, it exits with 75. A database of an older takmail
    is upgraded first, as by `takmail upgrade`.

    The log goes to standard error, and has a line for each mail and letter. It never contains players' addresses,
    tokens or words.

    \b
    Examples:
      takmail serve --config /etc/takmail/config.toml
      takmail serve --log-format json
    """
    as_json = log_format == "json"
    give_memory_back()
    try:
        with opened(config_file, os.EX_TEMPFAIL, logging.INFO, log_as_json=as_json, upgrades=True) as app:
            # Exempt existing objects from garbage collection. Otherwise each full collection would stop all work for
            # 70 ms.
            gc.freeze()
            gc.set_threshold(YOUNG_OBJECTS)
            for problem in settings_check.readable_secrets(config_file, app.settings):
                log.warning("%s", problem)
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
            return health_of(session, app.settings, app.causes.now())

    async with AsyncExitStack() as while_it_runs:
        try:
            await while_it_runs.enter_async_context(metrics.serve_metrics(port, health))
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
    help="Also log in to both servers, open or create the database, and check the LMTP socket.",
)
def check_config(config_file: Path, connect: bool) -> None:
    """Check the settings, and report all problems at once.

    Reports unknown, missing and wrong settings, secrets that others can read, a lost key file, tokens that are missing
    or refused, a running service with an old key, and one that has stopped because the mailbox belongs to another
    service. Starts each engine, and lets it play the first turn of each kind of game. With --connect it also reports if
    takmail can't log in to a server, open the database or listen for LMTP, and if the mailbox belongs to another
    service. Exits with 78 if anything is wrong.

    \b
    Example:
      takmail check-config --config config.toml --connect
    """
    settings = settings_of(config_file)
    problems = _key_problems(settings) + settings_check.readable_secrets(config_file, settings)
    problems += settings_check.unwritable_tokens(settings)
    if connect:
        problems += settings_check.connection_problems(settings, time_source())
    else:
        problems += token_problems(settings) + settings_check.lost_key_of_file(settings)
        problems += settings_check.stopped_service(settings)
    failed, playing = settings_check.tried_engines(settings)
    problems += failed
    if problems:
        wrong(config_file, problems)
    click.echo(f"{config_file} is valid" + (", and takmail can log in" if connect else ""))
    for engine in playing:
        say(engine)
    if settings_check.is_served_with_old_key(settings, time_source()):
        click.echo(
            "a running `takmail serve` still has an old key; if it has it after ten seconds, restart it"
        )
    if not has_keys(settings) and (connect or not settings_check.is_on_a_server(settings)):
        click.echo(f"{settings.service.key_file}: there is no key yet; the first start makes it")


@click.command()
@click.option(
    "--stay",
    is_flag=True,
    help="Keep the demo running at the end, so that you can connect with a mail program.",
)
@click.option(
    "--fast",
    is_flag=True,
    help="No pauses for reading. There are none either if the output is no terminal.",
)
@click.option(
    "--folder",
    "kept_in",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for letters, mails, game and database. Default: a new temporary one.",
)
def demo(stay: bool, fast: bool, kept_in: Path | None) -> None:
    """Watch two people play a whole game by mail.

    Everything runs inside this program: a mail system, the service as `takmail serve` runs it, and two players who
    write real mails. Nothing leaves this machine. At the end, all letters are there as web pages. `make install` has
    installed what it needs beside the rest. If that is missing, it says what to type.

    \b
    Examples:
      takmail demo
      takmail demo --fast --folder my-demo --stay
    """
    try:
        from takmail.cli.demo import pauses  # the extra takmail[demo] may be missing
        from takmail.cli.demo.play import run
        from takmail.cli.demo.show import painted
    except ImportError as error:
        raise click.ClickException(
            f"the demo's mail system is not installed ({error.name} is missing); run: {how_to_install('demo')}"
        ) from error
    # click leaves colors out where the output is no terminal, but knows neither NO_COLOR (no-color.org) nor TERM.
    color = False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None
    pause = pauses.no_pause if fast or not sys.stdout.isatty() else pauses.read

    def say(text: str) -> None:
        click.echo(painted(text), color=color)

    asyncio.run(run(kept_in, stay=stay, say=say, pause=pause, time_source=time_source()))


def _key_problems(settings: Settings) -> list[str]:
    """Return the problems of the key file. A missing key is no problem here, as it is made at the first start."""
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
