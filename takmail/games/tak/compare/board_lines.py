"""A line of a mail as it may stand in a written board: a row of spots, the letters of the columns, or neither."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from takmail.games.tak.pieces import SIZES

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs", "Mn")
_LONGEST_LINE = 1000  # characters; all pieces of the widest board in one row, twice over
_LONGEST_ODD_SPOT = 24  # characters of a spot that can't be read
_SPOT = re.compile("[swcSWC]+|0")
_EMPTY = re.compile("[oO]")
_MARK = re.compile("[-._\u2013\u2014\u00b7]")
_GROWING = str.maketrans(dict.fromkeys("\ufdfa\ufdfb", "?"))  # NFKC makes 18 and 8 letters of them
_RULE = re.compile("[-+=|\u2013\u2014]{3,}")
_LOOK_ALIKES = str.maketrans("ѕЅсСоОԝԜοΟϲϹ", "sScCoOwWoOcC")
_ROW_NUMBER = re.compile(r"([1-8])[.:)|]?")
_NEVER_IN_A_SPOT = re.compile(r"[/<>@]")
_MOST_TOKENS = SIZES[-1] + 3  # a spot too many, and a number at each side


@dataclass(frozen=True, slots=True)
class Spot:
    """What stands for one space: its text as it is kept.

    `is_good`: a stack of letters, be it an impossible one, or empty; `is_odd`: not even a look-alike of one;
    `is_mark`: a dot or a dash that stands for an empty one.
    """

    text: str
    is_good: bool
    is_odd: bool
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A line that may be a row; it begins or ends with the number of the row where `left` or `right` says so.

    Such a number is also among `spots`, as only the lines around it tell that it is none.
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
    """The line in NFKC, with plain spaces and without what can't be seen."""
    if line.isascii() and line.isprintable():
        return line[:_LONGEST_LINE].strip()
    text = unicodedata.normalize("NFKC", line[:_LONGEST_LINE].translate(_GROWING))
    return "".join(map(_shown_as, text)).strip()


@lru_cache(4096)
def _shown_as(letter: str) -> str:
    """The letter as it is seen: every space is a plain one, and what is invisible is nothing."""
    if letter.isspace():
        return " "
    return "" if unicodedata.category(letter) in _INVISIBLE else letter


def read_line(at: int, text: str) -> Row | Letters | None:
    """What a cleaned line may be; None where it has a word in it, or too little or too much of anything."""
    tokens = list(_tokens(text))
    if not 2 <= len(tokens) <= _MOST_TOKENS:
        return None
    if is_letters(tokens):
        return Letters(at, len(tokens))
    spots = [_spot(token) for token in tokens]
    if None in spots:
        return None
    found = tuple(spot for spot in spots if spot is not None)
    return Row(at, found, _row_number(tokens[0]), _row_number(tokens[-1]))


def is_rule(text: str) -> bool:
    """Whether a cleaned line is one drawn between the rows of a table."""
    return _RULE.fullmatch(text) is not None


def _tokens(text: str) -> Iterator[str]:
    """What stands between blanks, or between the bars of a table, where nothing is an empty spot."""
    if "|" not in text:
        yield from text.split()
        return
    for piece in text.removeprefix("|").removesuffix("|").split("|"):
        yield from piece.split() or ("-",)


def is_letters(tokens: Sequence[str]) -> bool:
    """Whether these are the names of columns, `A B C`, from either side."""
    names = "".join(tokens).lower()
    whole = "abcdefgh"[: len(tokens)]
    return len(tokens) in SIZES and len(names) == len(tokens) and names in (whole, whole[::-1])


def read_spot(token: str) -> str:
    """The text that a spot is kept as: the letter o stands for an empty one, and so does a dot or a dash."""
    return "0" if _EMPTY.fullmatch(token) or _MARK.fullmatch(token) else token


def _spot(token: str) -> Spot | None:
    text = read_spot(token)
    if _SPOT.fullmatch(text):
        return Spot(text, is_good=True, is_odd=False, is_mark=_MARK.fullmatch(token) is not None)
    if len(token) > _LONGEST_ODD_SPOT or _NEVER_IN_A_SPOT.search(token):
        return None
    if _SPOT.fullmatch(read_spot(token.translate(_LOOK_ALIKES))):
        return Spot(text, is_good=False, is_odd=False)
    # A slip of a finger leaves most of a stack as it was: words have other letters.
    like = sum(letter in "swcSWC0" for letter in token)
    if len(token) == 1 or _row_number(token) or (2 * like >= len(token) and like):
        return Spot(text, is_good=False, is_odd=True)
    return None


def _row_number(token: str) -> int | None:
    found = _ROW_NUMBER.fullmatch(token)
    return int(found[1]) if found else None
