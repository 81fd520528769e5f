"""A relay reads lines in the game's notation, and never applies the rules."""

from random import Random

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.understand import understand
from takmail.games.interface import NearMiss, ReadTurn, Refused, Result, Seat, State
from takmail.games.registry import GAMES
from takmail.games.relay import Relay
from takmail.games.tak.game import TakGame
from tests.support.tables import each_row

TAK = TakGame()
RELAY = Relay(TAK)


def test_it_is_set_up_and_named_as_the_game() -> None:
    assert GAMES.rules("tak", is_relay=True).set_up(("5x5", "komi=2"), Random(1)) == "5 komi=2"
    assert (RELAY.name, RELAY.file_ending) == (TAK.name, TAK.file_ending)
    assert RELAY.title("5 komi=2") == "5x5 relay"
    assert RELAY.complete("5", Random(1)) == TAK.complete("5", Random(1))
    assert RELAY.rematch_setup("5 komi=2") == "5 komi=2"
    with pytest.raises(Refused):
        RELAY.set_up(("9",), Random(1))


def test_it_keeps_no_board_and_the_game_judges_its_moves() -> None:
    assert not RELAY.keeps_board
    assert RELAY.referee is TAK
    assert GAMES.rules("tak").keeps_board


@each_row("line", ["ps b4", "MS B2 P3 2 1", "ms b2 p3 1 1", "ps z9", "b4", "hello", "ptn c3", "pw a1 #7"])
def test_lines_are_read_as_the_game_reads_them_at_its_start(line: str) -> None:
    relay: State = RELAY.start("5")
    for state in (relay, relay.play("ps a1").play("ps a1")):
        assert state.read(line) == TAK.start("5").read(line)
        assert state.read_lines([line, "ps b4"]) == (state.read(line), 1)
        assert state.meant(line) == TAK.unseen("5").meant(line)
    assert RELAY.anywhere.read(line) == TAK.anywhere.read(line)


@pytest.mark.parametrize("text", ["ps b4", "pw a1", "ms e5 p5 1 1 1 1 1", "board 0 0 0"])
def test_no_turn_is_refused(text: str) -> None:
    state: State = RELAY.start("3")
    for sent in range(30):
        assert (state.turns, state.to_move, state.result) == (sent, Seat(sent % 2), None)
        assert state.asks_before(text) is None
        assert (state.verdict(text), state.touched(text)) == ((), ())
        state = state.play(text)


def test_nobody_knows_its_board() -> None:
    state = RELAY.start("3").play("ps a1")
    assert state.board() == ()
    assert state.choices() == state.choices_at("a1") == ()
    assert state.checksum == TAK.start("3").checksum
    assert state.facts() == TAK.start("3").facts()
    assert state.picture("ps a1", RELAY.resign(Seat.FIRST)) == TAK.start("3").picture(
        None, RELAY.resign(Seat.FIRST)
    )


def test_it_ends_by_what_people_say_and_brings_no_points() -> None:
    ends: list[Result] = [
        RELAY.resign(Seat.FIRST),
        RELAY.decide(None, "agreed"),
        RELAY.decide(Seat.FIRST, "ruled"),
    ]
    assert ends == [TAK.resign(Seat.FIRST), TAK.decide(None, "agreed"), TAK.decide(Seat.FIRST, "ruled")]
    assert {RELAY.start("5").score(end).points for end in ends} == {(0, 0)}


def test_boards_are_found_and_compared_as_the_game_does() -> None:
    lines = ["s 0 0", "0 S 0", "0 0 0"]
    (board,) = RELAY.boards_in(lines)
    assert RELAY.rows(board.text) == tuple(lines)
    assert RELAY.compare("3", ["ps c3"], board.text) == TAK.compare("3", ["ps c3"], board.text)
    assert RELAY.compare_two("3", [], board.text, board.text) == TAK.compare_two(
        "3", [], board.text, board.text
    )
    assert RELAY.start("3").adopt(board.text, Seat.FIRST) == TAK.start("3").adopt(board.text, Seat.FIRST)
    assert RELAY.is_agreement(RELAY.start("3").adopt(board.text, Seat.FIRST))
    assert RELAY.seat_named("black") is Seat.SECOND
    assert RELAY.is_place("b2")


def test_its_record_is_the_game_s_and_nothing_plays_it_over_on_the_web() -> None:
    tags = {"Player1": "Ada", "Player2": "Ben", "Date": "2026.11.21"}
    assert RELAY.record("5", ["ps a1"], tags, None) == TAK.record("5", ["ps a1"], tags, None)
    assert RELAY.viewer_url("5", ["ps a1"], tags, None) is None


def test_a_mail_of_it_is_read_by_the_inner_notation() -> None:
    reader = in_game(GAMES, COMMANDS, RELAY, RELAY.start("5").play("ps a1"))
    (order,) = understand("pw a1 #2\nHello", reader).orders
    assert order.arguments == Play("pw a1", 2)
    assert isinstance(reader.read_turn("ps z9"), NearMiss)
    assert isinstance(reader.read_turn("pw a1"), ReadTurn)
