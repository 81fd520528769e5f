"""Proposals to continue from another board, and their acceptance."""

from dataclasses import replace

import pytest

from takmail.commands.answers import Refusal, Told
from takmail.commands.context import Context
from takmail.commands.grammar.proposing import Propose
from takmail.games.interface import Seat
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.game import Game
from takmail.world.kinds import PendingEnd, PendingId, Standing, TakenBackBy
from takmail.world.letters import Correspondence
from takmail.world.pending import Pending
from takmail.world.records import ShownBoard
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    AS_BEN,
    BEGUN_BY,
    EARLIER,
    MAIL,
    NOW,
    after,
    context,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, THREE, ends, offered, reason, taken_back
from tests.support.orders import do
from tests.support.tables import each_row

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s"
"""A board that differs from the one after THREE and is possible there, too: the middle stone is White's."""
OTHER = BOARD.replace("0 0 s 0 0", "0 s 0 0 0")
SHOWN = ShownBoard(Seat.FIRST, OTHER, 3, NOW)
IMPOSSIBLE = BOARD.replace("S 0 0", "S Q 0")


def board(text: str | None, whose: str = "black", *, is_unread: bool = False) -> Propose:
    return Propose(PendingKind.BOARD, board=text, whose=whose, is_unread=is_unread)


def back(target: int) -> Propose:
    return Propose(PendingKind.BACK, target)


@each_row(
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
def test_what_can_not_be_proposed(table: Game, command: Propose, why: str) -> None:
    assert reason(do(context(table), command)) == why


def test_the_board_as_it_is_can_not_be_proposed() -> None:
    table = game(*THREE)
    as_it_is = "/".join(" ".join(row.split()) for row in table.state.board())
    refusal = do(context(table), board(as_it_is))
    assert reason(refusal) == "propose_same_board"
    assert kinds(do(context(table), board(as_it_is, "white")))[0] == "ProposalMade"


@pytest.mark.parametrize("whose", ["", "somebody"])
def test_a_board_is_kept_though_it_is_not_said_whose_turn_it_would_be(whose: str) -> None:
    before = context(game(*THREE))
    refusal = do(before, board(OTHER, whose))
    assert isinstance(refusal, Refusal)
    assert after(before, refusal.effects).game.correspondence.shown_boards == (SHOWN, None)


def test_a_board_that_can_not_be_is_not_kept() -> None:
    refusal = do(context(game(*THREE)), board(IMPOSSIBLE))
    assert isinstance(refusal, Refusal)
    assert refusal.effects == ()


def with_shown(text: str) -> Game:
    return replace(
        game(*THREE),
        correspondence=Correspondence(shown_boards=(ShownBoard(Seat.FIRST, text, 2, EARLIER), None)),
    )


def test_a_board_that_was_shown_before_is_proposed() -> None:
    before = context(with_shown(OTHER))
    answer = do(before, board(None))
    (made,) = news_of(answer)
    assert isinstance(made, events.ProposalMade)
    assert made.shown_after == 2
    assert made.comparison is not None
    assert after(before, answer).game.correspondence.shown_boards == before.game.correspondence.shown_boards


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
        ("me", Seat.FIRST),
        ("yours", Seat.SECOND),
        ("you", Seat.SECOND),
        ("them", Seat.SECOND),
        ("ADA", Seat.FIRST),
        ("ben", Seat.SECOND),
    ],
)
def test_whose_turn_it_would_be(whose: str, to_move: Seat) -> None:
    made = first(do(context(game(*THREE)), board(OTHER, whose)))
    assert isinstance(made, events.ProposalMade)
    assert made.wish.state is not None
    assert made.wish.state.to_move == to_move


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_proposal_is_made(*, is_heard: bool) -> None:
    before = context(game(*THREE), is_heard=is_heard)
    answer = do(before, board(OTHER))
    (made,) = news_of(answer)
    assert isinstance(made, events.ProposalMade)
    assert (made.offer.kind, made.offer.turn, made.offer.seat) == (PendingKind.BOARD, 3, Seat.FIRST)
    assert (made.instead_of, made.is_in_place, made.shown_after) == (None, False, None)
    assert after(before, answer).so_far.happened[0].readers == ((AS_BEN.id,) if is_heard else ())
    assert made.comparison is not None
    then = after(before, answer).game
    (stored,) = then.offers
    assert replace(stored, version=0) == made.offer
    assert then.correspondence.shown_boards == (SHOWN, None)


@pytest.mark.parametrize(
    ("target", "kind"), [(0, PendingKind.RESTART), (1, PendingKind.BACK), (2, PendingKind.BACK)]
)
def test_to_go_back(target: int, kind: PendingKind) -> None:
    (made,) = news_of(do(context(game(*THREE)), back(target)))
    assert isinstance(made, events.ProposalMade)
    assert (made.offer.kind, made.offer.target, made.offer.words, made.comparison) == (
        kind,
        target,
        "",
        None,
    )


