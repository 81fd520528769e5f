"""The checksum of a position: its input, and an independent implementation."""

from hashlib import sha256

from takmail.games.tak.game import TakGame
from tests.support.tak import start, state


def test_it_is_found_as_it_is_documented():
    text = "0 0 S/0 0 0/s 0 0 w"
    bits = int(sha256(text.encode()).hexdigest(), 16) >> 256 - 30
    letters = [
        "23456789abcdefghijkmnpqrstuvwxyz"[int(f"{bits:030b}"[at : at + 5], 2)] for at in range(0, 30, 5)
    ]
    expected = f"{''.join(letters[:3])}-{''.join(letters[3:])}"
    assert start(3).play("ps c1").play("ps a3").checksum == expected


def test_it_stays_the_same_for_programs_that_know_it():
    assert start(5).checksum == "7e8-92p"


def test_only_the_board_and_the_side_to_move_count():
    board = "x5/x5/x2,12S,x2/x5/x5"
    assert state(f"{board} 1 7").checksum == state(f"{board} 1 30").checksum
    assert state(f"{board} 1 7").checksum != state(f"{board} 2 7").checksum
    assert start(5).checksum != start(6).checksum
    assert TakGame().start("5 komi=2 score=tarway").checksum == start(5).checksum
