"""Tak and tinue."""

from typing import Any

import pytest

from takmail.games.tak.calls import is_parry, is_tak, is_tinue
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import legal_moves
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.position import Position
from takmail.games.tak.turns import play_turn
from tests.support.tak import vectors

POSITIONS: list[dict[str, Any]] = vectors("variants.json")["tak"]  # type: ignore[call-overload]


def after(size: int, turns: list[str]) -> Position:
    position = TakGame().start(str(size)).position
    for turn in turns:
        position = play_turn(position, turn)
    return position


@pytest.mark.parametrize("number", range(len(POSITIONS)))
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


@pytest.mark.parametrize("turns", [[], ["ps a1"], ["ps a1", "ps b1"]])
def test_there_is_no_tak_in_the_opening(turns: list[str]) -> None:
    assert not is_tak(after(3, turns))


def test_there_is_no_tak_when_the_game_is_over() -> None:
    over = after(3, ["ps a3", "ps a1", "ps b1", "ps b3", "ps c1"])
    assert over.outcome is not None
    assert not is_tak(over)
    assert not is_tinue(over)
