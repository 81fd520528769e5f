"""Report takmail's health to the operator and to monitoring: numbers, and the ones that exceed a threshold."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum

from sqlmodel import Session

from takmail.commands.kinds import LetterState, MailState, Standing
from takmail.config import Settings
from takmail.letters.templates import Templates
from takmail.store import health, leases, process_name


class Level(IntEnum):
    """A severity. The values are the exit codes for monitoring."""

    OK = 0
    WARNING = 1
    CRITICAL = 2


class Measure(StrEnum):
    """The measures with thresholds. The first five are in seconds, and the others are counts.

    * `contact`: the time since the last contact with the mailbox
    * `serving`: the time since a `serve` process was running, which matters if LMTP is used or mails wait
    * `waiting`: the age of the oldest waiting mail
    * `in_hand`: the time since the oldest claim of a mail
    * `unsent`: the age of the oldest queued letter
    * `shunted`: the number of shunted mails
    * `failed`: the number of failed letters
    * `bouncing`: the number of addresses from which letters bounce
    """

    CONTACT = "contact"
    SERVING = "serving"
    WAITING = "waiting"
    IN_HAND = "in_hand"
    UNSENT = "unsent"
    SHUNTED = "shunted"
    FAILED = "failed"
    BOUNCING = "bouncing"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The thresholds of a measure. A value from `warning` on is a warning, and from `critical` on it is critical."""

    warning: int
    critical: int

    def level(self, value: int) -> Level:
        """Return the severity of a value."""
        if value >= self.critical:
            return Level.CRITICAL
        return Level.WARNING if value >= self.warning else Level.OK


UNSERVED = 10
"""The maximum number of seconds for which a mail may wait while no `serve` runs. A `deliver` takes less."""

USUAL: Mapping[Measure, Bounds] = {
    Measure.WAITING: Bounds(300, 3_600),
    Measure.IN_HAND: Bounds(61, 600),
    Measure.UNSENT: Bounds(3_600, 6 * 3_600),
    Measure.SHUNTED: Bounds(1, 100),
    Measure.FAILED: Bounds(1, 100),
}
"""The default thresholds. `bouncing` has no default. Those of `contact` and `serving` depend on the settings."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A measure over a threshold. `value` is None if there never was a contact or a running `serve`."""

    measure: Measure
    value: int | None
    level: Level


@dataclass(frozen=True, slots=True)
class Health:
    """The numbers at the time `at`.

    * `has_mailbox`: a mailbox is polled. `contact` is the time of the last contact with it, or None.
    * `has_door`: LMTP is used
    * `serving` is the number of running `serve` processes
    * `since_serving` is the number of seconds since a `serve` was running, or None if there never was one
    * `oldest_mail`, `longest_in_hand` and `oldest_letter` are ages in seconds, or None if there is none
    * `bouncing` is the number of addresses from which letters bounce
    * `resting` is the number of addresses whose letters are suspended for bounces
    """

    at: datetime
    has_mailbox: bool
    contact: datetime | None
    has_door: bool
    serving: int
    since_serving: int | None
    mails: Mapping[MailState, int]
    oldest_mail: int | None
    longest_in_hand: int | None
    letters: Mapping[LetterState, int]
    oldest_letter: int | None
    bouncing: int
    resting: int
    games: Mapping[Standing, int]

    @property
    def since_contact(self) -> int | None:
        """The number of seconds since the last contact with the mailbox, or None if there was none."""
        return _age(self.at, self.contact)


def contact_bounds(poll_seconds: float) -> Bounds:
    """Return the thresholds of `contact`. There is normally a contact at least every `poll_seconds`."""
    return Bounds(max(900, int(2 * poll_seconds)), max(3_600, int(4 * poll_seconds)))


