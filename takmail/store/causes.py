"""Process causes: call a function that reads what it needs and decides, and store its Outcome, in one transaction.

If another transaction conflicts, this one is rolled back and the cause is processed again from the beginning.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from sqlmodel import Session

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.letters.services import Services
from takmail.limits.mails import Excess
from takmail.mail.abridged import with_text_only
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead
from takmail.pipeline import process, returned
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.process import Conflict, Outcome, outcome_of_cause
from takmail.store import inbox, outbox
from takmail.store.database import UNAVAILABLE, Store, at_end, has_collided
from takmail.store.games import Replays
from takmail.store.inbox import StoredMail
from takmail.store.load import load_cause, load_snapshot
from takmail.store.machine_time import TimeSource
from takmail.store.numbers import SqlNumbers
from takmail.store.queries import SqlQueries
from takmail.store.write import ToSend, write
from takmail.world import (
    Cause,
    GameNumber,
    MailState,
    PlayerId,
    Reading,
    ReturnedLetter,
    Snapshot,
    World,
)

log = logging.getLogger(__name__)

ATTEMPTS = 10
"""The maximum number of times that a cause is processed if other transactions conflict."""

T = TypeVar("T")
Decide = Callable[[Context], Events]
"""A function that returns the events of a cause that is not a mail."""


@dataclass(frozen=True, slots=True)
class Causes:
    """Processes causes. Each method works in the caller's transaction. `now` returns the time."""

    services: Services
    now: TimeSource
    replays: Replays = field(default_factory=Replays)

    def mail(
        self,
        session: Session,
        row: StoredMail,
        message: Mail,
        unreadable: str | None = None,
        *,
        by: str,
        sends: bool = False,
        has_body: bool = True,
    ) -> tuple[Outcome, ToSend] | None:
        """Process a mail that process `by` has claimed, and store the outcome. Raises Conflict and ClaimLost.

        Return the outcome, and what is to be sent. If the same process sends letters at once (`sends`), those that may
        leave are stored as claimed by it.

        If its body exceeds the limits of reading, `unreadable` is the reason, and the mail is shunted. Without its body
        (`has_body`), return None if the headers alone don't decide it.
        """
        queries = self.queries(session)
        snapshot, message = self.snapshot(queries, row, message)
        outcome = process.process(self.services, snapshot, message, unreadable, has_body=has_body)
        if outcome is None:
            return None
        if has_body and unreadable is None and row.budget is not None:
            self._shorten(session, row, message, outcome)
        if outcome.letters:
            queries.counts.check()
        return outcome, write(session, snapshot, outcome, claimed_by=by, sends=sends)

    def _shorten(self, session: Session, row: StoredMail, message: Mail, outcome: Outcome) -> None:
        """Keep only the headers and the text of a decided mail that may be forged, if it is a stranger's or rejected.

        A mail whose text alone would be read otherwise is kept as it is.
        """
        body = message.body
        is_text = message.machine is None and body.reaction is None and body.text.strip() != ""
        is_kept = outcome.state is MailState.SHUNTED or (
            row.budget != inbox.STRANGERS and outcome.state is not MailState.REJECTED
        )
        if is_text and not is_kept:
            shortened = with_text_only(row.raw, body.text, self.services.limits)
            if len(shortened) < len(row.raw):
                inbox.shorten(session, row.id, shortened)

    def refused_letter(self, session: Session, letter: ReturnedLetter, reason: str) -> Outcome:
        """Process a letter whose recipient a mail server does not know. Raises Conflict."""
        cause = new_cause(f"letter {letter.number} refused", self.now())
        return self.decide(session, cause, lambda context: returned.on_bounce(context, letter, reason))

    def decide(
        self,
        session: Session,
        cause: Cause,
        decide: Decide,
        games: tuple[GameNumber, ...] = (),
        players: tuple[PlayerId, ...] = (),
        *,
        with_turn_times: bool = False,
    ) -> Outcome:
        """Process a cause that is not a mail, such as a ruling. Raises Conflict and the errors of `decide`.

        `with_turn_times` is as in `Loader`.
        """
        queries = self.queries(session)
        queries.with_turn_times = with_turn_times
        snapshot = load_cause(queries, self.world(queries), cause, games, players)
        outcome = outcome_of_cause(self.services, snapshot, decide)
        if outcome.letters:
            queries.counts.check()
        write(session, snapshot, outcome)
        return outcome

    def decide_apart(
        self, store: Store, cause: Cause, decide: Decide, finish: Callable[[Session], None]
    ) -> Outcome:
        """Process a cause whose letters take long to make, and `finish` it. Raises Conflict.

        A transaction that lets others write meanwhile makes the letters, and another one stores them.
        """
        with store.reading() as session:
            queries = self.queries(session)
            snapshot = load_cause(queries, self.world(queries), cause, (), ())
            outcome = outcome_of_cause(self.services, snapshot, decide)
        with store.transaction(durable=False) as session:
            write(session, snapshot, outcome, was_decided_apart=True)
            finish(session)
        return outcome

    def snapshot(self, queries: SqlQueries, row: StoredMail, message: Mail) -> tuple[Snapshot, Mail]:
        """Load the snapshot for a mail. Return it with the message, to which the letters that it names are added."""
        message = with_named_letters(self.services.key, message)
        arrived_at = row.received_at if row.arrived_at is None else row.arrived_at
        cause = Cause(_name_of(queries.session, row), row.id, row.is_from_person, arrived_at, row.part_of)
        return load_snapshot(queries, self.world(queries), cause, message), message

    def queries(self, session: Session) -> SqlQueries:
        """Return what a cause may read in this transaction. The cause's time is now."""
        return SqlQueries(session, self.services, self.replays, self.now())

    def world(self, queries: SqlQueries) -> World:
        """Return the world before a cause, which reads stored data until its transaction ends."""
        reading = Reading(queries)
        at_end(queries.session, reading.end)
        return World(reading, SqlNumbers(queries.session))

    def to_read(self, raw: bytes, size: int, excess: Excess | None = None) -> MailToRead:
        """Return a mail with the settings to parse it. `size` is the mail's full length, as `raw` may be cut.

        `excess` is the limit that it exceeded when it came.
        """
        services = self.services
        own = frozenset({services.address})
        return MailToRead(raw, own, services.limits, size, services.authserv_id, excess)


def _name_of(session: Session, row: StoredMail) -> str:
    """Return the name of a mail as a cause. A mail that was put back gets a new name, and thereby a new seed."""
    name = f"mail {row.id} {row.fingerprint}"
    letters = outbox.following(session, row.id) if row.attempts > 1 else ()
    return f"{name} after {len(letters)} letters" if letters else name


def new_cause(what: str, now: datetime) -> Cause:
    """Return a new cause that is not a mail. Its name is unique, even among causes of the same moment."""
    return Cause(f"{what} at {now.isoformat()}, {secrets.token_hex(8)}")


def with_retries(store: Store, work: Callable[[Session], T], *, durable: bool = True) -> T:
    """Run `work` in a transaction, and retry after a conflict or a deadlock, up to ATTEMPTS times in all.

    Raises the Conflict or the database's error of the last attempt. `durable` is as in `Store.transaction`.
    """

    def once() -> T:
        with store.transaction(durable=durable) as session:
            return work(session)

    return retried(once)


def retried(work: Callable[[], T]) -> T:
    """Do some work in transactions of its own, and retry as `with_retries` does."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except Conflict as conflict:
            log.info("conflict with another transaction; trying again: %s", conflict)
        except UNAVAILABLE as error:
            if not has_collided(error):
                raise
    return work()
