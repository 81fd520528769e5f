"""Proposals to continue from another board, and their acceptance."""

from dataclasses import replace

import pytest

from takmail.commands.answers import Refusal
from takmail.commands.context import Context
from takmail.commands.grammar.proposing import Propose
from takmail.games.interface import Seat
from takmail.world import events as ev
from takmail.world.ids import QuestionId
from takmail.world.kinds import OfferEnd, OfferKind, QuestionKind, Standing, TakenBackBy
from takmail.world.offered_change import OfferedChange
from takmail.world.questions import Question
from takmail.world.records import ShownBoard
from takmail.world.table import Table
from tests.commands.build import AS_BEN, BEGUN_BY, EARLIER, MAIL, NOW, after, context, first, game, kinds
from tests.commands.offering import GAME, THREE, given, offered, reason
from tests.support.orders import do

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s"
"""A board that differs from the one after THREE and is possible there, too: the middle stone is White's."""
OTHER = BOARD.replace("0 0 s 0 0", "0 s 0 0 0")
IMPOSSIBLE = BOARD.replace("S 0 0", "S Q 0")


def board(text: str | None, whose: str = "black", *, is_unread: bool = False) -> Propose:
    return Propose(OfferKind.BOARD, board=text, whose=whose, is_unread=is_unread)


def back(target: int) -> Propose:
    return Propose(OfferKind.BACK, target)


@pytest.mark.parametrize(
    ("table", "command", "why"),
    [
        (game(standing=Standing.ADJOURNED), back(1), "adjourned"),
        (game(), back(0), "propose_nothing"),
        (game(), board(BOARD), "propose_nothing"),
        (game(*THREE), back(3), "propose_no_turn"),
        (game(*THREE), board(None, is_unread=True), "propose_unread"),
        (game(*THREE), board(None), "propose_no_board"),
        (game(*THREE), board(IMPOSSIBLE), "refused"),
        (game(*THREE), board(OTHER, ""), "propose_whose"),
        (game(*THREE), board(OTHER, "somebody"), "propose_whose"),
    ],
)
def test_what_can_not_be_proposed(table: Table, command: Propose, why: str) -> None:
    assert reason(do(context(table), command)) == why


def test_the_board_as_it_is_can_not_be_proposed() -> None:
    table = game(*THREE)
    as_it_is = "/".join(" ".join(row.split()) for row in table.state.board())
    refusal = do(context(table), board(as_it_is))
    assert reason(refusal) == "propose_same_board"
    assert kinds(do(context(table), board(as_it_is, "white")))[0] == "ProposalMade"


@pytest.mark.parametrize("whose", ["", "somebody"])
def test_a_board_is_kept_though_it_is_not_said_whose_turn_it_would_be(whose: str) -> None:
    refusal = do(context(game(*THREE)), board(OTHER, whose))
    assert isinstance(refusal, Refusal)
    assert refusal.events == (ev.BoardStored(game=GAME, seat=Seat.FIRST, board=OTHER, turn=3),)


def test_a_board_that_can_not_be_is_not_kept() -> None:
    refusal = do(context(game(*THREE)), board(IMPOSSIBLE))
    assert isinstance(refusal, Refusal)
    assert refusal.events == ()


def with_shown(text: str) -> Table:
    return replace(game(*THREE), shown_boards=(ShownBoard(text, 2, EARLIER), None))


def test_a_board_that_was_shown_before_is_proposed() -> None:
    (made,) = given(do(context(with_shown(OTHER)), board(None)))
    assert isinstance(made, ev.ProposalMade)
    assert made.shown_after == 2
    assert made.comparison is not None


def test_an_impossible_board_that_was_shown_before_is_shown_again() -> None:
    refusal = do(context(with_shown(IMPOSSIBLE)), board(None))
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.facts["turn"]) == ("propose_shown", 2)


@pytest.mark.parametrize(
    ("whose", "to_move"),
    [
        ("white", Seat.FIRST),
        ("black", Seat.SECOND),
        ("mine", Seat.FIRST),
        ("yours", Seat.SECOND),
        ("ADA", Seat.FIRST),
        ("ben", Seat.SECOND),
    ],
)
def test_whose_turn_it_would_be(whose: str, to_move: Seat) -> None:
    made = first(do(context(game(*THREE)), board(OTHER, whose)))
    assert isinstance(made, ev.ProposalMade)
    assert made.wish.state is not None
    assert made.wish.state.to_move == to_move


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_proposal_is_made(*, is_heard: bool) -> None:
    before = context(game(*THREE), is_heard=is_heard)
    made, kept = given(do(before, board(OTHER)))
    assert isinstance(made, ev.ProposalMade)
    assert (made.offer.kind, made.offer.turn, made.offer.seat) == (OfferKind.BOARD, 3, Seat.FIRST)
    assert (made.notifies_opponent, made.instead_of, made.is_in_place, made.shown_after) == (
        is_heard,
        None,
        False,
        None,
    )
    assert made.comparison is not None
    assert kept == ev.BoardStored(game=GAME, seat=Seat.FIRST, board=OTHER, turn=3)


@pytest.mark.parametrize(
    ("target", "kind"), [(0, OfferKind.RESTART), (1, OfferKind.BACK), (2, OfferKind.BACK)]
)
def test_to_go_back(target: int, kind: OfferKind) -> None:
    (made,) = given(do(context(game(*THREE)), back(target)))
    assert isinstance(made, ev.ProposalMade)
    assert (made.offer.kind, made.offer.target, made.offer.board, made.comparison) == (
        kind,
        target,
        None,
        None,
    )


