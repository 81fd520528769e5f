"""Collect the numbers that tell whether takmail is healthy, for the operator and for monitoring."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from shutil import disk_usage

from sqlmodel import Session

from takmail.config import Settings
from takmail.runtime.parts import old_key_in_use, token_problems
from takmail.store import dispatch, health, inbox, leases, marker, process_name
from takmail.store.sqlite_file import PageCheck, sqlite_file


@dataclass(frozen=True, slots=True)
class Health:
    """The numbers at the time `at`.

    * `has_mailbox`: a mailbox is polled. `contact` is the time of the last contact with it, or None.
    * `stopped` is why the mailbox is not this database's, and `unmarked` why it has no marker, or ''
    * `has_door`: LMTP is used
    * `is_login_refused`: a provider of OAuth 2 or a mail server refuses the tokens in the token file, or it is missing
    * `has_old_key`: a running process has another key than the settings name
    * `serving` is the number of running `serve` processes
    * `since_serving` is the number of seconds since a `serve` was running, or None if there never was one
    * `oldest_mail`, `longest_in_hand` and `oldest_letter` are ages in seconds, or None if there is none
    * `stranger_bytes` is what is stored of strangers' mails within a day, and `stranger_bytes_per_day` the limit
    * `letters` counts the unsent letters by state, and failed ones to strangers apart
    * `sent_of_day` is the number of letters sent within a day, and `per_day` the limit of the settings, or None
    * `addresses` counts those from which letters bounce, as `takmail.store.health.addresses` describes
    * `tasks` is the number of turns, reviews and hints that a process has to think about
    * `size` of the database and `free_disk` are in bytes. `free_disk` is None for a database on a server.
    * `damage` is what is damaged in the database's file, or ''
    """

    at: datetime
    has_mailbox: bool
    contact: datetime | None
    stopped: str
    unmarked: str
    has_door: bool
    is_login_refused: bool
    has_old_key: bool
    serving: int
    since_serving: int | None
    mails: Mapping[str, int]
    oldest_mail: int | None
    longest_in_hand: int | None
    stranger_bytes: int
    stranger_bytes_per_day: int
    letters: Mapping[str, int]
    sent_of_day: int
    per_day: int | None
    oldest_letter: int | None
    addresses: Mapping[str, int]
    games: Mapping[str, int]
    tasks: int
    size: int
    free_disk: int | None
    damage: str

    @property
    def since_contact(self) -> int | None:
        """The number of seconds since the last contact with the mailbox, or None if there was none."""
        return _age(self.at, self.contact)


def health_of(session: Session, settings: Settings, now: datetime) -> Health:
    """Collect all numbers from the database and the settings."""
    mailbox = settings.imap.mailbox if settings.imap else None
    file = sqlite_file(settings.store.url)
    last = leases.since_last(session)
    marked = None if mailbox is None else marker.state(session)
    return Health(
        at=now,
        has_mailbox=mailbox is not None,
        contact=None if mailbox is None else health.last_contact(session, mailbox),
        stopped="" if marked is None else marked.stopped,
        unmarked="" if marked is None else marked.unmarked,
        has_door=settings.lmtp is not None,
        is_login_refused=bool(token_problems(settings)),
        has_old_key=old_key_in_use(settings, session, lambda: now),
        serving=leases.count_processes(session, process_name.is_gone),
        since_serving=None if last is None else max(0, int(last.total_seconds())),
        mails=health.mails(session),
        oldest_mail=_age(now, health.oldest_mail(session)),
        longest_in_hand=_age(now, health.longest_claim(session)),
        stranger_bytes=inbox.bytes_of_day(session, inbox.STRANGERS, now),
        stranger_bytes_per_day=settings.limits.stranger_bytes_per_day,
        letters=health.letters(session),
        sent_of_day=dispatch.sent_within(session, timedelta(days=1), now).total(),
        per_day=settings.smtp.per_day,
        oldest_letter=_age(now, health.oldest_letter(session)),
        addresses=health.addresses(session),
        games=health.games(session),
        tasks=health.tasks(session),
        size=health.size(session),
        free_disk=None if file is None else disk_usage(file.resolve().parent).free,
        damage="" if file is None else PageCheck(file).damage(),
    )


def _age(now: datetime, then: datetime | None) -> int | None:
    """Return the whole seconds from `then` to `now`, at least 0 because a clock may be set back."""
    return None if then is None else max(0, int((now - then).total_seconds()))
