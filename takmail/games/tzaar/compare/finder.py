"""Find the boards that somebody has written among the lines of a mail.

A board is a group of lines that each look like a column. Neither chat nor a turn must ever be taken for a board, so a
line with a word or a turn ends the group, and the lines must be enough: most of the nine with their letters, or all
nine with the right numbers of spots. Where a board is expected, fewer resemblances suffice, and the comparison reports
the faults.
"""

from collections.abc import Collection, Iterator, Sequence

from takmail.games.interface import WrittenBoard
from takmail.games.tzaar.board import COLUMNS, LENGTHS
from takmail.games.tzaar.compare.rows import UNREADABLE, Line, cleaned, read_line
from takmail.games.tzaar.meant import is_like_a_turn

_COMMAND = "rs"
"""The command that may stand above a board. As a line of a board it would be one unreadable spot."""
_FEWEST_SPOTS = 3
"""The minimum number of spots on a line of a board. A line with fewer is chat, such as `T`, `a1` or `I t`."""
_FEWEST_LETTERED = 6
_FEWEST_EXPECTED = 3
_MOST_RAGGED = 3
NumberedLine = tuple[int, Line]


def boards_in(lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
    """Return the boards written among lines, in order."""
    found: list[WrittenBoard] = []
    for group in _groups(lines):
        is_expected = _line_above(lines, group[0][0]) in expected
        for rows in _boards_of(group):
            if _is_board(rows, is_expected=is_expected):
                text = "/".join(str(line).replace(UNREADABLE, "") for _, line in rows)
                found.append(WrittenBoard(rows[0][0], rows[-1][0] + 1, text))
    return tuple(found)


def _groups(lines: Sequence[str]) -> Iterator[list[NumberedLine]]:
    """Yield groups of lines that look like columns, with at most single blank lines between them."""
    group: list[NumberedLine] = []
    blanks = 0
    for at, raw in enumerate(lines):
        text = cleaned(raw)
        if not text:
            blanks += 1
            continue
        line = _column(text)
        if group and (line is None or blanks > 1):
            yield group
            group = []
        if line is not None:
            group.append((at, line))
        blanks = 0
    if group:
        yield group


def _column(text: str) -> Line | None:
    """Read a cleaned line as a column; None if it is none."""
    line = None if text.lower() == _COMMAND else read_line(text)
    is_column = line is not None and max(line.width, len(line.loose or ())) >= _FEWEST_SPOTS
    return line if is_column and not is_like_a_turn(text) else None


def _boards_of(group: list[NumberedLine]) -> Iterator[list[NumberedLine]]:
    """Yield the boards of a group, and the lines between them.

    Two boards one below the other begin anew with a letter that was there before. Lines without letters around most of
    the lettered lines belong to these only if all nine are in order.
    """
    for rows in _begun_anew(group):
        lettered = [at for at, (_, line) in enumerate(rows) if line.letter]
        if len(lettered) < _FEWEST_LETTERED or _in_order([line for _, line in rows]):
            yield rows
        else:
            first, after = lettered[0], lettered[-1] + 1
            yield from filter(None, (rows[:first], rows[first:after], rows[after:]))


def _begun_anew(group: list[NumberedLine]) -> Iterator[list[NumberedLine]]:
    rows: list[NumberedLine] = []
    seen: set[str] = set()
    for at, line in group:
        is_new = line.letter in seen or (
            not line.letter and len(rows) == len(COLUMNS) and len(group) % len(COLUMNS) == 0
        )
        if rows and is_new and len(rows) >= _FEWEST_LETTERED:
            yield rows
            rows, seen = [], set()
        rows.append((at, line))
        if line.letter:
            seen.add(line.letter)
    yield rows


def _in_order(lines: list[Line]) -> bool:
    """Return whether lines are the nine columns in order, some perhaps without their letters."""
    return len(lines) == len(COLUMNS) and all(
        line.letter.lower() in ("", letter) for line, letter in zip(lines, COLUMNS, strict=True)
    )


def _is_board(rows: list[NumberedLine], *, is_expected: bool) -> bool:
    lines = [line for _, line in rows]
    spots = [spot for line in lines for spot in line.spots]
    odd = sum(spot.startswith(UNREADABLE) for spot in spots)
    if is_expected and len(lines) >= _FEWEST_EXPECTED:
        return 2 * odd < len(spots) and len(lines) <= len(COLUMNS) + 1
    if odd * 4 > len(spots) or len(lines) > len(COLUMNS) + 1:
        return False
    letters = {line.letter for line in lines if line.letter}
    if len(letters) >= _FEWEST_LETTERED and len(letters) >= len(lines) - 1:
        wrong = sum(
            line.width not in (size := LENGTHS[COLUMNS.index(line.letter.lower())], size + 1, size - 1)
            and len(line.loose or ()) != size
            for line in lines
            if line.letter
        )
        return wrong <= _MOST_RAGGED
    if len(lines) != len(COLUMNS):
        return False
    ragged = sum(
        line.width != size and len(line.loose or ()) not in (size, size + 1)
        for line, size in zip(lines, LENGTHS, strict=True)
    )
    return ragged <= _MOST_RAGGED


def _line_above(lines: Sequence[str], at: int) -> int:
    """Return the number of the nearest line above line `at` that isn't blank, or -1."""
    return next((above for above in range(at - 1, -1, -1) if cleaned(lines[above])), -1)
