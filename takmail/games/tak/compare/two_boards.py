"""Compare the boards of two people with each other and with the log, which may contain illegal turns."""

from takmail.games.interface import Comparison
from takmail.games.tak.compare.cells import Cells, differing, shown
from takmail.games.tak.compare.explanation import compare_cells
from takmail.games.tak.compare.faults import BoardFault, board_faults
from takmail.games.tak.compare.nearest import Differing, way_between
from takmail.games.tak.compare.orientation import Orientation
from takmail.games.tak.compare.replayed import ReplayedGame
from takmail.games.tak.compare.written_board import OtherSize, WrittenCells, read_pasted
from takmail.games.tak.notation import mail


def compare_two(replayed: ReplayedGame, one: str, other: str) -> Comparison:
    """Compare two written boards, and find which of them agrees with the log.

    `how` of the result is `two-same`, `two-turned`, `two-differ` or `two-size`. All results but `two-size` have these
    facts: `agrees` says which board is the log's current one: `both`, `one`, `other` or `neither`. `one` and `other`
    are the comparisons of each board with the log. `righted` is true if a board was turned to the log's orientation.
    `orientation` is the remaining orientation of the second board relative to the first, or None. `squares` are the
    squares that differ; in each `Differing`, `yours` is from the first board and `ours` from the second. `faults` are
    the faults of each board. `now` is the number of the last turn, and `stopped` the first turn that can't be played,
    or None.
    """
    first, second = (read_pasted(replayed.board, text, replayed.cells[-1]) for text in (one, other))
    if isinstance(first, OtherSize) or isinstance(second, OtherSize):
        boards = (_size(replayed, first), _size(replayed, second))
        return Comparison("two-size", {"boards": boards, "size": replayed.board.size})
    comparisons = (compare_cells(replayed, first), compare_cells(replayed, second))
    is_same = first.cells == second.cells
    ours, theirs = (
        (first.cells, second.cells)
        if is_same
        else _oriented_like_the_log(replayed, (first, second), comparisons)
    )
    way = way_between(replayed.board, ours, theirs)
    theirs = way.corrected(replayed.board, theirs)
    squares = _squares(replayed, ours, theirs)
    is_whole = not squares and not first.ragged and not second.ragged
    how = ("two-same" if is_same else "two-turned") if is_whole else "two-differ"
    facts = {
        "agrees": _agreeing(comparisons),
        "one": comparisons[0],
        "other": comparisons[1],
        "righted": (ours, theirs) != (first.cells, second.cells) and not way.changes,
        "orientation": way if way.changes else None,
        "squares": squares,
        "faults": (_faults(replayed, first, ours), _faults(replayed, second, theirs)),
        "now": replayed.turn_number(replayed.last),
        "stopped": replayed.stopped,
    }
    return Comparison(how, facts)


def _oriented_like_the_log(
    replayed: ReplayedGame,
    boards: tuple[WrittenCells, WrittenCells],
    comparisons: tuple[Comparison, Comparison],
) -> tuple[Cells, Cells]:
    """Return both boards.

    A board is put in the correct orientation if its comparison with the log found a wrong one.
    """
    ways = [found.facts.get("orientation") for found in comparisons]
    one, other = (
        way.corrected(replayed.board, board.cells) if isinstance(way, Orientation) else board.cells
        for way, board in zip(ways, boards, strict=True)
    )
    return one, other


def _size(replayed: ReplayedGame, board: WrittenCells | OtherSize) -> OtherSize:
    if isinstance(board, OtherSize):
        return board
    return OtherSize(replayed.board.size, replayed.board.size)


def _squares(replayed: ReplayedGame, one: Cells, other: Cells) -> tuple[Differing, ...]:
    return tuple(
        Differing(
            mail.square_name(replayed.board, square),
            shown(one[square]),
            shown(other[square]),
            replayed.touched_last(square, replayed.last),
        )
        for square in differing(one, other)
    )


def _agreeing(comparisons: tuple[Comparison, Comparison]) -> str:
    one, other = (found.how == "same" for found in comparisons)
    if one and other:
        return "both"
    return "one" if one else "other" if other else "neither"


def _faults(replayed: ReplayedGame, board: WrittenCells, righted: Cells) -> tuple[BoardFault, ...]:
    return (*board.ragged, *board_faults(replayed.board, righted, replayed.cells[-1], replayed.capstones))
