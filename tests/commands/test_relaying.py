"""Relay games: everything is forwarded, and moves are checked only when a player asks."""

from dataclasses import replace

import pytest

from takmail.commands.command import Arguments
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Compare, Moves, Play, Show
from takmail.commands.grammar.proposing import Dispute, Propose, Why
from takmail.commands.relay import has_written
from takmail.games.interface import Seat
from takmail.pipeline.results import here
from takmail.world import events
from takmail.world.game import Game, NamedTurn
from takmail.world.game_changes import with_board_asked
from takmail.world.kinds import PendingEnd, PendingId, Standing
from takmail.world.letters import Correspondence
from takmail.world.pending import Pending
from takmail.world.players import Player
from takmail.world.records import Dispute as SaidAgainst
from takmail.world.records import ShownBoard
from takmail.world.waiting import PendingKind
from tests.commands.build import (
    AS_ADA,
    AS_BEN,
    BEGUN_BY,
    EARLIER,
    MAIL,
    NOW,
    after,
    context,
    facts_of,
    first,
    game,
    gone,
    kinds,
    news_of,
)
from tests.commands.offering import GAME, ends, offered, reason
from tests.support.happening import turn_forwarded
from tests.support.orders import do, order
from tests.support.tables import each_row

BOARD = "S 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 s"


def relay(*turns: str, standing: Standing = Standing.OPEN, seats: list[int] | None = None) -> Game:
    return game(*turns, standing=standing, is_relay=True, seats=seats)


TWO = relay("ps a1", "ps e5")


@pytest.mark.parametrize(
    ("by", "text", "line", "written"),
    [
        (AS_ADA, "ps c3", "ps c3", ""),
        (AS_ADA, "ps c3", "PS C3", ""),
        (AS_ADA, "ps c3", "place c3!", "place c3!"),
        (AS_BEN, "ps c3", "ps c3", ""),  # not their turn
        (AS_ADA, "ps a1", "ps a1", ""),  # illegal
    ],
)
def test_a_move_is_passed_on(by: Player, text: str, line: str, written: str) -> None:
    before = context(TWO, by)
    answer = do(before, Play(text, None), line=line)
    seat = TWO.record.seat_of(by.id)
    turn = NamedTurn(3, seat, by.name, text, written=written)
    assert news_of(answer) == (turn_forwarded(turn, written=line, mail=MAIL),)
    then = after(before, answer).game
    assert [turn.text for turn in then.turns] == ["ps a1", "ps e5", text]
    last = then.turns[-1]
    assert (last.seat, last.written, last.checksum, last.mail) == (seat, line, None, MAIL)
    assert len(then.states) == 1


def test_a_move_closes_what_was_asked_and_offered() -> None:
    question = Pending(PendingId(1), PendingKind.RESIGN, NOW, game=GAME, seat=Seat.SECOND)
    table = replace(TWO, pending=(question, offered(PendingKind.DRAW, Seat.SECOND)))
    before = context(table)
    answer = do(before, Play("ps c3", 3), line="ps c3")
    assert kinds(answer) == ["TurnForwarded"]
    then = after(before, answer).game
    assert ends(then) == {20: PendingEnd.LAPSED}
    assert then.questions == ()


@pytest.mark.parametrize(
    ("version", "turn", "crossed"), [(None, None, None), (BEGUN_BY + 1, 1, 2), (BEGUN_BY + 2, 2, None)]
)
def test_a_move_that_was_on_its_way_while_another_came(
    version: int | None, turn: int | None, crossed: int | None
) -> None:
    (sent,) = news_of(do(context(TWO, version=version, turn=turn), Play("ps c3", None), line="ps c3"))
    assert isinstance(sent, events.TurnForwarded)
    assert (sent.crossed and sent.crossed.number) == crossed


def test_one_s_own_move_has_not_crossed() -> None:
    (sent,) = news_of(
        do(context(TWO, AS_BEN, version=BEGUN_BY + 1, turn=1), Play("ps c3", None), line="ps c3")
    )
    assert isinstance(sent, events.TurnForwarded)
    assert sent.crossed is None


