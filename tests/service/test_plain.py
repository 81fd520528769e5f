"""Lines as they were meant, however their characters are written."""

import time
from collections.abc import Callable

import pytest

from takmail.mail.quotes.words import words_of
from takmail.service.reading.plain import plain


def seconds(read: Callable[[str], object], text: str) -> float:
    """The least CPU time that it takes to read a text."""
    taken = []
    for _ in range(3):
        before = time.process_time()
        read(text)
        taken.append(time.process_time() - before)
    return min(taken)


@pytest.mark.parametrize("read", [plain, words_of])
def test_many_marks_of_one_letter_take_little_longer_than_as_many_letters(
    read: Callable[[str], object],
) -> None:
    assert seconds(read, "e" + "\u0301\u0323" * 40_000) < 20 * seconds(read, "e" + "\xe9\xe8" * 40_000)


@pytest.mark.parametrize("written", ["ｐｓ ｂ４", "ps\xa0b4", "p\u200bs b4"])
def test_a_command_is_the_same_in_whatever_characters_it_is_written(written: str) -> None:
    assert plain(written) == "ps b4"


def test_a_letter_and_its_mark_become_one() -> None:
    assert plain("e\u0301") == "\xe9"
