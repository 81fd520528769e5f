"""`reads ptn`: a player who writes moves of Tak in PTN is not asked about each."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.width import tenth_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
def harness() -> MemoryHarness:
    return reading(MemoryHarness())


@played_once
def reading(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps e5", "ps c3", "pw c2")
    harness.send(AS_ADA, "reads ptn", harness.last(ADA))


@pytest.mark.parametrize(
    ("line", "turn", "shown"),
    tenth_of(
        [
            ("b4", "ps b2", "ps b2, ptn b4"),
            ("B4", "ps b2", "ps b2, ptn b4"),
            ("b4!", "ps b2", "ps b2, ptn b4"),
            ("Sb4", "pw b2", "pw b2, ptn Sb4"),
            ("Cc4'", None, None),
            ("Cd4'", "pc d2 t", "pc d2 t, ptn Cd4"),
            ("c3-", "ms c3 p1 1", "ms c3 p1 1, ptn c3-"),
            ("c3>", "me c3 p1 1", "me c3 p1 1, ptn c3>"),
            ("c3-, sorry", "ms c3 p1 1", "ms c3 p1 1, ptn c3-"),
            ("1c3<1", "mw c3 p1 1", "mw c3 p1 1, ptn c3<"),
            ("ps b4", "ps b4", "ps b4, ptn b2"),
        ]
    ),
)
def test_a_ply_of_ptn_is_played_with_its_squares(
    harness: MemoryHarness, line: str, turn: str | None, shown: str | None
) -> None:
    harness.send(AS_ADA, line, harness.last(ADA))
    assert turns(harness)[4:] == ([] if turn is None else [turn])
    if turn is not None:
        assert harness.last(BEN).lines[0] == turn
        assert f"({shown})" in said(harness.last(ADA))


@pytest.mark.parametrize("line", ["I was afraid of b4", "b4 or c4", "c3 to d3", "e4 e5", "2024"])
def test_more_than_a_ply_is_read_as_ever(harness: MemoryHarness, line: str) -> None:
    harness.send(AS_ADA, line, harness.last(ADA))
    assert len(turns(harness)) == 4


def test_nothing_changes_for_the_opponent(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "b4", harness.last(ADA))
    assert "PTN" not in harness.last(BEN).text
    harness.send(AS_BEN, "d4", harness.last(BEN))
    assert len(turns(harness)) == 5


def test_reads_mail_ends_it(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "reads mail", harness.last(ADA))
    harness.send(AS_ADA, "b4", harness.last(ADA))
    assert len(turns(harness)) == 4


def test_reads_alone_tells_what_holds(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "reads", harness.last(ADA))
    assert "is played in your games of Tak" in said(harness.last(ADA))
    harness.send(AS_BEN, "reads", harness.last(BEN))
    assert '"reads ptn" lets you write your moves in PTN' in said(harness.last(BEN))
    assert "top left, and PTN only behind" in said(harness.last(BEN))


def test_it_holds_in_a_relay_of_tak(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 relay vs {BEN} first=me")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_ADA, "b4", harness.last(ADA))
    assert turns(harness, 2) == ["ps b2"]


def test_it_says_nothing_in_tzaar(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new tzaar vs {BEN} first=me ")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_ADA, "b4", harness.last(ADA))
    assert turns(harness, 2) == []
    harness.send(AS_ADA, "b4", harness.last(ADA))
    assert "PTN" not in harness.last(ADA).text


def test_a_call_that_the_rules_add_is_told_to_a_reader_of_ptn() -> None:
    harness = MemoryHarness()
    harness.begin_and_play("ps c3", "ps a1", "ps b2", words="3 calls=must")
    harness.send(AS_ADA, "reads ptn", harness.last(ADA))
    harness.play("ps c2", start=1)
    harness.send(AS_ADA, "b3", harness.last(ADA))
    assert turns(harness)[-1] == "ps b1 t"
    assert "so I have added the call" in said(harness.last(ADA))


@pytest.mark.parametrize(
    ("line", "is_named"),
    [
        ("b4", False),
        ("b4!", False),
        ("Sb4", True),
        ("c3>", True),
        ("flat b4", False),
        ("c3 to d3", False),
        ("ps 4b", False),
    ],
)
def test_the_answer_to_a_ply_names_the_way_to_be_asked_no_more(line: str, is_named: bool) -> None:
    harness = MemoryHarness()
    harness.begin_and_play("ps a1", "ps e5", "ps c3", "pw c2")
    (answer,) = harness.send(AS_ADA, line, harness.last(ADA))
    assert ("  reads ptn" in answer.text) is is_named, answer.text


def test_a_move_to_the_south_keeps_its_sign_behind_the_word_ptn() -> None:
    harness = MemoryHarness()
    harness.begin_and_play("ps a1", "ps e5", "ps c3", "pw c2", "ptn c3-")
    assert turns(harness)[4:] == ["ms c3 p1 1"]


def test_a_reason_that_is_known_is_told_in_place_of_an_offer_of_ptn() -> None:
    harness = MemoryHarness()
    harness.begin()
    older = harness.last(ADA)
    harness.play("ps a1", "ps e5")
    harness.send(AS_ADA, "d4", older)
    assert "you have already played turn 1" in said(harness.last(ADA))
    assert "reads ptn" not in said(harness.last(ADA))