def health_of(session: Session, settings: Settings, now: datetime) -> Health:
    """Collect all numbers from the database and the settings."""
    mailbox = settings.imap.mailbox if settings.imap else None
    bouncing, resting = health.bouncing(session)
    last = leases.since_last(session)
    return Health(
        at=now,
        has_mailbox=mailbox is not None,
        contact=None if mailbox is None else health.last_contact(session, mailbox),
        has_door=settings.lmtp is not None,
        serving=leases.count_processes(session, process_name.is_gone),
        since_serving=None if last is None else max(0, int(last.total_seconds())),
        mails=health.mails(session),
        oldest_mail=_age(now, health.oldest_mail(session)),
        longest_in_hand=_age(now, health.longest_claim(session)),
        letters=health.letters(session),
        oldest_letter=_age(now, health.oldest_letter(session)),
        bouncing=bouncing,
        resting=resting,
        games=health.games(session),
    )


def judged(it: Health, bounds: Mapping[Measure, Bounds]) -> tuple[Finding, ...]:
    """Return the measures over their thresholds, the most severe first."""
    values = {
        Measure.WAITING: it.oldest_mail or 0,
        Measure.IN_HAND: it.longest_in_hand or 0,
        Measure.UNSENT: it.oldest_letter or 0,
        Measure.SHUNTED: it.mails[MailState.SHUNTED],
        Measure.FAILED: it.letters[LetterState.FAILED],
        Measure.BOUNCING: it.bouncing,
    }
    if it.since_contact is not None:
        values[Measure.CONTACT] = it.since_contact
    if it.has_door and it.since_serving is not None:
        values[Measure.SERVING] = it.since_serving
    found = [Finding(one, value, bounds[one].level(value)) for one, value in values.items() if one in bounds]
    found = [one for one in found if one.level]
    if it.has_mailbox and it.contact is None:
        found.append(Finding(Measure.CONTACT, None, Level.CRITICAL))
    if it.has_door and it.since_serving is None:
        found.append(Finding(Measure.SERVING, None, Level.CRITICAL))
    elif (
        not it.serving
        and (it.oldest_mail or 0) > UNSERVED
        and Measure.SERVING not in {one.measure for one in found}
    ):
        found.append(Finding(Measure.SERVING, it.since_serving, Level.CRITICAL))
    return tuple(sorted(found, key=lambda one: -one.level))


def worst(findings: tuple[Finding, ...]) -> Level:
    """Return the highest severity among the findings, or OK if there are none."""
    return max((one.level for one in findings), default=Level.OK)


def status_page(templates: Templates, it: Health, findings: tuple[Finding, ...]) -> str:
    """Return the numbers as text. Its first line has the severity, as monitoring shows only that line."""
    return templates.page("console/status.txt", it=it, findings=findings, level=worst(findings).name)


def as_json(it: Health, findings: tuple[Finding, ...]) -> str:
    """Return the numbers as one line of JSON."""
    contact = it.contact and it.contact.astimezone(UTC).isoformat()
    facts: dict[str, object] = {
        "status": worst(findings).name.lower(),
        "findings": [
            {"measure": one.measure, "value": one.value, "level": one.level.name.lower()} for one in findings
        ],
        "at": it.at.astimezone(UTC).isoformat(),
        "mailbox": {"last_contact": contact, "seconds": it.since_contact} if it.has_mailbox else None,
        "serving": {"processes": it.serving, "last_seconds": it.since_serving},
        "mails": {
            "waiting": it.mails[MailState.NEW],
            "oldest_waiting_seconds": it.oldest_mail,
            "longest_in_hand_seconds": it.longest_in_hand,
            "shunted": it.mails[MailState.SHUNTED],
        },
        "letters": {**_named(it.letters), "oldest_unsent_seconds": it.oldest_letter},
        "addresses": {"bouncing": it.bouncing, "resting": it.resting},
        "games": _named(it.games),
    }
    return json.dumps(facts)


def _named(counts: Mapping[LetterState, int] | Mapping[Standing, int]) -> dict[str, int]:
    return {str(state): count for state, count in counts.items()}


def _age(now: datetime, then: datetime | None) -> int | None:
    """Return the whole seconds from `then` to `now`, at least 0 because a clock may be set back."""
    return None if then is None else max(0, int((now - then).total_seconds()))
