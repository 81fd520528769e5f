"""Moves that are prepared in advance: written, met, held, lost, and played by themselves."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise, product

import pytest

from takmail.blocks import Message
from takmail.pipeline.due import on_due
from takmail.pipeline.process import Conflict
from takmail.world.advance import InAdvance, WaitsFor
from takmail.world.kinds import GameNumber, LetterState
from tests.support.memory_harness import PLAIN, WITH_BOTS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.tables import each_row
from tests.support.width import combined, some_of
from tests.support.wording import english

PEOPLE = {"Ada": ADA, "Ben": BEN}
A, B = "Ada", "Ben"
OPENING = ("ps a1", "ps e5")
PLAN = "Ada: ps c3 / if ps b4 then pw c4"
TWO_BRANCHES = f"{PLAN} / if ps b5 then pw c5"
SIX = "if ps b4 then pw c4 then ps d4 then ps d3 then ps d2 then ps d1"
LONG_CHAT = "If you had played b4 on turn 2 then I would really have been lost here"


def by_itself(harness: MemoryHarness) -> list[Received]:
    """Let what is due in the game happen."""
    return harness.rule(lambda context: on_due(context, GameNumber(1)))


def conversation(
    *steps: str, opening: Sequence[str] = OPENING, words: str = "5", sends: bool = True
) -> MemoryHarness:
    """Play an opening, and then the steps: a mail, whose lines are separated by ` / `, `due`, or `send`.

    Unless the harness `sends`, no letter leaves before a step `send`.
    """
    harness = MemoryHarness(sends=sends)
    play_first(harness, *steps[:1], opening=tuple(opening), words=words)
    for step in steps[1:]:
        play(harness, step)
    return harness


@played_once
def play_first(harness: MemoryHarness, *steps: str, opening: tuple[str, ...], words: str) -> None:
    """Play an opening and the first step, with which many conversations begin, once."""
    harness.begin_and_play(*opening, words=words)
    for step in steps:
        play(harness, step)


def play(harness: MemoryHarness, step: str) -> None:
    """Play a step."""
    match step:
        case "due":
            by_itself(harness)
        case "send":
            harness.memory.send_all()
        case _:
            who, _, text = step.partition(": ")
            address = PEOPLE[who]
            harness.send(f"{who} <{address}>", text.replace(" / ", "\n"), harness.last(address))


def prepared(harness: MemoryHarness, seat: int) -> InAdvance:
    """Return what the player in a seat has prepared."""
    return InAdvance.read(harness.table().record.seats[seat].in_advance)


# The steps, the turns after the opening, and what Ada has prepared after them.
PLAYED = (
    ((PLAN, "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4"), ["ps c3", "ps b4"], ("pw c4",)),
    (("Ada: ps c3", "Ada: if ps b4 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b5", "due"), ["ps c3", "ps b5"], ()),
    ((PLAN, "Ben: pw b4", "due"), ["ps c3", "pw b4"], ()),
    ((PLAN, "due", "due"), ["ps c3"], ("ps b4 then pw c4",)),
    # The call of tak says nothing about the turn.
    ((PLAN, "Ben: ps b4 tak", "due"), ["ps c3", "ps b4 t", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 t then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 then pw c4 t", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4 t"], ()),
    # Turns are named as in any other line.
    (("Ada: ps c3 / If PS B4, then PW C4.", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (
        ("Ada: ps c3 / if me a1 then mn e5", "Ben: me a1 p1 1", "due"),
        ["ps c3", "me a1 p1 1", "mn e5 p1 1"],
        (),
    ),
    (("Ada: ps c3 / if ps b4 #4 then pw c4 #5", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    (("Ada: ps c3 / if ps b4 #5 then pw c4", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    # Two branches, and longer ones.
    (
        (PLAN, "Ada: if ps b5 then pw c5", "Ben: ps b5", "due"),
        ["ps c3", "ps b5", "pw c5"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 / if ps b5 then pw c5", "Ben: ps b4", "due"),
        ["ps c3", "ps b4", "pw c4"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "due", "Ben: ps b5", "due"),
        ["ps c3", "ps b4", "pw c4", "ps b5", "ps c5"],
        (),
    ),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "due", "Ben: ps d5", "due"),
        ["ps c3", "ps b4", "pw c4", "ps d5"],
        (),
    ),
    (
        (
            "Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5 / if ps b4 then pw c4 then ps d5 then ps d4",
            "Ben: ps b4",
            "due",
            "Ben: ps d5",
            "due",
        ),
        ["ps c3", "ps b4", "pw c4", "ps d5", "ps d4"],
        (),
    ),
    # A newer answer to the same turn counts, whatever followed the older one.
    ((PLAN, "Ada: if ps b4 then pw c5", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c5"], ()),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ada: if ps b4 then ps d4"),
        ["ps c3"],
        ("ps b4 then ps d4",),
    ),
    (
        (PLAN, "Ada: if ps b4 then pw c4 then ps b5 then ps c5"),
        ["ps c3"],
        ("ps b4 then pw c4 then ps b5 then ps c5",),
    ),
    (("Ada: ps c3 / if ps b4 then pw c4", "Ada: if ps b4 then pw c4"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: ifs off", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    ((TWO_BRANCHES, "Ada: ifs off 2"), ["ps c3"], ("ps b4 then pw c4",)),
    ((TWO_BRANCHES, "Ada: 取消应手1"), ["ps c3"], ("ps b5 then pw c5",)),
    ((TWO_BRANCHES, "Ada: отменить заготовку 1", "Ada: ifs off 1"), ["ps c3"], ()),
    ((TWO_BRANCHES, "Ada: ifs off 3"), ["ps c3"], ("ps b4 then pw c4", "ps b5 then pw c5")),
    # One line that can't be prepared leaves the others as they are.
    ((PLAN, "Ada: if ps c3 then pw d4"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: if ps b5 then pw b5"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: if ps b5 then pw c5 then ps d5"), ["ps c3"], ("ps b4 then pw c4",)),
    (("Ada: if ps b4 then pw c4",), [], ()),
    (("Ada: if ps b4 then pw c4 / ps c3",), ["ps c3"], ("ps b4 then pw c4",)),
    # Mail programs wrap long lines.
    (
        ("Ada: ps c3 / if ps b4 then pw c4 / then ps b5 then / ps c5",),
        ["ps c3"],
        ("ps b4 then pw c4 then ps b5 then ps c5",),
    ),
    (
        ("Ada: ps c3 / 如果 ps b4 就 pw c4 / 就 ps b5 就 ps c5",),
        ["ps c3"],
        ("ps b4 then pw c4 then ps b5 then ps c5",),
    ),
    # What is below a whole branch, or below words with an "if", is read by itself.
    ((f"Ada: {SIX} / ps c3",), ["ps c3"], (SIX[3:],)),
    ((f"Ada: ps c3 / {SIX} / draw",), ["ps c3"], (SIX[3:],)),
    ((f"{PLAN} / Then I will win!",), ["ps c3"], ("ps b4 then pw c4",)),
    ((f"Ada: {LONG_CHAT} / ps c3",), ["ps c3"], ()),
    (("Ada: ps e5 / if ps b4 then pw c4",), [], ()),
    # The opponent has more to say than the turn.
    ((PLAN, "Ben: ps b4 / draw", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: draw / ps b4", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / /im #3 You put a wall there", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4", "Ben: propose back 2", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / resign", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: resign / ps b4", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / propose days=3", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / draw", "Ada: go"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: refuse", "due"), ["ps c3", "ps b4"], ("pw c4",)),
    ((PLAN, "Ben: ps b4 / draw", "Ben: withdraw", "due", "Ada: go"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: ps d1", "due"), ["ps c3", "ps b4", "ps d1"], ()),
    ((PLAN, "Ben: ps b4 / draw", "Ada: ifs off", "Ada: go", "due"), ["ps c3", "ps b4"], ()),
    ((PLAN, "Ben: ps b4 / A fine plan of yours!", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: draw", "Ben: withdraw", "Ben: ps b4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    # Who prepared a turn may play it, or another one, before it is due.
    ((PLAN, "Ben: ps b4", "Ada: pw c4", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4", "Ada: go", "due"), ["ps c3", "ps b4", "pw c4"], ()),
    ((PLAN, "Ben: ps b4", "Ada: ps d1", "due"), ["ps c3", "ps b4", "ps d1"], ()),
    (
        ("Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5", "Ben: ps b4", "Ada: pw c4"),
        ["ps c3", "ps b4", "pw c4"],
        ("ps b5 then ps c5",),
    ),
    ((PLAN, "Ada: go", "Ben: ps b4"), ["ps c3", "ps b4"], ("pw c4",)),
    # Turns that are taken back, other boards, and the end.
    ((PLAN, "Ben: ps b4", "Ben: undo", "Ada: agree", "due"), ["ps c3"], ()),
    ((PLAN, "Ada: undo", "Ben: agree", "Ada: ps c3", "Ben: ps b4", "due"), ["ps c3", "ps b4"], ()),
    ((PLAN, "Ben: propose back 2", "Ada: agree", "due"), [], ()),
    ((PLAN, "Ben: draw", "Ada: agree", "due"), ["ps c3"], ()),
    ((PLAN, "Ben: resign", "Ben: yes", "due"), ["ps c3"], ()),
    # Both have prepared.
    (
        (
            "Ada: ps c3 / if ps b4 then pw c4 then ps b5 then ps c5",
            "Ben: if ps d1 then ps d2",
            "Ben: ps b4 / if pw c4 then ps b5",
            "due",
            "due",
            "due",
            "due",
        ),
        ["ps c3", "ps b4", "pw c4", "ps b5", "ps c5"],
        (),
    ),
    # Words stay words.
    ((PLAN, "Ada: if you want, we can stop"), ["ps c3"], ("ps b4 then pw c4",)),
    ((PLAN, "Ada: If only I had seen that!"), ["ps c3"], ("ps b4 then pw c4",)),
)


@each_row("steps, expected, left", some_of(PLAYED, 10))
def test_what_is_prepared_is_played(steps: Sequence[str], expected: list[str], left: tuple[str, ...]) -> None:
    harness = conversation(*steps)
    assert turns(harness)[len(OPENING) :] == expected
    assert tuple(map(" then ".join, prepared(harness, 0).branches)) == left


# The steps, who reads something, and the message that they read. Nobody else reads one of these.
TOLD = (
    ((PLAN,), A, "branch_kept", {}),
    ((PLAN, "Ada: if ps b4 then pw c5"), A, "branch_replaces", {"lines": ("if ps b4 then pw c4",)}),
    ((PLAN, "Ada: if ps b4 then pw c4"), A, "branch_known", {}),
    ((PLAN, "Ada: ifs"), A, "prepared_answer", {"mark": "", "turn": "ps b4", "answer": "pw c4", "number": 1}),
    ((PLAN, "Ada: ifs 1"), A, "board_ahead", {"turns": ("ps b4", "pw c4")}),
    ((PLAN, "Ada: ifs 2"), A, "no_such_branch", {"count": 1}),
    ((PLAN, "Ada: ifs off"), A, "prepared_moves_dropped", {}),
    (("Ada: ifs off",), A, "nothing_prepared", {}),
    ((PLAN, "Ada: games"), A, "listed_prepared_moves", {}),
    ((PLAN, "Ben: ps b4"), A, "answer_comes_by_itself", {"text": "pw c4"}),
    ((PLAN, "Ben: ps b4 / draw"), A, "answer_waits_for_go", {"text": "pw c4", "line": "go"}),
    ((PLAN, "Ben: ps b5"), A, "prepared_moves_are_lost", {}),
    ((PLAN, "Ben: ps b4", "Ada: ps d1"), A, "prepared_moves_are_lost", {}),
    ((PLAN, "Ben: ps b4", "due"), A, "prepared_move_is_played", {"text": "pw c4", "turn": 5, "met": "ps b4"}),
    ((PLAN, "Ada: go"), A, "nothing_for_go", {}),
    (("Ada: if ps b4 then pw c4",), A, "prepared_on_own_turn", {}),
    ((PLAN, "Ada: if ps b5 then pw c5 then ps d5"), A, "prepared_without_answer", {"text": "ps d5"}),
    ((PLAN, "Ada: if ps c3 then pw c5"), A, "prepared_turn_refused", {"text": "ps c3"}),
    ((PLAN, "Ada: if ps b5 then mw c3 p4"), A, "prepared_turn_refused", {"text": "mw c3 p4 4"}),
)


@each_row("steps, who, name, values", TOLD)
def test_its_player_alone_is_told(
    steps: Sequence[str], who: str, name: str, values: dict[str, object]
) -> None:
    harness = conversation(*steps)
    sentence = english(Message(name, values))
    assert sentence in said(harness.last(PEOPLE[who]))
    assert not any(sentence in said(letter) for letter in harness.box if letter.to != PEOPLE[who])


ABOUT_PREPARED = (
    *(
        "ifs clear",
        "show ifs",
        "cancel ifs",
        "my ifs",
        "ifs?",
        "ifs 2 off",
        "no ifs",
        "if off",
        "ifs all",
        "drop ifs",
    ),
    *("show my prepared moves", "What have I prepared?", "应手很好", "按应手走", "取消应手吧"),
    *("какие заготовки!", "покажи мои заготовки", "играй по заготовке"),
)


@each_row("line", ABOUT_PREPARED)
def test_what_names_prepared_moves_is_asked_about(line: str) -> None:
    harness = conversation(TWO_BRANCHES)
    letters = len(harness.box)
    harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    (answer,) = harness.box[letters:]
    number = " 2" if "2" in line else ""
    assert answer.to == ADA
    assert all(f"  {offer}{number}  " in answer.text for offer in ("ifs", "ifs off"))
    assert len(prepared(harness, 0).branches) == 2


@each_row("line, language", combined(["ifs off", "取消应手", "ifs off 1"], ["en", "中文", "ru"]))
def test_what_its_player_drops_is_not_lost_by_the_game(line: str, language: str) -> None:
    harness = conversation(f"Ada: language {language}", PLAN, f"Ada: {line}")
    assert harness.last(ADA).says("prepared_moves_dropped")
    assert not harness.last(ADA).says("prepared_moves_are_lost")


def test_a_long_line_about_ifs_is_words() -> None:
    harness = conversation("Ada: ps c3", "Ada: ifs and buts are for those who have time")
    assert "ifs and buts" in harness.last(BEN).text


OTHER_WORDS_FOR_GO = (
    *(
        "go ahead",
        "Ok go",
        "Yes, go!",
        "go on",
        "Let's go",
        "play it",
        "go, and good luck",
        "go ahead and play it",
    ),
    *("走吧", "按应手走", "давай", "Ходи!", "играй по заготовке"),
)
OFFERS = ("draw", "propose back 2", "/im #3 bad", "resign")


@each_row("offer, line", combined(OFFERS, some_of(OTHER_WORDS_FOR_GO, 8)))
def test_other_words_for_go_agree_to_nothing(offer: str, line: str) -> None:
    harness = conversation(PLAN, f"Ben: ps b4 / {offer}")
    letters = len(harness.box)
    harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert [letter.to for letter in harness.box[letters:]] == [ADA]
    assert "  go  " in harness.last(ADA).text
    assert turns(harness)[2:] == ["ps c3", "ps b4"]
    harness.send(f"Ada <{ADA}>", "go", harness.last(ADA))
    assert turns(harness)[-1] == "pw c4"


@pytest.mark.parametrize("line", ["go ahead", "yes", "ok"])
def test_a_yes_agrees_where_nothing_waits_for_go(line: str) -> None:
    harness = conversation("Ada: ps c3", "Ben: ps b4 / draw", f"Ada: {line}")
    assert harness.table().record.is_over


PLANS = (
    ("if he plays b4 I play wall c4", "if ps b4 then pw c4"),
    ("If Ben goes ps b4, then I'll answer pw c4!", "if ps b4 then pw c4"),
    ("如果他走b4我就墙c4", "if ps b4 then pw c4"),
    ("если он пойдёт b4, я ставлю стену c4", "if ps b4 then pw c4"),
    ("if flat b4 then wall c4", "if ps b4 then pw c4"),
)


@pytest.mark.parametrize(("typed", "line"), PLANS)
def test_a_plan_is_offered_as_a_line(typed: str, line: str) -> None:
    harness = conversation("Ada: ps c3", f"Ada: {typed}")
    assert f"  {line}  " in harness.last(ADA).text.replace("如果 ", "if ")
    assert prepared(harness, 0).branches == ()
    assert not any(typed in letter.text for letter in harness.box if letter.to == BEN)


def test_two_plans_of_a_line_are_two_lines() -> None:
    harness = conversation("Ada: ps c3", "Ada: on b4 I wall c4, on b5 I wall c5")
    offered = ("if ps b4 then pw c4", "if ps b5 then pw c5")
    assert all(f"  {line}  " in harness.last(ADA).text for line in offered)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_page_that_teaches_it_is_no_plan(language: str) -> None:
    steps = (f"Ada: language {language}", "Ada: help if", *["Ada: log"] * 5)
    harness = conversation(*steps)
    page = next(one.text for one in harness.box if one.to == ADA and "pw c3" in one.text)
    taught = page.replace("（", " (").partition("Ben (")[0].partition("\n\n")[2]
    for text in (f"ps c3\n\n{taught}", taught):
        copied = harness.scene()
        copied.send(f"Ada <{ADA}>", f"{text}\n\nGood luck!", copied.last(ADA))
        assert not copied.last(ADA).says("perhaps_a_plan", opponent="Ben")
    example = "if ps b4 then pw d3 then ps d5 then pw e1"
    assert prepared(conversation(f"Ada: ps c3 / {example}"), 0).branches[0][-1] == "pw e1"


@pytest.mark.parametrize("line", ["如果 ps b4 就 pw c4", "если ps b4 то pw c4", "if ps b4, then pw c4"])
def test_each_language_has_its_line(line: str) -> None:
    assert prepared(conversation("Ada: ps c3", f"Ada: {line}"), 0).branches == (("ps b4", "pw c4"),)


LOOKS = ("log", "ptn", "games", "show", "rs", "turn", "clock", "hint", "match", "export")
# What both write after Ada has prepared answers to two moves, or a longer line, in the mail of her turn or in the next.
SECRET = (
    *(
        tuple(f"Ben: {line}" for line in (*LOOKS, turn, *LOOKS))
        for turn in ("ps b4", "ps b5", "ps b4 / draw")
    ),
    ("Ben: ps b4", "Ben: mydata"),
    ("send", "Ben: ps b4", "Ben: undo", "Ben: log", "Ben: ps d4", "send", "Ben: log"),
    ("send", "Ben: ps b4 / undo", "Ben: ps b5", "Ben: undo", "Ben: say Hello!"),
    ("Ben: ps b4", "Ada: ps d1", "Ben: log", "Ben: ps d2", "Ada: ps d3"),
    ("Ben: ps b4", "Ada: undo", "Ben: agree", "Ada: ps d1", "Ben: ps d2"),
    ("Ben: ps b4", "Ben: undo", "Ada: agree", "Ben: ps b5", "Ada: ps d1"),
    ("Ben: draw", "Ada: refuse", "Ben: ps b4 / draw", "Ada: refuse", "Ben: log"),
    ("Ben: ps b4 / /im #3 You can't", "due", "Ben: log", "Ben: propose back 2", "Ada: agree"),
    ("send", "Ben: ps b4", "Ben: can I undo?", "Ben: yes", "Ben: ps b5"),
    ("Ben: ps b4 / resign", "Ben: no", "Ben: resign", "Ben: yes", "Ben: log"),
    ("Ben: digest daily 8:00", "Ben: receipts off", "Ben: ps b4", "Ada: resign", "Ada: yes", "Ben: games"),
    ("Ben: block Ada", "Ada: say Hello!", "Ben: ps b5", "due", "Ada: ps d1", "Ben: view html", "Ben: ps d2"),
    ("Ada: away 9 days", "Ben: ps b5", "due", "Ben: clock", "Ada: back", "Ada: ps d1"),
    ("Ada: draw", "Ben: ps b4 / agree", "Ben: rematch"),
    ("Ada: forget me", "Ada: yes", "Ben: ps b4", "Ben: games"),
)
SECRET_PLANS = (TWO_BRANCHES, f"Ada: ps c3 / {SIX}", "Ada: ps c3")


@each_row("plan, sends, steps", some_of(product(SECRET_PLANS, (False, True), SECRET), 5))
def test_nobody_else_can_tell_before_it_is_played(plan: str, sends: bool, steps: Sequence[str]) -> None:
    first = (
        ("Ada: ps c3", "Ada: if ps b4 then pw c4 / if ps b5 then pw c5") if plan == "Ada: ps c3" else (plan,)
    )
    plain = ("Ada: ps c3", "Ada: ifs")[: len(first)]
    # A step that plays what is prepared ends the secret.
    met = any(turn in step and "/" not in step for step in steps for turn in ("ps b4", "ps b5"))
    told = [step for step in steps if not (met and step == "due")]
    knowing, unknowing = (conversation(*begun, *told, sends=sends) for begun in (first, plain))
    letters = [[one.raw for one in harness.box if one.to == BEN] for harness in (knowing, unknowing)]
    if sends and "Ben: mydata" in steps:  # when the receipt leaves
        letters = [
            [raw.replace(b"=\r\n", b"").replace(b'"queued"', b'"sent"') for raw in those] for those in letters
        ]
    assert letters[0] == letters[1], steps
    assert knowing.notes == unknowing.notes, steps
    assert knowing.table().record.version == unknowing.table().record.version
    listed = [
        [
            (letter.mail_to, letter.state, letter.purpose, letter.delivery_class, letter.created_at)
            for letter in harness.memory.outbox.values()
        ]
        for harness in (knowing, unknowing)
    ]
    assert sends or listed[0] == listed[1], steps


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        ((TWO_BRANCHES,), ["ps b4 then pw c4", "ps b5 then pw c5"]),
        ((TWO_BRANCHES, "Ben: ps b4"), ["pw c4"]),
        ((TWO_BRANCHES, "Ben: ps d1"), []),
    ],
)
def test_their_player_gets_them_with_all_data(steps: Sequence[str], lines: list[str]) -> None:
    harness = conversation(*steps, "Ada: mydata", sends=False)
    assert f'"prepared_in_advance": {json.dumps(lines)}' in harness.last(ADA).text


def test_one_letter_brings_both_moves() -> None:
    harness = conversation(PLAN, "Ben: ps b4")
    (receipt,) = (letter for letter in harness.outcome.letters if letter.mail_to == BEN)
    assert (receipt.state, receipt.waits_for_thought) == (LetterState.QUEUED, True)
    by_itself(harness)
    (both,) = (letter for letter in harness.outcome.letters if letter.mail_to == BEN)
    assert both.replaced == receipt.message_id
    text = harness.last(BEN).text
    assert text.startswith("pw c4\n")
    assert "Your move is played as turn 4 (ps b4)" in text


def test_the_answer_to_ones_own_turn_is_not_gathered() -> None:
    harness = conversation(PLAN, "Ben: digest daily 8:00", "Ben: ps b4", "due")
    (both,) = (letter for letter in harness.outcome.letters if letter.mail_to == BEN)
    assert both.state is LetterState.QUEUED


def test_an_answer_does_not_wait_for_the_digest_of_its_player() -> None:
    harness = conversation("Ada: digest daily 8:00", PLAN, "Ben: ps b4", "due")
    assert turns(harness)[-1] == "pw c4"


# What is written beside a turn, or in the next mail, and wants another answer than a prepared move.
WISHES = (
    *("can I undo?", "Could I have my last move back please?", "Sorry, may I change my last move?"),
    *(
        "shall we call it a draw?",
        "How about a draw?",
        "A draw would be fair, I think.",
        "can we start over?",
    ),
    *("Your last move was illegal", "I think turn 3 is not allowed", "that wall can't go there"),
    *("can I have more time?", "I think I should resign"),
    *("不好意思，我能悔棋吗？", "我想悔棋", "和棋怎么样？", "你上一步不合法", "第3手不对", "我认输"),
    *("Извини, можно взять ход назад?", "Верни ход, пожалуйста", "Может, ничья?", "Твой ход неправильный"),
    *("Ход 3 невозможен", "Сдаюсь"),
)
ONLY_TOLD = (
    "A fine plan of yours!",
    "Good luck, and greet your wife!",
    "你好，今天下雨了",
    "Привет, как дела?",
)


@each_row(
    "line, is_beside, is_held",
    [
        *((line, number % 2 == 0, True) for number, line in some_of(enumerate(WISHES), 10)),
        *((line, number % 2 == 0, False) for number, line in enumerate(ONLY_TOLD)),
    ],
)
def test_an_answer_waits_for_go_if_there_is_more_to_answer(line: str, is_beside: bool, is_held: bool) -> None:
    mails = (f"Ben: ps b4 / {line}",) if is_beside else ("Ben: ps b4", f"Ben: {line}")
    harness = conversation(PLAN, *mails, "due")
    assert turns(harness)[3:] == ["ps b4", "pw c4"][: 2 - is_held]
    if is_held:
        sentence = english(Message("answer_waits_for_go", {"text": "pw c4", "line": "go"}))
        assert sentence in said(harness.last(ADA))
        harness.send(f"Ada <{ADA}>", "go", harness.last(ADA))
        assert turns(harness)[4:] == ["pw c4"]


def test_a_question_that_nobody_else_hears_of_holds_until_the_letter_has_left() -> None:
    steps = (PLAN, "send", "Ben: ps b4", "Ben: can I undo?")
    harness, plain = conversation(*steps, sends=False), conversation("Ada: ps c3", *steps[1:], sends=False)
    assert prepared(harness, 0).waits_for is WaitsFor.HELD
    letters = [letter.raw for letter in harness.box if letter.to == BEN]
    assert letters == [letter.raw for letter in plain.box if letter.to == BEN]
    assert not harness.last(ADA).says("prepared_move_is_held")
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    assert turns(harness)[2:] == ["ps c3"]
    assert prepared(harness, 0).branches == (("ps b4", "pw c4"),)


# The steps, in which letters leave when it is said, the turns after the opening, and what Ada has prepared after them.
UNHEARD = (
    ((PLAN, "send", "Ben: ps b4", "due"), ["ps c3", "ps b4"], "letter: pw c4"),
    ((PLAN, "send", "Ben: ps b4", "Ben: undo"), ["ps c3"], "opponent: ps b4 then pw c4"),
    ((PLAN, "send", "Ben: ps b4 / undo"), ["ps c3"], "opponent: ps b4 then pw c4"),
    ((PLAN, "send", "Ben: ps b5", "Ben: undo"), ["ps c3"], "opponent: ps b4 then pw c4"),
    ((PLAN, "send", "Ben: ps b4", "Ben: undo", "send", "due"), ["ps c3"], "opponent: ps b4 then pw c4"),
    ((PLAN, "send", "Ben: ps b4", "Ben: undo", "Ben: ps b5"), ["ps c3", "ps b5"], ""),
    ((PLAN, "send", "Ben: ps b5", "Ben: undo", "Ben: ps b4", "send", "due"), ["ps c3", "ps b4", "pw c4"], ""),
    ((PLAN, "send", "Ben: ps b4 / draw", "Ben: undo"), ["ps c3", "ps b4"], "go: pw c4"),
    ((TWO_BRANCHES, "send", "Ben: ps b5", "Ben: undo", "Ben: ps b4"), ["ps c3", "ps b4"], "letter: pw c4"),
    # What its player changes meanwhile stays so.
    ((PLAN, "Ada: undo"), [], ""),
    ((PLAN, "Ada: ifs off", "Ada: undo", "Ada: ps c3"), ["ps c3"], ""),
    ((PLAN, "send", "Ben: ps b5", "Ada: ifs off", "Ben: undo"), ["ps c3", "ps b5"], ""),
    # An answer of one's own is taken back, too: it stands again, but is not played by itself.
    ((PLAN, "send", "Ben: ps b4", "send", "Ada: go", "Ada: undo", "due"), ["ps c3", "ps b4"], "go: pw c4"),
    ((PLAN, "send", "Ben: ps b4", "send", "Ada: ps d1", "Ada: undo", "due"), ["ps c3", "ps b4"], "go: pw c4"),
    # The letter about an answer that has played itself is a receipt, too, and stays.
    ((PLAN, "send", "Ben: ps b4", "send", "due", "Ada: undo"), ["ps c3", "ps b4", "pw c4"], ""),
    # Once the letter has left, the opponent has to agree, and all is dropped.
    ((PLAN, "send", "Ben: ps b4", "send", "Ben: undo", "Ada: agree"), ["ps c3"], ""),
)


@each_row("steps, expected, left", UNHEARD)
def test_a_turn_that_nobody_has_heard_of_changes_nothing(
    steps: Sequence[str], expected: list[str], left: str
) -> None:
    harness = conversation(*steps, sends=False)
    stands = prepared(harness, 0)
    assert turns(harness)[len(OPENING) :] == expected
    branches = " / ".join(map(" then ".join, stands.branches))
    assert (f"{stands.waits_for}: {branches}" if branches else "") == left


def test_a_turn_that_is_taken_back_unheard_is_told_to_nobody() -> None:
    steps = (PLAN, "send", "Ben: ps b4", "Ben: undo")
    heard, unheard = conversation(*steps[:-1], sends=False), conversation(*steps, sends=False)
    assert [letter.to for letter in unheard.box[len(heard.box) :]] == [BEN]


@each_row("waits_for, now, before", product(WaitsFor, (0, 1, 2), (0, 1, 2)))
def test_what_is_stored_is_what_is_prepared(waits_for: WaitsFor, now: int, before: int) -> None:
    branches = (("ps b4", "pw c4"), ("ps b5", "pw c5", "ps d4", "ps d5"))
    earlier = InAdvance(branches[:before], waits_for) if before else None
    stored = InAdvance(branches[:now], waits_for if now else WaitsFor.OPPONENT, earlier)
    assert InAdvance.read(stored.text) == stored


def test_an_answer_takes_no_time_and_ends_no_time_off() -> None:
    harness = conversation(PLAN, "Ada: away 5 days", words="5 days=3")
    off = harness.table().players[0].time_off
    harness.send(f"Ben <{BEN}>", "ps b4", harness.last(BEN))
    harness.now += timedelta(minutes=50)
    by_itself(harness)
    game = harness.table()
    assert (turns(harness)[-1], game.turns[-1].spent) == ("pw c4", 0)
    assert game.players[0].time_off == off != ()


def test_thirty_turns_are_played_by_lines_of_both() -> None:
    squares = [f"{column}{row}" for row in range(2, 6) for column in "abcdef"] + [
        f"{column}{row}" for row in (1, 6) for column in "bcdef"
    ]
    moves = [f"pw {square}" for square in squares[:33]]
    harness = conversation(opening=("ps a1", "ps a6"), words="6")
    for start in (0, 11, 22):
        mover, waiting = (A, B) if start % 2 == 0 else (B, A)
        round_ = moves[start : start + 11]
        ahead = " then ".join(round_[:10])
        harness.send(f"{waiting} <{PEOPLE[waiting]}>", f"if {ahead}", harness.last(PEOPLE[waiting]))
        ahead = " then ".join(round_[1:])
        harness.send(f"{mover} <{PEOPLE[mover]}>", f"{round_[0]}\nif {ahead}", harness.last(PEOPLE[mover]))
        for _ in round_[1:]:
            by_itself(harness)
    assert turns(harness)[2:] == moves
    assert sum(turn.mail is None for turn in harness.table().turns) == 30


@pytest.mark.parametrize("first", [0, 1])
def test_no_turn_misses_a_line_that_is_stored_meanwhile(first: int) -> None:
    harness = conversation("Ada: ps c3")
    texts = ((f"Ada <{ADA}>", "if ps b4 then pw c4", ADA), (f"Ben <{BEN}>", "ps b4", BEN))
    mails = [harness.arrive(harness.mail(who, text, harness.last(to)).as_bytes()) for who, text, to in texts]
    decided = [harness.decide(mail) for mail in mails]
    harness.keep(decided[first])
    with pytest.raises(Conflict):
        harness.keep(decided[1 - first])
    harness.keep(harness.decide(mails[1 - first]))
    by_itself(harness)
    # A line that comes too late is refused, as it is Ada's turn.
    assert turns(harness)[3:] == ["ps b4", "pw c4"][: 2 - first]


def test_an_answer_is_played_once() -> None:
    harness = conversation(PLAN, "Ben: ps b4")
    mail = harness.arrive(harness.mail(f"Ada <{ADA}>", "go", harness.last(ADA)).as_bytes())
    decided = harness.decide(mail)
    by_itself(harness.scene())
    by_itself(harness)
    with pytest.raises(Conflict):
        harness.keep(decided)
    by_itself(harness)
    assert turns(harness)[2:] == ["ps c3", "ps b4", "pw c4"]


def test_who_leaves_leaves_nothing_prepared() -> None:
    harness = conversation(PLAN, "Ada: forget me")
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    assert prepared(harness, 0).branches == ()
    assert harness.table().record.is_over


def test_a_turn_of_two_actions() -> None:
    harness = MemoryHarness(sends=True)
    harness.begin("tzaar fixed")
    harness.send(f"Ada <{ADA}>", "c a5 a4", harness.last(ADA))
    state = harness.table().state
    met = state.choices()[0].turns[0].typed
    answer = state.play(met).choices()[0].turns[0].typed
    harness.send(f"Ada <{ADA}>", f"if {met} then {answer}", harness.last(ADA))
    assert prepared(harness, 0).branches == ((met, answer),)
    harness.send(f"Ben <{BEN}>", met, harness.last(BEN))
    by_itself(harness)
    assert turns(harness)[1:] == [met, answer]


def test_where_nothing_can_be_prepared() -> None:
    bots = MemoryHarness(services=WITH_BOTS)
    bots.send(f"Ada <{ADA}>", "new 5 vs bot easy first=me")
    bots.send(f"Ada <{ADA}>", "ps a1\nif ps b4 then pw c4", bots.last(ADA))
    assert bots.last(ADA).says("nothing_ahead_of_bots")
    for words, name in (("5 rules=femr", "nothing_ahead_for_coins"), ("5 relay", "nothing_ahead_in_relay")):
        harness = MemoryHarness(services=replace(PLAIN))
        harness.begin(words)
        harness.send(f"Ada <{ADA}>", "ps a1\nif ps b4 then pw c4", harness.last(ADA))
        assert harness.last(ADA).says(name)


def test_twenty_branches_of_ten_turns_are_the_most() -> None:
    squares = [f"{column}{row}" for row in range(1, 6) for column in "abcde" if (column, row) != ("c", 3)]
    free = [square for square in squares if square not in ("a1", "e5")]
    lines = [f"if ps {met} then ps {answer}" for met, answer in pairwise(free)]
    harness = conversation("Ada: ps c3 / " + " / ".join(lines[:10]), "Ada: " + " / ".join(lines[10:20]))
    assert len(prepared(harness, 0).branches) == 20
    harness.send(f"Ada <{ADA}>", lines[20], harness.last(ADA))
    assert harness.last(ADA).says("many_branches", most=20)
    harness.send(f"Ada <{ADA}>", "if " + " then ".join(f"pw {one}" for one in free[:12]), harness.last(ADA))
    assert harness.last(ADA).says("branch_too_long", most=10)