@each_row(
    ("table", "command", "name"),
    [
        (relay(standing=Standing.INVITED), Play("ps c3", None), "not_begun"),
        (relay("ps a1", standing=Standing.OVER), Play("ps c3", None), "over"),
        (TWO, Play("ps c3", 5), "relay_number"),
        (relay(), Dispute("no"), "nothing_to_dispute"),
        (TWO, Dispute("no", 3), "show_beyond"),
        (TWO, Moves(""), "relay_unjudged"),
        (relay(standing=Standing.INVITED), Moves(""), "not_begun"),
        (TWO, Why(None), "relay_unjudged"),
        (TWO, Why(2, "ps c3"), "relay_unjudged"),
        (TWO, "undo", "relay_no_board"),
        (TWO, Propose(PendingKind.BACK, 1), "relay_no_board"),
        (TWO, Show(1, 0), "relay_no_board"),
        (relay(standing=Standing.OVER), "undo", "over"),
        (relay(standing=Standing.INVITED), "rs", "not_begun"),
        (relay(standing=Standing.INVITED), Compare(BOARD), "not_begun"),
        (game(is_relay=True, players=(AS_ADA, gone(2, "A player"))), "rs", "opponent_left"),
        (TWO, Show(3), "show_beyond"),
        (relay(standing=Standing.DECLINED), Why(None), "was_declined"),
    ],
)
def test_what_can_not_be_done(table: Game, command: Arguments, name: str) -> None:
    assert reason(do(context(table), command)) == name


@pytest.mark.parametrize(
    ("command", "name"),
    [("rs", "relay_refused"), (Compare(BOARD), "relay_refused"), (Dispute("no"), "words_refused")],
)
def test_what_the_opponent_does_not_take(command: Arguments | str, name: str) -> None:
    assert reason(do(context(relay("ps a1"), is_heard=False), command)) == name


@pytest.mark.parametrize(
    ("version", "turn", "is_old"), [(None, None, True), (BEGUN_BY + 2, 2, True), (BEGUN_BY + 3, 3, False)]
)
def test_a_move_that_was_sent_already(version: int | None, turn: int | None, *, is_old: bool) -> None:
    table = relay("ps a1", "ps e5", "ps c3")
    answer = do(context(table, version=version, turn=turn), Play("ps c3", None), line="ps c3")
    assert kinds(answer) == ["relay_sent" if is_old else "TurnForwarded"]


@pytest.mark.parametrize(
    ("command", "said", "is_named"), [(Dispute("no"), "no", False), (Dispute("no", 2), "#2 no", True)]
)
def test_a_dispute_is_passed_on_once(command: Dispute, said: str, *, is_named: bool) -> None:
    before = context(TWO)
    answer = do(before, command)
    (opened,) = news_of(answer)
    assert isinstance(opened, events.DisputeOpened)
    assert (opened.seat, opened.reason, opened.shown_reason, opened.turn.number, opened.is_named) == (
        Seat.FIRST,
        "no",
        said,
        2,
        is_named,
    )
    assert kinds(do(after(before, answer), command)) == ["disputed"]


# Boards.


def test_a_board_is_asked_for_once_until_the_other_one_writes() -> None:
    before = context(TWO)
    asked = do(before, "rs")
    assert news_of(asked) == (events.BoardAsked(game=GAME, seat=Seat.FIRST),)
    then = after(before, asked)
    assert [seat.asks_board for seat in then.game.record.seats] == [True, False]
    assert kinds(do(then, "rs")) == ["board_already_asked"]
    assert has_written(then) == ()
    by_ben = context(then.game, AS_BEN)
    answered = has_written(by_ben)
    assert not any(seat.asks_board for seat in after(by_ben, answered).game.record.seats)


@pytest.mark.parametrize(
    "before",
    [
        context(),
        context(TWO),
        context(game("ps a1")),
        context(with_board_asked(TWO, Seat.SECOND, True), is_sure=False),
    ],
)
def test_nothing_is_noted_of_who_has_written(before: Context) -> None:
    assert has_written(before) == ()


def test_a_board_is_passed_on() -> None:
    before = context(TWO)
    answer = do(before, Compare(BOARD))
    passed_on = events.BoardForwarded(
        game=GAME, seat=Seat.FIRST, board=BOARD, turn=2, shown_at=NOW, comparison=None
    )
    assert news_of(answer) == (passed_on,)
    assert after(before, answer).game.correspondence.shown_boards == (
        ShownBoard(Seat.FIRST, BOARD, 2, NOW),
        None,
    )


