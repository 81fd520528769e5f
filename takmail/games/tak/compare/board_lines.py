"""Classify a line of a mail: a row of a written board, the letters of its columns, or neither."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from takmail.games.tak.pieces import COLUMNS, ROW, SIZES

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs", "Mn")
_MAX_LINE_CHARS = (
    1000  # the maximum length of a line, in characters: twice the number of pieces of the widest board
)
_MAX_ODD_SPOT_CHARS = 24  # the maximum length of an unreadable spot, in characters
_SPOT = re.compile("[swcSWC]+|0")
_EMPTY = re.compile("[oO]")
_MARK = re.compile("[-._\u2013\u2014\u00b7]")
_EXPANDING = str.maketrans(
    dict.fromkeys("\ufdfa\ufdfb", "?")
)  # NFKC expands these two to 18 and 8 characters
_RULE = re.compile("[-+=|\u2013\u2014]{3,}")
_LOOK_ALIKES = str.maketrans("ѕЅсСоОԝԜοΟϲϹ", "sScCoOwWoOcC")
_ROW_NUMBER = re.compile(rf"({ROW})[.:)|]?")
_NEVER_IN_A_SPOT = re.compile(r"[/<>@]")
_MAX_TOKENS = SIZES[-1] + 3  # one spot too many, and a row number at each side


@dataclass(frozen=True, slots=True)
class Spot:
    """The text for one space of a written board.

    `is_good` is true for an empty spot, and for a stack of valid letters even if it is impossible. `is_odd` is true if
    the text doesn't even look like a stack. `is_mark` is true if a dot or a dash stands for an empty spot.
    """

    text: str
    is_good: bool
    is_odd: bool
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class LikelyRow:
    """A line that may be a row. `left` and `right` are the row numbers at its edges, or None.

    A row number is also in `spots`, because only the lines around it show that it isn't a spot.
    """

    at: int
    spots: tuple[Spot, ...]
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Letters:
    """A line with the letters of `width` columns."""

    at: int
    width: int


def cleaned(line: str) -> str:
    """Return the line in NFKC, with plain spaces and without invisible characters."""
    if line.isascii() and line.isprintable():
        return line[:_MAX_LINE_CHARS].strip()
    text = unicodedata.normalize("NFKC", line[:_MAX_LINE_CHARS].translate(_EXPANDING))
    return "".join(map(_shown_as, text)).strip()


@lru_cache(4096)
def _shown_as(letter: str) -> str:
    """Return the visible form of a character: a plain space for any space, and nothing for an invisible character."""
    if letter.isspace():
        return " "
    return "" if unicodedata.category(letter) in _INVISIBLE else letter


def read_line(at: int, text: str) -> LikelyRow | Letters | None:
    """Classify a cleaned line; None if the line has a word, or too few or too many tokens."""
    tokens = list(_tokens(text))
    if not 2 <= len(tokens) <= _MAX_TOKENS:
        return None
    if is_letters(tokens):
        return Letters(at, len(tokens))
    spots = [_spot(token) for token in tokens]
    if None in spots:
        return None
    found = tuple(spot for spot in spots if spot is not None)
    return LikelyRow(at, found, _row_number(tokens[0]), _row_number(tokens[-1]))


def is_rule(text: str) -> bool:
    """Return whether a cleaned line is a rule, such as `---`, between the rows of a table."""
    return _RULE.fullmatch(text) is not None


def _tokens(text: str) -> Iterator[str]:
    """Yield the tokens between spaces, or between the bars of a table. An empty table cell becomes an empty spot."""
    if "|" not in text:
        yield from text.split()
        return
    for piece in text.removeprefix("|").removesuffix("|").split("|"):
        yield from piece.split() or ("-",)


def is_letters(tokens: Sequence[str]) -> bool:
    """Return whether these tokens are the letters of columns, such as `A B C`, from either side."""
    names = "".join(tokens).lower()
    whole = COLUMNS[: len(tokens)]
    return len(tokens) in SIZES and len(names) == len(tokens) and names in (whole, whole[::-1])


def read_spot(token: str) -> str:
    """Return the normalised text of a spot: `0` for the letter o, a dot or a dash, otherwise the token itself."""
    return "0" if _EMPTY.fullmatch(token) or _MARK.fullmatch(token) else token


def _spot(token: str) -> Spot | None:
    text = read_spot(token)
    if _SPOT.fullmatch(text):
        return Spot(text, is_good=True, is_odd=False, is_mark=_MARK.fullmatch(token) is not None)
    if len(token) > _MAX_ODD_SPOT_CHARS or _NEVER_IN_A_SPOT.search(token):
        return None
    if _SPOT.fullmatch(read_spot(token.translate(_LOOK_ALIKES))):
        return Spot(text, is_good=False, is_odd=False)
    # A typing mistake changes little of a stack, so at least half of its letters are valid. Words have other letters.
    like = sum(letter in "swcSWC0" for letter in token)
    if len(token) == 1 or _row_number(token) or (2 * like >= len(token) and like):
        return Spot(text, is_good=False, is_odd=True)
    return None


def _row_number(token: str) -> int | None:
    found = _ROW_NUMBER.fullmatch(token)
    return int(found[1]) if found else None
