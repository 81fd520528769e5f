"""What players are told to write, in each language, is a command that there is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.games.registry import GAMES

CHECKOUT = Path(__file__).parents[2]
PAGES = [*sorted(CHECKOUT.glob("README*.md")), *sorted((CHECKOUT / "docs").glob("playing*.md"))]
LANGUAGES = ("", ".ru", ".zh")
_MOVE = re.compile(r"(p[swc]|m[nsew]) [a-h][1-8]( p\d( \d)+)?|m[nsew]")
_PART = re.compile(r"(first=me|days=\d|time=\w+\+\w+|vs Ben|komi=\d|relay)")
"""What follows the words of `new`."""
_PIECE = re.compile(r"[swc0]|sS")
_ANSWER = re.compile(r"yes|no|да|нет|是|不|say")
"""What no command begins with: answers to a question, and the word that begins another line."""


def players_lines(page: str) -> Iterator[str]:
    """Yield what stands in code, but for blocks, and what operators type or read."""
    text = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    if "takmail init" in page:  # a README: the first table is the players'
        table = re.search(r"^\| \| \|\n(?:\|.*\n)+", text, re.MULTILINE)
        assert table is not None
        text = "\n".join(row.split("|")[1] for row in table[0].splitlines())
    for line in re.findall(r"`([^`\n]+)`", text):
        if not any(one.fullmatch(line) for one in (_MOVE, _PART, _PIECE, _ANSWER)):
            yield line


def test_each_page_is_there_in_each_language() -> None:
    assert [page.name for page in PAGES] == [
        f"{name}{language}.md" for name in ("README", "playing") for language in LANGUAGES
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_line_is_a_command(page: Path) -> None:
    reader, lines = anywhere(GAMES, COMMANDS), [*players_lines(page.read_text())]
    assert len(lines) > 25
    assert [line for line in lines if reader.parse(line, is_first=True) is None] == []


def test_a_line_that_is_none_would_be_seen() -> None:
    assert [*players_lines("Write `new 5 vs bot`, `ps b4` or `gnew 5`.")] == ["new 5 vs bot", "gnew 5"]
    assert anywhere(GAMES, COMMANDS).parse("gnew 5", is_first=True) is None
