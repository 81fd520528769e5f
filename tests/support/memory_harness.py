"""A takmail without a database: a mail goes through `process` as bytes, and its letters come back as bytes."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from takmail.commands.answers import Effects
from takmail.commands.context import Context
from takmail.games.bots import Bot, Bots
from takmail.games.registry import Games
from takmail.games.thinking import Choice
from takmail.letters.letter import Letter
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.mail.reader import read
from takmail.mail.tokens import SeatKey
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.process import Outcome, decided, process
from takmail.pipeline.tasks import Thought, on_task
from takmail.world.kinds import GameNumber, LetterState, LetterView, MailState
from takmail.world.letters import Budget, Thread
from takmail.world.news import News
from takmail.world.players import NO_TEXT, Player
from takmail.world.table import Table
from takmail.world.world import Cause, Snapshot
from tests.commands.build import NOW, SERVICES, TAK, game
from tests.support.memory import Memory
from tests.support.pictures import illustrated
from tests.support.players import Players, Received, parsed
from tests.support.scenes import played_once

PLAIN = replace(SERVICES, letter_view=LetterView.TEXT)
WITHOUT_PLUS = replace(PLAIN, key=SeatKey(b"a key for tests only", TAK, ""))
"""A provider without plus addresses, where the Subject carries the token."""
BOTH_SIDES = replace(PLAIN, letter_view=LetterView.BOTH)
"""Letters with an HTML side with pictures."""
WITH_BOTS = replace(BOTH_SIDES, bots=Bots(tuple(map(Bot, ("easy", "gentle", "fair", "strong", "best")))))
"""Letters with an HTML side, and bots."""
AnEvent = TypeVar("AnEvent", bound=News)


@dataclass(frozen=True)
class Arrived:
    """A mail that has arrived, with its number."""

    cause: Cause
    message: Message


@dataclass(kw_only=True)
class MemoryHarness(Players):
    """Processes mails and collects the resulting letters. The clock `now` changes only when a test changes it.

    `outcome` is the last stored outcome. `notes` are the final state and note of each mail.
    """

    services: Services = PLAIN
    now: datetime = NOW
    memory: Memory = field(default_factory=Memory)
    outcome: Outcome = field(default_factory=Outcome)
    notes: list[tuple[str, str]] = field(default_factory=list)
    _arrived: int = 0
    _ruled: int = 0

    def __post_init__(self) -> None:
        self.memory.services = self.services

    def change(self, **values: object) -> None:
        """Continue with other services."""
        self.services = self.memory.services = replace(self.services, **values)  # type: ignore[arg-type]

    @property
    def made_as(self) -> Hashable:
        """The arguments of the harness. A scene keeps its services, so that it cannot be restored with others."""
        return id(self.services), self.confirms, self.now

    @property
    def is_new(self) -> bool:
        """Whether no mail has arrived yet."""
        return not (self._arrived or self._ruled)

    def scene(self) -> "MemoryHarness":
        """Return a copy of the harness with an independent store."""
        copied = {name: _copied(one) for name, one in vars(self.memory).items()}
        return replace(self, memory=Memory(**copied), box=self.box[:], notes=self.notes[:])

    def restore(self, scene: "MemoryHarness") -> None:
        """Take over the state of another harness."""
        vars(self).update(vars(scene.scene()))

    @played_once
    def begin(self, words: str = "5", first: str = "me") -> None:
        """Do the same as `Players.begin`. Later calls in this process copy the result of the first one."""
        super().begin(words, first)

    def arrive(self, raw: bytes) -> Arrived:
        """Receive a mail."""
        self._arrived += 1
        services = self.services
        message = read(raw, frozenset({services.address}), services.limits, len(raw), services.authserv_id)
        cause = Cause(f"mail {self._arrived}", self._arrived)
        return Arrived(cause, with_named_letters(services.key, message))

    def load(self, mail: Arrived) -> Snapshot:
        """Return the snapshot for a mail."""
        return self.memory.snapshot(mail.cause, self.now, mail.message)

    def decide(self, mail: Arrived, snapshot: Snapshot | None = None) -> Outcome:
        """Return the outcome of a mail, decided on the current or an earlier snapshot. Nothing is stored."""
        return self.memory.decided(
            snapshot or self.load(mail), lambda known: process(self.services, known, mail.message)
        )

    def keep(self, outcome: Outcome) -> list[Received]:
        """Store the outcome of a cause, and return the resulting letters."""
        self.memory.store(outcome)
        self.outcome = outcome
        letters = [
            received(one, self.services.games)
            for one in outcome.letters
            if one.state is not LetterState.WITHDRAWN
        ]
        self.box += letters
        return letters

    def deliver(self, raw: bytes) -> list[Received]:
        outcome = self.decide(self.arrive(raw))
        assert outcome.state is not MailState.SHUNTED, outcome.note
        self.notes.append((str(outcome.state), outcome.note))
        return self.keep(outcome)

    def rule(self, decide: Callable[[Context], Effects]) -> list[Received]:
        """Store an operator's decision, and return the resulting letters."""
        self._ruled += 1
        snapshot = self.memory.snapshot(Cause(f"ruling {self._ruled}"), self.now)
        return self.keep(self.memory.decided(snapshot, lambda known: decided(self.services, known, decide)))

    def think(
        self, thought: Thought | None, number: int = 1, turns: Sequence[str] | None = None
    ) -> list[Received]:
        """Do the only task of a game as if this was thought about it, and return the resulting letters.

        `turns` are the turns that were thought about, those of the game if it is None.
        """
        (task,) = (one for one in self.memory.tasks if one.game == number)
        del self.memory.tasks[task]
        thought_about = [turn.text for turn in self.table(number).turns] if turns is None else turns
        return self.rule(lambda context: on_task(context, task, thought_about, thought))

    def bot_plays(self, text: str, number: int = 1) -> list[Received]:
        """Let the bot play a turn, and return the resulting letters."""
        return self.think(Choice(text), number)

    def done(self, kind: type[AnEvent]) -> AnEvent:
        """Return the only event of a class that the last cause produced."""
        (found,) = (one for one in self.outcome.events if isinstance(one, kind))
        return found

    def table(self, number: int = 1) -> Table:
        """Return a game with its table."""
        return self.memory.tables[GameNumber(number)]

    def put_turns(self, texts: Sequence[str], number: int = 1) -> None:
        """Store turns as the first ones of a game, as if they had been played, without processing mails."""
        table = self.table(number)
        played = game(*texts, kind=table.record.kind, setup=table.record.setup)
        record = replace(table.record, version=played.record.version)
        self.memory.tables[table.number] = replace(
            table, record=record, turns=played.turns, states=played.states
        )

    def note_of(self, mail: int) -> tuple[str, str]:
        """Return the final state of the n-th mail (from 1), and the note on it."""
        return self.notes[mail - 1]

    @property
    def happened(self) -> list[str]:
        """Return the class names of all news of the last cause, in order."""
        return [type(one).__name__ for one in self.outcome.events]


