"""The verbs of the command line. Each one does a little and hands over; what it says is for the console."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from takmail import __version__, config, console
from takmail.app import App, imap_account, smtp_account
from takmail.config import ConfigError, Settings
from takmail.mail.imap import CommandRefused, LoginRefused, Mailbox, MailboxLost
from takmail.mail.smtp import Sender, SendingImpossible

config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
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
    to config.toml, fill it in, then `takmail check-config --connect` and `takmail serve`.
    """


@main.command()
@config_option
def serve(config_file: Path) -> None:
    """Read the mailbox, play, and answer; runs until SIGTERM or Ctrl-C."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    with _app(config_file, if_store_fails=os.EX_TEMPFAIL) as app:
        asyncio.run(app.serve())


@main.command("check-config")
@config_option
@click.option("--connect", is_flag=True, help="Also log in to both servers.")
def check_config(config_file: Path, connect: bool) -> None:
    """Tell everything that is wrong with the settings at once.

    Exits with 78 (EX_CONFIG) if anything is.
    """
    settings = _settings(config_file)
    try:
        mailbox = Mailbox(imap_account(settings.imap)) if settings.imap else None
        sender = Sender(smtp_account(settings.smtp))
    except (ConfigError, ValueError) as error:
        _wrong(config_file, error.problems if isinstance(error, ConfigError) else [str(error)])
    if connect:
        problems = asyncio.run(_try_servers(mailbox, sender))
        if problems:
            _wrong(config_file, problems)
    click.echo(f"{config_file}: all is well" + (", and both servers let takmail in" if connect else ""))


@main.command()
@click.option("--stay", is_flag=True, help="Keep it running afterwards, to be looked at with a mail program.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where mails, game and database go; a new folder in the system's temporary one if not given.",
)
def demo(stay: bool, folder: Path | None) -> None:
    """Watch two people play a whole game by mail, on a mail system inside this program."""
    try:
        from takmail.demo.play import run  # the extra takmail[demo] may be missing
    except ImportError as error:
        raise click.ClickException(
            f"the demo needs its own mail system ({error.name}): pip install 'takmail[demo]'"
        ) from error
    asyncio.run(run(folder, stay=stay, say=lambda text: click.echo(text)))


@main.command()
@config_option
def deliver(config_file: Path) -> None:
    """Put one mail, given on standard input, through the service; for Postfix, procmail or a test.

    Exits with 75 (EX_TEMPFAIL) when the mail should be handed over again later, with 78 for wrong settings.
    """
    raw = sys.stdin.buffer.read()
    if not raw.strip():
        raise click.UsageError("there is no mail on standard input")
    with _app(config_file, if_store_fails=os.EX_TEMPFAIL) as app:
        asyncio.run(app.deliver(raw))


@main.group()
def game() -> None:
    """Look at the games."""


@game.command("list")
@config_option
def game_list(config_file: Path) -> None:
    """Every game: number, standing, players, turns, result."""
    with _app(config_file) as app:
        for line in console.list_games(app.store):
            click.echo(line)


@game.command("show")
@click.argument("number", type=int)
@config_option
def game_show(number: int, config_file: Path) -> None:
    """One game: its board, its turns, and the letters that could not be sent."""
    with _app(config_file) as app, _known_game(number):
        click.echo(console.show_game(app.store, app.desk.templates, number))


@game.command("export")
@click.argument("number", type=int)
@config_option
def game_export(number: int, config_file: Path) -> None:
    """One game in PTN, on standard output."""
    with _app(config_file) as app, _known_game(number):
        click.echo(console.export_game(app.store, number), nl=False)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game and line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play games given in PTN by the rules.

    Prints each game's result, its final position as TPS and the first illegal ply, if there is one. Exits with 1
    if any game has a fault.
    """
    faulty = False
    for one in console.replay(files):
        faulty = faulty or one.error is not None
        click.echo(json.dumps(one.as_json()) if as_json else one.as_text())
    sys.exit(1 if faulty else 0)


@contextmanager
def _app(config_file: Path, if_store_fails: int = 1) -> Iterator[App]:
    """takmail put together from a config file; what is wrong with it ends the program with a sentence."""
    settings = _settings(config_file)
    try:
        app = App(settings)
        try:
            yield app
        finally:
            app.close()
    except ConfigError as error:
        _wrong(config_file, error.problems)
    except SQLAlchemyError as error:
        click.echo(f"[store] {settings.store.url}: {str(error).splitlines()[0]}", err=True)
        sys.exit(if_store_fails)


@contextmanager
def _known_game(number: int) -> Iterator[None]:
    try:
        yield
    except LookupError:
        raise click.ClickException(f"there is no game {number}; `takmail game list` shows them all") from None


def _settings(config_file: Path) -> Settings:
    try:
        return config.load(config_file)
    except ConfigError as error:
        _wrong(config_file, error.problems)


def _wrong(config_file: Path, problems: list[str]) -> NoReturn:
    for problem in problems:
        click.echo(f"{config_file}: {problem}", err=True)
    sys.exit(os.EX_CONFIG)


async def _try_servers(mailbox: Mailbox | None, sender: Sender) -> list[str]:
    """Log in to both servers; gives what went wrong."""
    problems = []
    if mailbox is not None:
        try:
            await mailbox.check()
        except (LoginRefused, MailboxLost, CommandRefused, OSError) as error:
            problems.append(f"[imap] {error}")
    try:
        await sender.check()
    except SendingImpossible as error:
        problems.append(f"[smtp] {error}")
    finally:
        await sender.close()
    return problems
