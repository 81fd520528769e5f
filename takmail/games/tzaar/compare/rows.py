"""Read the lines of a written board. No board is refused; what can't be read is part of the result.

A spot is a letter with the height behind it (`z3`), a run of letters from top to bottom (`tz`), or a sign for an empty
spot. A line that is written without spaces has one spot for each letter. Where a line has some spaces, but not between
all of its spots, a run of letters may be a stack or several spots. Such a line is `loose`: it counts only if the whole
board is then one of the game's.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from takmail.games.tzaar.board import (
    CENTRE_COLUMN,
    COLUMN_SPOTS,
    COLUMNS,
    LENGTHS,
    NAMES,
    SPOTS,
    SPOTS_BELOW_CENTRE,
)
from takmail.games.tzaar.notation.rs import CENTRE_SIGN, EMPTY_SPOT
from takmail.games.tzaar.pieces import KIND_OF_LETTER, PIECES_A_SIDE, Color, Stack

_MAX_CHARS = 4_000
_MAX_LINE_CHARS = 200
_MAX_ODD_CHARS = 6
"""The maximum length of a spot that can't be read."""
_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs", "Mn")
_LETTER = re.compile(r"([A-Ia-i])(?:[.:)]|(?=[\s0oO._+zrtZRT-]|$))")
_EMPTY = re.compile("[0oO.\u00b7_\u2013\u2014-]")
_STACK = re.compile(r"([zrtZRT])([1-9][0-9]?)?")
_RUN = re.compile(r"[zrt]{2,30}|[ZRT]{2,30}")
_UNIT = re.compile("[zrtZRT](?:[1-9][0-9]?)?|[0oO.\u00b7_\u2013\u2014-]|[+]")
_AMBIGUOUS = re.compile(r"[zrtZRT][1-9]0")
"""Without spaces, `t30` may be a stack of 30, or a stack of 3 beside an empty spot."""
_NUMBER = re.compile("[1-9][0-9]?")

Cells = tuple[str, ...]
"""What stands on each spot, as letters write it.

An unreadable spot is as typed behind `UNREADABLE`, a missing one ''.
"""
UNREADABLE = "\0"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a board: the letter of its column, if it has one, and its spots.

    `loose` are its spots if every letter is one, where the spaces leave that open; otherwise None.
    """

    letter: str
    spots: tuple[str, ...]
    loose: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        """The number of spots, without the centre."""
        return len(self.spots) - self.spots.count(CENTRE_SIGN)

    def __str__(self) -> str:
        return " ".join(filter(None, (self.letter, *self.spots)))


@dataclass(frozen=True, slots=True)
class BoardFault:
    """Something that keeps a written board from being read or from being possible.

    `name` is `line-missing`, `line-twice` (both with the `letter`), `ragged` (with `letter`, the `count` of spots and
    how many belong there, `most`) or `unreadable` (with the `spot` and its `text`).
    """

    name: str
    letter: str = ""
    spot: str = ""
    text: str = ""
    count: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A written board: its cells, '' where it has no spot, and what is wrong with its lines.

    `loose` is the board if loose lines have a spot for each letter, or None if there are no such lines. `lines` is
    the number of lines, and `is_board` is false if they are too few or too many to be the nine columns.
    """

    cells: Cells
    faults: tuple[BoardFault, ...]
    lines: int
    is_board: bool
    loose: Cells | None = field(default=None)


def cleaned(line: str) -> str:
    """Return a line with plain spaces, without invisible characters and without the bars of a table."""
    text = line[:_MAX_LINE_CHARS]
    if not text.isascii():
        text = "".join(
            " " if letter.isspace() else letter
            for letter in unicodedata.normalize("NFKC", text)
            if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
        )
    return " ".join(text.replace("|", " ").split())


def read_line(text: str) -> Line | None:
    """Read a cleaned line; None if it has a word, or too few or too many spots for a column."""
    letter, rest = "", text
    if found := _LETTER.match(text):
        letter, rest = found[1].upper(), text[found.end() :]
    tokens = list(_joined(rest.split()))
    if not tokens or len(tokens) > 2 * max(LENGTHS):
        return None
    units = _units("".join(tokens))
    if len(tokens) == 1 and len(tokens[0]) > 1 and units is not None and len(units) >= min(LENGTHS) - 1:
        return Line(letter, units)
    spots = [_spot(token) for token in tokens]
    if None in spots:
        return None
    read = tuple(spot for spot in spots if spot is not None)
    loose = None if units is None or len(units) == len(read) else units
    return Line(letter, read, loose)


