"""What a text names by the words of a game."""

import pytest

from takmail.games.kit.naming import Named, named_in
from takmail.vocabulary import Table
from tests.support.tables import each_row

WORDS = Table(
    {
        "flat": "flat",
        "ps": "place flat",
        "s": "flat/south",
        "move": "any",
        "take up": "move",
        "up": "north",
        "+": "north",
        "from": "from",
        "two": "2",
        "墙": "wall",
        "放": "place",
    }
)


def named(text: str) -> Named:
    return named_in(text, WORDS)


@each_row(
    ("text", "places"),
    [
        ("b4", ("b4",)),
        ("B4 b4", ("b4",)),
        ("psb4", ("b4",)),
        ("4b", ("b4",)),
        ("ps4b", ("b4",)),
        ("b 4, b-4 and b/4", ("b4",)),
        ("с3 б2 д 1", ("c3", "b2", "d1")),
        ("ｂ４", ("b4",)),
        ("c3->d3", ("c3", "d3")),
        ("d3 from c3", ("c3", "d3")),
        ("from c3 d3", ("c3", "d3")),
        ("b4放", ("b4",)),
        ("z9 a10", ("z9", "a10")),
        ("1. b4 #7", ("b4",)),
        ("b4 :d", ("b4",)),
        ("club4 r4bb1t 5x5 ben@b4 b123 ab4", ()),
    ],
)
def test_places_are_named_in_many_ways(text: str, places: tuple[str, ...]) -> None:
    assert named(text).places == places


@pytest.mark.parametrize(
    ("text", "numbers", "is_counted"),
    [
        ("3b2+21", (3, 2, 1), False),
        ("b2 p3 2 1", (3, 2, 1), True),
        ("b2p3 21", (3, 2, 1), True),
        ("b2 p321", (3, 2, 1), True),
        ("b2 p 3 2 1", (3, 2, 1), True),
        ("take two from b2", (2,), False),
        ("b2", (), False),
    ],
)
def test_numbers_are_digits_and_the_first_may_be_a_count(
    text: str, numbers: tuple[int, ...], *, is_counted: bool
) -> None:
    found = named(text)
    assert (found.numbers, found.is_counted) == (numbers, is_counted)


def test_a_word_may_stand_for_several_things_or_for_one_of_them() -> None:
    found = named("ps s b4")
    assert found.things == (frozenset(("place",)), frozenset(("flat",)), frozenset(("flat", "south")))
    assert found.has("flat")
    assert not found.has("south")
    assert found.may_have("south")


def test_a_phrase_counts_before_its_words_and_a_sign_only_beside_a_place() -> None:
    assert named("take up b2").things == (frozenset(("move",)),)
    assert named("b2 up").things == named("b2+").things == (frozenset(("north",)),)
    assert named("b2 + 1").things == named("c3 -> d3").things == ()


@pytest.mark.parametrize(
    ("text", "half"), [("ps b", "b"), ("ps 4", "4"), ("b", ""), ("ps b b4", ""), ("ps you", "")]
)
def test_a_column_or_a_row_counts_behind_a_word_for_placing(text: str, half: str) -> None:
    assert named(text).half == half


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("I move c3 up", ("i",)),
        ("club4 and b4", ("club4", "and")),
        ("well-known flat", ("well", "known")),
        ("我想b4", ("我想",)),
        ("it's b4", ("it's",)),
    ],
)
def test_words_that_name_nothing_are_told(text: str, others: tuple[str, ...]) -> None:
    assert named(text).others == others


@pytest.mark.parametrize(
    ("text", "is_it"),
    [("b4", True), ("up", True), ("ps", True), ("放", False), ("move", False), ("4", False)],
)
def test_a_verb_alone_is_nothing_of_a_turn(text: str, *, is_it: bool) -> None:
    assert named(text).is_of_a_turn is is_it
