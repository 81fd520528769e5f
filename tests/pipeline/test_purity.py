"""`process` is a pure function, and the values that its stages pass on are immutable."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import FrozenInstanceError, fields, is_dataclass
from datetime import datetime
from enum import Enum
from types import FunctionType

import pytest

from takmail.commands.answers import CauseResult, Reported, SeatClaim, Sender
from takmail.commands.context import Context
from takmail.letters.letter import Letter
from takmail.letters.services import Services
from takmail.mail.message import Mail
from takmail.pipeline.authenticate import Reply
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.process import Outcome, Trace
from takmail.world.game import Game
from takmail.world.letters import SentLetter
from takmail.world.pending import Pending
from takmail.world.players import Player
from takmail.world.records import GameRecord
from takmail.world.world import Snapshot, World
from tests.pipeline.test_process import AS_ADA, AS_BEN, begun
from tests.support.memory_harness import Arrived, MemoryHarness
from tests.support.players import ADA, BEN

STAGES = (
    Context,
    Mail,
    GameRecord,
    Interpreted,
    Letter,
    Outcome,
    Player,
    Pending,
    Reply,
    Reported,
    CauseResult,
    SeatClaim,
    Sender,
    SentLetter,
    Snapshot,
    World,
    Game,
    Trace,
)
"""The argument and result types of all stages."""


def mails(people: MemoryHarness) -> Iterator[Arrived]:
    """Yield mails of every kind, each answering the results of those before."""
    texts = (
        (AS_ADA, "ps a1\n\nGood luck!"),
        (AS_BEN, "ps e5"),
        (AS_ADA, "undo\nresign"),
        (AS_BEN, "show 1\nmoves\nptn"),
        (AS_BEN, "draw"),
        (AS_ADA, "log\nblock Ben\nforget me"),
        (AS_ADA, "yes"),
    )
    for who, text in texts:
        yield people.arrive(people.mail(who, text, people.last(ADA if who == AS_ADA else BEN)).as_bytes())
    yield people.arrive(people.mail(AS_ADA, "#1 ps a1").as_bytes())
    yield people.arrive(people.mail(AS_BEN, f"new 5 vs {ADA} first=random\nseek 6").as_bytes())


def played() -> Iterator[tuple[MemoryHarness, Arrived]]:
    """Yield each of these mails, before it is processed."""
    people = begun("5")
    for one in mails(people):
        yield people, one
        people.keep(people.decide(one))


def test_a_second_attempt_at_a_mail_leads_to_the_same() -> None:
    ids = set()
    for people, one in played():
        first, second = (people.decide(one).outcome for _ in range(2))
        assert first == second
        assert [letter.content.raw for letter in first.letters] == [
            letter.content.raw for letter in second.letters
        ]
        ids |= {letter.message_id for letter in first.letters}
    assert len(ids) >= 10


def test_chance_comes_from_the_cause_alone() -> None:
    firsts, causes = set(), iter(range(20))
    while len(firsts) < 2:
        people = MemoryHarness(_arrived=next(causes))
        people.send(AS_ADA, f"new 5 vs {BEN} first=random")
        people.send(AS_BEN, "accept", people.last(BEN))
        firsts.add(people.memory.tables[1].names)  # type: ignore[index, union-attr]


def test_nothing_that_is_handed_from_stage_to_stage_can_be_assigned_to() -> None:
    seen: set[type] = set()
    for people, one in played():
        snapshot, traces = people.traced(one)
        for value in values((one.message, snapshot, *traces), set()):
            for name in (*(it.name for it in fields(value)), "something_new"):  # type: ignore[arg-type]
                with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
                    setattr(value, name, None)
            seen.add(type(value))
    assert seen >= {*STAGES}


def test_nothing_can_be_put_into_a_mapping_that_is_handed_from_stage_to_stage() -> None:
    found: set[str] = set()
    for people, one in played():
        snapshot, traces = people.traced(one)
        for value in values((one.message, snapshot, *traces), set()):
            for field in fields(value):  # type: ignore[arg-type]
                mapping = getattr(value, field.name)
                if isinstance(mapping, Mapping):
                    with pytest.raises(TypeError):
                        mapping["something new"] = None  # type: ignore[index]
                    found.add(f"{type(value).__name__}.{field.name}")
    assert found >= {"Budget.news", "Refusal.facts", "World.games"}


def values(value: object, seen: set[int]) -> Iterator[object]:
    """Yield all dataclasses in a value, including itself, but not the services or the store."""
    if id(value) in seen or isinstance(value, Services | Enum | str | bytes | int | datetime | FunctionType):
        return
    seen.add(id(value))
    if is_dataclass(value) and not isinstance(value, type):
        yield value
        parts: list[object] = [getattr(value, one.name) for one in fields(value)]
    elif isinstance(value, Mapping):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | list | AbstractSet):
        parts = list(value)
    else:
        return
    for one in parts:
        yield from values(one, seen)
