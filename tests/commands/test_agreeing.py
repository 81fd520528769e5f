"""Draw offers, undos, and the answers to offers."""

from dataclasses import replace

import pytest

from takmail.commands.answers import told
from takmail.commands.grammar.proposing import Settle
from takmail.commands.pending import draw, undo
from takmail.games.interface import Seat
from takmail.pipeline.results import perform
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.game import Game
from takmail.world.kinds import MessageId, PendingEnd, PendingId, Ruling, Standing, TakenBackBy
from takmail.world.letters import Correspondence, Thread
from takmail.world.operations import WithdrawLetter
from takmail.world.pending import Pending
from takmail.world.players import Player
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    AS_ADA,
    AS_BEN,
    BEGUN_BY,
    MAIL,
    NOW,
    after,
    context,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, THREE, TWO, ends, offered, reason, taken_back
from tests.support.orders import order
from tests.support.pending import an_offer

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s"
"""The board after TWO with an additional black stone in the middle."""


# Draws.


@pytest.mark.parametrize("standing", [Standing.INVITED, Standing.DECLINED, Standing.ADJOURNED, Standing.OVER])
def test_nothing_is_offered_or_answered_where_nothing_can_be_played(standing: Standing) -> None:
    names = {
        Standing.INVITED: "not_begun",
        Standing.DECLINED: "was_declined",
        Standing.ADJOURNED: "adjourned",
        Standing.OVER: "over",
    }
    before = context(game(standing=standing))
    assert reason(perform(before, order("draw"))) == names[standing]
    assert reason(perform(before, order("agree", Settle(None)))) == names[standing]
    assert reason(perform(before, order("undo"))) == names[standing]


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_draw_is_offered(*, is_heard: bool) -> None:
    before = context(game(*THREE), is_heard=is_heard)
    answer = draw(before)
    made = events.OfferMade(
        game=GAME,
        offer=an_offer(0, Seat.FIRST, PendingKind.DRAW, 3, NOW, number=-1),
    )
    assert news_of(answer) == (made,)
    then = after(before, answer)
    assert then.so_far.happened[0].readers == ((AS_BEN.id,) if is_heard else ())
    assert [one.version for one in then.game.offers] == [then.game.record.version]
    assert draw(then) == told("already_offered", kind=PendingKind.DRAW)


@pytest.mark.parametrize(
    ("version", "turn", "agrees"),
    [(None, None, True), (20, 3, True), (BEGUN_BY + 2, 2, False)],
)
def test_a_draw_that_both_offer_on_the_same_board_is_one(
    version: int | None, turn: int | None, *, agrees: bool
) -> None:
    before = context(
        game(*THREE, offers=[offered(PendingKind.DRAW, Seat.SECOND)]), version=version, turn=turn
    )
    answer = draw(before)
    if not agrees:
        assert kinds(answer) == ["OfferMade"]
        return
    (agreed,) = news_of(answer)
    assert agreed == events.OfferAgreed(
        game=GAME,
        seat=Seat.FIRST,
        wish=OfferedChange(PendingKind.DRAW, 3, None),
        offer=before.game.offers[0],
        agreed_at=NOW,
        mail=MAIL,
        turn=before.game.played(before.game.turns[2]),
    )
    assert kinds(answer) == ["OfferAgreed"]
    table = after(before, answer).game
    assert (table.record.standing, table.record.end.resigned, table.record.end.ruling, table.offers) == (
        Standing.OVER,
        None,
        Ruling.AGREED,
        (),
    )


def test_a_draw_on_a_board_that_is_gone_is_only_offered() -> None:
    table = taken_back(game(*THREE), 2, TakenBackBy.BACK)
    table = replace(table, pending=(offered(PendingKind.DRAW, Seat.SECOND, 20, 2),))
    assert kinds(draw(context(table, version=BEGUN_BY + 2, turn=2))) == ["OfferMade"]


# Undo.

AGREED_BOARD = game(*TWO, game(*TWO).state.adopt(BOARD, Seat.SECOND), seats=[0, 1, 0])


@pytest.mark.parametrize(
    ("table", "by", "why"),
    [
        (game(), AS_ADA, "undo_nothing"),
        (game(*THREE), AS_BEN, "undo_answered"),
        (AGREED_BOARD, AS_ADA, "undo_agreed"),
    ],
)
def test_what_can_not_be_taken_back(table: Game, by: Player, why: str) -> None:
    assert reason(undo(context(table, by))) == why


def test_a_turn_is_not_taken_back_in_answer_to_a_board_that_is_gone() -> None:
    table = taken_back(game(*THREE), 2)
    assert reason(undo(context(table, AS_BEN, version=BEGUN_BY + 3, turn=3))) == "gone"


LETTER = MessageId("<news@example.test>")


def with_thread(table: Game, thread: Thread) -> Game:
    return replace(table, correspondence=Correspondence(threads=(Thread(), thread)))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (with_thread(game(*THREE), Thread(last=LETTER, reported_turn=3, is_unclaimed=True)), LETTER),
        # The same mail played the turn: its letters are not written yet.
        (
            replace(game(*THREE), turns=(*game(*THREE).turns[:2], game(*THREE).turns[2]._replace(mail=MAIL))),
            None,
        ),
    ],
)
def test_a_turn_of_which_nobody_has_heard_is_taken_back_at_once(table: Game, told: MessageId | None) -> None:
    offers = (
        offered(PendingKind.DRAW, Seat.FIRST, 20, turn=3),
        offered(PendingKind.DRAW, Seat.SECOND, 21, turn=2),
        offered(PendingKind.UNDO, Seat.FIRST, 22, turn=2),
    )
    question = Pending(PendingId(5), PendingKind.HELD, NOW, game=GAME, seat=Seat.SECOND)
    before = context(replace(table, pending=(*offers, question)))
    answer = undo(before)
    (taken,) = news_of(answer)
    assert isinstance(taken, events.LastTurnTakenBack)
    assert (taken.turn.number, taken.turn.text) == (3, "ps c3")
    later = after(before, answer)
    assert later.world.operations == (() if told is None else (WithdrawLetter(letter=told),))
    then = later.game
    assert ends(then) == {20: PendingEnd.LAPSED, 21: None, 22: PendingEnd.LAPSED}
    assert then.questions == ()
    assert then.texts() == [*TWO]
    assert [(run.how, run.turns[0].text) for run in then.taken_back] == [(TakenBackBy.UNDO, "ps c3")]
    assert {thread.last for thread in then.correspondence.threads} == {None}


@pytest.mark.parametrize(
    "thread",
    [
        Thread(),
        Thread(last=LETTER, reported_turn=3, is_unclaimed=False),
        Thread(last=LETTER, reported_turn=None, is_unclaimed=True),
        Thread(last=LETTER, reported_turn=1, is_unclaimed=True),
    ],
)
def test_a_turn_that_may_have_been_read_is_asked_for(thread: Thread) -> None:
    before = context(with_thread(game(*THREE), thread))
    made = first(undo(before))
    assert isinstance(made, events.OfferMade)
    assert (made.offer.kind, made.offer.turn) == (PendingKind.UNDO, 3)
    assert kinds(undo(after(before, undo(before)))) == ["already_offered"]
