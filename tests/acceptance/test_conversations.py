"""The conversations in the documentation are correct word for word."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received

DOCS = Path(__file__).parents[2] / "docs"
PEOPLE = {"Ada": ADA, "Ben": BEN}

Step = tuple[str, str, str]
"""Who, `writes` or `reads`, and the text."""


@pytest.mark.parametrize(
    ("page", "language", "least"),
    [
        ("playing.md", "en", 9),
        ("playing.ru.md", "ru", 9),
        ("playing.zh.md", "zh", 9),
        ("commands.md", "en", 25),
        ("when-boards-differ.md", "en", 28),
    ],
)
def test_every_conversation_of_a_page_goes_as_it_says(page: str, language: str, least: int) -> None:
    harness = MemoryHarness(services=replace(PLAIN, language=language))
    harness.confirms = False  # the pages tell of it
    newest: dict[str, Received] = {}
    checked = 0
    for name, verb, words in steps((DOCS / page).read_text(encoding="utf-8")):
        if verb == "writes":
            for letter in harness.send(f"{name} <{PEOPLE[name]}>", words, newest.get(name)):
                newest |= {who: letter for who, address in PEOPLE.items() if address == letter.to}
        else:
            assert is_in(words, newest[name].text), f"{name} reads: {words}\n\n{newest[name].text}"
            checked += 1
    assert checked > least


@pytest.mark.parametrize(("language", "yes", "accepts"), [("ru", "да", "принимаю"), ("zh", "是", "接受")])
def test_the_first_mail_that_a_readme_tells_of_begins_a_game(language: str, yes: str, accepts: str) -> None:
    page = (DOCS.parent / f"README.{language}.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^```text\n(.*)\n```", page, re.MULTILINE)
    assert f"`{yes}`" in page
    assert f"`{accepts}`" in page
    harness = MemoryHarness(services=replace(PLAIN, language=language))
    harness.confirms = False
    (question,) = harness.send(f"Ada <{ADA}>", line.replace("friend@example.org", BEN))
    harness.send(f"Ada <{ADA}>", yes, question)
    harness.send(f"Ben <{BEN}>", accepts, harness.last(BEN))
    board = "A B C D E"
    assert board in harness.last(ADA).text
    assert board in harness.last(BEN).text


def test_text_of_several_lines_keeps_them() -> None:
    page = "```conversation\nAda writes:\n    ps b4\n\n    Your turn!\nBen reads: ps b4\n```"
    assert list(steps(page)) == [("Ada", "writes", "ps b4\n\nYour turn!"), ("Ben", "reads", "ps b4")]


def test_lines_that_are_read_stand_together_and_a_sentence_may_be_broken() -> None:
    letter = "The board after\nturn 3:\n\n  0 s 0\n  0 0 S\n"
    assert is_in("board after turn 3", letter)
    assert is_in("0 s 0\n0 0 S", letter)
    assert not is_in("0 s 0\n0 0 S", letter.replace("\n  0 0 S", "\n\n  0 0 S"))
    assert not is_in("0 0 S\n0 s 0", letter)


def steps(page: str) -> Iterator[Step]:
    """Yield the steps of a page's conversations. A text is on the line of its step, or on lines below, indented."""
    for block in re.findall(r"```conversation\n(.*?)```", page, re.DOTALL):
        for step in re.split(r"\n(?=\S)", block.rstrip()):
            match = re.fullmatch(r"(Ada|Ben) (writes|reads|пишет|читает|写|读)[:：](.*)", step, re.DOTALL)
            assert match, step
            verb = "writes" if match[2] in ("writes", "пишет", "写") else "reads"
            yield match[1], verb, textwrap.dedent(match[3]).strip()


def is_in(words: str, letter: str) -> bool:
    """Return whether a letter has these words. Several lines must be lines of the letter, one below the other."""
    if "\n" not in words:
        return " ".join(words.split()) in " ".join(letter.split())
    plain = ["\n".join(" ".join(line.split()) for line in text.splitlines()) for text in (words, letter)]
    return f"\n{plain[0]}\n" in f"\n{plain[1]}\n"
