"""Define the command that reports takmail's health."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from takmail.admin import status as console
from takmail.admin.status import Bounds, Health, Level, Measure
from takmail.cli import settings_check
from takmail.cli.common import config_option, wrong
from takmail.config import ConfigError, Settings, loading
from takmail.letters.templates import Templates, folder
from takmail.runtime.parts import utc_now
from takmail.store.database import Store, is_there
from takmail.store.schema import CannotOpen


def _bounds(measure: Measure, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option for the two thresholds of a measure. `what` is its help text."""
    usual = console.USUAL.get(measure)
    shown = f" Default: {usual.warning} {usual.critical}." if usual else ""
    return click.option(
        f"--{measure.replace('_', '-')}",
        type=click.IntRange(min=0),
        nargs=2,
        metavar="W C",
        callback=_ordered,
        help=f"{what}{shown}",
    )


def _ordered(
    _context: click.Context, option: click.Parameter, value: tuple[int, int] | None
) -> Bounds | None:
    if value is None:
        return None
    if value[0] > value[1]:
        raise click.BadParameter("the second number must not be below the first", param=option)
    return Bounds(*value)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as one JSON object.")
@_bounds(
    Measure.CONTACT,
    "Seconds since the last contact with the mailbox and, if LMTP is used, since a `serve` was running. "
    "Default: 900 3600, more if poll_seconds is long.",
)
@_bounds(Measure.WAITING, "Seconds that a mail may wait.")
@_bounds(Measure.IN_HAND, "Seconds that a mail may stay claimed.")
@_bounds(Measure.UNSENT, "Seconds that a queued letter may wait.")
@_bounds(Measure.SHUNTED, "Shunted mails.")
@_bounds(Measure.FAILED, "Failed letters.")
@_bounds(Measure.BOUNCING, "Addresses whose letters bounce. No default.")
@config_option
def status(as_json: bool, config_file: Path, **given: Bounds | None) -> None:
    """Report takmail's health: waiting mails and letters, errors, and the last contact with the mailbox.

    A value of W or more is a warning, and a value of C or more is critical. Mails that wait while no `serve` runs are
    also critical. docs/operating.md describes what to do about each. The command changes nothing and shows no names.

    Exits with 0 if all values are below their thresholds, and with 1 for a warning. Exits with 2 if something is
    critical or the database is unavailable, and with 78 for wrong settings.

    With --json the keys are status, findings (each with measure, value and level), at, mailbox, serving, mails,
    letters, addresses and games. If the database is unavailable or the settings are wrong, the keys are status and
    problem. For wrong settings the status is unknown.

    \b
    Examples:
      takmail status
      takmail status --json --unsent 600 3600 --shunted 1 1
    """
    settings = _settings(config_file, as_json)
    bounds = dict(console.USUAL)
    bounds[Measure.CONTACT] = console.contact_bounds(settings.imap.poll_seconds if settings.imap else 0)
    bounds |= {Measure(name): value for name, value in given.items() if value is not None}
    bounds[Measure.SERVING] = bounds[Measure.CONTACT]
    it = _health(settings, as_json)
    findings = console.judged(it, bounds)
    if as_json:
        click.echo(console.as_json(it, findings))
    else:
        click.echo(console.status_page(Templates(folder()), it, findings))
    sys.exit(console.worst(findings))


def _settings(config_file: Path, as_json: bool) -> Settings:
    """Load the settings. If they have problems, report them, also as JSON if wanted, and exit with 78."""
    try:
        return loading.load(config_file)
    except ConfigError as error:
        if as_json:
            click.echo(json.dumps({"status": "unknown", "problem": "; ".join(error.problems)}))
        wrong(config_file, error.problems)


def _health(settings: Settings, as_json: bool) -> Health:
    """Return the numbers, without changing the database. If it is missing or unavailable, exit with 2."""
    none_yet = (
        f"[store] {settings.store.shown}: there is no database yet; the first command that opens it makes it"
    )
    if not is_there(settings.store.url):
        _critical(none_yet, as_json)
    try:
        store = Store.open_read_only(settings.store.url)
        try:
            if not store.has_tables():
                _critical(none_yet, as_json)
            with store.dry_run() as session:
                return console.health_of(session, settings, utc_now())
        finally:
            store.close()
    except (SQLAlchemyError, CannotOpen) as error:
        _critical(settings_check.store_problem(settings, error), as_json)


def _critical(problem: str, as_json: bool) -> NoReturn:
    level = Level.CRITICAL.name
    click.echo(
        json.dumps({"status": level.lower(), "problem": problem}) if as_json else f"{level}: {problem}"
    )
    sys.exit(Level.CRITICAL)
