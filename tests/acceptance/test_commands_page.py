"""The conversations of docs/commands.md, word for word."""

import re
from pathlib import Path

from tests.office import ADA, BEN, Office, Received

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
PEOPLE = {"Ada": ADA, "Ben": BEN}


def test_every_conversation_of_the_commands_page_goes_as_it_says(office: Office) -> None:
    office.confirms = False  # the page tells of it
    newest: dict[str, Received] = {}
    checked = 0
    for line in _lines():
        name, verb, words = _parts(line)
        if verb == "writes":
            text = words.replace(" / ", "\n").replace("/ ", "\n")
            for letter in office.send(f"{name} <{PEOPLE[name]}>", text, newest.get(name)):
                newest |= {who: letter for who, address in PEOPLE.items() if address == letter.to}
        else:
            said = " ".join(newest[name].text.split())
            assert " ".join(words.split()) in said, f"{line}\n\n{newest[name].text}"
            checked += 1
    assert checked > 25


def _lines() -> list[str]:
    blocks = re.findall(r"```conversation\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def _parts(line: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"(Ada|Ben) (writes|reads): (.*)", line)
    assert found, line
    return found[1], found[2], found[3]
