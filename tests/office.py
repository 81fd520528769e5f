"""A takmail without a network: mails go in as bytes, letters come out of the outbox."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlmodel import col, select

from takmail.commands.game.table import Table
from takmail.commands.kinds import LetterView, MailState
from takmail.commands.records import GameNumber
from takmail.commands.services import RateLimits, Services
from takmail.forgetter import Forgetter
from takmail.games.registry import GAMES
from takmail.inbound import Inbound
from takmail.mail.tokens import SeatKey
from takmail.render.templates import Templates, folder
from takmail.store import games
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import IntakeRow, OutboxRow
from tests.correspondents import ADA as ADA
from tests.correspondents import BEN as BEN
from tests.correspondents import TAK, Correspondents, Received, parsed
from tests.correspondents import quote as quote
from tests.correspondents import said as said

TEMPLATES = Templates(folder())
"""Compiled once for all tests of a process."""


@dataclass
class Office(Correspondents):
    """The service on a database of its own; `now` stays as it is until it is moved."""

    store: Store
    delimiter: str = "+"
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    letter_view: LetterView = LetterView.TEXT
    _seen: int = 0

    def __post_init__(self) -> None:
        key = SeatKey(b"a key for tests only", TAK, self.delimiter)
        rates = RateLimits(300, 30, 5)
        self.services = Services(
            TAK, "Tak by Mail", key, TEMPLATES, rates, games=GAMES, letter_view=self.letter_view
        )
        self.inbound = Inbound(self.store, self.causes)
        self.forgetter = Forgetter(self.store, self.services.limits)

    def clock(self) -> datetime:
        """The time, which does not go on by itself."""
        return self.now

    @property
    def causes(self) -> Causes:
        """What works on causes, by the services as they are now."""
        return Causes(self.services, self.clock)

    def change(self, **values: object) -> None:
        """Go on with other services, as after a restart by another configuration."""
        self.services = replace(self.services, **values)  # type: ignore[arg-type]
        self.inbound = Inbound(self.store, self.causes)

    def deliver(self, raw: bytes) -> list[Received]:
        """Put a mail through; gives the letters that follow. A mail that is shunted fails the test."""
        self.inbound.keep_one(raw)
        self.inbound.work()
        with self.store.transaction() as session:
            shunted = session.exec(select(IntakeRow).where(IntakeRow.state == MailState.SHUNTED)).first()
            assert shunted is None, shunted.note
        return self.collect()

    def collect(self) -> list[Received]:
        """The letters that have been written since the last look."""
        with self.store.transaction() as session:
            rows = session.exec(
                select(OutboxRow).where(col(OutboxRow.id) > self._seen).order_by(col(OutboxRow.id))
            ).all()
        new = [Received(row.mail_to, parsed(row.raw)) for row in rows]
        self._seen = max([self._seen, *(row.id or 0 for row in rows)])
        self.box += new
        return new

    def table(self, number: int = 1) -> Table:
        """A game with everything on its table."""
        with self.store.transaction() as session:
            found = self.causes.queries(session, self.now).table(GameNumber(number))
        assert isinstance(found, Table)
        return found

    def note_of(self, mail: int) -> tuple[str, str]:
        """What became of the n-th mail, counted from 1, and why."""
        with self.store.transaction() as session:
            row = session.get_one(IntakeRow, mail)
            return str(row.state), row.note


def turns(office: Office, number: int = 1) -> list[str]:
    """The turns of a game that are stored, in canonical form."""
    with office.store.transaction() as session:
        return [turn.text for turn in games.turns(session, number)]


def broken_hand(*_: object) -> None:
    """Stands in for what carries out commands, where a mail is to raise."""
    raise RuntimeError("the hand that plays is broken")
