"""Work on causes: load a Snapshot, decide by a pure function, and store the Outcome, in one transaction.

Where another transaction was in the way, nothing of it is stored, and the cause is worked on again from the beginning.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from sqlmodel import Session

from takmail.commands.context import Context
from takmail.commands.events import Event
from takmail.commands.records import GameNumber, PlayerId, ReturnedLetter
from takmail.commands.snapshot import Cause, Snapshot
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.mail.reader import ToRead
from takmail.pipeline import process, returned
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.other_causes import decided
from takmail.pipeline.values import Conflict, Outcome
from takmail.store import outbox
from takmail.store.database import AWAY, Store, has_collided
from takmail.store.queries import SqlQueries
from takmail.store.replays import Replays
from takmail.store.snapshot import load_cause, load_snapshot
from takmail.store.tables import IntakeRow
from takmail.store.write import write

log = logging.getLogger(__name__)

ATTEMPTS = 5
"""The most attempts at a cause in a row, if other transactions are in its way."""

Done = TypeVar("Done")
Decide = Callable[[Context], tuple[Event, ...]]
"""What follows from a cause that is no mail."""


@dataclass(frozen=True, slots=True)
class Causes:
    """Works on causes, each in a transaction of its caller's; `clock` gives UTC-aware datetimes."""

    services: Services
    clock: Callable[[], datetime]
    replays: Replays = field(default_factory=Replays)

    def mail(self, session: Session, row: IntakeRow, message: Message, by: str) -> Outcome:
        """All that a mail leads to that is in the hand of `by`; raises Conflict and NotOurs."""
        snapshot, message = self.snapshot(session, row, message)
        outcome = process.process(self.services, self.queries(session, snapshot.now), snapshot, message)
        write(session, snapshot, outcome, claimed_by=by)
        return outcome

    def headers(self, session: Session, row: IntakeRow, message: Message, by: str) -> Outcome | None:
        """As `mail`, where the headers alone decide; None: the body is to be read."""
        snapshot, message = self.snapshot(session, row, message)
        outcome = process.by_headers(self.services, self.queries(session, snapshot.now), snapshot, message)
        if outcome is not None:
            write(session, snapshot, outcome, claimed_by=by)
        return outcome

    def unreadable(self, session: Session, row: IntakeRow, message: Message, reason: str, by: str) -> Outcome:
        """Keep a mail for the operator whose body takes too much to read; raises as `mail` does."""
        snapshot, message = self.snapshot(session, row, message, is_costly=True)
        queries = self.queries(session, snapshot.now)
        outcome = process.unreadable(self.services, queries, snapshot, message, reason)
        write(session, snapshot, outcome, claimed_by=by)
        return outcome

    def refused_letter(self, session: Session, letter: ReturnedLetter, reason: str) -> Outcome:
        """Note that a server knows no reader of a letter; raises Conflict."""
        cause = new_cause(f"letter {letter.number} refused", self.clock())
        return self.decide(session, cause, lambda context: returned.came_back(context, letter, reason))

    def decide(
        self,
        session: Session,
        cause: Cause,
        decide: Decide,
        games: tuple[GameNumber, ...] = (),
        players: tuple[PlayerId, ...] = (),
    ) -> Outcome:
        """All that a cause leads to that is no mail, such as a ruling; raises Conflict, and what `decide` does."""
        now, seed = self.clock(), self.services.key.seed(cause.name)
        snapshot = load_cause(
            session, self.services, self.replays, cause, now=now, seed=seed, games=games, players=players
        )
        outcome = decided(self.services, self.queries(session, snapshot.now), snapshot, decide)
        write(session, snapshot, outcome)
        return outcome

    def snapshot(
        self, session: Session, row: IntakeRow, message: Message, *, is_costly: bool = False
    ) -> tuple[Snapshot, Message]:
        """What a mail can need, and the mail as an answer to the letters that it names."""
        message = with_named_letters(self.services.key, message)
        cause = Cause(_name_of(session, row), row.id, row.is_persons)
        snapshot = load_snapshot(
            session,
            self.services,
            self.replays,
            cause,
            message,
            now=self.clock(),
            seed=self.services.key.seed(cause.name),
            is_costly=is_costly,
        )
        return snapshot, message

    def queries(self, session: Session, now: datetime) -> SqlQueries:
        """Return the queries of commands in this transaction, by `now`."""
        return SqlQueries(session, self.services, self.replays, now)

    def to_read(self, raw: bytes, size: int) -> ToRead:
        """A mail with what it takes to read it; `size` is its length where `raw` is cut."""
        services = self.services
        return ToRead(raw, frozenset({services.address}), services.limits, size, services.authserv_id)


def _name_of(session: Session, row: IntakeRow) -> str:
    """The name of a mail as a cause: one that was put back is another, as its letters have had the chance of it."""
    name = f"mail {row.id} {row.fingerprint}"
    letters = outbox.following(session, row.id) if row.attempts > 1 else ()
    return f"{name} after {len(letters)} letters" if letters else name


def new_cause(what: str, now: datetime) -> Cause:
    """A cause that is no mail; two of the same moment are two causes."""
    return Cause(f"{what} at {now.isoformat()}, {secrets.token_hex(8)}")


def again(store: Store, work: Callable[[Session], Done], *, lasting: bool = True) -> Done:
    """Do something in a transaction of its own, again where others were in its way; raises Conflict in the end.

    `lasting` as for `Store.transaction`. Two transactions that wait for each other raise what the database raises.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            with store.transaction(lasting=lasting) as session:
                return work(session)
        except Conflict as conflict:
            log.info("another transaction was in the way: %s", conflict)
        except AWAY as error:
            if not has_collided(error):
                raise
    with store.transaction(lasting=lasting) as session:
        return work(session)
