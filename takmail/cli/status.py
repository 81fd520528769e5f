"""Report takmail's health to the operator and to monitoring: `takmail status`."""

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from takmail import __version__
from takmail.cli import settings_check
from takmail.cli.common import config_option, now, wrong
from takmail.config import ConfigError, Settings, loading
from takmail.letters.templates import Templates, folder
from takmail.runtime.health import OUTAGES, Health, PolledMailbox, Serving, health_of
from takmail.store.database import Store, is_there
from takmail.store.schema import HEAD, CannotUse
from takmail.world import LetterState, MailState


class Level(IntEnum):
    """A severity. The values are the exit codes for monitoring."""

    OK = 0
    WARNING = 1
    CRITICAL = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """The thresholds of a measure. A value from `warning` on is a warning, and from `critical` on it is critical.

    `sign` is -1 if values are the worse the lower they are, otherwise 1.
    """

    warning: int
    critical: int
    sign: int = 1

    def level(self, value: int) -> Level:
        """Return the severity of a value."""
        if self.sign * value >= self.sign * self.critical:
            return Level.CRITICAL
        return Level.WARNING if self.sign * value >= self.sign * self.warning else Level.OK


MEGABYTE = 1_000_000
UNSERVED = 10
"""The maximum number of seconds for which a mail may wait while no `serve` runs. A `deliver` takes less."""


def _lasts(it: Health, outage: str) -> int | None:
    stopped = it.serving.outages.get(outage)
    return None if stopped is None else stopped.seconds


VALUES: Mapping[str, Callable[[Health], int | None]] = {
    "waiting": lambda it: it.mails.oldest or 0,
    "in_hand": lambda it: it.mails.longest_in_hand or 0,
    "unsent": lambda it: it.letters.oldest or 0,
    "shunted": lambda it: it.mails.counts[MailState.SHUNTED],
    "failed": lambda it: it.letters.counts[LetterState.FAILED],
    "bouncing": lambda it: it.addresses["bouncing"],
    "login": lambda it: it.is_login_refused,
    "key": lambda it: it.serving.has_old_key,
    "strangers": lambda it: it.mails.stranger_bytes >= it.mails.stranger_bytes_per_day,
    "unmarked": lambda it: it.mailbox is not None and it.mailbox.unmarked != "",
    "stopped": lambda _: None,
    "damage": lambda _: None,
    "reading": lambda it: None if it.mailbox and it.mailbox.stopped else _lasts(it, "reading"),
    "sending": lambda it: _lasts(it, "sending"),
    "working": lambda it: _lasts(it, "working"),
    "contact": lambda it: None if it.mailbox is None else it.mailbox.since_contact,
    "serving": lambda it: it.serving.since_last,
    "free_disk": lambda it: None if it.database.free_disk is None else it.database.free_disk // MEGABYTE,
}
"""The measures, which console/finding.txt words. Each is an age in seconds or a count. None means that there is none.

* `waiting`: the age of the oldest waiting mail
* `in_hand`: the time since the oldest claim of a mail
* `unsent`: the age of the oldest queued letter
* `shunted`: the number of shunted mails
* `failed`: the number of failed letters to those who have ever provably written
* `bouncing`: the number of their addresses from which letters bounce
* `login`: whether the tokens of OAuth 2 are refused
* `key`: whether a running `serve` has another key than the settings name
* `strangers`: whether the budget of bytes of strangers' mails is used up, so that such mails wait
* `unmarked`: the mailbox has no marker, although it should have one
* `stopped`: the mailbox belongs to another copy of this database, or to another database
* `damage`: the database's file is damaged
* `reading`: for how long a running `serve` has not been able to read the mailbox
* `sending`: for how long its letters have not been able to leave
* `working`: for how long another part of it has stood still, such as for the database
* `contact`: the time since the last contact with the mailbox
* `serving`: the time since a `serve` process was running
* `free_disk`: what is free on the disk of the database's file, in megabytes. A low value is bad.
"""

