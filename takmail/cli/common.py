"""Define what the commands have in common: options, loading the settings, opening the app, and reporting errors."""

import logging
import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from takmail.cli import settings_check
from takmail.config import ConfigError, Settings, loading
from takmail.letters.templates import printable
from takmail.pipeline.process import Conflict
from takmail.pipeline.rulings import CannotRule
from takmail.runtime import logs
from takmail.runtime.bootstrap import App
from takmail.store.causes import ATTEMPTS
from takmail.store.machine_time import TimeSource, utc_now
from takmail.store.schema import CannotUse, DatabaseFault
from takmail.world import CorruptGame

_PIPE_BYTES = 1024 * 1024

config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    default=Path("config.toml"),
    show_default=True,
    metavar="F",
    help="The config file; config.example.toml shows all settings.",
)


why_option = click.option(
    "--why",
    required=True,
    metavar="TEXT",
    help="The reason, for the log and for the players.",
)


def _login() -> str:
    """Return the login name of the user who runs the command, or the user's number if it has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"


as_option = click.option(
    "--as",
    "who",
    default=_login,
    metavar="NAME",
    help="Who decides, for the log. Default: your login name.",
)


def time_source() -> TimeSource:
    """Return the time source of the command that runs: click's context object, or the machine's if there is none."""
    given: TimeSource | None = click.get_current_context().obj
    return given or utc_now


def now() -> datetime:
    """Return the time by the time source of the command."""
    return time_source()()


@contextmanager
def opened(
    config_file: Path,
    if_store_fails: int = 1,
    log_level: int = logging.WARNING,
    *,
    log_as_json: bool = False,
    upgrades: bool = False,
) -> Iterator[App]:
    """Open the app with the settings in a config file, and close it at the end of the block.

    `upgrades` allows to upgrade a database with an older schema. Without it such a database is an error.

    Errors of the settings or the database, also in the block, are reported as `faults_told` does. If a ruling in the
    block is impossible, or its game is missing or corrupt, print one sentence and exit with 1.
    """
    settings = settings_of(config_file, log_as_json=log_as_json)
    with (
        faults_told(config_file, settings, if_store_fails, log_level, log_as_json=log_as_json),
        closing(App(settings, time_source(), upgrades=upgrades)) as app,
    ):
        try:
            yield app
        except CorruptGame as error:
            raise click.ClickException(
                app.services.templates.line("console/corrupt_game.txt", fault=error.fault)
            ) from None
        except CannotRule as error:
            raise click.ClickException(
                app.services.templates.line("console/cant_rule.txt", fault=error.fault, facts=error.facts)
            ) from None


@contextmanager
def faults_told(
    config_file: Path,
    settings: Settings,
    if_store_fails: int = 1,
    log_level: int = logging.WARNING,
    *,
    log_as_json: bool = False,
) -> Iterator[None]:
    """Log to standard error, and report errors of the key or the database in the block in one sentence each.

    Exits with 78 for an error of the key, and with `if_store_fails` for an error of the database. If that is 1, a
    database that has to be upgraded first makes it 65.
    """
    logs.log_to_stderr(log_level, settings.service.address, as_json=log_as_json)
    try:
        yield
    except ConfigError as error:
        wrong(config_file, error.problems, as_json=log_as_json)
    except Conflict as conflict:
        problem = f"the command conflicted with other transactions {ATTEMPTS} times ({conflict}); try again"
        _print_error(problem, as_json=log_as_json)
        sys.exit(if_store_fails)
    except (SQLAlchemyError, CannotUse) as error:
        _print_error(settings_check.store_problem(settings, error), as_json=log_as_json)
        is_older = isinstance(error, CannotUse) and error.fault is DatabaseFault.TO_UPGRADE
        # A mail server gives up a mail unless `deliver` exits with the code that it has chosen.
        sys.exit(os.EX_DATAERR if is_older and if_store_fails == 1 else if_store_fails)


def settings_of(config_file: Path, *, log_as_json: bool = False) -> Settings:
    """Load the settings in a config file. If it has problems, report each in a sentence and exit with 78."""
    try:
        return loading.load(config_file)
    except ConfigError as error:
        wrong(config_file, error.problems, as_json=log_as_json)


def wrong(config_file: Path, problems: list[str], *, as_json: bool = False) -> NoReturn:
    """Report each problem of the config file on a line of its own, and exit with 78."""
    for problem in problems:
        _print_error(f"{config_file}: {problem}", as_json=as_json)
    sys.exit(os.EX_CONFIG)


def _print_error(error: str, *, as_json: bool) -> None:
    """Print an error in the format of the log."""
    if as_json:
        logs.tell_as_json(error)
    else:
        say(error, err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print a text for the operator. The words of servers in it can't control the terminal."""
    click.echo("\n".join(map(printable, text.split("\n"))), err=err)


def beginning(stream: IO[bytes], at_most: int) -> tuple[bytes, int]:
    """Return the first `at_most` bytes of a mail, and its full length. The other bytes are read and discarded."""
    raw = stream.read(at_most)
    size = len(raw)
    # If the pipe were closed early, the sending program might report a failure.
    while rest := stream.read(_PIPE_BYTES):
        size += len(rest)
    return raw, size
