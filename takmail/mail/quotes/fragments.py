"""Recognise short unmarked quotes of a letter that don't show by themselves that more of the letter is quoted."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from takmail.mail.quotes.words import long_words

_FEW_WORDS = 8  # the minimum number of words of copied prose; a copied board has more
_PROSE_WORDS = 4  # the minimum number of different words of more than three letters in prose
_BOARD_LINES = 3  # the minimum number of lines of a board


class Piece(NamedTuple):
    """A line of the mail, and the words of the letter that it repeats: from `start` up to but not including `end`."""

    line: int
    start: int
    end: int


def pasted_lines(
    pieces: Sequence[Piece], lines: Mapping[int, Sequence[str]], letter_lines: Iterable[Sequence[str]]
) -> frozenset[int]:
    """Return the lines that were copied: consecutive lines of the letter's prose, and moves above its board.

    `pieces` are in the order of the mail and of the letter. `lines` are the words of the mail's unmarked
    lines. A move below a board is an answer. A board without anything above it may have been typed.
    """
    found: set[int] = set()
    ranks = {number: rank for rank, number in enumerate(lines)}
    whole = {tuple(words) for words in letter_lines}
    before: list[Piece] = []
    for run in _runs(pieces, ranks):
        first, last = run[0], run[-1]
        prose = {word for one in run for word in long_words(lines[one.line])}
        if len(run) > 1 and last.end - first.start >= _FEW_WORDS and len(prose) >= _PROSE_WORDS:
            found.update(one.line for one in run)
        board = len(run) >= _BOARD_LINES and last.end - first.start > _FEW_WORDS
        if board and before and ranks[before[-1].line] + 1 == ranks[first.line]:
            found.update(one.line for one in before if tuple(lines[one.line]) in whole)
        before = run
    return frozenset(found)


def _runs(pieces: Sequence[Piece], ranks: Mapping[int, int]) -> list[list[Piece]]:
    """Return the pieces in groups that are consecutive both in the mail and in the letter."""
    runs = [[one] for one in pieces[:1]]
    for above, one in pairwise(pieces):
        if one.start == above.end and ranks[one.line] == ranks[above.line] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs
