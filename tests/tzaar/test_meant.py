"""What texts mean: the legal turns of TZAAR that contain all that they name."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import ReadTurn
from takmail.games.tzaar.state import TzaarState
from tests.support.tables import each_row
from tests.tzaar.test_reading import FIRST, GAME, NOW, PLACING, SEEN_NOWHERE


def lines(game: TzaarState, text: str) -> tuple[str, ...]:
    found = game.meant(text)
    assert found is not None, text
    assert (found.reason is None) == bool(found.lines)
    assert len(found.lines) <= 6
    return found.lines


@each_row(
    ("text", "expected"),
    [
        ("a1 a2", "c a1 a2 pass"),
        ("a1 takes a2", "c a1 a2 pass"),
        ("i capture a2 with a1", "c a1 a2 pass"),
        ("A1xA2", "c a1 a2 pass"),
        ("a1 -> a2", "c a1 a2 pass"),
        ("my tott on a1 takes a2, then it takes a4", "c a1 a2 c a2 a4"),
        ("a1 a2 a4", "c a1 a2 c a2 a4"),
        ("a1 takes a2 and stack c1 on c3", "c a1 a2 s c1 c3"),
        ("a1 takes a2, c1 stacks on c3", "c a1 a2 s c1 c3"),
        ("a2", "c a1 a2 pass"),
        ("c a1 a2", "c a1 a2 pass"),
        ("a1 бьёт a2", "c a1 a2 pass"),
        ("a1 берёт a2, пас", "c a1 a2 pass"),
        ("a1吃a2", "c a1 a2 pass"),
        ("a1吃a2，过", "c a1 a2 pass"),
        ("用a1吃a2", "c a1 a2 pass"),
    ],
)
def test_half_a_turn_gives_the_turns_that_contain_it(text: str, expected: str) -> None:
    assert lines(NOW, text) == tuple(expected.split("|"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my tzaar on e4 please", "pz e4"),
        ("e4", "pz e4|pr e4|pt e4"),
        ("pz 4e", "pz e4"),
        ("ставлю царру на e4", "pr e4"),
        ("放在e4", "pz e4|pr e4|pt e4"),
        ("pt i", "pt i1|pt i2|pt i3"),
    ],
)
def test_half_a_placing_gives_the_placings(text: str, expected: str) -> None:
    assert lines(PLACING, text) == tuple(expected.split("|"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a1 stacks on a2", "not-own-piece"),
        ("a1 a3", "in-the-way"),
        ("a1 takes e9", "no-such-spot"),
        ("c1 takes c3", "own-piece"),
        ("a2 takes a1", "not-yours"),
        ("my tzaar on a1 takes a2", "nothing-fits"),
        ("a tzaar", "place-missing"),
    ],
)
def test_where_nothing_legal_contains_it_there_is_only_the_reason(text: str, reason: str) -> None:
    found = NOW.meant(text)
    assert found is not None
    assert found.reason is not None
    assert (found.reason.name, found.meant) == (reason, ())


@pytest.mark.parametrize("text", ["", "hello", "take care", "stack overflow", "12", "pass"])
def test_a_text_without_spots_and_pieces_means_no_turn(text: str) -> None:
    assert NOW.meant(text) is None


def test_the_first_turn_is_one_action() -> None:
    assert lines(FIRST, "a5 takes a4") == ("c a5 a4",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a1 takes a2", "c a1 a2"),
        ("a1 a2 b2 b3", "c a1 a2 c b2 b3|c a1 a2 s b2 b3"),
        ("a1 takes a2 and stacks on a3", "c a1 a2 s a2 a3"),
        ("place a tott on e4", "pt e4"),
        ("a1", ""),
    ],
)
def test_on_an_unknown_board_a_turn_has_its_form_alone(text: str, expected: str) -> None:
    assert lines(SEEN_NOWHERE, text) == tuple(filter(None, expected.split("|")))


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("I think I play c a1 a2 s c1 c3", "c a1 a2 s c1 c3"),
        ("c a1 a2, then s c1 c3, ok?", "c a1 a2 s c1 c3"),
        ("C A1 A2 pass, no wait, c a1 a2 c a2 a4", "c a1 a2 pass|c a1 a2 c a2 a4"),
        ("c a1 a2 Sent from my iPhone", "c a1 a2"),
        ("pz e4 was bad", "pz e4"),
        ("classic a1 b2", ""),
        ("c a1 is mine", ""),
    ],
)
def test_whole_turns_are_found_anywhere_in_a_text(text: str, turns: str) -> None:
    assert NOW.turns_in(text) == tuple(filter(None, turns.split("|")))


WORDS = st.sampled_from(
    (
        *(
            "a1",
            "a2",
            "a4",
            "b2",
            "c1",
            "c3",
            "e4",
            "e5",
            "i5",
            "z9",
            "4a",
            "b-2",
            "a1xa2",
            "c1+c3",
            "c",
            "s",
            "x",
        ),
        *(
            "p",
            "pz",
            "pr",
            "pt",
            "pass",
            "takes",
            "stacks",
            "on",
            "with",
            "then",
            "tott",
            "tzaar",
            "tzarra",
            "place",
        ),
        *("->", "t", "1", "please", "吃", "放", "берёт", "на"),
    )
)


@given(st.randoms(use_true_random=False), st.lists(WORDS, min_size=1, max_size=6))
def test_every_line_is_legal_and_contains_all_spots_that_are_named(rng: Random, words: list[str]) -> None:
    setup = GAME.complete(rng.choice(["random", "fixed", "tournament"]), Random(rng.randrange(5)))
    game = GAME.start(setup)
    for _ in range(rng.randrange(4)):
        group = rng.choice(game.choices())
        game = game.play(rng.choice(group.turns).typed)
    found = game.meant(" ".join(words))
    for line in () if found is None else found.lines:
        assert game.read(line) == ReadTurn(line)
        game.play(line)
        assert {word for word in words if re.fullmatch("[a-i][0-9]", word)} <= set(
            re.findall("[a-i][0-9]", line)
        )
