"""Tak through the game interface."""

from random import Random

import pytest

from takmail.blocks import message
from takmail.games.interface import NearMiss, ReadTurn, Refused, Seat, State
from takmail.games.registry import GAMES
from takmail.games.tak.notation.ptn_game import parse_games
from takmail.games.tak.replay import replay
from tests.support.tables import each_row
from tests.support.tak import start, state
from tests.support.wording import english

TAK = GAMES.by_name["tak"]


def refused(*words):
    with pytest.raises(Refused) as caught:
        TAK.set_up(words, Random(1))
    return caught.value.reason.name, dict(caught.value.reason.facts)


@each_row(
    ("words", "setup"),
    [
        (("5",), "5"),
        ((), "5"),
        (("komi=2",), "5 komi=2"),
        (("5x5",), "5"),
        (("5X5",), "5"),
        (("5", "komi=2.5"), "5 komi=2.5"),
        (("komi=2", "6"), "6 komi=2"),
        (("8", "komi=2.0"), "8 komi=2"),
        (("3", "komi=0"), "3"),
        (("5", "KOMI=0,5"), "5 komi=0.5"),
    ],
)
def test_a_game_is_set_up_by_its_size_and_komi(words, setup):
    assert TAK.set_up(words, Random(1)) == setup
    assert TAK.set_up(setup.split(), Random(1)) == setup


def test_each_fault_of_a_set_up_has_its_own_reason():
    sizes = {"smallest": 3, "largest": 8}
    for text in ("2", "9", "55", "5x6", "-5", "5.5", "²"):
        assert refused(text) == ("bad-size", {"text": text, **sizes})
    for text in ("", "2.3", "-1", "x", "65", "1e3", "٣"):
        assert refused("5", f"komi={text}") == ("bad-komi", {"text": text, "highest": 64})
    assert refused("5", "fast") == ("unknown-word", {"word": "fast"})
    assert refused("5", "komi") == ("unknown-word", {"word": "komi"})
    assert refused("5", "6") == ("said-twice", {"what": "size", "word": "6"})
    assert refused("5", "komi=1", "komi=2") == ("said-twice", {"what": "komi", "word": "komi=2"})


@pytest.mark.parametrize(
    ("setup", "title"),
    [
        ("5 komi=2.5", "5x5"),
        ("7 caps=0", "7x7, no capstones"),
        ("7 caps=1 calls=must", "7x7, 1 capstone, tak must be called"),
        ("6 rules=university bids=3,4", "6x6, University Rules"),
        ("8 rules=femr", "8x8, Femr's Folly"),
    ],
)
def test_the_title_is_the_board_and_what_is_unusual(setup, title):
    assert TAK.title(setup) == title
    assert english(message("title", labels=TAK.wording.title(setup, is_relay=False))) == title


def test_the_game_starts_empty_with_its_komi():
    game = TAK.start("3 komi=2.5")
    assert (game.turns, game.to_move, game.result) == (0, Seat.FIRST, None)
    assert game.board() == ("0 0 0",) * 3
    assert game.facts().komi == "2.5"


def test_a_line_is_known_for_a_turn_where_no_game_is():
    assert TAK.anywhere.read("ps h8") == ReadTurn("ps h8")
    assert isinstance(TAK.anywhere.read("ps i9"), NearMiss)
    assert TAK.anywhere.read("see you") is None


def test_who_resigns_has_lost():
    assert (TAK.resign(Seat.FIRST).winner, TAK.resign(Seat.FIRST).score) == (Seat.SECOND, "0-1")
    assert (TAK.resign(Seat.SECOND).winner, TAK.resign(Seat.SECOND).score) == (Seat.FIRST, "1-0")
    assert TAK.resign(Seat.SECOND).how == "resigned"
    assert TAK.resign(Seat.SECOND).facts == {"color": "black"}


def test_a_record_is_ptn_and_calls_of_tak_are_marked():
    tags = {"Player1": "Ada", "Player2": 'Ben "B"', "Date": "2026.11.21"}
    text = TAK.record("5 komi=2.5", ["ps a1", "ps e1 t", "mn a2 p1 1"], tags, TAK.resign(Seat.FIRST))
    assert text == (
        '[Player1 "Ada"]\n[Player2 "Ben \\"B\\""]\n[Date "2026.11.21"]\n[Size "5"]\n[Komi "2.5"]\n'
        '[Result "0-1"]\n\n1. a5 e5\'\n2. a4+\n0-1\n'
    )
    assert parse_games(text)[0].tag("player2") == 'Ben "B"'


def test_a_record_of_a_game_that_goes_on_has_no_result():
    tags = {"Player1": "Ada", "Player2": "Ben", "Date": "2026.11.21"}
    text = TAK.record("3", ["ps a1"], tags, None)
    assert "Result" not in text
    assert replay(parse_games(text)[0]).result == "*"


def test_the_facts_say_all_that_a_letter_shows():
    facts = state("1,21C,x2,2S/x5/x5/x5/x4,112 2 7").facts()
    assert (facts.size, facts.opening, facts.komi, facts.columns) == (5, False, "0", "A B  C D E")
    assert (facts.white.flats, facts.white.stones, facts.white.capstones) == (1, 18, 0)
    assert (facts.black.flats, facts.black.stones, facts.black.capstones) == (1, 18, 1)


def test_the_opening_is_said():
    assert [start(3).facts().opening, start(3).play("ps a1").facts().opening] == [True, True]
    assert start(3).play("ps a1").play("ps b1").facts().opening is False


def test_the_facts_say_whether_a_board_is_played_with_capstones():
    assert [start(size).facts().has_capstones for size in range(3, 9)] == [
        False,
        False,
        True,
        True,
        True,
        True,
    ]


def test_a_board_whose_capstones_are_all_placed_is_still_played_with_them():
    assert state("1C,2C,x3/x5/x5/x5/x5 1 4").facts().has_capstones


def test_a_game_whose_turns_take_a_line_need_not_read_several():
    assert State.read_lines(start(5), ["ps a1", "Hello"]) == (ReadTurn("ps a1"), 1)


def test_a_place_is_one_of_any_game():
    assert [GAMES.is_place(word) for word in ("b4", "h8", "so", "b444")] == [True, True, False, False]


def test_a_seat_is_named_by_the_word_of_any_game():
    assert [GAMES.seat_anywhere(word) for word in ("white", "black", "purple")] == [*Seat, None]
