"""Boards that a player has pasted between marks, told from those of our own letters that a program quotes."""

import re
from collections.abc import Iterable, Sequence

from takmail.commands.grammar.boards import found_in
from takmail.commands.grammar.line_reader import Reader
from takmail.games.interface import WrittenBoard
from takmail.mail.quotes.own_letters import Own
from takmail.mail.quotes.quoted_blocks import MarkedLine, marked_lines

_BETWEEN_SPOTS = re.compile(r"[\s|]+")
"""What may stand between the spots of a board in a letter of ours: it has a bar before each line that was said."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_OF_A_LINE = 2
"""So many words make a line of a letter known again, where all of the line is as it was."""
_WORDS_OF_A_PIECE = 5
"""So many words do, where a program has broken the lines anew."""


def pasted_in_quotes(
    text: str, own: Own, reader: Reader, answered: str | None, letters: Sequence[str]
) -> list[str]:
    """The boards between marks that no letter of ours brings there, as they stand in the text without the marks.

    What stands in the answered letter is quoted from it. A board of an older letter is quoted only where more of that
    letter stands around it, or an introduction of ours above it: the other player's program may well show the same.
    """
    quoted = marked_lines(text, own, keeps_ours=answered is not None)
    lines = [line.text for line in quoted]
    boards = found_in(lines, reader)
    taken = {number for one in boards for number in range(one.first, one.after)}
    around = [line for number, line in enumerate(quoted) if number not in taken and _words(line.text)]
    known = _run_together(answered or "")
    foreign = (
        one
        for one in boards
        if _bare(one) not in known and not any(_is_of(one, quoted, around, letter) for letter in letters)
    )
    return ["\n".join(lines[one.first : one.after]) for one in foreign]


def _is_of(
    board: WrittenBoard, quoted: Sequence[MarkedLine], around: Iterable[MarkedLine], letter: str
) -> bool:
    """Whether a board is quoted from an older letter.

    A program may break the lines of a letter anew and leaves their order as it is: spaces and lines don't count.
    """
    whole = _run_together(letter)
    if _bare(board) not in whole:
        return False
    first = quoted[board.first]
    if first.is_introduced:
        return True
    lines = set(map(_run_together, letter.splitlines()))
    beside = [line.text for line in around if line.quote == first.quote]
    return any(
        _run_together(text) in lines or (_words(text) >= _WORDS_OF_A_PIECE and _run_together(text) in whole)
        for text in beside
    )


def _words(line: str) -> int:
    """How many words a line has, as far as they could tell of which letter it is."""
    found = len(_WORD.findall(line))
    return found if found >= _WORDS_OF_A_LINE else 0


def _run_together(text: str) -> str:
    return _BETWEEN_SPOTS.sub("", text)


def _bare(board: WrittenBoard) -> str:
    """The spots of a board run together."""
    return board.text.replace("/", "").replace(" ", "")
