"""A takmail without a database: a mail goes through `process` as bytes, and its letters come back as bytes."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from takmail.commands.context import Context
from takmail.commands.events import Event
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import LetterView, MailState
from takmail.commands.records import Budget, GameNumber, Player, Thread
from takmail.commands.snapshot import Cause, Snapshot
from takmail.letters.letter import NewLetter
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.mail.reader import read
from takmail.mail.tokens import SeatKey
from takmail.pipeline.authenticate import with_named_letters
from takmail.pipeline.other_causes import decided
from takmail.pipeline.process import process
from takmail.pipeline.values import Outcome
from tests.commands.build import NOW, SERVICES, TAK, game
from tests.support.memory import Memory
from tests.support.pictures import PICTURES
from tests.support.players import Players, Received, parsed
from tests.support.scenes import played_once

PLAIN = replace(SERVICES, letter_view=LetterView.TEXT, picture_cache=PICTURES)
WITHOUT_PLUS = replace(PLAIN, key=SeatKey(b"a key for tests only", TAK, ""))
"""At a provider without plus addresses the Subject carries the token."""
BOTH_SIDES = replace(PLAIN, letter_view=LetterView.BOTH)
"""Letters have an HTML side with pictures as well."""
AnEvent = TypeVar("AnEvent", bound=Event)


@dataclass(frozen=True)
class Arrived:
    """A mail that has come in, with the number under which it is kept."""

    cause: Cause
    message: Message


@dataclass(kw_only=True)
class MemoryHarness(Players):
    """Mails, what they lead to, and the letters that follow; `now` stays as it is until it is moved.

    `outcome` is what was stored last, `notes` tell what became of each mail, and why.
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
        """Go on with other services."""
        self.services = self.memory.services = replace(self.services, **values)  # type: ignore[arg-type]

    @property
    def made_as(self) -> Hashable:
        """What it was made with; a scene keeps its services, so that no others can come to be where they are."""
        return id(self.services), self.confirms, self.now

    @property
    def is_new(self) -> bool:
        """Whether nothing has come in yet."""
        return not (self._arrived or self._ruled)

    def scene(self) -> "MemoryHarness":
        """The same people with a store of their own, so that what is kept there is seen by nobody else."""
        copied = {name: _copied(one) for name, one in vars(self.memory).items()}
        return replace(self, memory=Memory(**copied), box=self.box[:], notes=self.notes[:])

    def restore(self, scene: "MemoryHarness") -> None:
        """Go on from what another harness has had."""
        vars(self).update(vars(scene.scene()))

    @played_once
    def begin(self, words: str = "5", first: str = "me") -> None:
        """As `Players.begin`, copied from the first one that has begun so."""
        super().begin(words, first)

    def arrive(self, raw: bytes) -> Arrived:
        """Take a mail in."""
        self._arrived += 1
        services = self.services
        message = read(raw, frozenset({services.address}), services.limits, len(raw), services.authserv_id)
        cause = Cause(f"mail {self._arrived}", self._arrived)
        return Arrived(cause, with_named_letters(services.key, message))

    def load(self, mail: Arrived) -> Snapshot:
        """All that a mail can need."""
        return self.memory.snapshot(mail.cause, self.now, mail.message)

    def decide(self, mail: Arrived, snapshot: Snapshot | None = None) -> Outcome:
        """All that a mail leads to, by what is stored now or was loaded before; nothing is stored."""
        return process(self.services, self.memory, snapshot or self.load(mail), mail.message)

    def keep(self, outcome: Outcome) -> list[Received]:
        """Store what a cause has led to; gives the letters that follow."""
        self.memory.store(outcome)
        self.outcome = outcome
        letters = [received(one) for one in outcome.letters]
        self.box += letters
        return letters

    def deliver(self, raw: bytes) -> list[Received]:
        outcome = self.decide(self.arrive(raw))
        assert outcome.state is not MailState.SHUNTED, outcome.note
        self.notes.append((str(outcome.state), outcome.note))
        return self.keep(outcome)

    def rule(self, decide: Callable[[Context], tuple[Event, ...]]) -> list[Received]:
        """Store what the operator decides; gives the letters that follow."""
        self._ruled += 1
        snapshot = self.memory.snapshot(Cause(f"ruling {self._ruled}"), self.now)
        return self.keep(decided(self.services, self.memory, snapshot, decide))

    def done(self, kind: type[AnEvent]) -> AnEvent:
        """The one event of a class that the last cause has led to."""
        (found,) = (one for one in self.outcome.events if isinstance(one, kind))
        return found

    def table(self, number: int = 1) -> Table:
        """A game with everything on its table."""
        found = self.memory.tables[GameNumber(number)]
        assert isinstance(found, Table)
        return found

    def put_turns(self, texts: Sequence[str], number: int = 1) -> None:
        """Store turns as the first ones of a game, as they are stored when they are played, and in no time."""
        table = self.table(number)
        played = game(*texts, kind=table.record.kind, setup=table.record.setup)
        record = replace(table.record, version=played.record.version)
        self.memory.tables[table.number] = replace(
            table, record=record, turns=played.turns, states=played.states
        )

    def note_of(self, mail: int) -> tuple[str, str]:
        """What became of the n-th mail, counted from 1, and why."""
        return self.notes[mail - 1]

    @property
    def happened(self) -> list[str]:
        """The classes of all events that the last cause has led to, in order."""
        return [type(one).__name__ for one in self.outcome.events]


def received(letter: NewLetter) -> Received:
    """A letter as its reader gets it."""
    return Received(letter.mail_to, parsed(letter.raw))


def _copied(value: Any) -> Any:
    """A dictionary or list with its lists, or a value that nothing changes."""
    match value:
        case dict():
            return {key: _copied(one) for key, one in value.items()}
        case list():
            return value[:]
        case _:
            return value


def turns(harness: Players, number: int = 1) -> list[str]:
    """The turns of a game, in canonical form."""
    return harness.table(number).texts()


@dataclass(frozen=True)
class Kept:
    """All that a mail could change for anybody, but for letters and what is asked."""

    players: dict[int, Player]
    games: dict[int, Table | Corrupt]
    beside: tuple[object, ...]


def kept(memory: Memory, surely: str = "") -> Kept:
    """What is kept now; `surely` is the address whose owner may be heard from, and get the words that wait for them."""

    def of_player(player: Player) -> Player:
        boxes = (replace(one, budget=Budget()) for one in player.mailboxes)
        boxes = tuple(replace(one, heard_at=None) if one.address == surely else one for one in boxes)
        return replace(player, mailboxes=boxes)

    def of_game(game: Table | Corrupt) -> Table | Corrupt:
        first, second = map(of_player, game.players)
        game = replace(game, players=(first, second), threads=(Thread(), Thread()))
        if isinstance(game, Corrupt):
            return game
        got = {"words": (), "brought": (None, None)} if surely else {}
        return replace(game, questions=(), **got)

    return Kept(
        players={number: of_player(one) for number, one in memory.players.items()},
        games={number: of_game(one) for number, one in memory.tables.items()},
        beside=(memory.open_seeks.copy(), memory.blocked[:], memory.log[:]),
    )
