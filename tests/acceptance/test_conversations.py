"""The conversations in the documentation are correct word for word."""

import re
from pathlib import Path

import pytest

from tests.support.harness import ADA, BEN, Harness, Received

DOCS = Path(__file__).parents[2] / "docs"
PEOPLE = {"Ada": ADA, "Ben": BEN}


@pytest.mark.parametrize(("page", "least"), [("commands.md", 25), ("when-boards-differ.md", 28)])
def test_every_conversation_of_a_page_goes_as_it_says(harness: Harness, page: str, least: int) -> None:
    harness.confirms = False  # the pages tell of it
    newest: dict[str, Received] = {}
    checked = 0
    for line in _lines(page):
        name, verb, words = _parts(line)
        if verb == "writes":
            text = words.replace(" / ", "\n").replace("/ ", "\n")
            for letter in harness.send(f"{name} <{PEOPLE[name]}>", text, newest.get(name)):
                newest |= {who: letter for who, address in PEOPLE.items() if address == letter.to}
        else:
            said = " ".join(newest[name].text.split())
            assert " ".join(words.split()) in said, f"{line}\n\n{newest[name].text}"
            checked += 1
    assert checked > least


def _lines(page: str) -> list[str]:
    blocks = re.findall(r"```conversation\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def _parts(line: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"(Ada|Ben) (writes|reads): (.*)", line)
    assert found, line
    return found[1], found[2], found[3]
