"""The effect of a move square by square, and the square at which a rule stops it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Refused, Touched
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.state import TakState
from tests.support.tak import any_move, start, state, wander


def steps(touched: tuple[Touched, ...]) -> list[tuple[str, str, str, str | None]]:
    return [(one.step, one.place, one.before, one.after) for one in touched]


def test_a_placing_touches_one_square():
    (only,) = start(5).touched("ps b4")
    assert (only.step, only.place, only.before, only.after) == ("placed", "b4", "0", "S")
    assert only.facts == {"piece": "S", "kind": "flat", "color": "black"}
    assert only.reason is None


def test_a_move_touches_the_square_that_it_leaves_and_each_one_on_its_way():
    touched = state("x5/x,211C,12,2S,x/x5/x5/x5 1 5").touched("me b2 p3 2 1")
    assert steps(touched) == [
        ("picked-up", "b2", "csS", "0"),
        ("dropped", "c2", "Ss", "sSSs"),
        ("dropped", "d2", "W", "cS"),
    ]
    first, second, last = touched
    assert first.facts == {"count": 3, "height": 3, "taken": "csS"}
    assert second.facts == {"count": 2, "dropped": "sS", "flattens": False, "top": "flat"}
    assert last.facts == {"count": 1, "dropped": "c", "flattens": True, "top": "wall"}


@pytest.mark.parametrize(
    ("move", "last"),
    [
        ("mn b2 p2 2", ("dropped", "b1", "0", "ss")),
        ("mn b2 p2 1 1", ("edge", "b1", "0", None)),
        ("mn b2 p4 4", ("picked-up", "b2", "ssS", None)),
        ("me b2 p2 1 1", ("dropped", "d2", "C", None)),
        ("me c2 p1 1", ("picked-up", "c2", "0", None)),
        ("mw d2 p1 1", ("picked-up", "d2", "C", None)),
        ("ps d2", ("placed", "d2", "C", None)),
    ],
)
def test_it_ends_with_the_square_at_which_the_rules_stop_it(move, last):
    touched = state("x5/x,211,x,2C,x/x5/x5/x5 1 5").touched(move)
    assert steps(touched)[-1] == last
    assert [one.reason is None for one in touched] == [True] * (len(touched) - 1) + [last[3] is not None]


def test_from_the_edge_there_is_no_way_off_the_board():
    assert steps(state("1,x4/x5/x5/x5/x5 1 5").touched("mn a1 p1 1")) == [
        ("picked-up", "a1", "s", "0"),
        ("edge", "a1", "s", None),
    ]


def test_what_is_no_move_touches_nothing():
    for text in ("hello", "ps z9", "ps e6", "me b2 p3 1"):
        with pytest.raises(Refused):
            start(5).touched(text)


@given(st.data(), st.integers(3, 8), st.integers(0, 10**6), st.integers(0, 150))
def test_a_legal_move_touches_just_what_it_changes_and_any_other_ends_with_a_broken_rule(
    data, size, seed, plies
):
    before = TakState(wander(size, seed, plies))
    board = before.position.board
    text = mail.write(board, data.draw(any_move(before.position)))
    touched = before.touched(text)
    reasons = [check.reason for check in before.verdict(text) if check.reason]
    assert [one.reason for one in touched[:-1]] == [None] * (len(touched) - 1)
    if reasons:
        assert touched[-1].reason in reasons
        return
    after = before.play(text)
    changed = {
        mail.square_name(board, square): (rs.spot(old), rs.spot(new))
        for square in board.squares
        if (old := before.position.stacks[square]) != (new := after.position.stacks[square])
    }
    assert {one.place: (one.before, one.after) for one in touched} == changed
    assert len(touched) == len(changed)
    assert touched[-1].reason is None