def test_who_has_asked_for_a_board_gets_it_though_they_have_blocked_its_owner() -> None:
    table = game(is_relay=True)
    asked = with_board_asked(table, Seat.SECOND, True)
    before = context(asked, is_heard=False)
    answer = do(before, Compare(BOARD))
    assert kinds(answer) == ["BoardForwarded"]
    assert after(before, answer).game.correspondence.shown_boards == (
        ShownBoard(Seat.FIRST, BOARD, 0, NOW),
        None,
    )


@pytest.mark.parametrize(("turn", "is_of_late"), [(3, True), (2, True), (1, True), (0, False)])
def test_two_boards_are_compared_with_each_other(turn: int, *, is_of_late: bool) -> None:
    theirs = ShownBoard(Seat.SECOND, BOARD, turn, EARLIER)
    table = replace(
        relay("ps a1", "ps e5", "ps c3"), correspondence=Correspondence(shown_boards=(None, theirs))
    )
    passed_on = first(do(context(table), Compare(BOARD)))
    assert isinstance(passed_on, events.BoardForwarded)
    assert (passed_on.comparison is not None, passed_on.opponents_turn) == (
        is_of_late,
        turn if is_of_late else None,
    )
    assert not passed_on.has_replaced


def test_a_move_that_stands_in_the_place_of_another_one_is_told_of() -> None:
    table = relay("ps a1", "ps e4", "ps e5", seats=[0, 1, 1])
    shown = replace(
        table, correspondence=Correspondence(shown_boards=(None, ShownBoard(Seat.SECOND, BOARD, 3, EARLIER)))
    )
    passed_on = first(do(context(shown), Compare(BOARD)))
    assert isinstance(passed_on, events.BoardForwarded)
    assert passed_on.has_replaced


# Commands that show something.

WRONG = relay("ps a1", "ps e5", "ps a1", "ps d4")
"""Turn 3 is illegal."""


@pytest.mark.parametrize(
    ("table", "turn", "shown", "broken"),
    [
        (TWO, None, 2, None),
        (TWO, 1, 1, None),
        (WRONG, None, 2, 3),
        (WRONG, 2, 2, None),
        (relay(), None, 0, None),
    ],
)
def test_the_board_as_far_as_the_moves_keep_the_rules(
    table: Game, turn: int | None, shown: int, broken: int | None
) -> None:
    found = facts_of(do(context(table), Show(turn)), "relay_show")
    assert (found.then.shown.turn, found.broken and found.broken.number) == (shown, broken)


def test_the_log_holds_what_was_said_against_moves() -> None:
    ended = SaidAgainst(6, Seat.FIRST, 2, "too far", EARLIER, EARLIER, 7)
    table = replace(relay("ps a1", "ps e4", "ps e5", seats=[0, 1, 1]), every_dispute=(ended,))
    before = context(table)
    then = after(before, do(before, Dispute("no")))
    found = facts_of(do(then, "log"), "relay_log")
    assert [
        (one.turn.number, one.turn.name, one.turn.text, one.is_replaced, one.disputes)
        for one in found.entries
    ] == [
        (1, "Ada", "ps a1", False, ()),
        (2, "Ben", "ps e4", True, (("Ada", "too far"),)),
        (3, "Ben", "ps e5", False, (("Ada", "no"),)),
    ]


@pytest.mark.parametrize(
    ("table", "is_left_out"), [(relay(), False), (TWO, False), (relay("ps a1", seats=[1]), True)]
)
def test_the_record_begins_with_the_first_player(table: Game, *, is_left_out: bool) -> None:
    found = facts_of(do(context(table), "ptn"), "relay_record")
    assert found.is_left_out == is_left_out


@pytest.mark.parametrize("keyword", ["say", "draw", "games", "resign"])
def test_the_rest_is_as_in_any_other_game(keyword: str) -> None:
    assert here(context(TWO), COMMANDS[keyword]) is COMMANDS[keyword]


@pytest.mark.parametrize(
    ("before", "what", "is_so"),
    [
        (context(TWO), "rs", True),
        (context(TWO), Compare(BOARD), True),
        (context(TWO), "log", False),
        (context(game()), "rs", False),
        (context(), "rs", False),
    ],
)
def test_what_is_written_to_the_opponent(before: Context, what: str | Arguments, *, is_so: bool) -> None:
    command = here(before, order(what).command)
    assert (command.changes, command.resumes_mail) == (is_so, is_so)
