"""Plans in players' own words, which are kept from the opponent, and lines that only talk about places."""

from pathlib import Path

from takmail.commands.grammar.plans import Setting, is_plan
from tests.support.memory_harness import MemoryHarness
from tests.support.phrases import SMALL_TALK
from tests.support.players import ADA, BEN
from tests.support.tables import each_row
from tests.support.width import tenth_of

PLANS = [
    tuple(line.split(" =>"))
    for file in sorted((Path(__file__).parents[2] / "data" / "plans").glob("*.txt"))
    for line in file.read_text("utf-8").splitlines()
]
"""Plans, and the first line that is offered for each, '' if none is."""
LATER = (Setting(True, ("ps a1", "ps e5"), ("ps c3",)), Setting(False, ("ps a1", "ps e5", "ps c3")))
"""Beside a turn, and in a mail of words while the writer waits."""
NOW = Setting(True, ("ps a1", "ps e5"))


@each_row("line", [line for line, _ in PLANS])
def test_a_plan_is_seen_in_the_words_of_each_language(line: str) -> None:
    assert [is_plan(line, setting, is_turn=False) for setting in LATER] == [True, True]


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
    for number, (line, offered) in enumerate(tenth_of(PLANS)):
        harness = written(f"ps c3\n{line}") if number % 2 else written("ps c3", f"Good luck!\n{line}")
        assert not offered.strip() or f" {offered.strip()}  " in harness.last(ADA).text, line
        assert told(harness) == plain, line


def test_lines_that_may_go_on_with_a_plan_are_told_at_once() -> None:
    lines = [f"flat {file}{rank}" for rank in (2, 3) for file in "abcde"]
    harness = written("\n".join(("ps c3", "If he plays d4 I will take it.", *lines)))
    assert told(harness) == told(written("ps c3"))
    assert harness.last(ADA).text.count("this reads like a plan") == 2, (
        "the plan, and all that may go on with it"
    )


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
    assert not is_plan(line, NOW, is_turn=False)


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
    assert not any(is_plan(line, setting, is_turn=False) for setting in LATER)


def test_hardly_any_small_talk_is_a_plan() -> None:
    for file in SMALL_TALK.glob("*.txt"):
        lines = file.read_text("utf-8").splitlines()
        for setting in (*LATER, NOW):
            assert len([line for line in lines if is_plan(line, setting, is_turn=False)]) <= 2
