"""A move checked against every rule, for a letter about a dispute."""

import pytest

from takmail.games.interface import Refused
from takmail.games.tak.explain import PathSpace, checks, to_reason
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.rules import MOVING_RULES, PLACING_RULES, refusal
from tests.support.tak import start, state


def test_a_legal_placing_keeps_every_rule():
    verdict = start(5).verdict("ps b4")
    assert [check.rule for check in verdict] == [rule.name for rule in PLACING_RULES]
    assert [check.reason for check in verdict] == [None] * 4
    facts = {check.rule: check.facts for check in verdict}
    assert facts["opening-places-a-flat"] == {"opening": True, "kind": "flat"}
    assert facts["space-is-empty"] == {"square": "b4", "height": 0, "color": None, "kind": None}
    assert facts["reserve-has-the-piece"] == {"kind": "flat", "color": "black", "left": 21, "size": 5}


def test_a_legal_move_keeps_every_rule():
    verdict = state("x5/x5/x,211,2,x2/x5/x5 1 9").verdict("me b3 p2 1 1")
    assert [check.rule for check in verdict] == [rule.name for rule in MOVING_RULES]
    assert [check.reason for check in verdict] == [None] * 9
    assert {check.rule: check.facts for check in verdict} == {
        "game-goes-on": {"komi": "0"},
        "opening-moves-nothing": {"opening": False},
        "stack-is-there": {"square": "b3", "height": 3},
        "stack-is-controlled": {
            "square": "b3",
            "height": 3,
            "color": "white",
            "kind": "flat",
            "to_move": "white",
        },
        "each-space-gets-a-piece": {"drops": (1, 1)},
        "stack-is-high-enough": {"count": 2, "height": 3},
        "hand-keeps-the-carry-limit": {"count": 2, "limit": 5},
        "line-stays-on-the-board": {"direction": "east", "spaces": 2, "room": 3},
        "way-is-free": {
            "path": (PathSpace("c3", 1, 1, "black", "flat"), PathSpace("d3", 1, 0, None, None)),
            "top": "flat",
        },
    }


def test_all_broken_rules_are_named_and_not_only_the_first():
    verdict = state("x5/x5/x,12,2S,x2/x5/x5 1 9").verdict("mw b3 p6 1 5")
    assert [check.reason.name for check in verdict if check.reason] == [
        "not-yours",
        "stack-too-low",
        "over-carry-limit",
        "off-the-edge",
    ]


def test_a_rule_about_the_stack_is_left_out_where_there_is_none():
    verdict = state("x5/x5/x5/x5/x5 1 9").verdict("mw b3 p1 1")
    assert [check.rule for check in verdict if check.reason] == ["stack-is-there"]
    assert not {"stack-is-controlled", "stack-is-high-enough", "way-is-free"} & {
        check.rule for check in verdict
    }


def test_the_way_of_a_move_is_gone_through_space_by_space():
    verdict = state("x5/x5/1211,x,12S,2C,x/x5/x5 1 9").verdict("me a3 p3 1 1 1")
    (way,) = (check for check in verdict if check.rule == "way-is-free")
    assert way.reason.name == "wall-in-the-way"
    assert way.facts["path"] == (
        PathSpace("b3", 1, 0, None, None),
        PathSpace("c3", 1, 2, "black", "wall"),
        PathSpace("d3", 1, 1, "black", "capstone"),
    )


def test_what_is_no_canonical_move_is_refused():
    for text in ("", "ps", "PS b4", "ms b2", "ps b4 t t", "ms b2 p3 2 2", "ps z9", "ps b9"):
        with pytest.raises(Refused):
            start(5).verdict(text)
        with pytest.raises(Refused):
            start(5).play(text)


def test_squares_can_be_named_as_in_ptn():
    position = state("x5/x5/x5/x,12S,x3/x5 1 5").position
    move = mail.parse(position.board, "mn b4 p1 1").move
    reason = to_reason(refusal(position, move), lambda square: ptn.square_name(position.board, square))
    assert reason.facts["square"] == "b2"
    in_ptn = checks(position, move, lambda square: ptn.square_name(position.board, square))
    assert in_ptn[2].facts == {"square": "b2", "height": 2}
