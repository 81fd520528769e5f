"""A takmail on a database in memory: a mail is handled as bytes, and its letters come back as bytes."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

import sqlalchemy
from sqlmodel import Session

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.games.bots import Bot, Bots
from takmail.games.registry import Games
from takmail.games.thinking import Choice
from takmail.letters.letter import Letter
from takmail.letters.news.rows import has_row
from takmail.letters.services import Services
from takmail.mail.message import Mail
from takmail.mail.reader import read
from takmail.mail.tokens import SeatKey
from takmail.pipeline.process import Outcome, Trace, stages
from takmail.pipeline.tasks import Thought, on_task
from takmail.store import inbox
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.games import Replays
from takmail.store.inbox import StoredMail
from takmail.store.parts_answered import answer_parts
from takmail.store.records import TURNS
from takmail.store.statements import insert
from takmail.store.tables import InboxRow
from takmail.store.write import write
from takmail.world.events import Event, MailSplit
from takmail.world.game import Game
from takmail.world.kinds import UNTHREADED, GameNumber, LetterView, MailState
from takmail.world.world import Cause, Snapshot
from tests.commands.build import NOW, SERVICES, TAK
from tests.support import rows
from tests.support.memory import Memory, fill, rows_of, store_of
from tests.support.pictures import illustrated
from tests.support.players import Players, Received
from tests.support.scenes import played_once

PLAIN = replace(SERVICES, letter_view=LetterView.TEXT)
WITHOUT_PLUS = replace(PLAIN, key=SeatKey(b"a key for tests only", TAK, ""))
"""A provider without plus addresses, where the Subject carries the token."""
BOTH_SIDES = replace(PLAIN, letter_view=LetterView.BOTH)
"""Letters with an HTML side with pictures."""
WITH_BOTS = replace(BOTH_SIDES, bots=Bots(tuple(map(Bot, ("easy", "gentle", "fair", "strong", "best")))))
"""Letters with an HTML side, and bots."""
AnEvent = TypeVar("AnEvent", bound=Event)
_CLAIMED = sqlalchemy.insert(InboxRow)


@dataclass(frozen=True)
class Arrived:
    """A mail that process `by` has claimed."""

    row: StoredMail
    message: Mail
    by: str


@dataclass(frozen=True)
class Decided:
    """An outcome that is not stored yet, and the snapshot on which it was decided. `mail` is None for other causes."""

    snapshot: Snapshot
    outcome: Outcome
    mail: Arrived | None = None


@dataclass(kw_only=True)
class MemoryHarness(Players):
    """The service on a database in memory, without its workers. `now` changes only when a test changes it.

    `outcome` is the last stored outcome. `notes` are the final state and note of each mail. `sends`: letters that may
    leave are sent at once, so that clocks run.
    """

    services: Services = PLAIN
    now: datetime = NOW
    sends: bool = False
    store: Store = field(init=False)
    outcome: Outcome = field(default_factory=Outcome)
    notes: list[tuple[str, str]] = field(default_factory=list)
    replays: Replays = field(default_factory=Replays)
    _arrived: int = 0
    _ruled: int = 0

    def __post_init__(self) -> None:
        self.store = store_of(self)

    def change(self, **values: object) -> None:
        """Continue with other services."""
        self.services = replace(self.services, **values)  # type: ignore[arg-type]

    @property
    def causes(self) -> Causes:
        """The processor of causes with the current services."""
        return Causes(self.services, lambda: self.now, self.replays)

    @property
    def memory(self) -> Memory:
        """What is stored."""
        return Memory(self.store, self.causes)

    @property
    def made_as(self) -> Hashable:
        """The arguments of the harness. A scene keeps its services, so that it cannot be restored with others."""
        return id(self.services), self.confirms, self.now, self.sends

    @property
    def is_new(self) -> bool:
        """Whether no mail has arrived yet."""
        return not (self._arrived or self._ruled)

    def scene(self) -> "MemoryHarness":
        """Return a copy of the harness with an independent store."""
        scene = replace(self)
        scene.restore(self)
        return scene

    def restore(self, scene: "MemoryHarness") -> None:
        """Take over the state of another harness."""
        fill(self.store, rows_of(scene.store))
        others = {"store": self.store, "box": scene.box[:], "notes": scene.notes[:], "replays": Replays()}
        vars(self).update(vars(scene) | others)

    @played_once
    def begin(self, words: str = "5", first: str = "me") -> None:
        """Do the same as `Players.begin`. Later calls in this process copy the result of the first one."""
        super().begin(words, first)

    @played_once
    def begin_and_play(self, *moves: str, words: str = "5", first: str = "me") -> None:
        """Do the same as `Players.begin_and_play`, once in this process."""
        super().begin_and_play(*moves, words=words, first=first)

    def arrive(self, raw: bytes) -> Arrived:
        """Receive a mail, which a process of its own claims."""
        with self.store.transaction() as session:
            return self._arrive(session, raw)

    def read(self, raw: bytes) -> Mail:
        """Read a mail."""
        services = self.services
        return read(raw, frozenset({services.address}), services.limits, len(raw), services.authserv_id)

    def _arrive(self, session: Session, raw: bytes) -> Arrived:
        self._arrived += 1
        by = f"process {self._arrived}"
        message = self.read(raw)
        columns = {
            "mailbox": "",
            "raw": raw,
            "size": len(raw),
            "sender": message.sender,
            "fingerprint": f"fingerprint {self._arrived}",
            "received_at": self.now,
            "claimed_by": by,
            "attempts": 1,
        }
        number = insert(session, _CLAIMED, columns)
        assert number is not None
        row = StoredMail(number, raw, len(raw), f"fingerprint {self._arrived}", False, 1, self.now, None)
        return Arrived(row, message, by)

    def traced(self, mail: Arrived) -> tuple[Snapshot, list[Trace]]:
        """Return the snapshot for a mail, and the traces of its stages. Nothing is stored."""
        with self.store.transaction() as session:
            snapshot, message = self.causes.snapshot(self.causes.queries(session), mail.row, mail.message)
            return snapshot, [*stages(self.services, snapshot, message)]

    def decide(self, mail: Arrived) -> Decided:
        """Decide on a mail. Nothing is stored."""
        snapshot, traces = self.traced(mail)
        outcome = traces[-1].outcome
        assert outcome is not None
        return Decided(snapshot, outcome, mail)

    def keep(self, decided: Decided) -> list[Received]:
        """Store what was decided, and return the resulting letters. Raises Conflict."""
        by = None if decided.mail is None else decided.mail.by
        with self.store.transaction() as session:
            write(session, decided.snapshot, decided.outcome, claimed_by=by)
        return self._received(decided.outcome)

    def _received(self, outcome: Outcome) -> list[Received]:
        """Return the letters of a stored outcome."""
        self.outcome = outcome
        if self.sends:
            self.memory.send_all()
        letters = [
            received(one, self.services.games) for one in outcome.letters if one.state not in UNTHREADED
        ]
        self.box += letters
        return letters

    def deliver(self, raw: bytes) -> list[Received]:
        with self.store.transaction() as session:
            mail = self._arrive(session, raw)
            handled = self.causes.mail(session, mail.row, mail.message, by=mail.by)
        assert handled is not None
        outcome, _ = handled
        assert outcome.state is not MailState.SHUNTED, outcome.note
        self.notes.append((str(outcome.state), outcome.note))
        letters = self._received(outcome)
        return letters + self.handle_parts() if any(map(_is_split, outcome.happened)) else letters

    def split(self, raw: bytes) -> Arrived:
        """Decide on a mail about several games, but on none of its parts."""
        mail = self.arrive(raw)
        self.keep(self.decide(mail))
        return mail

    def put_back(self, mail: Arrived) -> None:
        """Put a mail back into the queue, and let its process claim it again."""
        with self.store.transaction() as session:
            row = session.get_one(InboxRow, mail.row.id)
            inbox.put_back(row, None, is_from_person=False)
            row.claimed_by = mail.by

    def claim_part(self, by: str) -> Arrived:
        """Let a process claim the next part of a mail that waits."""
        with self.store.transaction() as session:
            row = inbox.claim(session, self.now, by)
        assert row is not None
        return Arrived(row, self.read(row.raw), by)

    def handle_parts(self, most: int = 100) -> list[Received]:
        """Handle the parts of mails that wait, at most this many, and return the resulting letters."""
        letters: list[Received] = []
        for _ in range(most):
            with self.store.transaction() as session:
                row = inbox.claim(session, self.now, "parts")
                handled = (
                    None if row is None else self.causes.mail(session, row, self.read(row.raw), by="parts")
                )
            if row is None or handled is None:
                break
            letters += self._received(handled[0])
            letters += self.answer_parts(row.part_of)
        return letters

    def answer_parts(self, mail: int) -> list[Received]:
        """Answer the parts of a mail if it is time, and return the resulting letters."""
        with self.store.transaction() as session:
            outcome = answer_parts(self.causes, session, mail)
        return [] if outcome is None else self._received(outcome)

    def rule(self, decide: Callable[[Context], Events]) -> list[Received]:
        """Store an operator's decision or what is due, and return the resulting letters."""
        self._ruled += 1
        cause = Cause(f"ruling {self._ruled}")
        with self.store.transaction() as session:
            outcome = self.causes.decide(session, cause, decide, with_turn_times=True)
        return self._received(outcome)

    def think(
        self, thought: Thought | None, number: int = 1, turns: Sequence[str] | None = None
    ) -> list[Received]:
        """Do the only task of a game as if this was thought about it, and return the resulting letters.

        `turns` are the turns that were thought about, those of the game if it is None.
        """
        (task,) = (one for one in self.memory.tasks if one.game == number)
        self.memory.end_tasks(task)
        thought_about = [turn.text for turn in self.table(number).turns] if turns is None else turns
        return self.rule(lambda context: on_task(context, task, thought_about, thought))

    def bot_plays(self, text: str, number: int = 1) -> list[Received]:
        """Let the bot play a turn, and return the resulting letters."""
        return self.think(Choice(text), number)

    def done(self, kind: type[AnEvent]) -> AnEvent:
        """Return the only event of a class that the last cause produced."""
        (found,) = (one for one in self.outcome.happened if isinstance(one, kind))
        return found

    def table(self, number: int = 1) -> Game:
        """Return a game with its table."""
        found = self.memory.look(lambda queries: queries.game(GameNumber(number)))
        assert found is not None
        return found

    def put_turns(self, texts: Sequence[str], number: int = 1) -> None:
        """Store turns as the first ones of a game, as if they had been played, without processing mails."""
        with self.store.transaction() as session:
            rows.put_turns(session, texts, self.now, number)

    def note_of(self, mail: int) -> tuple[str, str]:
        """Return the final state of the n-th mail (from 1), and the note on it."""
        return self.notes[mail - 1]

    @property
    def happened(self) -> list[str]:
        """Return the class names of the events of the last cause that letters tell, in order."""
        return [type(one).__name__ for one in self.outcome.happened if has_row(one)]


def received(letter: Letter, games: Games) -> Received:
    """Return a letter as its reader receives it."""
    return Received(
        letter.mail_to, illustrated(games, letter.content.raw, letter.message_id, letter.content.drawings)
    )


def turns(harness: MemoryHarness, number: int = 1) -> list[str]:
    """Return the stored turns of a game, in canonical form."""
    with harness.store.transaction() as session:
        return [turn.text for turn in TURNS.load(session, number)]


def _is_split(event: Event) -> bool:
    return isinstance(event, MailSplit)
