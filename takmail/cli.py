"""The verbs of the command line. Each one does a little and hands over; what it says is for the console."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

import click
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from takmail import __version__, config, connections, console, logs
from takmail.app import App
from takmail.render.templates import Templates, folder
from takmail.service.table import BrokenGame
from takmail.service.tokens import load_key
from takmail.settings import ConfigError, Settings

_PIPE_BYTES = 1024 * 1024

config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    default=Path("config.toml"),
    show_default=True,
    metavar="F",
    help="The settings; config.example.toml shows them all.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="takmail")
def main() -> None:
    """A mail address that two people can play Tak through.

    Begin with `takmail demo`, which plays a game before your eyes. To run it for real, copy config.example.toml
    to config.toml, fill it in, and then:

    \b
      takmail check-config --connect
      takmail serve

    Exits with 0 when all went well, 78 when the settings are to be mended, 75 when trying again later may
    help, 2 when the command line is wrong, and 1 for anything else.
    """


@main.command()
@config_option
def serve(config_file: Path) -> None:
    """Read the mailbox, play, and answer.

    Runs until SIGTERM or Ctrl-C, and then sends off the letter in hand and exits with 0. While a server is away
    it tries again and again. The log goes to standard error; it never shows players' addresses.

    \b
    Example:
      takmail serve --config /etc/takmail/config.toml
    """
    with _app(config_file, if_store_fails=os.EX_TEMPFAIL, log_level=logging.INFO) as app:
        asyncio.run(app.serve())


@main.command("check-config")
@config_option
@click.option("--connect", is_flag=True, help="Also log in to both servers and open the database.")
def check_config(config_file: Path, connect: bool) -> None:
    """Tell everything that is wrong with the settings at once.

    Names every key that is unknown, missing or wrong, and with --connect whatever keeps takmail out of either
    server or the database. Exits with 78 if anything is wrong.

    \b
    Example:
      takmail check-config --config config.toml --connect
    """
    settings = _settings(config_file)
    problems = _key_problems(settings)
    if connect:
        problems += connections.problems(settings)
    if problems:
        _wrong(config_file, problems)
    click.echo(f"{config_file}: all is well" + (", and takmail can log in" if connect else ""))


@main.command()
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
        from takmail.demo.play import run  # the extra takmail[demo] may be missing
    except ImportError as error:
        raise click.ClickException(
            f"the demo needs its own mail system ({error.name}): pip install 'takmail[demo]'"
        ) from error
    try:
        asyncio.run(run(kept_in, stay=stay, say=lambda text: click.echo(text)))
    except OSError as error:
        raise click.ClickException(f"the demo can't go on: {error}") from error


@main.command()
@config_option
def deliver(config_file: Path) -> None:
    """Put one mail, given on standard input, through the service.

    For Postfix, procmail or a test; the letters that follow are sent at once or, where the mail server is away,
    by the next `deliver` or `serve`. Of a mail over the limit
    only the headers are kept. Exits with 0 once the mail is
    safe in the database, with 75 when it should be handed over again later, with 78 for wrong settings.

    \b
    Examples:
      takmail deliver --config config.toml < mail.eml
      in Postfix's master.cf:
        argv=/opt/takmail/bin/takmail deliver --config /etc/takmail/config.toml
    """
    with _app(config_file, if_store_fails=os.EX_TEMPFAIL) as app:
        raw, size = _beginning(sys.stdin.buffer, app.settings.limits.mail_bytes)
        if not raw.strip():
            raise click.ClickException("there is no mail on standard input; try: takmail deliver < mail.eml")
        asyncio.run(app.deliver(raw, size))


@main.group()
def game() -> None:
    """Look at the games.

    \b
    Examples:
      takmail game list
      takmail game show 12
      takmail game export 12 > game12.ptn
    """


@game.command("list")
@config_option
def game_list(config_file: Path) -> None:
    """Every game on a line: number, standing, board, turns, result, players.

    A game whose stored turns break the rules stands there as broken; `game show` tells which turn it is.

    \b
    Example:
      takmail game list --config config.toml
    """
    with _app(config_file) as app:
        click.echo(console.list_games(app.store, app.desk.templates))


@game.command("show")
@click.argument("number", type=int)
@config_option
def game_show(number: int, config_file: Path) -> None:
    """One game: its board, its turns, and the letters that have not left.

    \b
    Example:
      takmail game show 12
    """
    with _app(config_file) as app, _sound_game(number):
        click.echo(console.show_game(app.store, app.desk.templates, number))


@game.command("export")
@click.argument("number", type=int)
@config_option
def game_export(number: int, config_file: Path) -> None:
    """One game in PTN, on standard output.

    \b
    Example:
      takmail game export 12 > game12.ptn
    """
    with _app(config_file) as app, _sound_game(number):
        click.echo(console.export_game(app.store, number), nl=False)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.ptn...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game and line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play games given in PTN by the rules.

    Prints each game's result, its final position as TPS and the first illegal ply, if there is one; a game is
    played up to there. A file may hold many games. With --json the keys are file, size, result, tps, plies and
    error, which is null when all is fine. Exits with 1 if any game has a fault.

    \b
    Examples:
      takmail replay game12.ptn
      takmail replay --json *.ptn | jq 'select(.error)'
    """
    templates, faulty = Templates(folder()), False
    for one in console.replay(files, templates):
        faulty = faulty or one.error is not None
        click.echo(json.dumps(one.as_json()) if as_json else templates.page("console/replay.txt", game=one))
    sys.exit(1 if faulty else 0)


def _beginning(stream: BinaryIO, at_most: int) -> tuple[bytes, int]:
    """So many bytes of a mail, and its whole length; the rest is taken and forgotten."""
    raw = stream.read(at_most)
    size = len(raw)
    while rest := stream.read(
        _PIPE_BYTES
    ):  # who hands the mail over may take a pipe closed early for a failure
        size += len(rest)
    return raw, size


@contextmanager
def _app(config_file: Path, if_store_fails: int = 1, log_level: int = logging.WARNING) -> Iterator[App]:
    """takmail put together from a config file; what is wrong with it ends the program with a sentence."""
    settings = _settings(config_file)
    logs.log_to_stderr(log_level, settings.service.address)
    try:
        app = App(settings)
        try:
            yield app
        finally:
            app.close()
    except ConfigError as error:
        _wrong(config_file, error.problems)
    except (SQLAlchemyError, CommandError) as error:
        click.echo(connections.store_problem(settings, error), err=True)
        sys.exit(if_store_fails)


@contextmanager
def _sound_game(number: int) -> Iterator[None]:
    try:
        yield
    except (LookupError, OverflowError):  # a number too large for the database is no game's either
        raise click.ClickException(f"there is no game {number}; `takmail game list` shows them all") from None
    except BrokenGame as error:
        raise click.ClickException(str(error)) from None


def _settings(config_file: Path) -> Settings:
    try:
        return config.load(config_file)
    except ConfigError as error:
        _wrong(config_file, error.problems)


def _wrong(config_file: Path, problems: list[str]) -> NoReturn:
    for problem in problems:
        click.echo(f"{config_file}: {problem}", err=True)
    sys.exit(os.EX_CONFIG)


def _key_problems(settings: Settings) -> list[str]:
    """What is wrong with a key that is there; one that isn't will be made at the first start."""
    file = settings.service.key_file
    try:
        if file.exists():
            load_key(file)
        elif not file.parent.is_dir():
            return [f"[service] key_file: there is no folder {file.parent}"]
    except (OSError, ValueError) as error:
        return [f"[service] key_file: {error}"]
    return []
