"""What the verbs share: the settings, takmail put together from them, and what is said when that fails."""

import logging
import os
import pwd
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from takmail.cli import settings_check
from takmail.config import ConfigError, Settings, loading
from takmail.pipeline.rulings import CannotRule
from takmail.pipeline.values import Conflict
from takmail.runtime import logs
from takmail.runtime.bootstrap import App
from takmail.store.schema import CannotOpen

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


why_option = click.option(
    "--why",
    required=True,
    metavar="TEXT",
    help="The reason, for the log and for the players: they are shown it.",
)


def _login() -> str:
    """Whoever runs the program."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"


as_option = click.option(
    "--as",
    "who",
    default=_login,
    metavar="NAME",
    help="Who decides so, for the log; your login if not given.",
)


def list_options(
    states: type[StrEnum], thing: str, which: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What a verb takes that lists mails or letters; `which` says what is listed in which states."""
    state = click.option(
        "--state", "states", multiple=True, type=click.Choice([str(one) for one in states]), help=which
    )
    last = click.option(
        "--last",
        default=50,
        show_default=True,
        type=click.IntRange(min=1),
        metavar="N",
        help="How many at most.",
    )
    as_json = click.option("--json", "as_json", is_flag=True, help=f"One JSON object a {thing} and line.")
    return lambda verb: state(last(as_json(verb)))


@contextmanager
def rulings_told(app: App) -> Iterator[None]:
    """What can't be ends the program with a sentence."""
    try:
        yield
    except CannotRule as error:
        raise click.ClickException(
            app.services.templates.line("console/cant_rule.txt", fault=error.fault, facts=error.facts)
        ) from None


@contextmanager
def opened(
    config_file: Path,
    if_store_fails: int = 1,
    log_level: int = logging.WARNING,
    *,
    log_as_json: bool = False,
) -> Iterator[App]:
    """takmail put together from a config file; what is wrong with it ends the program with a sentence."""
    settings = settings_of(config_file, log_as_json=log_as_json)
    with faults_told(config_file, settings, if_store_fails, log_level, log_as_json=log_as_json):
        app = App(settings)
        try:
            yield app
        finally:
            app.close()


@contextmanager
def faults_told(
    config_file: Path,
    settings: Settings,
    if_store_fails: int = 1,
    log_level: int = logging.WARNING,
    *,
    log_as_json: bool = False,
) -> Iterator[None]:
    """Whatever is wrong with the key or the database in the block ends the program with a sentence."""
    logs.log_to_stderr(log_level, settings.service.address, as_json=log_as_json)
    try:
        yield
    except ConfigError as error:
        wrong(config_file, error.problems, as_json=log_as_json)
    except Conflict as conflict:
        _tell(f"others were in the way five times ({conflict}); try it once more", as_json=log_as_json)
        sys.exit(if_store_fails)
    except (SQLAlchemyError, CannotOpen) as error:
        _tell(settings_check.store_problem(settings, error), as_json=log_as_json)
        sys.exit(if_store_fails)


def settings_of(config_file: Path, *, log_as_json: bool = False) -> Settings:
    """The settings in a config file; what is wrong with them ends the program with a sentence for each."""
    try:
        return loading.load(config_file)
    except ConfigError as error:
        wrong(config_file, error.problems, as_json=log_as_json)


def wrong(config_file: Path, problems: list[str], *, as_json: bool = False) -> NoReturn:
    """End the program and say what is to be mended in the config file."""
    for problem in problems:
        _tell(f"{config_file}: {problem}", as_json=as_json)
    sys.exit(os.EX_CONFIG)


def _tell(error: str, *, as_json: bool) -> None:
    """Say to the operator what is wrong, as the log is written."""
    if as_json:
        logs.tell_as_json(error)
    else:
        click.echo(error, err=True)


def beginning(stream: IO[bytes], at_most: int) -> tuple[bytes, int]:
    """So many bytes of a mail, and its whole length; the rest is taken and forgotten."""
    raw = stream.read(at_most)
    size = len(raw)
    # Who hands the mail over may take a pipe that is closed early for a failure.
    while rest := stream.read(_PIPE_BYTES):
        size += len(rest)
    return raw, size
