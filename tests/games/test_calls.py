"""Tak and tinue."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.tak.apply import apply_move
from takmail.games.tak.calls import is_parry, is_tak, is_tinue
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail, rs, tps
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.position import Position
from takmail.games.tak.turns import play_turn
from tests.support.tables import each_row
from tests.support.tak import vectors, wander

POSITIONS: list[dict[str, Any]] = vectors("variants.json")["tak"]  # type: ignore[call-overload]


def after(size: int, turns: list[str]) -> Position:
    position = TakGame().start(str(size)).position
    for turn in turns:
        position = play_turn(position, turn)
    return position


@each_row("number", range(len(POSITIONS)))
def test_tak_and_tinue_are_those_of_the_vectors(number: int) -> None:
    found = POSITIONS[number]
    position = after(found["size"], found["turns"])
    assert [*rs.write(position, aligned=False)] == found["rs"]
    assert is_tak(position) is found["tak"]
    assert is_tinue(position) is found["tinue"]
    replies = legal_moves(position)
    assert len(replies) == found["replies"]
    if found["tak"]:
        parries = {mail.write(position.board, one) for one in replies if is_parry(position, one)}
        assert len(parries) == found["parries"]
        assert found["a_parry"] is None or found["a_parry"] in parries


@pytest.mark.parametrize("size", SIZES)
@given(seed=st.integers(0, 10_000), plies=st.integers(3, 70))
def test_a_road_is_found_as_by_trying_every_move(size: int, seed: int, plies: int) -> None:
    position = wander(size, seed, plies)
    again = position._replace(ply=position.ply + 1)
    ends = [apply_move(again, move).outcome for move in legal_moves(again)]
    roads = [one for one in ends if one and one.ended_by is EndedBy.ROAD and one.winner is again.to_move]
    assert is_tak(position) is (bool(roads) and position.outcome is None)


@each_row(
    ("board", "expected"),
    [
        ("x3/1,1,11S/x3 2 5", True),  # the wall leaves the flat below it
        ("x3/1,1,1S/x3 2 5", False),
        ("x3/1,1,2S/x3 2 5", False),
        ("x3/1,1,2/x,1,x 2 5", True),  # C2 is captured, or B3 or B1 placed
        ("x4/1,1,11,2/x4/x4 2 9", True),  # the stack covers two squares
        ("x4/1,1,11,2S/x4/x4 2 9", False),
        ("x5/1,1,1,1C,2S/x5/x5/x5 2 9", False),
        ("x5/1,1,1,11C,2S/x5/x5/x5 2 9", True),  # the capstone flattens the wall
    ],
)
def test_tak_by_a_move_of_a_stack(board: str, expected: bool) -> None:
    assert is_tak(tps.parse(board)) is expected


@pytest.mark.parametrize("turns", [[], ["ps a1"], ["ps a1", "ps b1"]])
def test_there_is_no_tak_in_the_opening(turns: list[str]) -> None:
    assert not is_tak(after(3, turns))


def test_there_is_no_tak_when_the_game_is_over() -> None:
    over = after(3, ["ps a3", "ps a1", "ps b1", "ps b3", "ps c1"])
    assert over.outcome is not None
    assert not is_tak(over)
    assert not is_tinue(over)
