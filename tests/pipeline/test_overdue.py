"""Overdue rows are closed, and no others."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from takmail.commands.seek import SOUGHT_FOR
from takmail.games.interface import Seat
from takmail.pipeline.due import close_overdue
from takmail.pipeline.process import Outcome, outcome_of_cause
from takmail.world.kinds import PendingEnd, PendingId, PlayerId, SeekNumber
from takmail.world.pace import NO_TIMING
from takmail.world.pending import LIFETIME, Pending
from takmail.world.players import Seek
from takmail.world.queries import Queries
from takmail.world.reading import Reading
from takmail.world.waiting import PendingKind
from takmail.world.world import Cause, Snapshot, World
from tests.commands.build import AS_ADA, AS_BEN, NOW, SERVICES, game, waiting
from tests.support.pending import an_offer
from tests.support.tables import each_row

SECOND = timedelta(seconds=1)
MOST = 100
TABLE = game("ps a1", "ps e5", number=4)


def offer(at: datetime, kind: PendingKind = PendingKind.BACK) -> Pending:
    return an_offer(TABLE.record.version, Seat.FIRST, kind, 2, at, target=1, game=4)


def seek(at: datetime, number: int = 1) -> Seek:
    return Seek(SeekNumber(number), PlayerId(1), "tak", "5", None, NO_TIMING, is_relay=False, sought_at=at)


def question(at: datetime, kind: PendingKind = PendingKind.COMMANDS) -> Pending:
    words = "new 5 vs ben@example.org"
    return Pending(PendingId(3), kind, at, words, address="ada@example.org", player=PlayerId(1))


def held(at: datetime) -> Pending:
    """Return a question of a game."""
    return Pending(PendingId(4), PendingKind.HELD, at, "ps b1", TABLE.number, Seat.FIRST)


def closed(*found: Pending | Seek) -> Outcome:
    """Return the outcome of closing what is overdue, if the store finds these."""

    def of(kind: type) -> Iterable[Any]:
        return [one for one in found if isinstance(one, kind)]

    pending = of(Pending)
    table = replace(TABLE, pending=tuple(one.at(NOW) for one in pending if one.game))
    stored = Reading(players=(AS_ADA, AS_BEN), games=[table])
    stored.know(Queries.overdue, MOST, answer=pending)
    stored.know(Queries.seeks, answer=of(Seek))
    snapshot = Snapshot(Cause("what is overdue"), NOW, b"a seed for tests only", World(stored))
    return outcome_of_cause(SERVICES, snapshot, lambda context: close_overdue(context, MOST))


@pytest.mark.parametrize(
    "overdue",
    [
        offer(NOW - LIFETIME),
        seek(NOW - SOUGHT_FOR - SECOND),
        question(NOW - LIFETIME - SECOND),
        held(NOW - LIFETIME - SECOND),
    ],
)
def test_what_is_overdue_is_closed(overdue: Pending | Seek) -> None:
    after = closed(overdue).world
    assert [one for one in waiting(after) if one.end.how is None] == []
    assert not after.every_seek()


@each_row(
    "stands",
    [
        offer(NOW - LIFETIME + SECOND),
        offer(NOW - 9 * LIFETIME, PendingKind.DRAW),
        offer(NOW + SECOND),
        seek(NOW - SOUGHT_FOR),
        seek(NOW + SECOND),
        question(NOW - LIFETIME),
        held(NOW - LIFETIME),
        question(NOW + SECOND),
    ],
)
def test_what_is_not_overdue_stands(stands: Pending | Seek) -> None:
    after = closed(stands).world
    assert [*waiting(after), *after.every_seek()] == [stands]


def test_of_several_seeks_those_that_are_overdue_are_closed() -> None:
    ages = (SOUGHT_FOR + SECOND, SOUGHT_FOR, 2 * SOUGHT_FOR)
    after = closed(*(seek(NOW - age, number) for number, age in enumerate(ages, 1))).world
    assert [one.number for one in after.every_seek()] == [2]


def test_a_proposal_lapses_by_a_version_and_nobody_gets_a_letter() -> None:
    outcome = closed(offer(NOW - LIFETIME))
    table = outcome.world.game(TABLE.number)
    (lapsed,) = table.every_offer
    version = TABLE.record.version + 1
    assert (lapsed.end.how, lapsed.end.version) == (PendingEnd.LAPSED, version)
    assert table.record.version == version
    assert outcome.letters == ()