def received(letter: Letter, games: Games) -> Received:
    """Return a letter as its reader receives it."""
    return Received(
        letter.mail_to, parsed(illustrated(games, letter.raw, letter.message_id, letter.drawings))
    )


def _copied(value: Any) -> Any:
    """Copy a dictionary, a list or a set, with its lists. Other values are immutable."""
    match value:
        case dict():
            return {key: _copied(one) for key, one in value.items()}
        case list() | set():
            return value.copy()
        case _:
            return value


def turns(harness: Players, number: int = 1) -> list[str]:
    """Return the turns of a game, in canonical form."""
    return harness.table(number).texts()


@dataclass(frozen=True)
class Kept:
    """All data that a mail can change, except letters and questions."""

    players: dict[int, Player]
    games: dict[int, Table]
    beside: tuple[object, ...]


def kept(memory: Memory, surely: str = "") -> Kept:
    """Return the current data to compare. Leave out what any verified mail from address `surely` changes."""

    def of_player(player: Player) -> Player:
        boxes = (replace(one, budget=Budget()) for one in player.mailboxes)
        boxes = tuple(
            replace(one, verified_at=None, last_text=NO_TEXT) if one.address == surely else one
            for one in boxes
        )
        return replace(player, mailboxes=boxes)

    def of_game(game: Table) -> Table:
        first, second = map(of_player, game.players)
        game = replace(game, players=(first, second), threads=(Thread(), Thread()))
        got = {"waiting_chat": (), "last_chat": (None, None)} if surely else {}
        return replace(game, pending=game.every_offer, **got)

    return Kept(
        players={number: of_player(one) for number, one in memory.players.items()},
        games={number: of_game(one) for number, one in memory.tables.items()},
        beside=(memory.open_seeks.copy(), memory.log[:]),
    )
