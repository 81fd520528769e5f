"""The verdict on a turn that was played, or on an attempt."""

import pytest

from takmail.games.interface import Refused
from takmail.world.consequences import Verdict, verdict_of, verdict_of_attempt
from tests.commands.build import game

PLAYED = game("ps b4", "ps c3", "pw d1")
"""A game of three turns, in which Ben is to move."""


def decided_by(verdict: Verdict) -> str | None:
    if verdict.deciding is None:
        return None
    assert verdict.deciding.reason is not None
    return verdict.deciding.reason.name


def test_a_turn_that_was_played_is_legal_and_has_its_player_and_both_boards() -> None:
    verdict = verdict_of(PLAYED, 2)
    assert (verdict.number, verdict.name, verdict.written, verdict.text) == (2, "Ben", "ps c3", "ps c3")
    assert verdict.before == PLAYED.states[1]
    assert verdict.after == PLAYED.states[2]
    assert [one.place for one in verdict.touched] == ["c3"]
    assert verdict.is_legal
    assert decided_by(verdict) is None


def test_a_turn_that_is_tried_has_nobody_who_played_it() -> None:
    verdict = verdict_of_attempt(PLAYED, 4, "ms b4 p1 1")
    assert (verdict.number, verdict.name, verdict.written) == (4, None, None)
    assert verdict.is_legal
    assert verdict.after == PLAYED.state.play("ms b4 p1 1")


def test_a_turn_that_breaks_a_rule_has_no_board_after_it_and_the_first_broken_rule_decides() -> None:
    verdict = verdict_of_attempt(PLAYED, 4, "mw d1 p2 1 1")
    assert not verdict.is_legal
    assert verdict.after is None
    assert decided_by(verdict) == "not-yours"
    assert sum(check.reason is not None for check in verdict.checks) == 2


def test_a_turn_is_tried_on_the_board_that_is_named() -> None:
    assert decided_by(verdict_of_attempt(PLAYED, 1, "pw d1")) == "opening-flat-only"
    assert decided_by(verdict_of_attempt(PLAYED, 3, "pw d1")) is None
    assert decided_by(verdict_of_attempt(PLAYED, 4, "pw d1")) == "space-taken"


def test_what_is_no_turn_can_not_be_tried() -> None:
    with pytest.raises(Refused):
        verdict_of_attempt(PLAYED, 4, "hello")
