"""The URL that opens a game in PTN Ninja.

PTN Ninja takes the PTN of a game compressed by lz-string (compressToEncodedURIComponent). The tests contain
the output of the original library for some texts, and an independent decoder for URLs.
"""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.games.tak.apply import apply_move
from takmail.games.tak.moves import Spread, legal_moves
from takmail.games.tak.ninja import LONGEST
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.lz import compress
from takmail.games.tak.notation.ptn_game import parse_games
from takmail.games.tak.position import empty_position
from takmail.games.tak.replay import replay
from tests.support.lz_string import unpacked
from tests.support.tables import each_row
from tests.support.tak import setup_of, vectors

TAK = GAMES.by_name["tak"]
TAGS = {"Player1": "Zoë", "Player2": "Ben & Co.", "Date": "2026.11.21"}
OPENING = ["ps a1", "ps e5", "ps c3"]
RECORDED = vectors("games.json")


def text_in(address):
    """Return the PTN in a URL of PTN Ninja."""
    (packed,) = re.fullmatch(r"https://ptn\.ninja/([A-Za-z0-9+-]+)&ply=0", address).groups()
    return unpacked(packed)


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        ("", "Q"),
        ("a", "IZA"),
        ("é", "JdA"),
        ("Zoë – 漢字 😀", "Foew1wBIyAQYRPaOraFC8G4AD2g"),
        ('[Size "5"]\n\n1. a1 b2\n', "NoZQlgXgpgBARAVjgXQFCoIwDoYEMMwBGATKkA"),
    ],
)
def test_a_text_is_packed_as_lz_string_does_it(text, packed):
    assert compress(text) == packed
    assert unpacked(packed) == text


@given(st.text(max_size=300))
def test_what_is_packed_can_be_unpacked(text):
    assert unpacked(compress(text)) == text


def test_the_address_holds_the_game_as_its_record_has_it():
    result = TAK.resign(Seat.FIRST)
    address = TAK.viewer_url("5 komi=2", OPENING, TAGS, result)
    assert text_in(address) == TAK.record("5 komi=2", OPENING, TAGS, result)


def test_what_was_agreed_on_begins_the_game_there_without_the_turns_before():
    board = TAK.start("3").play("ps a1").adopt("0 0 0/0 s 0/S 0 0", Seat.FIRST)
    text = text_in(TAK.viewer_url("3", ["ps a1", board, "ps a1"], {}, None))
    assert "[TPS " in text
    assert "{" not in text


@each_row("number", range(0, len(RECORDED), 9))
def test_every_recorded_game_is_the_same_in_the_address(number):
    game = RECORDED[number]
    address = TAK.viewer_url(setup_of(game), game["mail"], TAGS, None)
    assert len(address) <= LONGEST
    (read,) = parse_games(text_in(address))
    assert (replay(read).plies, replay(read).final_tps) == (len(game["mail"]), game["final_tps"])


def some_game(plies):
    """A game of random moves on the largest board that nobody wins."""
    chance, position, turns = Random(1), empty_position(8), []
    while len(turns) < plies:
        moves = legal_moves(position)
        move = chance.choice([one for one in moves if isinstance(one, Spread)][len(turns) % 9 :] or moves)
        following = apply_move(position, move)
        if following.outcome is None:
            turns.append(mail.write(position.board, move))
            position = following
    return turns


def test_a_long_game_goes_without_the_names_and_one_that_is_too_long_has_no_address():
    turns = some_game(500)
    lengths = [len(TAK.viewer_url("8", turns[:plies], TAGS, None) or "") for plies in range(100, 501, 10)]
    assert max(lengths) <= LONGEST
    assert "Zoë" in text_in(TAK.viewer_url("8", turns[:100], TAGS, None))
    assert lengths[-1] == 0
    last = 100 + 10 * (lengths.index(0) - 1)
    assert text_in(TAK.viewer_url("8", turns[:last], TAGS, None)).startswith('[Size "8"]\n\n1. ')


def test_a_long_game_keeps_the_agreed_number_of_capstones():
    long = {"Player1": "".join(chr(at) for at in range(0x4E00, 0x5600))}
    text = text_in(TAK.viewer_url("7 caps=1", ["ps a1", "ps g7"], long, None))
    assert text.startswith('[Size "7"]\n[Caps "1"]\n\n1. ')
