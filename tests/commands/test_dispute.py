"""`im`, `why` and comparisons of boards."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from takmail.commands.answers import Told
from takmail.commands.context import Context
from takmail.commands.dispute import unread
from takmail.commands.grammar.arguments import Compare
from takmail.commands.grammar.proposing import Dispute, Why
from takmail.games.interface import NearMiss, Reason, Seat
from takmail.limits.words import MAX_REASON_CHARS
from takmail.world import events
from takmail.world.game import Game
from takmail.world.kinds import Standing
from takmail.world.players import Player
from takmail.world.records import ShownBoard
from tests.commands.build import (
    ADA,
    AS_ADA,
    AS_BEN,
    BEGUN_BY,
    MAIL,
    NOW,
    after,
    context,
    facts_of,
    first,
    game,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, THREE, TWO, reason, taken_back
from tests.support.orders import do
from tests.support.tables import each_row

AGREED = game(
    *TWO,
    game(*TWO).state.adopt("S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s", Seat.SECOND),
    seats=[0, 1, 0],
)
OVER = game(*THREE, standing=Standing.OVER, resigned=Seat.FIRST)
TAKEN_BACK = taken_back(game(*THREE), 2)
OF_THIS_MAIL = replace(game(*THREE), turns=(*game(*TWO).turns, game(*THREE).turns[2]._replace(mail=MAIL)))


@pytest.mark.parametrize(
    ("table", "command", "version", "turn", "name"),
    [
        (game(standing=Standing.INVITED), Dispute("no"), None, None, "not_begun"),
        (game(), Dispute("no"), None, None, "nothing_to_dispute"),
        (game(), Dispute("no", 1), None, None, "show_beyond"),
        (game(*TWO), Dispute("no", 3), None, None, "show_beyond"),
        (game(*TWO), Dispute("no"), BEGUN_BY, 0, "shows_no_turn"),
        (TAKEN_BACK, Dispute("no"), BEGUN_BY + 3, 3, "gone"),
        (AGREED, Dispute("no"), None, None, "agreed_board"),
    ],
)
def test_what_can_not_be_disputed(
    table: Game, command: Dispute, version: int | None, turn: int | None, name: str
) -> None:
    assert reason(do(context(table, version=version, turn=turn), command)) == name


@pytest.mark.parametrize(
    ("table", "command", "version", "turn", "number", "said", "is_own"),
    [
        (game(*THREE), Dispute("no"), None, None, 3, "no", False),
        (game(*THREE), Dispute("no", 2), None, None, 2, "#2 no", True),
        (game(*THREE), Dispute("", 2), None, None, 2, "#2", True),
        (game(*THREE), Dispute("Ps a1 can't be"), None, None, 1, "Ps a1 can't be", False),
        (game(*THREE), Dispute("no"), BEGUN_BY + 2, 2, 2, "no", True),  # the last one that Ben has seen
        (
            OF_THIS_MAIL,
            Dispute("no"),
            BEGUN_BY + 2,
            2,
            3,
            "no",
            False,
        ),  # a turn that the mail itself has played
        (OVER, Dispute("no"), None, None, 3, "no", False),
    ],
)
def test_a_turn_is_disputed(
    table: Game,
    command: Dispute,
    version: int | None,
    turn: int | None,
    number: int,
    said: str,
    *,
    is_own: bool,
) -> None:
    before = context(table, AS_BEN, version=version, turn=turn)
    answer = do(before, command)
    (opened,) = news_of(answer)
    assert isinstance(opened, events.DisputeOpened)
    assert (opened.game, opened.seat, opened.turn.number, opened.reason, opened.shown_reason) == (
        GAME,
        Seat.SECOND,
        number,
        command.reason,
        said,
    )
    assert opened.verdict is not None
    assert (opened.turn.seat is Seat.SECOND, opened.verdict.number) == (is_own, number)
    then = after(before, answer)
    assert then.so_far.happened[0].readers == (AS_ADA.id,)
    (stored,) = then.game.disputes
    assert (stored.seat, stored.turn, stored.reason, stored.opened_at) == (
        Seat.SECOND,
        number,
        command.reason,
        NOW,
    )


def test_a_reason_is_as_the_other_one_may_read_it() -> None:
    opened = first(do(context(game(*THREE), AS_BEN), Dispute(f"write to {ADA} " + "x" * MAX_REASON_CHARS)))
    assert isinstance(opened, events.DisputeOpened)
    assert ADA not in opened.reason
    assert len(opened.reason) == MAX_REASON_CHARS + len(" ...")


def test_who_takes_no_words_is_not_told() -> None:
    before = context(game(*THREE), AS_BEN, is_heard=False)
    assert not after(before, do(before, Dispute("no"))).so_far.happened[0].readers


def disputing(*commands: Dispute, by: Player = AS_BEN) -> Context:
    then = context(game(*THREE), by)
    for one in commands:
        then = after(then, do(then, one))
    return then


def test_the_same_dispute_is_not_told_twice() -> None:
    then = disputing(Dispute("no"))
    assert kinds(do(then, Dispute("no", 3))) == ["disputed"]
    assert kinds(do(then, Dispute("never"))) == ["DisputeOpened"]
    assert kinds(do(then, Dispute("no", 2))) == ["DisputeOpened"]


def test_one_mail_disputes_three_turns_at_most() -> None:
    then = disputing(Dispute("no"), Dispute("never"), Dispute("no", 2))
    assert reason(do(then, Dispute("no", 1))) == "many_disputes"
    assert [one.turn for one in then.game.disputes] == [3, 2]


# Why.


@each_row(
    ("table", "command", "version", "turn", "name"),
    [
        (game(standing=Standing.DECLINED), Why(None), None, None, "was_declined"),
        (game(), Why(None), None, None, "why_nothing"),
        (game(*TWO), Why(3), None, None, "show_beyond"),
        (game(*TWO), Why(4, "ps c3"), None, None, "show_beyond"),
        (game(*TWO), Why(None), BEGUN_BY, 0, "shows_no_turn"),
        (AGREED, Why(3), None, None, "agreed_board"),
        (game(*TWO), Why(None, "well well"), None, None, "why_no_turn"),
        (game(*TWO), Why(None, "p c3"), None, None, "refused"),
    ],
)
def test_what_can_not_be_explained(
    table: Game, command: Why, version: int | None, turn: int | None, name: str
) -> None:
    assert reason(do(context(table, version=version, turn=turn), command)) == name


def explained(table: Game, command: Why, by: Player = AS_ADA) -> SimpleNamespace:
    return facts_of(do(context(table, by), command), "why")


@pytest.mark.parametrize(("turn", "number"), [(None, 3), (1, 1)])
def test_a_turn_that_was_played_is_explained(turn: int | None, number: int) -> None:
    found = explained(game(*THREE), Why(turn))
    assert (found.verdict.number, found.verdict.is_legal, found.mover, found.can_play) == (
        number,
        True,
        "",
        False,
    )


@pytest.mark.parametrize(
    ("table", "by", "command", "number", "mover", "can_play"),
    [
        (game(*TWO), AS_ADA, Why(None, "ps c3"), 3, "", True),
        (game(*TWO), AS_ADA, Why(None, "move ps c3"), 3, "", True),
        (game(*TWO), AS_ADA, Why(None, "ps a1"), 3, "", False),  # illegal
        (game(*TWO), AS_BEN, Why(None, "ps c3"), 3, "Ada", False),
        (game(*TWO), AS_ADA, Why(1, "ps c3"), 1, "", False),
        (OVER, AS_BEN, Why(None, "ps d4"), 4, "", False),
    ],
)
def test_an_attempt_is_explained(
    table: Game, by: Player, command: Why, number: int, mover: str, *, can_play: bool
) -> None:
    found = explained(table, command, by)
    assert (found.verdict.number, found.mover, found.can_play) == (number, mover, can_play)


@pytest.mark.parametrize(("turn", "head"), [(None, "why"), (3, "why 3")])
def test_an_attempt_that_can_be_read_in_several_ways(turn: int | None, head: str) -> None:
    miss = NearMiss(Reason("ambiguous"), ("ps c3", "ps c4"))
    refusal = unread(context(game(*TWO)), Why(turn, "c3 c4"), miss)
    assert refusal.facts["fixes"] == (f"{head} ps c3", f"{head} ps c4")


# Boards.

BOARD = "S 0 0 0 0/0 0 0 0 0/0 s 0 0 0/0 0 0 0 0/0 0 0 0 s"


@pytest.mark.parametrize("standing", [Standing.INVITED, Standing.DECLINED])
def test_there_is_no_board_before_a_game_begins(standing: Standing) -> None:
    assert kinds(do(context(game(standing=standing)), Compare(BOARD)))[0] in (
        "not_begun",
        "was_declined",
    )


@pytest.mark.parametrize(
    ("table", "text", "is_sure", "is_kept"),
    [
        (game(*THREE), BOARD, True, True),
        (OVER, BOARD, True, True),
        (game(*THREE), BOARD, False, False),
        (game(*THREE), "S 0 0/0 0 0/0 0 s", True, False),  # of another size
    ],
)
def test_a_board_is_compared_with_the_game(table: Game, text: str, *, is_sure: bool, is_kept: bool) -> None:
    before = context(table, is_sure=is_sure)
    compared = do(before, Compare(text))
    assert isinstance(compared, Told)
    kept = ShownBoard(Seat.FIRST, text, 3, NOW) if is_kept else None
    assert after(before, compared.effects).game.correspondence.shown_boards == (kept, None)