USUAL: Mapping[str, Bounds] = {
    "waiting": Bounds(300, 3_600),
    "in_hand": Bounds(61, 600),
    "unsent": Bounds(3_600, 6 * 3_600),
    "shunted": Bounds(1, 100),
    "failed": Bounds(1, 100),
    "free_disk": Bounds(500, 50, sign=-1),
    "outage": Bounds(0, 900),
    "serving": Bounds(45, 900),
    "login": Bounds(1, 2),
    "key": Bounds(1, 2),
    "strangers": Bounds(1, 2),
    "unmarked": Bounds(1, 2),
}
"""The default thresholds. `bouncing` has no default, and those of `contact` depend on the settings.

`serving` counts if mails come by IMAP or LMTP. A running process renews its lease every 10 seconds.
"""

ALWAYS_CRITICAL: Mapping[str, Callable[[Health], bool]] = {
    "damage": lambda it: it.database.damage != "",
    "stopped": lambda it: it.mailbox is not None and it.mailbox.stopped != "",
    "contact": lambda it: it.mailbox is not None and it.mailbox.contact is None,
    "serving": lambda it: (
        (it.serving.has_door and it.serving.since_last is None)
        or (not it.serving.processes and (it.mails.oldest or 0) > UNSERVED)
    ),
}
"""What is critical whatever the thresholds. A `serve` has to run if LMTP is used, or if mails wait."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A measure over a threshold. `value` is None for damage, and if there never was a contact or a running `serve`.

    `why` is the reason of an outage as a server or the database tells it, otherwise ''.
    """

    measure: str
    value: int | None
    level: Level
    why: str = ""


def contact_bounds(poll_seconds: float) -> Bounds:
    """Return the thresholds of `contact`. There is normally a contact at least every `poll_seconds`."""
    return Bounds(max(900, int(2 * poll_seconds)), max(3_600, int(4 * poll_seconds)))


def judged(it: Health, bounds: Mapping[str, Bounds]) -> tuple[Finding, ...]:
    """Return the measures over their thresholds, the most severe first."""
    values = {name: value(it) for name, value in VALUES.items()}
    over = [
        Finding(name, value, level, it.serving.outages[name].why if name in it.serving.outages else "")
        for name, value in values.items()
        if value is not None and name in bounds and (level := bounds[name].level(value))
    ]
    critical = [
        Finding(name, values[name], Level.CRITICAL)
        for name, is_raised in ALWAYS_CRITICAL.items()
        if is_raised(it) and name not in {one.measure for one in over}
    ]
    return tuple(sorted(over + critical, key=lambda one: -one.level))


def worst(findings: tuple[Finding, ...]) -> Level:
    """Return the highest severity among the findings, or OK if there are none."""
    return max((one.level for one in findings), default=Level.OK)


def _finding(finding: Finding) -> dict[str, object]:
    facts: dict[str, object] = {
        "measure": finding.measure,
        "value": finding.value,
        "level": finding.level.name.lower(),
    }
    return {**facts, "why": finding.why} if finding.why else facts


def _mailbox(mailbox: PolledMailbox) -> dict[str, object]:
    return {
        "last_contact": mailbox.contact and mailbox.contact.astimezone(UTC).isoformat(),
        "seconds": mailbox.since_contact,
        "stopped": mailbox.stopped or None,
        "unmarked": mailbox.unmarked or None,
    }


def _serving(serving: Serving) -> dict[str, object]:
    outages = serving.outages.items()
    return {
        "processes": serving.processes,
        "last_seconds": serving.since_last,
        "outages": {kind: {"seconds": outage.seconds, "why": outage.why} for kind, outage in outages},
    }


def health_json(it: Health, findings: tuple[Finding, ...]) -> str:
    """Return the numbers as one line of JSON."""
    mails, letters, database = it.mails, it.letters, it.database
    facts: dict[str, object] = {
        "status": worst(findings).name.lower(),
        "version": __version__,
        "schema": HEAD,
        "findings": [_finding(finding) for finding in findings],
        "at": it.at.astimezone(UTC).isoformat(),
        "mailbox": None if it.mailbox is None else _mailbox(it.mailbox),
        "serving": _serving(it.serving),
        "mails": {
            "waiting": mails.counts[MailState.NEW],
            "oldest_waiting_seconds": mails.oldest,
            "longest_in_hand_seconds": mails.longest_in_hand,
            "shunted": mails.counts[MailState.SHUNTED],
            "stranger_bytes_within_day": mails.stranger_bytes,
            "stranger_bytes_per_day": mails.stranger_bytes_per_day,
        },
        "letters": {
            **letters.counts,
            "sent_within_day": letters.sent_of_day,
            "per_day": letters.per_day,
            "oldest_unsent_seconds": letters.oldest,
        },
        "addresses": {**it.addresses},
        "games": {**it.games},
        "tasks": it.tasks,
        "database": {
            "bytes": database.size,
            "free_bytes": database.free_disk,
            "damage": database.damage or None,
        },
    }
    return json.dumps(facts)