def test_the_same_proposal_again_is_no_fault() -> None:
    before = context(game(*THREE))
    then = after(before, do(before, board(OTHER)))
    earlier = replace(SHOWN, shown_at=EARLIER)
    then = replace(
        then,
        world=then.world.with_game(
            replace(then.game, correspondence=replace(then.game.correspondence, shown_boards=(earlier, None)))
        ),
    )
    for text, shown in ((None, earlier), (OTHER, SHOWN)):
        answer = do(then, board(text))
        assert isinstance(answer, Told)
        assert answer.reason == "already_proposed"
        assert after(then, answer.effects).game.correspondence.shown_boards == (shown, None)


def test_another_proposal_takes_the_place_of_the_one_before() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.BACK, Seat.FIRST, target=1)]))
    answer = do(before, back(2))
    (made,) = news_of(answer)
    assert isinstance(made, events.ProposalMade)
    assert (made.is_in_place, made.instead_of and made.instead_of.target) == (True, 1)
    then = after(before, answer)
    assert ends(then.game) == {20: PendingEnd.REPLACED, 21: None}
    # Nobody knows of a proposal that the same mail made. The opponent knows the one before.
    again = first(do(then, back(0)))
    assert isinstance(again, events.ProposalMade)
    assert again.instead_of == OfferedChange(PendingKind.BACK, 3, 1, before.game.states[1])


def test_a_draw_that_is_offered_stays_beside_a_proposal() -> None:
    before = context(game(*THREE, offers=[offered(PendingKind.DRAW, Seat.FIRST)]))
    answer = do(before, back(2))
    made = first(answer)
    assert isinstance(made, events.ProposalMade)
    assert not made.is_in_place
    assert len(after(before, answer).game.offers) == 2


*BEFORE, LAST = game(*THREE).turns
AGREED = replace(game(*THREE), turns=(*BEFORE, LAST._replace(is_agreed=True)))
TAKEN_BACK = taken_back(game(*THREE), 2)


@pytest.mark.parametrize(
    ("table", "version", "turn", "why"),
    [
        (TAKEN_BACK, BEGUN_BY + 3, 3, "gone"),
        (game(*THREE), BEGUN_BY + 1, 1, "propose_stale"),
        (game(*THREE), BEGUN_BY + 4, 4, "propose_stale"),
        (AGREED, BEGUN_BY + 2, 2, "propose_stale"),
    ],
)
def test_a_proposal_in_answer_to_another_board(table: Game, version: int, turn: int, why: str) -> None:
    assert reason(do(context(table, version=version, turn=turn), back(1))) == why


def test_a_proposal_in_answer_to_the_board_before_the_last_turn_of_one_s_own() -> None:
    assert kinds(do(context(game(*THREE), version=BEGUN_BY + 2, turn=2), back(1))) == ["ProposalMade"]


# Both propose the same.


def agreeing(command: Propose, table: Game) -> Context:
    return after(context(table, AS_BEN), do(context(table, AS_BEN), command))


def test_the_same_as_the_other_one_proposes_is_agreed() -> None:
    others = [
        offered(PendingKind.BACK, Seat.FIRST, target=1),
        offered(PendingKind.DRAW, Seat.FIRST, 21),
        offered(PendingKind.BACK, Seat.SECOND, 22, target=2),
    ]
    questions = tuple(
        Pending(PendingId(number), PendingKind.HELD, NOW, game=GAME, seat=seat)
        for number, seat in ((1, Seat.FIRST), (2, Seat.SECOND))
    )
    table = replace(game(*THREE), pending=(*others, *questions))
    answer = do(context(table, AS_BEN), back(1))
    assert news_of(answer) == (
        events.OfferAgreed(
            game=GAME,
            seat=Seat.SECOND,
            wish=OfferedChange(PendingKind.BACK, 3, 1, table.states[1]),
            offer=others[0],
            agreed_at=NOW,
            mail=MAIL,
            turn=table.played(table.turns[2]),
        ),
    )
    then = agreeing(back(1), table).game
    assert ends(then) == {20: PendingEnd.AGREED, 21: PendingEnd.LAPSED, 22: PendingEnd.LAPSED}
    assert then.questions == ()
    assert then.texts() == ["ps a1"]
    assert [run.how for run in then.taken_back] == [TakenBackBy.BACK]


def test_both_begin_anew() -> None:
    table = game(*THREE, offers=[offered(PendingKind.RESTART, Seat.FIRST, target=0)])
    assert agreeing(back(0), table).game.texts() == []


def test_another_proposal_than_the_other_one_s_stands_beside_it() -> None:
    table = game(*THREE, offers=[offered(PendingKind.BACK, Seat.FIRST, target=1)])
    assert kinds(do(context(table, AS_BEN), back(2))) == ["ProposalMade"]


def test_a_board_that_both_propose_is_set() -> None:
    before = context(game(*THREE))
    table = after(before, do(before, board(OTHER))).game
    assert kinds(do(context(table, AS_BEN), board(OTHER, "mine"))) == ["OfferAgreed"]
    then = agreeing(board(OTHER, "mine"), table).game
    assert [*ends(then).values()] == [PendingEnd.AGREED]
    assert then.correspondence.shown_boards == (SHOWN, replace(SHOWN, seat=Seat.SECOND))
    last = then.turns[-1]
    assert last.is_agreed
    assert (last.seat, last.mail, last.checksum) == (Seat.FIRST, MAIL, then.state.checksum)
    assert then.state.to_move == Seat.SECOND