def _joined(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the tokens, a height joined to the letter before it."""
    before = ""
    for token in tokens:
        if _NUMBER.fullmatch(token) and re.fullmatch("[zrtZRT]", before):
            before += token
            continue
        if before:
            yield before
        before = token
    if before:
        yield before


def _units(text: str) -> tuple[str, ...] | None:
    """Return the spots of a text without spaces, in which each letter is one; None if that is unclear."""
    if _AMBIGUOUS.search(text):
        return None
    units = _UNIT.findall(text)
    return tuple(map(_plain, units)) if "".join(units) == text else None


def _plain(token: str) -> str:
    """Return a readable spot as letters write it."""
    if _EMPTY.fullmatch(token):
        return EMPTY_SPOT
    found = _STACK.fullmatch(token)
    return found[1] if found and found[2] == "1" else token


def _spot(token: str) -> str | None:
    """Return a spot as letters write it, behind `UNREADABLE` if it can't be read; None if it is a word."""
    if _EMPTY.fullmatch(token) or token == CENTRE_SIGN or _STACK.fullmatch(token):
        return _plain(token)
    if _RUN.fullmatch(token):
        return token
    is_odd = len(token) == 1 or (
        len(token) <= _MAX_ODD_CHARS and sum(one in "zrtZRT0123456789" for one in token) * 2 >= len(token)
    )
    return UNREADABLE + token if is_odd and "/" not in token and UNREADABLE not in token else None


def read_rows(text: str) -> ReadBoard:
    """Return the board of a text on one line, with `/` between its lines; never raises."""
    parts = text[:_MAX_CHARS].split("/")
    found = [_raw_line(cleaned(part)) for part in parts]
    by_column, faults = _by_column(found)
    is_board = len(by_column) >= len(COLUMNS) // 2 + 1 and len(found) <= len(COLUMNS) + 1
    cells, ragged = _cells({column: line.spots for column, line in by_column.items()})
    faults += ragged
    loosened = {column: line.loose or line.spots for column, line in by_column.items()}
    loose = None
    if any(line.loose for line in by_column.values()):
        loose, remaining = _cells(loosened)
        loose = None if remaining else loose
    return ReadBoard(cells, tuple(faults), len(found), is_board, loose)


def _raw_line(text: str) -> Line:
    return read_line(text.replace(UNREADABLE, "")) or Line(
        "", tuple(UNREADABLE + one for one in text.split())
    )


def _by_column(found: Sequence[Line]) -> tuple[dict[int, Line], list[BoardFault]]:
    """Return the lines by column. Nine lines, not all of which have a letter, are in order."""
    faults: list[BoardFault] = []
    by_column: dict[int, Line] = {}
    if all(line.letter for line in found):
        for line in found:
            column = COLUMNS.index(line.letter.lower())
            if column in by_column:
                faults.append(BoardFault("line-twice", letter=line.letter))
            by_column.setdefault(column, line)
    elif len(found) == len(COLUMNS) and all(
        not line.letter or line.letter.lower() == COLUMNS[at] for at, line in enumerate(found)
    ):
        by_column = dict(enumerate(found))
    missing = [letter for at, letter in enumerate(COLUMNS) if at not in by_column]
    return by_column, faults + [BoardFault("line-missing", letter=letter.upper()) for letter in missing]


def _cells(by_column: Mapping[int, tuple[str, ...]]) -> tuple[Cells, list[BoardFault]]:
    cells, faults = [""] * len(SPOTS), list[BoardFault]()
    for column, spots in by_column.items():
        own = COLUMN_SPOTS[column]
        bare = _without_centre(spots) if column == CENTRE_COLUMN else spots
        if len(bare) != len(own) or CENTRE_SIGN in bare:
            letter = COLUMNS[column].upper()
            faults.append(BoardFault("ragged", letter=letter, count=len(bare), most=len(own)))
            continue
        for spot, text in zip(own, bare, strict=True):
            cells[spot] = _height(text)
            if text.startswith(UNREADABLE):
                faults.append(BoardFault("unreadable", spot=NAMES[spot], text=text[1:]))
    return tuple(cells), faults


def _without_centre(spots: tuple[str, ...]) -> tuple[str, ...]:
    at = SPOTS_BELOW_CENTRE
    return spots[:at] + spots[at + 1 :] if len(spots) > at and spots[at] == CENTRE_SIGN else spots


def _height(text: str) -> str:
    """Return a run of letters as its top letter and its height."""
    return f"{text[0]}{len(text)}" if _RUN.fullmatch(text) else text


def faults_of(read: ReadBoard) -> tuple[BoardFault, ...]:
    """Return what keeps a board from being a position."""
    if not read.is_board and not read.faults:
        return (BoardFault("ragged", count=read.lines, most=len(COLUMNS)),)
    tall = (
        BoardFault("unreadable", spot=NAMES[spot], text=cell)
        for spot, cell in zip(SPOTS, read.cells, strict=True)
        if (stack := stack_of_text(cell)) is not None and stack.height > PIECES_A_SIDE
    )
    return (*read.faults, *tall)


def stack_of_text(cell: str) -> Stack | None:
    """Return the stack of a cell, None for an empty or unreadable one."""
    found = _STACK.fullmatch(cell)
    if found is None:
        return None
    color = Color.BLACK if found[1].isupper() else Color.WHITE
    return Stack(color, KIND_OF_LETTER[found[1].lower()], int(found[2] or 1))
