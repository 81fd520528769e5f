"""Comparing the boards of two people with each other and with a log that nobody has checked."""

from hypothesis import given
from hypothesis import strategies as st

from takmail.games.tak.compare.orientation import Orientation
from takmail.games.tak.game import TakGame
from tests.support.tak import vectors

GAME = TakGame()
TURNS = ["ps a1", "ps e5", "ps c3", "ps c2", "pw b3", "ms c2 p1 1"]
NOW = "S 0 0 0 0/0 0 0 0 0/0 w Ss 0 0/0 0 0 0 0/0 0 0 0 s"
EARLIER = "S 0 0 0 0/0 0 S 0 0/0 w s 0 0/0 0 0 0 0/0 0 0 0 s"
MIRRORED = "/".join(NOW.split("/")[::-1])


def compare(one, other, turns=TURNS):
    return GAME.compare_two("5", turns, one, other)


def squares(found):
    return [(square.square, square.yours, square.ours) for square in found.facts["squares"]]


def test_the_same_boards_may_both_be_wrong():
    found = compare(NOW, NOW)
    assert (found.how, found.facts["agrees"]) == ("two-same", "both")
    found = compare(EARLIER, EARLIER)
    assert (found.how, found.facts["agrees"], found.facts["one"].how) == ("two-same", "neither", "earlier")


def test_one_of_the_two_agrees_with_the_log():
    found = compare(NOW, EARLIER)
    assert (found.how, found.facts["agrees"], found.facts["other"].how) == ("two-differ", "one", "earlier")
    assert squares(found) == [("c2", "0", "S"), ("c3", "Ss", "s")]
    assert compare(EARLIER, NOW).facts["agrees"] == "other"


def test_the_same_boards_the_other_way_round_are_the_same():
    found = compare(NOW, MIRRORED)
    assert (found.how, found.facts["agrees"], squares(found)) == ("two-turned", "one", [])
    assert compare(MIRRORED, MIRRORED).how == "two-same"


def test_squares_are_named_as_the_log_has_them():
    found = compare(MIRRORED, EARLIER)
    assert found.facts["righted"]
    assert squares(found) == [("c2", "0", "S"), ("c3", "Ss", "s")]


def test_without_a_log_that_helps_one_lies_beside_the_other():
    one = "S S W 0 0/0 w 0 0 0/0 w Ss 0 0/0 C 0 0 0/0 0 0 0 s"
    other = "/".join(one.replace("Ss", "s").split("/")[::-1])
    found = compare(one, other, [])
    assert (found.how, found.facts["orientation"]) == ("two-differ", Orientation("north-south"))
    assert squares(found) == [("c3", "Ss", "s")]


def test_the_log_is_followed_up_to_what_the_rules_refuse():
    found = compare(NOW, EARLIER, [*TURNS, "ps a1", "hello"])
    assert (found.facts["agrees"], found.facts["now"], found.facts["stopped"].number) == ("one", 6, 7)


def test_another_size_and_ragged_rows_are_told():
    found = compare("0 0 0/0 0 0/0 0 0", NOW)
    assert (found.how, [board.rows for board in found.facts["boards"]]) == ("two-size", [3, 5])
    found = compare(NOW, NOW.replace("w Ss 0 0", "w Ss 0 0 0"))
    assert (found.how, squares(found)) == ("two-differ", [])
    assert [fault.name for fault in found.facts["faults"][1]] == ["ragged"]


TEXTS = st.one_of(st.text(max_size=60), st.text("swcSWC0 /?", max_size=80), st.sampled_from((NOW, MIRRORED)))


@given(TEXTS, TEXTS, st.integers(0, 60))
def test_no_two_texts_make_it_stumble(one, other, plies):
    turns = vectors("games.json")[100]["mail"][:plies]
    assert GAME.compare_two("5", [*turns, one], one, other).how.startswith("two-")
