"""The points for a won game (Tak rules, Scoring and Scoring Variants)."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Refused, Result, Seat
from takmail.games.registry import GAMES
from takmail.games.tak.judge import with_outcome
from takmail.games.tak.notation import tps
from takmail.games.tak.pieces import Color, Piece, Reserve
from takmail.games.tak.position import position_of
from takmail.games.tak.score import Bonus, Scoring, score_of
from takmail.games.tak.setup import TakSetup
from takmail.games.tak.state import TakState

TAK = GAMES.by_name["tak"]
RULES = ("plain", "downings", "middletown", "tarway")
REST = "x5/x5/x5/x5"
FULL = "2,1,2,1,2/1,2,1,2,1/2,1,2,1,2/1,2,1,2,1"


def game(text: str, scoring: str = "plain") -> TakState:
    position = tps.parse(text)
    return TakState(position, TakSetup(position.size, scoring=Scoring(scoring)))


def points(text: str, result: Result | None = None) -> list[tuple[int, int]]:
    """Return the points of both seats under each of the rules, in the order of `RULES`."""
    states = [game(text, scoring) for scoring in RULES]
    return [state.score(result or ended(state)).points for state in states]


def ended(state: TakState) -> Result:
    assert state.result is not None
    return state.result


# 5x5: 25 for the board; 21 stones and a capstone at the start. Points: plain, Downings, Middletown, Tarway.
WON_BY_WHITE = [
    ("a straight low road, the capstone kept: 17 left", f"1,1,1,1,1/{REST}", (42, 59, 59, 59)),
    ("a straight low road with the capstone in it: 17", f"1,1,1C,1,1/{REST}", (42, 59, 42, 59)),
    ("a low road with a turn, the capstone in it: 16", "1,1,x3/x,1C,1,1,1/x5/x5/x5", (41, 41, 41, 57)),
    ("a low road with a turn, the capstone kept: 16", "1,1,x3/x,1,1,1,1/x5/x5/x5", (41, 41, 57, 57)),
    ("a straight high road, the capstone kept: 17", f"21,21,21,21,21/{REST}", (42, 59, 59, 76)),
    ("a high road with a turn, the capstone in it: 16", "21,21C,x3/x,21,21,21,21/x5/x5/x5", (41, 41, 41, 73)),
    ("a straight road of both heights: 17", f"1,21,1,1,1/{REST}", (42, 59, 59, 42)),
    ("a road of both heights with a turn: 16", "1,21,x3/x,1,1,1,1/x5/x5/x5", (41, 41, 57, 41)),
    ("a straight road that a wall breaks, and a way around: 15", "1,1S,1,1,1/1,1,1,x2/x5/x5/x5",
     (39, 39, 53, 53)),
    ("two roads, the high one is better: 12", "21,21,21,21,21/x5/1,1,1,1,1/x5/x5", (37, 49, 49, 61)),
    ("two roads that cross, one of them high: 13", "21,21,21,21,21/1,x4/1,x4/1,x4/1,x4", (38, 51, 51, 64)),
    ("two roads with a turn, one low: 13", "1,1,x3/x,1,x3/x,1,x,1,x/x,1,1,1,21/x,1,x3", (37, 49, 49, 49)),
    ("flats on a full board, the capstone kept: 9", f"1,2C,1,2,1/{FULL}", (34, 34, 43, 34)),
    ("flats on a full board, the capstone played: 9", f"1C,2S,1,2,1/{FULL}", (34, 34, 34, 34)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pytest.param(*row[1:], id=row[0]) for row in WON_BY_WHITE])
def test_each_win_counts_as_the_rules_say(text: str, expected: tuple[int, ...]) -> None:
    assert points(f"{text} 2 30") == [(number, 0) for number in expected]


def test_the_rules_own_example_counts_twenty() -> None:
    assert points("11111111,1,1,1/x4/x4/x4 2 12")[0] == (20, 0)


def test_blacks_points_are_the_second_seats() -> None:
    assert points(f"2,2,2,2,2/{REST} 1 9") == [(0, 42), (0, 59), (0, 59), (0, 59)]


def test_a_win_by_flats_when_a_reserve_is_empty_counts_the_winners_reserve() -> None:
    empty = "111111111111111111111,x4/x5/x5/x5/x,2,2,x,1C 1 30"
    assert points(empty) == [(0, 45), (0, 45), (0, 65), (0, 45)]


def test_with_two_capstones_none_may_be_played_for_middletown() -> None:
    road, rest = "1,1,1,1,1,1,1", "x7/x7/x7/x7/x7"
    assert points(f"{road}/{rest}/x7 2 9")[2] == (49 + 2 * 35, 0)
    assert points(f"{road}/{rest}/1C,x6 2 9")[2] == (49 + 34, 0)


@pytest.mark.parametrize(("size", "left"), [(3, 7), (4, 11)])
def test_where_there_are_no_capstones_middletown_doubles_nothing(size: int, left: int) -> None:
    rows = "/".join([",".join("1" * size), *[f"x{size}"] * (size - 1)])
    assert points(f"{rows} 2 9")[2] == (size * size + left, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1,2,x3/{REST} 1 2", [46, 46, 67, 46]),
        (f"1,2C,x3/{REST} 1 2", [46, 46, 46, 46]),
        (f"2,2,2,2,x/{REST} 1 9", [43, 43, 61, 43]),
    ],
)
def test_who_resigns_leaves_the_other_a_win_without_a_road(text: str, expected: list[int]) -> None:
    assert points(text, TAK.resign(Seat.FIRST)) == [(0, number) for number in expected]


def test_a_draw_brings_nobody_any_points() -> None:
    assert points("1,2,1/2,1S,2/1,2,1 2 9") == [(0, 0)] * 4


def test_of_a_double_road_only_the_winners_counts() -> None:
    # Both roads are straight and low; 9 for the board, and both sides have 7 of 10 stones left.
    for text, mover in (("1,1,x/2,2,21/x3 1 9", 0), ("2,2,x/1,1,12/x3 2 9", 1)):
        for scoring, expected in zip(RULES, (16, 23, 16, 23), strict=True):
            state = game(text, scoring).play("mn c2 p1 1")
            assert ended(state).facts["double_road"]
            assert state.score(ended(state)).points == ((expected, 0), (0, expected))[mover]


def test_a_high_road_of_the_loser_does_not_count() -> None:
    # White completes both roads: White's has mixed heights, Black's is all high.
    state = game("1,1,x/12,12,121/x3 1 9", "tarway").play("mn c2 p1 1")
    assert (ended(state).winner, ended(state).facts["double_road"]) == (Seat.FIRST, True)
    assert state.score(ended(state)).facts["bonus"] == "low-road"


def test_the_parts_of_the_points_are_told() -> None:
    state = game(f"21,21,21,21,21/{REST} 2 9", "tarway")
    assert state.score(ended(state)).facts == {
        "board": 25,
        "pieces": 17,
        "times": 3,
        "bonus": "high-road",
        "scoring": "tarway",
    }


@pytest.mark.parametrize(
    ("words", "setup"),
    [
        (("5", "score=tarway"), "5 score=tarway"),
        (("SCORE=Downings", "6", "komi=2"), "6 komi=2 score=downings"),
        (("5", "score=plain"), "5"),
    ],
)
def test_the_rules_of_the_points_are_part_of_the_set_up(words: tuple[str, ...], setup: str) -> None:
    assert TAK.set_up(words, Random(1)) == setup
    assert TAK.set_up(setup.split(), Random(1)) == setup


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("5 score=best", "bad-score"),
        ("5 score=", "bad-score"),
        ("5 score=tarway score=tarway", "said-twice"),
        ("5 score", "unknown-word"),
    ],
)
def test_other_rules_are_refused(words: str, name: str) -> None:
    with pytest.raises(Refused) as refused:
        TAK.set_up(words.split(), Random(1))
    assert refused.value.reason.name == name


def test_the_rules_of_the_points_stay_from_turn_to_turn() -> None:
    state = TAK.start("3 score=downings")
    for move in ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1"):
        state = state.play(move)
    assert state.result is not None
    assert state.score(state.result).points == (9 + 2 * 7, 0)


Walk = tuple[int, ...]


def roads(size: int, squares: set[int]) -> Iterator[Walk]:
    """Yield every path over distinct `squares` from an edge to the opposite one; a square is row * size + column."""

    def walks(walk: Walk, ends: set[int]) -> Iterator[Walk]:
        last = walk[-1]
        if last in ends:
            yield walk
        near = [last - size, last + size]
        near += [last - 1] * (last % size > 0) + [last + 1] * (last % size < size - 1)
        for square in near:
            if square in squares and square not in walk:
                yield from walks((*walk, square), ends)

    row, column = set(range(size)), set(range(0, size * size, size))
    for begins, ends in (
        (row, {one + size * (size - 1) for one in row}),
        (column, {one + size - 1 for one in column}),
    ):
        for begin in begins & squares:
            yield from walks((begin,), ends)


@given(st.sampled_from([3, 4]), st.randoms(use_true_random=False))
def test_no_road_on_the_board_is_worth_more_than_the_one_that_counts(size: int, chance: Random) -> None:
    kinds = [(), (Piece.WHITE_FLAT,), (Piece.WHITE_FLAT,), (Piece.WHITE_WALL,)]
    kinds += [(Piece.BLACK_FLAT, Piece.WHITE_FLAT)] * 2
    spots = [chance.choice(kinds) for _ in range(size * size)]
    stacks = {tps.parse("x3/x3/x3 1 1" if size == 3 else "x4/x4/x4/x4 1 1").board.squares[at]: one
              for at, one in enumerate(spots)}  # fmt: skip
    position = with_outcome(position_of(size, stacks, 9, 0, Reserve(5, 0), Reserve(5, 0)))
    found = list(roads(size, {at for at, one in enumerate(spots) if one and one[-1] is Piece.WHITE_FLAT}))
    heights = [{len(spots[at]) for at in road} for road in found]
    best = Bonus.HIGH_ROAD if {2} in heights else Bonus.LOW_ROAD if {1} in heights else None
    assert score_of(position, Color.WHITE, Scoring.TARWAY).bonus is best
    straight = any(
        len({at // size for at in road}) == 1 or len({at % size for at in road}) == 1 for road in found
    )
    expected = Bonus.STRAIGHT_ROAD if straight else None
    assert score_of(position, Color.WHITE, Scoring.DOWNINGS).bonus is expected