def test_the_same_proposal_again_is_no_fault() -> None:
    before = context(game(*THREE))
    then = after(before, do(before, board(OTHER)))
    assert kinds(do(then, board(None))) == ["ProposalRepeated"]
    assert kinds(do(then, board(OTHER))) == ["ProposalRepeated", "BoardStored"]


def test_another_proposal_takes_the_place_of_the_one_before() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=1)]))
    made, closed = given(do(before, back(2)))
    assert isinstance(made, ev.ProposalMade)
    assert (made.is_in_place, made.instead_of and made.instead_of.target) == (True, 1)
    assert closed == ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.REPLACED)
    # Nobody knows of a proposal that the same mail made. The opponent knows the one before.
    again = first(do(after(before, (made, closed)), back(0)))
    assert isinstance(again, ev.ProposalMade)
    assert again.instead_of == OfferedChange(OfferKind.BACK, 3, 1, before.table.states[1])


def test_a_draw_that_is_offered_stays_beside_a_proposal() -> None:
    before = context(game(*THREE, offers=[offered(OfferKind.DRAW, Seat.FIRST)]))
    made = first(do(before, back(2)))
    assert isinstance(made, ev.ProposalMade)
    assert not made.is_in_place
    assert len(after(before, (made,)).table.offers) == 2


*BEFORE, LAST = game(*THREE).turns
AGREED = replace(game(*THREE), turns=(*BEFORE, LAST._replace(is_agreed=True)))
TAKEN_BACK = after(
    context(game(*THREE)), (ev.TurnsTakenBack(game=GAME, after=2, how=TakenBackBy.UNDO),)
).table


@pytest.mark.parametrize(
    ("table", "version", "turn", "why"),
    [
        (TAKEN_BACK, BEGUN_BY + 3, 3, "gone"),
        (game(*THREE), BEGUN_BY + 1, 1, "propose_stale"),
        (game(*THREE), BEGUN_BY + 4, 4, "propose_stale"),
        (AGREED, BEGUN_BY + 2, 2, "propose_stale"),
    ],
)
def test_a_proposal_in_answer_to_another_board(table: Table, version: int, turn: int, why: str) -> None:
    assert reason(do(context(table, version=version, turn=turn), back(1))) == why


def test_a_proposal_in_answer_to_the_board_before_the_last_turn_of_one_s_own() -> None:
    assert kinds(do(context(game(*THREE), version=BEGUN_BY + 2, turn=2), back(1))) == ["ProposalMade"]


# Both propose the same.


def agreeing(command: Propose, table: Table) -> Context:
    return after(context(table, AS_BEN), do(context(table, AS_BEN), command))


def test_the_same_as_the_other_one_proposes_is_agreed() -> None:
    others = [
        offered(OfferKind.BACK, Seat.FIRST, target=1),
        offered(OfferKind.DRAW, Seat.FIRST, 21),
        offered(OfferKind.BACK, Seat.SECOND, 22, target=2),
    ]
    questions = tuple(
        Question(QuestionId(number), QuestionKind.HELD, NOW, game=GAME, seat=seat)
        for number, seat in ((1, Seat.FIRST), (2, Seat.SECOND))
    )
    table = replace(game(*THREE, offers=others), questions=questions)
    answer = do(context(table, AS_BEN), back(1))
    assert answer == (
        ev.OfferAgreed(
            game=GAME,
            seat=Seat.SECOND,
            wish=OfferedChange(OfferKind.BACK, 3, 1, table.states[1]),
            turn=table.played(table.turns[2]),
            lapsed=(others[1], others[2]),
        ),
        ev.OfferClosed(game=GAME, offer=21, how=OfferEnd.LAPSED),
        ev.OfferClosed(game=GAME, offer=22, how=OfferEnd.LAPSED),
        ev.OfferClosed(game=GAME, offer=20, how=OfferEnd.AGREED),
        ev.QuestionClosed(question=QuestionId(1)),
        ev.QuestionClosed(question=QuestionId(2)),
        ev.TurnsTakenBack(game=GAME, after=1, how=TakenBackBy.BACK),
    )
    assert agreeing(back(1), table).table.texts() == ["ps a1"]


def test_both_begin_anew() -> None:
    table = game(*THREE, offers=[offered(OfferKind.RESTART, Seat.FIRST, target=0)])
    assert agreeing(back(0), table).table.texts() == []


def test_another_proposal_than_the_other_one_s_stands_beside_it() -> None:
    table = game(*THREE, offers=[offered(OfferKind.BACK, Seat.FIRST, target=1)])
    assert kinds(do(context(table, AS_BEN), back(2))) == ["ProposalMade"]


def test_a_board_that_both_propose_is_set() -> None:
    before = context(game(*THREE))
    table = after(before, do(before, board(OTHER))).table
    answer = given(do(context(table, AS_BEN), board(OTHER, "mine")))
    assert kinds(answer) == ["OfferAgreed", "OfferClosed", "BoardSet", "BoardStored"]
    placed = answer[2]
    assert isinstance(placed, ev.BoardSet)
    assert (placed.turn.seat, placed.mail) == (Seat.FIRST, MAIL)
    then = agreeing(board(OTHER, "mine"), table).table
    assert then.turns[-1].is_agreed
    assert then.state.to_move == Seat.SECOND
    assert placed.checksum == then.state.checksum
