"""Collect the numbers that tell whether takmail is healthy, for the operator and for monitoring."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from shutil import disk_usage

from sqlmodel import Session

from takmail.config import Settings
from takmail.runtime.outages import READING, SENDING
from takmail.runtime.parts import old_key_in_use, token_problems
from takmail.store import dispatch, health, inbox, leases, marker, process_name
from takmail.store.leases import Stopped
from takmail.store.sqlite_file import PageCheck, sqlite_file

OUTAGES = ("reading", "sending", "working")
"""The kinds of outages: no mails are read, no letters can leave, and any other task of a process has stopped."""


@dataclass(frozen=True, slots=True)
class PolledMailbox:
    """The mailbox that is polled.

    * `contact` is the time of the last contact with it, and `since_contact` the number of seconds since then, or None
    * `stopped` is why the mailbox is not this database's, and `unmarked` why it has no marker, or ''
    """

    contact: datetime | None
    since_contact: int | None
    stopped: str
    unmarked: str


@dataclass(frozen=True, slots=True)
class Serving:
    """The `serve` processes.

    * `processes` is the number of running ones
    * `since_last` is the number of seconds since one was running, or None if there never was one
    * `has_door`: LMTP is used, so that one has to run
    * `has_old_key`: a running one has another key than the settings name
    * `outages` are the tasks of theirs that have stopped, by kind (`OUTAGES`): of each the one that did so first
    """

    processes: int
    since_last: int | None
    has_door: bool
    has_old_key: bool
    outages: Mapping[str, Stopped]


@dataclass(frozen=True, slots=True)
class MailQueue:
    """The mails that wait.

    * `counts` are their numbers, and those of shunted mails, by state
    * `oldest` and `longest_in_hand` are ages in seconds, or None if there is none
    * `stranger_bytes` is what is stored of strangers' mails within a day, and `stranger_bytes_per_day` the limit
    """

    counts: Mapping[str, int]
    oldest: int | None
    longest_in_hand: int | None
    stranger_bytes: int
    stranger_bytes_per_day: int


@dataclass(frozen=True, slots=True)
class LetterQueue:
    """The letters that are not sent yet.

    * `counts` are their numbers by state, and those of failed ones to strangers apart
    * `oldest` is the age in seconds of the oldest queued letter, or None if there is none
    * `sent_of_day` is the number of letters sent within a day, and `per_day` the limit of the settings, or None
    """

    counts: Mapping[str, int]
    oldest: int | None
    sent_of_day: int
    per_day: int | None


@dataclass(frozen=True, slots=True)
class Storage:
    """The database.

    * its `size` and `free_disk` are in bytes. `free_disk` is None for a database on a server.
    * `damage` is what is damaged in its file, or ''
    """

    size: int
    free_disk: int | None
    damage: str


@dataclass(frozen=True, slots=True)
class Health:
    """The numbers at the time `at`.

    * `mailbox` is None if no mailbox is polled
    * `is_login_refused`: a provider of OAuth 2 or a mail server refuses the tokens in the token file, or it is missing
    * `addresses` counts those from which letters bounce, as `takmail.store.health.addresses` describes
    * `games` counts those that are not over, by standing
    * `tasks` is the number of turns, reviews and hints that a process has to think about
    """

    at: datetime
    mailbox: PolledMailbox | None
    is_login_refused: bool
    serving: Serving
    mails: MailQueue
    letters: LetterQueue
    addresses: Mapping[str, int]
    games: Mapping[str, int]
    tasks: int
    database: Storage


def health_of(session: Session, settings: Settings, now: datetime) -> Health:
    """Collect all numbers from the database and the settings."""
    last = leases.since_last(session)
    file = sqlite_file(settings.store.url)
    return Health(
        at=now,
        mailbox=None if settings.imap is None else _polled(session, settings.imap.mailbox, now),
        is_login_refused=bool(token_problems(settings)),
        serving=Serving(
            processes=leases.count_processes(session, process_name.is_gone),
            since_last=None if last is None else max(0, int(last.total_seconds())),
            has_door=settings.lmtp is not None,
            has_old_key=old_key_in_use(settings, session, lambda: now),
            outages=_outages(session),
        ),
        mails=MailQueue(
            counts=health.mails(session),
            oldest=_age(now, health.oldest_mail(session)),
            longest_in_hand=_age(now, health.longest_claim(session)),
            stranger_bytes=inbox.bytes_of_day(session, inbox.STRANGERS, now),
            stranger_bytes_per_day=settings.limits.stranger_bytes_per_day,
        ),
        letters=LetterQueue(
            counts=health.letters(session),
            oldest=_age(now, health.oldest_letter(session)),
            sent_of_day=dispatch.sent_within(session, timedelta(days=1), now).total(),
            per_day=settings.smtp.per_day,
        ),
        addresses=health.addresses(session),
        games=health.games(session),
        tasks=health.tasks(session),
        database=Storage(
            size=health.size(session),
            free_disk=None if file is None else disk_usage(file.resolve().parent).free,
            damage="" if file is None else PageCheck(file).damage(),
        ),
    )


def _outages(session: Session) -> Mapping[str, Stopped]:
    kinds = {READING: "reading", SENDING: "sending"}
    stopped = sorted(leases.stopped_tasks(session), key=lambda one: (one.seconds, one.why))
    return {kinds.get(one.task, "working"): one for one in stopped}


def _polled(session: Session, mailbox: str, now: datetime) -> PolledMailbox:
    contact = health.last_contact(session, mailbox)
    marked = marker.state(session)
    return PolledMailbox(
        contact=contact,
        since_contact=_age(now, contact),
        stopped="" if marked is None else marked.stopped,
        unmarked="" if marked is None else marked.unmarked,
    )


def _age(now: datetime, then: datetime | None) -> int | None:
    """Return the whole seconds from `then` to `now`, at least 0 because a clock may be set back."""
    return None if then is None else max(0, int((now - then).total_seconds()))
