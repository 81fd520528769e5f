"""A takmail without a network: it takes mails as bytes, and its letters are read from the outbox."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from takmail.commands.command_list import COMMANDS
from takmail.games.registry import GAMES
from takmail.letters.catalogue import ENGLISH
from takmail.letters.services import Services
from takmail.limits.letters import RateLimits
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead
from takmail.mail.tokens import SeatKey
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.reader_process import ReaderProcess
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.records import TURNS
from takmail.store.tables import InboxRow, OutboxRow
from takmail.world.game import Game
from takmail.world.kinds import UNTHREADED, GameNumber, LetterView, MailState
from tests.support import scenes
from tests.support.pictures import illustrated
from tests.support.players import ADA as ADA
from tests.support.players import BEN as BEN
from tests.support.players import TAK, Players, Received
from tests.support.players import quote as quote
from tests.support.players import said as said
from tests.support.scenes import Scene, played_once
from tests.support.wording import CATALOGUE

TEMPLATES = CATALOGUE


class ReadsHere(ReaderProcess):
    """Reads mails in this process, as to start another one costs more than all else that a mail takes."""

    def read(self, mail: MailToRead) -> Mail:
        return mail.read()


def read_here(mail: MailToRead) -> Mail:
    """Read a mail for a command in this process."""
    return mail.read()


@dataclass
class Harness(Players):
    """The service on its own database. The clock `now` changes only when a test changes it."""

    store: Store
    delimiter: str = "+"
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    letter_view: LetterView = LetterView.TEXT
    operator: str | None = None
    language: str = ENGLISH
    _seen: int = 0

    def __post_init__(self) -> None:
        key = SeatKey(b"a key for tests only", TAK, self.delimiter)
        rates = RateLimits(300, 30, 5)
        self.services = Services(
            TAK,
            "Tak by Mail",
            key,
            TEMPLATES,
            rates,
            operator=self.operator,
            language=self.language,
            letter_view=self.letter_view,
            commands=COMMANDS,
            games=GAMES,
        )
        self.mail_worker = MailWorker(self.store, self.causes, reader=ReadsHere())
        self._made_with = self.services, self.mail_worker

    def time_source(self) -> datetime:
        """Return the time, which a test controls."""
        return self.now

    @property
    def causes(self) -> Causes:
        """The processor of causes with the current services."""
        return Causes(self.services, self.time_source)

    def change(self, **values: object) -> None:
        """Continue with other services, as after a restart with another configuration."""
        self.services = replace(self.services, **values)  # type: ignore[arg-type]
        self.mail_worker = MailWorker(self.store, self.causes, reader=ReadsHere())

    @property
    def made_as(self) -> Hashable:
        return self.delimiter, self.letter_view, self.operator, self.language, self.confirms, self.now

    @property
    def is_new(self) -> bool:
        # Another worker may claim letters at once, so that a scene of it would be another one.
        is_as_made = (self.services, self.mail_worker) == self._made_with
        if not is_as_made or self.store.engine.dialect.name != "sqlite":
            return False
        with self.store.transaction() as session:
            return session.exec(select(InboxRow)).first() is None

    def scene(self) -> Scene:
        return Scene(scenes.copied(self.store), tuple(self.box), self.now, self._mails, self._seen)

    def restore(self, scene: Scene) -> None:
        scenes.overwrite(self.store, scene.database)
        self.box, self.now, self._mails, self._seen = [*scene.box], scene.now, scene.mails, scene.seen

    @played_once
    def begin(self, words: str = "5", first: str = "me") -> None:
        """Do the same as `Players.begin`. Later calls in this process copy the result of the first one."""
        super().begin(words, first)

    @played_once
    def begin_and_play(self, *moves: str, words: str = "5", first: str = "me") -> None:
        """Do the same as `Players.begin_and_play`, once in this process."""
        super().begin_and_play(*moves, words=words, first=first)

    def deliver(self, raw: bytes) -> list[Received]:
        """Process a mail and return the resulting letters. A shunted mail fails the test."""
        self.mail_worker.keep_one(raw)
        self.mail_worker.work()
        with self.store.transaction() as session:
            shunted = session.exec(select(InboxRow.note).where(InboxRow.state == MailState.SHUNTED)).first()
            assert shunted is None, shunted
            return self._collected(session)

    def collect(self) -> list[Received]:
        """Return the letters written since the last call."""
        with self.store.transaction() as session:
            return self._collected(session)

    def _collected(self, session: Session) -> list[Received]:
        columns = select(
            OutboxRow.id, OutboxRow.mail_to, OutboxRow.raw, OutboxRow.message_id, OutboxRow.drawings
        )
        sent = (col(OutboxRow.id) > self._seen, col(OutboxRow.state).not_in(UNTHREADED))
        rows = session.exec(columns.where(*sent).order_by(col(OutboxRow.id))).all()
        new = [
            Received(
                row.mail_to,
                illustrated(self.services.games, row.raw, row.message_id, row.drawings),
            )
            for row in rows
        ]
        self._seen = max([self._seen, *(row.id or 0 for row in rows)])
        self.box += new
        return new

    def table(self, number: int = 1) -> Game:
        """Return a game with its table."""
        with self.store.transaction() as session:
            found = self.causes.queries(session).game(GameNumber(number))
        assert found is not None
        return found

    def note_of(self, mail: int) -> tuple[str, str]:
        """Return the final state of the n-th mail (from 1), and the note on it."""
        with self.store.transaction() as session:
            row = session.get_one(InboxRow, mail)
            return str(row.state), row.note


def turns(harness: Harness, number: int = 1) -> list[str]:
    """Return the stored turns of a game, in canonical form."""
    with harness.store.transaction() as session:
        return [turn.text for turn in TURNS.load(session, number)]


def broken_hand(*_: object) -> None:
    """Raise an exception, in place of the function that runs commands."""
    raise RuntimeError("the hand that plays is broken")
