"""Find the boards that somebody has written among the lines of a mail.

Lines are accepted as a board if enough of their text looks like one. The test is strict, because chat must never be
accepted as a board. A board has at least three rows, about as many rows as spots in a row, no word, and few unreadable
spots. Where a board is expected, any rows are accepted, and the comparison reports their faults.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from takmail.games.interface import WrittenBoard
from takmail.games.tak.compare.board_lines import Letters, LikelyRow, Spot, cleaned, is_rule, read_line
from takmail.games.tak.compare.unspaced import unspaced_in
from takmail.games.tak.pieces import SIZES

_MAX_CONSECUTIVE_BOARDS = 4  # The maximum number of boards that are written without a gap between them.
_MAX_EXPECTED_ROWS = 2 * SIZES[-1]  # The maximum number of rows of a group where a board is expected.


def boards_in(lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
    """Return the boards written among lines, which are as typed, together with the column letters around each board.

    The rows are in the order of the lines, top first. `expected` are the numbers of lines below which a board is
    likely.
    """
    found: list[WrittenBoard] = []
    for run in _runs(lines):
        letters = [line for line in run if isinstance(line, Letters)]
        groups = [rows for rows in _between_letters(run) if rows]
        boards = [board for rows in groups for board in _boards_of(rows)]
        if groups and not boards and _line_above(lines, run[0].at) in expected:
            boards = [board for board in (_expected_board(groups[0]),) if board]
        found.extend(_written(board, letters) for board in boards if not _is_of_marks(board))
    found.extend(unspaced_in(lines, lambda first: _line_above(lines, first) in expected))
    return tuple(sorted(found, key=lambda board: board.first))


def _is_of_marks(board: tuple[LikelyRow, ...]) -> bool:
    """Return whether a board consists of empty spots, some of them dots or dashes, as in the match result "0 - 0"."""
    spots = [spot for row in board for spot in row.spots]
    return any(spot.is_mark for spot in spots) and not any(
        spot.is_good and spot.text != "0" for spot in spots
    )


def _line_above(lines: Sequence[str], at: int) -> int:
    """Return the number of the nearest line above line `at` that isn't blank, or -1."""
    return next((above for above in range(at - 1, -1, -1) if cleaned(lines[above])), -1)


def _expected_board(rows: list[LikelyRow]) -> tuple[LikelyRow, ...] | None:
    """Return these rows as a board, whatever its faults; None unless most of their spots are well formed."""
    board = _without_numbers(rows)
    spots = [spot for row in board for spot in row.spots]
    is_one = 2 <= len(rows) <= _MAX_EXPECTED_ROWS and 2 * sum(spot.is_good for spot in spots) > len(spots)
    return board if is_one else None


def _runs(lines: Sequence[str]) -> Iterator[list[LikelyRow | Letters]]:
    """Yield runs of consecutive rows and lines of column letters, separated by at most single blank lines."""
    run: list[LikelyRow | Letters] = []
    blanks = 0
    for at, line in enumerate(lines):
        text = cleaned(line)
        blanks = 0 if text else blanks + 1
        read = read_line(at, text)
        if read is not None:
            run.append(read)
        elif is_rule(text):
            continue
        elif text or blanks > 1:
            yield run
            run = []
    yield run


def _between_letters(run: list[LikelyRow | Letters]) -> Iterator[list[LikelyRow]]:
    rows: list[LikelyRow] = []
    for line in run:
        if isinstance(line, LikelyRow):
            rows.append(line)
        else:
            yield rows
            rows = []
    yield rows


def _boards_of(rows: list[LikelyRow]) -> Iterator[tuple[LikelyRow, ...]]:
    """Yield the boards of one run of rows.

    Complete boards are found by their width. The rows between them are split at gaps.
    """
    rest: list[LikelyRow] = []
    at = 0
    while at < len(rows):
        board = _complete_board_at(rows, at)
        if board is None or (rest and _follows(rest[-1], rows[at], _step(board))):
            rest.append(rows[at])
            at += 1
            continue
        yield from _boards_with_faults(rest)
        rest = []
        yield board
        at += len(board)
    yield from _boards_with_faults(rest)


def _complete_board_at(rows: list[LikelyRow], at: int) -> tuple[LikelyRow, ...] | None:
    """Return the complete board that begins at row `at`, or None.

    It has as many rows as spots in a row and isn't part of a longer group of rows.
    """
    widths = (len(rows[at].spots) - numbers for numbers in range(3))
    for size in widths:
        board = _without_numbers(rows[at : at + size])
        if (
            size in SIZES
            and len(board) == size
            and all(len(row.spots) == size and all(spot.is_good for spot in row.spots) for row in board)
            and not _continues(rows, at + size, size, _step(board))
        ):
            return board
    return None


