"""Overdue rows are closed, and no others."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from takmail.commands.seek import SOUGHT_FOR
from takmail.games.interface import Seat
from takmail.pipeline.overdue import Overdue, close
from takmail.pipeline.process import decided
from takmail.world.events import Event, OfferClosed, QuestionClosed, SeeksClosed
from takmail.world.ids import GameNumber, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import OfferEnd, OfferKind, QuestionKind
from takmail.world.players import Seek
from takmail.world.questions import QUESTION_LIFETIME, Question
from takmail.world.records import Offer
from takmail.world.snapshot import Cause, Snapshot
from takmail.world.table import STANDS_FOR
from takmail.world.world import World
from tests.commands.build import NOW, SERVICES, context, game
from tests.support.memory import Memory

SECOND = timedelta(seconds=1)


def offer(at: datetime, kind: OfferKind = OfferKind.BACK) -> tuple[GameNumber, Offer]:
    return GameNumber(4), Offer(9, Seat.FIRST, kind, 2, at, target=1)


def seek(at: datetime, number: int = 1) -> Seek:
    return Seek(SeekNumber(number), PlayerId(1), "tak", "5", None, None, is_relay=False, sought_at=at)


def question(at: datetime) -> Question:
    return Question(
        QuestionId(3), QuestionKind.COMMANDS, at, "new 5 vs ben@example.org", address="ada@example.org"
    )


@pytest.mark.parametrize(
    ("due", "found"),
    [
        (Overdue(), ()),
        (
            Overdue(offers=(offer(NOW - STANDS_FOR),)),
            (OfferClosed(game=GameNumber(4), offer=9, how=OfferEnd.LAPSED),),
        ),
        (Overdue(offers=(offer(NOW - STANDS_FOR + SECOND),)), ()),
        (Overdue(offers=(offer(NOW - 9 * STANDS_FOR, OfferKind.DRAW),)), ()),
        (
            Overdue(
                seeks=(
                    seek(NOW - SOUGHT_FOR - SECOND),
                    seek(NOW - SOUGHT_FOR, 2),
                    seek(NOW - 2 * SOUGHT_FOR, 3),
                )
            ),
            (SeeksClosed(numbers=(SeekNumber(1), SeekNumber(3))),),
        ),
        (Overdue(seeks=(seek(NOW),)), ()),
        (
            Overdue(questions=(question(NOW - QUESTION_LIFETIME - SECOND),)),
            (QuestionClosed(question=QuestionId(3)),),
        ),
        (Overdue(questions=(question(NOW - QUESTION_LIFETIME),)), ()),
        (Overdue((offer(NOW + SECOND),), (seek(NOW + SECOND),), (question(NOW + SECOND),)), ()),
    ],
)
def test_what_is_overdue_is_closed(due: Overdue, found: tuple[Event, ...]) -> None:
    assert close(context(), due) == found


def test_a_proposal_lapses_by_a_version_and_nobody_gets_a_letter() -> None:
    number, proposed = offer(NOW - STANDS_FOR)
    table = game("ps a1", "ps e5", number=number, offers=[proposed])
    snapshot = Snapshot(Cause("what is overdue"), NOW, b"a seed for tests only", World())
    due = Overdue(offers=((number, proposed),))
    outcome = (
        Memory()
        .put(table)
        .decided(snapshot, lambda known: decided(SERVICES, known, lambda before: close(before, due)))
    )
    lapsed = OfferClosed(game=number, offer=9, how=OfferEnd.LAPSED)
    assert outcome.events == (replace(lapsed, version=table.record.version + 1),)
    assert outcome.letters == ()
