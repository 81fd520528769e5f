"""What the player to move can touch on the board of a letter."""

import pytest

from takmail.games.grid import Touch
from takmail.games.tzaar.apply import apply_move
from takmail.games.tzaar.choices import MAX_TOUCHED_TURNS, touches
from takmail.games.tzaar.position import EMPTY, FIXED, Position, read_position
from takmail.games.tzaar.rules import covers_last, play
from takmail.games.tzaar.turns import parse_turn
from takmail.letters.mailto_links import mailto_links
from takmail.limits.letters import MAX_LINK_CHARS
from tests.tzaar.vectors import position, vectors

LINKS = mailto_links("tak@example.org", "[tak #1]", 3, "Keep one line")


def after(*turns: str, start: Position = FIXED) -> Position:
    for turn in turns:
        start = apply_move(start, parse_turn(turn).move)
    return start


def test_the_first_turn_is_a_capture_alone() -> None:
    assert touches(FIXED)["b1"] == Touch(("c b1 b2", "c b1 a1"), is_move=True)


def test_a_stack_offers_its_captures_and_then_what_it_can_do_behind_one() -> None:
    found = touches(after("c e1 f1"))
    assert found["a1"].turns == ("c a1 b1 pass", "c a1 b1 s b1 b2", "c a1 b1 c b1 c1", "c a1 b1 c b1 c2")
    assert "a5" not in found  # White's
    assert "a2" not in found  # no capture


def test_taller_and_rarer_pieces_are_captured_first() -> None:
    found = read_position("ZRTx2/x6/x3Tx3/x2T2t3Zx3/x8/x8/x7/x6/zrx3 w")
    assert found is not None
    turns = (
        "c d4 d3 pass",
        "c d4 a1 pass",
        "c d4 d5 pass",
        "c d4 c4 pass",
        "c d4 d3 c d3 a3",
        "c d4 d3 c d3 d5",
    )
    assert touches(found) == {"d4": Touch(turns, is_move=True)}


@pytest.mark.parametrize("number", range(0, 40, 9))
def test_whatever_is_touched_keeps_the_rules_and_loses_no_kind_of_ones_own(number: int) -> None:
    for text in vectors()["games"][number]["positions"][::5]:
        shown = position(text)
        for place, touch in touches(shown).items():
            assert 1 <= len(touch.turns) <= MAX_TOUCHED_TURNS
            for turn in touch.turns:
                move = parse_turn(turn).move
                play(shown, move)
                assert covers_last(shown, move) is None
                assert place in turn


def test_an_empty_spot_offers_each_kind_that_is_left() -> None:
    assert touches(EMPTY)["e4"] == Touch(("pz e4", "pr e4", "pt e4"), is_move=False)
    columns = ["zzzzz", "zTTTTT", "x7", "x8", "x8", "x8", "x7", "x6", "x5"]
    none_left = read_position("/".join(columns) + " w place")
    assert none_left is not None
    assert touches(none_left)["e4"].turns == ("pr e4", "pt e4")
    assert "a1" not in touches(none_left)


def test_a_link_lists_placings_to_keep_one() -> None:
    link = LINKS.board(touches(EMPTY))["e4"]
    assert link.endswith(
        "body=Keep%20one%20line%0D%0Apz%20e4%20%233%0D%0Apr%20e4%20%233%0D%0Apt%20e4%20%233%0D%0Amoves%20e4%0D%0A"
    )
    assert all(len(one) <= MAX_LINK_CHARS for one in LINKS.board(touches(after("c e1 f1"))).values())
