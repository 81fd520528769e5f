"""Plans in players' own words, which are kept from the opponent, and lines that only talk about places."""

from pathlib import Path

from takmail.commands.grammar.plans import Setting, is_intention, is_plan
from tests.support.memory_harness import MemoryHarness
from tests.support.phrases import SMALL_TALK
from tests.support.players import ADA, BEN
from tests.support.tables import each_row
from tests.support.width import some_of

PLANS = [
    tuple(line.split(" =>"))
    for file in sorted((Path(__file__).parents[2] / "data" / "plans").glob("*.txt"))
    for line in file.read_text("utf-8").splitlines()
]
"""Plans, and the first line that is offered for each, '' if none is."""
INTENTIONS, TALK_OF_PLACES = (
    [
        line
        for file in sorted((Path(__file__).parents[2] / "data" / folder).glob("*.txt"))
        for line in file.read_text("utf-8").splitlines()
    ]
    for folder in ("intentions", "about_places")
)
"""Where a player means to move, and talk in which places are named."""


def is_on_board(place: str) -> bool:
    return place in {f"{file}{rank}" for file in "abcde" for rank in "12345"}


LATER = (
    Setting(True, ("ps a1", "ps e5"), ("ps c3",), is_on_board),
    Setting(False, ("ps a1", "ps e5", "ps c3"), (), is_on_board),
)
"""Beside a turn, and in a mail of words while the writer waits."""
NOW = Setting(True, ("ps a1", "ps e5"))


@each_row("line", [line for line, _ in PLANS])
def test_a_plan_is_seen_in_the_words_of_each_language(line: str) -> None:
    assert [is_plan(line, setting, is_turn=False) for setting in LATER] == [True, True]


def is_kept(line: str, setting: Setting) -> bool:
    return is_plan(line, setting, is_turn=False) or is_intention(line, setting)


@each_row("line, kept", [*((line, True) for line in INTENTIONS), *((line, False) for line in TALK_OF_PLACES)])
def test_where_a_player_means_to_move_is_kept(line: str, kept: bool) -> None:
    assert [is_kept(line, setting) for setting in LATER] == [kept, kept]
    assert not any(is_kept(line.replace("4", "8"), setting) for setting in LATER if "c4" in line)


def written(*mails: str) -> MemoryHarness:
    """Return a game in which Ada has written these mails."""
    harness = MemoryHarness()
    harness.begin_and_play("ps a1", "ps e5")
    for mail in mails:
        harness.send(f"Ada <{ADA}>", mail, harness.last(ADA))
    return harness


def told(harness: MemoryHarness) -> list[bytes]:
    return [letter.raw for letter in harness.box if letter.to == BEN]


def test_a_plan_is_offered_and_told_to_nobody() -> None:
    """The opponent's letters are those of a game without the plan."""
    plain = told(written("ps c3"))
    for number, (line, offered) in enumerate(some_of(PLANS, 10)):
        harness = written(f"ps c3\n{line}") if number % 2 else written("ps c3", f"Good luck!\n{line}")
        assert not offered.strip() or f" {offered.strip()}  " in harness.last(ADA).text, line
        assert told(harness) == plain, line


def test_an_intention_is_told_to_nobody() -> None:
    for number, line in enumerate(some_of(INTENTIONS, 12)):
        harness = written(f"ps c3\n{line}") if number % 2 else written("ps c3", f"Good luck!\n{line}")
        assert not any(f"\n{line}" in letter.text for letter in harness.box if letter.to == BEN), line
        assert f"say {line}"[:30] in " ".join(harness.last(ADA).text.split()), line


def test_each_line_is_judged_by_itself() -> None:
    lines = ("If he plays d4 I wall d3.", *(f"flat a{rank}" for rank in "2345"), "b4 d5 it goes", "Bye!")
    harness = written("\n".join(("ps c3", *lines)))
    text = harness.last(ADA).text
    assert told(harness) == told(written("ps c3\nBye!"))
    offered = {line.partition("  P")[0] for line in text.splitlines() if line.startswith("  if ")}
    assert "  if ps d4 then pw d3" in offered
    assert not any(f"a{rank}" in line for line in offered for rank in "2345")
    assert text.count("this reads like a plan") == 2
    assert text.count("where you mean to move") == 1


def test_more_plans_than_anybody_prepares_in_words_are_told_once() -> None:
    plans = [f"If he goes to {file}4 I will go to {file}3." for file in "abcde"]
    plans += [f"When you play {file}2 I'll play {file}4!" for file in "abcde"]
    harness = written("\n".join(("ps c3", *plans)))
    text = harness.last(ADA).text
    assert (text.count("this reads like a plan"), text.count("where you mean to move")) == (0, 1)
    assert told(harness) == told(written("ps c3"))


def test_a_plan_that_a_mail_program_has_cut_is_one() -> None:
    cut = "If he goes to b4 with one of his flats in the next few days or weeks\nI will put a wall on c4"
    harness = written("ps c3", cut)
    assert "  if ps b4 then pw c4  " in harness.last(ADA).text
    assert told(harness) == told(written("ps c3"))


def test_a_move_from_one_place_to_another_is_no_plan() -> None:
    for setting in (*LATER, NOW):
        assert not is_plan("b4-b5", setting, is_turn=False)
        assert is_plan("b4 -> c4", setting, is_turn=False)


TALK = (
    "From c3 to c4 it is a long way.",
    "I liked your e5 a lot, it was a surprise.",
    "Is c3 or c4 the better square for the capstone, what do you think?",
    "I was afraid of c4 the whole time.",
    "Your wall on c4 is a real nuisance.",
    "我在c3那里吃了大亏。",
    "Твой ход c4 меня удивил.",
)


@each_row("line", TALK)
def test_talk_about_places_is_no_plan(line: str) -> None:
    assert not is_kept(line, NOW)


ABOUT_WHAT_WAS = (
    "Why did you play e5 when a1 was taken?",
    "Then you put a stone on e5, and I was lost.",
    "When it was your turn, I didn't see e5, then a1 was lost.",
    "I'll keep c3 free of walls, I was sure of that.",
    "c3 was my best move after your e5, I think.",
    "刚才你走e5的时候，我以后的a1就输了。",
    "Когда ты пошёл e5, я был уверен в a1.",
)


@each_row("line", ABOUT_WHAT_WAS)
def test_talk_about_turns_that_were_played_is_no_plan(line: str) -> None:
    assert not any(is_kept(line, setting) for setting in LATER)


def test_hardly_any_small_talk_is_a_plan() -> None:
    for file in SMALL_TALK.glob("*.txt"):
        lines = file.read_text("utf-8").splitlines()
        for setting in (*LATER, NOW):
            assert len([line for line in lines if is_kept(line, setting)]) <= 2