def _bounds(measure: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option for the two thresholds of a measure. `what` is its help text."""
    usual = USUAL.get(measure)
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
    bounds = Bounds(*value, sign=-1 if option.name == "free_disk" else 1)
    if bounds.sign * bounds.warning > bounds.sign * bounds.critical:
        wrong_side = "below" if bounds.sign > 0 else "above"
        raise click.BadParameter(f"the second number must not be {wrong_side} the first", param=option)
    return bounds


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as one JSON object.")
@_bounds(
    "contact",
    "Seconds since the last contact with the mailbox. Default: 900 3600, more if poll_seconds is long.",
)
@_bounds("serving", "Seconds since a `serve` was running.")
@_bounds("outage", "Seconds for which a `serve` can't read the mailbox, send letters or use the database.")
@_bounds("waiting", "Seconds that a mail may wait.")
@_bounds("in_hand", "Seconds that a mail may stay claimed.")
@_bounds("unsent", "Seconds that a queued letter may wait.")
@_bounds("shunted", "Shunted mails.")
@_bounds("failed", "Failed letters to players.")
@_bounds("bouncing", "Players' addresses whose letters bounce. No default.")
@_bounds("free_disk", "Megabytes that are free on the disk of the database's file.")
@config_option
def status(as_json: bool, config_file: Path, **given: Bounds | None) -> None:
    """Report takmail's health.

    The values are waiting mails and letters, errors, and the last contact with the mailbox.

    An outage is a warning at once: a mail server that can't be reached or refuses the login, and a database that can't
    be written to. It stands on the first line with its reason.

    A value of W or more is a warning, and a value of C or more is critical; for --free-disk it is W or less. Mails
    that wait while no `serve` runs, a damaged database and a mailbox that belongs to another copy of the database, or
    to another database, are also critical. Failed letters to strangers, from whose
    addresses nobody has ever provably written, are counted apart and are no warning. docs/troubleshooting.md tells what
    to do about each. The command changes nothing and shows no names.

    Exits with 0 if all values are below their thresholds, and with 1 for a warning. Exits with 2 if something is
    critical or the database is unavailable, and with 78 for wrong settings.

    With --json the keys are status, version, schema, findings (each with measure, value and level, and for an outage
    why), at, mailbox, serving, mails, letters, addresses, games, tasks and database. If the database is unavailable or
    the settings are wrong, the keys are status and problem. For wrong settings the status is unknown.

    \b
    Examples:
      takmail status
      takmail status --json --unsent 600 3600 --shunted 1 1
    """
    settings = _settings(config_file, as_json)
    bounds = dict(USUAL)
    bounds["contact"] = contact_bounds(settings.imap.poll_seconds if settings.imap else 0)
    bounds |= {name: value for name, value in given.items() if value is not None}
    bounds |= dict.fromkeys(OUTAGES, bounds["outage"])
    if settings.lmtp is None and settings.imap is None:
        del bounds["serving"]
    it = _health(settings, as_json)
    findings = judged(it, bounds)
    if as_json:
        click.echo(health_json(it, findings))
    else:
        facts = {
            "it": it,
            "findings": findings,
            "level": worst(findings).name,
            "version": __version__,
            "schema": HEAD,
        }
        click.echo(Templates(folder()).page("console/status.txt", **facts))
    sys.exit(worst(findings))


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
        with closing(Store.open_read_only(settings.store.url)) as store:
            if not store.has_tables():
                _critical(none_yet, as_json)
            with store.dry_run() as session:
                return health_of(session, settings, now())
    except (SQLAlchemyError, CannotUse) as error:
        _critical(settings_check.store_problem(settings, error), as_json)


def _critical(problem: str, as_json: bool) -> NoReturn:
    level = Level.CRITICAL.name
    click.echo(
        json.dumps({"status": level.lower(), "problem": problem}) if as_json else f"{level}: {problem}"
    )
    sys.exit(Level.CRITICAL)
