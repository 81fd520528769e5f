"""What a ply does, as the first sentence of a letter needs it."""

import pytest

from takmail.games.interface import Refused
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import tps
from takmail.games.tak.state import TakState


def effect_on(text: str, move: str) -> tuple[str, dict[str, object]]:
    found = TakState(tps.parse(text)).effect(move)
    return found.name, dict(found.facts)


def test_a_placing_says_whose_piece_is_placed() -> None:
    opening = {"square": "b4", "kind": "flat", "mover": "white", "color": "black"}
    opening |= {"tak": False, "is_true_call": None, "ptn": "b2"}
    assert effect_on("x5/x5/x5/x5/x5 1 1", "ps b4") == ("placed", opening)
    later = {"square": "c3", "kind": "capstone", "mover": "black", "color": "black"}
    later |= {"tak": True, "is_true_call": None, "ptn": "Cc3"}
    assert effect_on("x5/x5/x5/x5/x5 2 4", "pc c3 t") == ("placed", later)


def test_a_move_says_where_each_piece_is_left_and_whose_wall_it_flattens() -> None:
    assert effect_on("x5/x,211C,12,2S,x/x5/x5/x5 1 5", "me b2 p3 2 1") == (
        "moved",
        {
            "start": "b2",
            "direction": "east",
            "count": 3,
            "kind": "capstone",
            "drops": (("c2", 2), ("d2", 1)),
            "wall": "black",
            "mover": "white",
            "tak": False,
            "is_true_call": None,
            "ptn": "3b4>21",
        },
    )
    _, facts = effect_on("x5/x,21,x3/x5/x5/x5 1 5", "ms b2 p1 1")
    assert (facts["count"], facts["drops"], facts["wall"]) == (1, (("b3", 1),), None)


def test_an_agreed_board_is_no_move() -> None:
    assert TakGame().start("3").effect("board 0 0 0/0 s 0/0 0 0 w").name == "agreed"


def test_what_is_no_turn_is_refused() -> None:
    with pytest.raises(Refused):
        TakGame().start("3").effect("ps b4 now")
