"""Normalising lines, however their characters are written."""

from collections.abc import Callable

import pytest

from takmail.commands.grammar.normalize import as_typed, plain
from takmail.mail.quotes.words import words_of
from tests.support.cost import assert_costs
from tests.support.tables import each_row


@pytest.mark.parametrize("read", [plain, words_of])
def test_many_marks_of_one_letter_take_little_longer_than_as_many_letters(
    read: Callable[[str], object],
) -> None:
    marks, letters = "e" + "\u0301\u0323" * 40_000, "e" + "\xe9\xe8" * 40_000
    assert_costs(lambda: read(marks), 20, lambda: read(letters))


@pytest.mark.parametrize("written", ["ｐｓ ｂ４", "ps\xa0b4", "p\u200bs b4"])
def test_a_command_is_the_same_in_whatever_characters_it_is_written(written: str) -> None:
    assert plain(written) == "ps b4"


def test_a_letter_and_its_mark_become_one() -> None:
    assert plain("e\u0301") == "\xe9"


@each_row(
    ("raw", "part", "typed"),
    [
        ("放 b4！行吗？", "放 b4!行吗?", "放 b4！行吗？"),
        ("ps b4，你好！（谢谢）", "你好!(谢谢)", "你好！（谢谢）"),
        ("ＰＳ　ｂ４", "PS b4", "ＰＳ ｂ４"),
        ("«Ходи…» — ps b4", "ps b4", "ps b4"),
        ("draw – it’s late", "it's late", "it’s late"),
        ("b4\u202e，墙？\u200b", "b4,墙?", "b4，墙？"),
        ("ps b4，ben@example.org", "ben@...", "ben@..."),
        ("e\u0301te\u0301", "été", "été"),
        ("draw, thanks", "draw", "draw"),
        ("你好", "", ""),
    ],
)
def test_a_part_of_a_line_as_it_was_typed(raw: str, part: str, typed: str) -> None:
    assert as_typed(part, raw) == typed
