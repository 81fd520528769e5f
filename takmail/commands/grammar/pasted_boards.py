"""Find boards that a player pasted between quoted lines, and tell them apart from boards in quoted letters."""

import re
from collections.abc import Iterable, Sequence

from takmail.commands.grammar.boards import found_in
from takmail.commands.grammar.line_reader import Reader
from takmail.games.interface import WrittenBoard
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.quoted_blocks import MarkedLine, marked_lines

_SEPARATORS = re.compile(r"[\s|/]+")
"""Characters between the spots and the rows of a board.

A letter has a bar before each line of chat, so bars count, too.
"""
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_WORDS_OF_LINE = 2
"""The minimum number of words by which an unchanged line is recognised as a line of a letter."""
_MIN_WORDS_REWRAPPED = 5
"""The minimum number of words by which part of a line is recognised after a mail program rewrapped the letter."""


def pasted_in_quotes(
    text: str, own: OwnAddress, reader: Reader, answered: str | None, letters: Sequence[str]
) -> list[str]:
    """Return the boards in quoted lines that are not quoted from a letter of takmail, without quote markers.

    A board that is in the answered letter is quoted from it. A board that is in an older letter counts as quoted only
    if more of that letter, or a quote introduction, is around it. Otherwise it may come from the opponent's own
    program, which can show the same board.
    """
    quoted = marked_lines(text, own, keeps_ours=answered is not None)
    lines = [line.text for line in quoted]
    boards = found_in(lines, reader)
    taken = {number for one in boards for number in range(one.first, one.after)}
    around = [line for number, line in enumerate(quoted) if number not in taken and _words(line.text)]
    known = _without_separators(answered or "")
    foreign = (
        one
        for one in boards
        if _without_separators(one.text) not in known
        and not any(_is_quoted_from(one, quoted, around, letter) for letter in letters)
    )
    return ["\n".join(lines[one.first : one.after]) for one in foreign]


def _is_quoted_from(
    board: WrittenBoard, quoted: Sequence[MarkedLine], around: Iterable[MarkedLine], letter: str
) -> bool:
    """Tell whether a board is quoted from an older letter.

    Spaces and line breaks are ignored, because a mail program may rewrap a letter.
    """
    whole = _without_separators(letter)
    if _without_separators(board.text) not in whole:
        return False
    first = quoted[board.first]
    if first.is_introduced:
        return True
    lines = set(map(_without_separators, letter.splitlines()))
    nearby = [line.text for line in around if line.quote == first.quote]
    return any(
        _without_separators(text) in lines
        or (_words(text) >= _MIN_WORDS_REWRAPPED and _without_separators(text) in whole)
        for text in nearby
    )


def _words(line: str) -> int:
    """Return the number of words in a line, 0 if there are too few to identify a letter."""
    found = len(_WORD.findall(line))
    return found if found >= _MIN_WORDS_OF_LINE else 0


def _without_separators(text: str) -> str:
    return _SEPARATORS.sub("", text)