def _step(board: Sequence[LikelyRow]) -> int:
    """Return the maximum distance, in lines, from one row of a board to the next."""
    return max(below.at - above.at for above, below in pairwise(board))


def _continues(rows: list[LikelyRow], at: int, size: int, step: int) -> bool:
    """Return whether similar rows follow without a gap, but not enough for another complete board."""
    more = 0
    most = min(len(rows) - at, _MAX_CONSECUTIVE_BOARDS * size)
    while more < most and _follows(rows[at + more - 1], rows[at + more], step):
        more += 1
    return more % size != 0


def _follows(above: LikelyRow, below: LikelyRow, step: int) -> bool:
    """Return whether two rows may belong to one board. One may have one spot more than the other."""
    one, other = _between_numbers(above), _between_numbers(below)
    is_like = abs(len(one) - len(other)) <= 1 and all(spot.is_good for spot in (*one, *other))
    return is_like and below.at - above.at <= step


def _between_numbers(row: LikelyRow) -> tuple[Spot, ...]:
    return row.spots[row.left is not None : len(row.spots) - (row.right is not None)]


def _boards_with_faults(rows: list[LikelyRow]) -> Iterator[tuple[LikelyRow, ...]]:
    """Yield the board that all of these rows form, otherwise a board for each group of rows between gaps."""
    if board := _board_with_faults(rows):
        yield board
        return
    group: list[LikelyRow] = []
    for row in rows:
        if group and row.at != group[-1].at + 1:
            if board := _board_with_faults(group):
                yield board
            group = []
        group.append(row)
    if len(group) < len(rows) and (board := _board_with_faults(group)):
        yield board


def _board_with_faults(rows: list[LikelyRow]) -> tuple[LikelyRow, ...] | None:
    """Return these rows as a board if enough of them looks like one."""
    if not SIZES[0] <= len(rows) <= SIZES[-1] + 1:
        return None
    board = _without_numbers(rows)
    width = _width(board)
    ragged = [row for row in board if len(row.spots) != width]
    odd = sum(spot.is_odd for row in board for spot in row.spots)
    # Enough rows in which every spot is well formed are a board, even if more rows are ragged.
    is_clear = len(rows) > SIZES[0] and all(spot.is_good for row in board for spot in row.spots)
    if (
        width not in SIZES
        or abs(width - len(rows)) > 1
        or any(abs(len(row.spots) - width) > 1 for row in ragged)
        or len(ragged) > max(1, len(rows) // (2 if is_clear else 3))
        or odd > max(1, len(rows) ** 2 // 8)
        or any(2 * sum(spot.is_odd for spot in row.spots) > len(row.spots) for row in board)
        # Lines with neither a board's shape nor readable spots are more likely a list of something else.
        or (width != len(rows) and (ragged or odd) and not is_clear)
        or (len(rows) == SIZES[0] and ragged and odd)
    ):
        return None
    return board


def _width(rows: Sequence[LikelyRow]) -> int:
    """Return the most frequent number of spots in a row. On a tie, the number of rows wins."""
    counts = Counter(len(row.spots) for row in rows)
    return max(counts, key=lambda width: (counts[width], width == len(rows)))


def _without_numbers(rows: Sequence[LikelyRow]) -> tuple[LikelyRow, ...]:
    """Return the rows without their row numbers, which count up or down at the left or right edge."""
    if _count([row.left for row in rows]):
        rows = [replace(row, spots=row.spots[1:]) for row in rows]
    if _count([row.right for row in rows]):
        rows = [replace(row, spots=row.spots[:-1]) for row in rows]
    return tuple(rows)


def _count(numbers: list[int | None]) -> bool:
    upward = list(range(1, len(numbers) + 1))
    return len(numbers) >= SIZES[0] and (numbers in (upward, upward[::-1]))


def _written(board: tuple[LikelyRow, ...], letters: list[Letters]) -> WrittenBoard:
    first, after = board[0].at, board[-1].at + 1
    width = _width(board)
    for line in [line for line in letters if line.width == width]:
        if first - 2 <= line.at < first:
            first = line.at
            letters.remove(line)
        elif after <= line.at <= after + 1:
            after = line.at + 1
            letters.remove(line)
    text = "/".join(" ".join(spot.text for spot in row.spots) for row in board)
    return WrittenBoard(first, after, text)
