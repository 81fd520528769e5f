"""Moves in advance beside all else that happens in a game: its end, clocks, stale letters, rulings, and who leaves."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from takmail.blocks import Message
from takmail.pipeline import rulings
from takmail.pipeline.due import on_digest
from takmail.pipeline.rulings import OperatorNote
from takmail.world.kinds import GameNumber
from tests.conversations.test_moves_in_advance import OPENING, PLAN, by_itself, prepared
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.tables import each_row
from tests.support.width import some_of
from tests.support.wording import english

PEOPLE = {"Ada": ADA, "Ben": BEN}
BY = OperatorNote("Olga", "enough")
RULINGS = {"adjourn": rulings.adjourn, "resume": rulings.resume}
TEN = ("ps b4", "pw c4", "ps b5", "pw c5", "ps d5", "pw d4", "ps d3", "pw d2", "ps d1", "pw c1")
FREE = [f"{column}{row}" for row in range(1, 6) for column in "abcde" if f"{column}{row}" not in "a1 e5 c3"]
LINES = [f"if ps {square} then pw c4" for square in FREE if square != "c4"][:21]
TEN_LINES, TEN_MORE = " / ".join(LINES[1:11]), " / ".join(LINES[11:])
THREE, PLAYED = ("Ada: ps c3", "Ben: ps d1", "Ada: ps d2"), ["ps c3", "ps d1", "ps d2"]
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 0 s 0\n0 0 0 0 0\n0 0 0 0 s"
ADOPTED = f"board {BOARD.replace(chr(10), '/')} w"
ROAD = "Ada: ps b3 / if ps b1 then ps a3"


def played(steps: Sequence[str], words: str = "5", opening: Sequence[str] = OPENING) -> MemoryHarness:
    """Play an opening and steps.

    A step is `due`, a time such as `+3d`, a ruling, or a mail, which answers the newest letter to its writer, or with
    `Ada@2` the second one before it.
    """
    harness = MemoryHarness(sends=True)
    harness.begin_and_play(*opening, words=words)
    for step in steps:
        if step == "due":
            by_itself(harness)
        elif step in RULINGS:
            harness.rule(lambda context, rule=RULINGS[step]: rule(context, GameNumber(1), BY))
        elif step.startswith("+"):
            harness.now += timedelta(days=int(step[1:-1]))
        else:
            who, _, text = step.partition(": ")
            name, _, late = who.partition("@")
            letters = [letter for letter in harness.box if letter.to == PEOPLE[name]]
            answered = letters[-1 - int(late or 0)]
            harness.send(f"{name} <{PEOPLE[name]}>", text.replace(" / ", "\n"), answered)
    return harness


# The steps, and the turns after the opening. Nothing is prepared after any of them.
CASES = (
    # Ten plies, and twenty branches.
    (
        (f"Ada: ps c3 / if {' then '.join(TEN)}", *(step for met in TEN[::2] for step in (f"Ben: {met}", "due"))),
        ["ps c3", *TEN],
    ),
    ((f"Ada: ps c3 / {TEN_LINES}", f"Ada: {TEN_MORE}", "Ben: ps e4", "due"), ["ps c3", "ps e4", "pw c4"]),
    # A letter may be old.
    ((*THREE, "Ada@2: if ps b4 then pw c4", "Ben: ps b4", "due"), [*PLAYED, "ps b4"]),
    ((*THREE, "Ada: if ps b4 then pw c4", "Ben@1: ps b4", "due", "Ada: ifs off"), PLAYED),
    ((PLAN, "Ada@1: ifs off", "Ben: ps b4", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: ps b4", "Ada@1: go", "due"), ["ps c3", "ps b4", "pw c4"]),
    # Who rules, and what both agree on.
    ((PLAN, "adjourn", "resume", "Ben: ps b4", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: ps b4", "adjourn", "resume", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: propose restart", "Ada: agree", "due"), []),
    ((PLAN, f"Ben: propose board white / {BOARD}", "Ada: agree", "due"), ["ps c3", ADOPTED]),
    ((PLAN, "Ada: resign", "Ada: yes", "due"), ["ps c3"]),
    # What stands in one mail counts in order; no command but a move is an answer, or answered.
    (("Ada: if ps b4 then pw c4 / if ps b4 then pw c5 / ps c3", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c5"]),
    (("Ada: ps c3 / ifs off / if ps b4 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    (("Ada: ps c3 / if ps b4 then pw c4 / ifs off", "Ben: ps b4", "due"), ["ps c3", "ps b4"]),
    (("Ada: ps c3 / if ps b4 then pw c4 / undo", "Ben: ps b4", "due"), []),
    (("Ada: ps c3 / #1 if ps b4 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    (("Ada: ps c3 / if pc b4 then pw c4 / if pw b4 then pw d4", "Ben: pw b4", "due"), ["ps c3", "pw b4", "pw d4"]),
    (("Ada: ps c3 / if ps b4 then draw", "Ada: if draw then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: ps b4", "Ada: resign", "Ada: yes", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: ps b4", "Ben: forget me", "Ben: yes", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: ps b4", "due", "Ada: undo", "Ben: agree", "due"), ["ps c3", "ps b4"]),
    ((PLAN, "Ben: away 20 days", "Ben: ps b4", "Ada: say Hm!", "due"), ["ps c3", "ps b4", "pw c4"]),
    # Who leaves, wants no mail, or no receipts.
    ((PLAN, "Ben: forget me", "Ben: yes", "due"), ["ps c3"]),
    ((PLAN, "Ada: stop", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: receipts off", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ada: receipts off", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: block Ada", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"]),
    # The answer comes before a mail of the same moment, or another one that was meant for it.
    ((PLAN, "Ben: ps b4", "due", "Ada: pw c4"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: ps b4", "due", "Ada: go"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: ps b4", "due", "Ada: ps d1"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: ps b4", "due", "Ben: ps b4"), ["ps c3", "ps b4", "pw c4"]),
    ((PLAN, "Ben: ps b4", "due", "Ben: undo", "Ada: agree"), ["ps c3", "ps b4", "pw c4"]),
)  # fmt: skip


@each_row("steps, expected", some_of(CASES, 8))
def test_what_is_prepared_beside_all_else(steps: Sequence[str], expected: list[str]) -> None:
    harness = played(steps)
    assert turns(harness)[2:] == expected
    assert prepared(harness, 0).branches == prepared(harness, 1).branches == ()


# The words of the game, the steps, the turns after the opening, and whether the game goes on.
CLOCKS = (
    ("5 days=1 strict", (PLAN, "Ben: ps b4", "+3d", "due"), ["ps c3", "ps b4", "pw c4"], True),
    ("5 days=1 strict", (PLAN, "Ben: ps b5", "Ada: holiday manual", "+3d", "due"), ["ps c3", "ps b5"], False),
    (
        "5 days=1 strict",
        (PLAN, "Ben: ps b4 / draw", "Ada: holiday manual", "+3d", "due"),
        ["ps c3", "ps b4"],
        False,
    ),
    ("5 time=3d+1d strict", (PLAN, "Ben: ps b4", "+9d", "due"), ["ps c3", "ps b4", "pw c4"], True),
    ("5 days=3", (PLAN, "Ada: away 20 days", "Ben: ps b4", "+9d", "due"), ["ps c3", "ps b4", "pw c4"], True),
    ("5", (PLAN, "+60d", "due", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], True),
)


@each_row("words, steps, expected, goes_on", CLOCKS)
def test_an_answer_is_in_time(words: str, steps: Sequence[str], expected: list[str], goes_on: bool) -> None:
    harness = played(steps, words)
    assert turns(harness)[2:] == expected
    assert harness.table().record.is_open is goes_on


def test_a_prepared_answer_ends_the_game() -> None:
    harness = played((ROAD, "Ben: ps b1", "due"), "3", ("ps a1", "ps c3"))
    assert harness.table().record.is_over
    assert turns(harness)[-1] == "ps a3"
    assert "you win" in said(harness.last(ADA)).lower()
    assert "Your move is played as turn 4 (ps b1)" in said(harness.last(BEN))
    assert "Ada wins" in said(harness.last(BEN))


def test_the_end_of_the_game_drops_what_is_prepared() -> None:
    steps = ("Ada: ps b2", "Ben: ps b1", "Ada: pw a3 / if ps c2 then ps a2", "Ben: ps c1", "due")
    harness = played(steps, "3", ("ps a1", "ps c3"))
    assert harness.table().record.is_over
    assert prepared(harness, 0).text == ""
    assert not harness.last(ADA).says("prepared_moves_are_lost")


@pytest.mark.parametrize("line", ["if ps c1 then ps a2", "if ps c2 then ps a3 then ps c1 then ps a2"])
def test_no_line_goes_on_behind_the_end_of_the_game(line: str) -> None:
    harness = played(("Ada: ps b2", "Ben: ps b1", f"Ada: pw a3 / {line}"), "3", ("ps a1", "ps c3"))
    assert not prepared(harness, 0).branches


def test_what_both_have_prepared_stands_again_if_a_move_is_taken_back_unheard() -> None:
    harness = MemoryHarness()
    harness.begin_and_play(*OPENING)
    harness.send(f"Ben <{BEN}>", "if ps c3 then ps b4 then ps d3 then ps d4", harness.last(BEN))
    before = prepared(harness, 1)
    harness.send(f"Ada <{ADA}>", "ps c3\nif ps b4 then ps d3", harness.last(ADA))
    assert prepared(harness, 1).answer == "ps b4"
    harness.send(f"Ada <{ADA}>", "undo", harness.last(ADA))
    assert (prepared(harness, 0).text, prepared(harness, 1)) == ("", before)


def test_nobody_else_prepares_a_move() -> None:
    harness = played(("Ada: ps c3",))
    harness.send("Eve <eve@example.org>", "if ps b4 then pw c4", harness.last(ADA))
    assert prepared(harness, 0).branches == ()
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    assert prepared(harness, 0).branches == (("ps b4", "pw c4"),)


@pytest.mark.parametrize(
    ("mail", "name", "values"),
    [
        ("ps b4 / draw?", "answer_waits_for_go", {"text": "pw c4", "line": "go"}),
        ("ps b5", "prepared_moves_are_lost", {}),
    ],
)
def test_a_digest_says_what_becomes_of_prepared_moves(mail: str, name: str, values: dict[str, str]) -> None:
    harness = played(("Ada: digest daily 8:00", PLAN, f"Ben: {mail}", "+2d"))
    ada = harness.table().players[0].id
    harness.rule(lambda context: on_digest(context, ada))
    assert english(Message(name, values)) in said(harness.last(ADA))
