"""Compare written boards with a game and with each other, and return the most helpful explanation of a difference.

The explanations of one board are tried in this order: it is the board of now, or of an earlier turn; it is one of
these, written another way; it is a board of the game after which one turn was played that is not in the log; none of
these, and it is nearest to a certain board of the game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from takmail.games.interface import Comparison
from takmail.games.kit.turns import Ply
from takmail.games.tzaar.apply import (
    apply_move,
    apply_step,
    captures_from,
    ends_with,
    outcome_of,
    stackings_from,
)
from takmail.games.tzaar.board import COLUMN_SPOTS, NAMES, SPOTS, Spot
from takmail.games.tzaar.compare.replayed import ReplayedGame
from takmail.games.tzaar.compare.rows import UNREADABLE, Cells, ReadBoard, faults_of, read_rows
from takmail.games.tzaar.notation.rs import cells_of
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.position import COLOR_BIT, Position
from takmail.games.tzaar.turns import Act, Actions, Move, Pass, Placing, Step, write_turn

_MOST_CHANGED = 4
"""The maximum number of spots that one turn changes."""
_FEWEST_KNOWN = 30
"""The minimum number of readable spots. A board with fewer is not compared."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A spot where two boards differ, with its contents on both and the last turn that changed it, or None."""

    spot: str
    yours: str
    ours: str
    touched: Ply | None


@dataclass(frozen=True, slots=True)
class Instead:
    """Turn `number`, counted from 1: the turn of the log, and the one that would lead to the written board."""

    number: int
    played: str
    instead: str


def compare_board(game: ReplayedGame, text: str) -> Comparison:
    """Return how a written board differs from a game.

    `how` is `same`, `earlier`, `turned`, `ahead`, `otherwise`, `differs` or `size`. All but `size` have `now` and
    `ply`, the numbers of the last turn in the game and on the written board, `not_played`, the turns between these,
    `faults`, and `stopped`, the first turn that can't be played, or None.
    """
    return _compared(game, read_rows(text))


def _compared(game: ReplayedGame, read: ReadBoard) -> Comparison:
    faults = faults_of(read)
    if read.loose is not None and (ply := _last_with(game, read.loose)) is not None:
        return _found("same" if ply == game.last else "earlier", game, ply)
    if not faults:
        exact = _same(game, read.cells) or _turned(game, read.cells) or _with_a_turn(game, read.cells)
        if exact is not None:
            return exact
    known = [spot for spot in SPOTS if _is_known(read.cells[spot])]
    if not read.is_board or len(known) < _FEWEST_KNOWN:
        return Comparison("size", {"lines": read.lines, "faults": faults})
    counts = [sum(cells[spot] != read.cells[spot] for spot in known) for cells in game.cells]
    ply = max(range(len(counts)), key=lambda at: (-counts[at], at))
    spots = _differing(game, ply, game.cells[ply], read.cells)
    capitals = bool(spots) and all(map(_is_a_phones_capital, spots))
    return _found("differs", game, ply, faults=faults, spots=spots, capitals=capitals)


def _is_known(cell: str) -> bool:
    return bool(cell) and not cell.startswith(UNREADABLE)


def _differing(game: ReplayedGame, ply: int, ours: Cells, yours: Cells) -> tuple[Differing, ...]:
    return tuple(
        Differing(NAMES[spot], yours[spot], ours[spot], game.touched_last(spot, ply))
        for spot in SPOTS
        if yours[spot] != ours[spot] and _is_known(yours[spot]) and _is_known(ours[spot])
    )


def _is_a_phones_capital(one: Differing) -> bool:
    """Return whether a spot may differ only because a phone has made the first letter of a line a capital."""
    return one.spot[1] == "1" and one.yours[:1].isupper() and one.yours[0].lower() + one.yours[1:] == one.ours


def _same(game: ReplayedGame, cells: Cells) -> Comparison | None:
    ply = _last_with(game, cells)
    return None if ply is None else _found("same" if ply == game.last else "earlier", game, ply)


def _last_with(game: ReplayedGame, cells: Cells) -> int | None:
    return next((ply for ply in range(game.last, -1, -1) if game.cells[ply] == cells), None)


def _columns_reversed(cells: Cells) -> Cells:
    return tuple(cells[spot] for spots in reversed(COLUMN_SPOTS) for spot in spots)


def _spots_reversed(cells: Cells) -> Cells:
    return tuple(cells[spot] for spots in COLUMN_SPOTS for spot in reversed(spots))


def _colors_swapped(cells: Cells) -> Cells:
    return tuple(map(str.swapcase, cells))


_WAYS: dict[str, Callable[[Cells], Cells]] = {
    "columns-reversed": _columns_reversed,
    "spots-reversed": _spots_reversed,
    "half-turn": lambda cells: _columns_reversed(_spots_reversed(cells)),
    "colors-swapped": _colors_swapped,
}
"""The ways in which a board may be written wrongly, and how it is put right."""


def _turned(game: ReplayedGame, cells: Cells) -> Comparison | None:
    for way, righted in _WAYS.items():
        ply = _last_with(game, righted(cells))
        if ply is not None:
            return _found("turned", game, ply, way=way)
    return None


def _with_a_turn(game: ReplayedGame, cells: Cells) -> Comparison | None:
    """Explain the board by one turn that is not in the log, after the last turn or in place of one."""
    for ply in range(game.last, -1, -1):
        turn = next(turns_between(game.frames[ply], game.cells[ply], cells), None)
        if turn is None:
            continue
        text = write_turn(turn)
        if ply == game.last:
            return _found("ahead", game, ply, move=text)
        played = game.plies[ply]
        return _found("otherwise", game, ply + 1, first=Instead(played.number, played.text, text))
    return None


def turns_between(position: Position, before: Cells, after: Cells) -> Iterator[Move]:
    """Yield the turns that lead from a position to a board. A turn changes every spot that it touches."""
    changed = [spot for spot in SPOTS if before[spot] != after[spot]]
    if not changed or len(changed) > _MOST_CHANGED or outcome_of(position) is not None:
        return
    for move in _touching(position, changed):
        if cells_of(apply_move(position, move)) == after:
            yield move


def _touching(position: Position, changed: list[Spot]) -> Iterator[Move]:
    if position.is_placing:
        left = position.reserve(position.to_move)
        if len(changed) == 1 and not position.stacks[changed[0]]:
            yield from (Placing(kind, changed[0]) for kind in Kind if left[kind])
        return
    mine = [spot for spot in position.spots_of(position.to_move) if spot in changed]
    for first in (Step(Act.CAPTURE, spot, end) for spot in mine for end in captures_from(position, spot)):
        if first.end not in changed:
            continue
        if ends_with(position, first):
            yield Actions((first,))
            continue
        yield Actions((first, Pass.PASS))
        after = apply_step(position, first)
        for spot in changed:
            if after.stacks[spot] and after.stacks[spot] & COLOR_BIT == after.to_move:
                yield from (
                    Actions((first, Step(Act.CAPTURE, spot, end))) for end in captures_from(after, spot)
                )
                yield from (
                    Actions((first, Step(Act.STACK, spot, end))) for end in stackings_from(after, spot)
                )


def _found(how: str, game: ReplayedGame, ply: int, **facts: object) -> Comparison:
    common = {
        "now": game.number(game.last),
        "ply": game.number(ply),
        "not_played": game.plies[ply:],
        "faults": (),
        "stopped": game.stopped,
    }
    return Comparison(how, {**common, **facts})


def compare_two(game: ReplayedGame, one: str, other: str) -> Comparison:
    """Compare two written boards with each other, and each with the log.

    `how` is `two-same`, `two-differ` or `two-size`, if one of them can't be compared. `one` and `other` are the
    comparisons with the log, `agrees` tells which is the log's board: `both`, `one`, `other` or `neither`. `spots` are
    those that differ; in each, `yours` is from the first board and `ours` from the second.
    """
    boards = read_rows(one), read_rows(other)
    found = tuple(_compared(game, read) for read in boards)
    first, second = (
        game.cells[_ply_of(game, comparison)] if comparison.how in ("same", "earlier") else read.cells
        for read, comparison in zip(boards, found, strict=True)
    )
    facts: dict[str, object] = {
        "one": found[0],
        "other": found[1],
        "agrees": _agreeing(found[0].how == "same", found[1].how == "same"),
        "now": game.number(game.last),
        "stopped": game.stopped,
    }
    if "size" in (found[0].how, found[1].how):
        return Comparison("two-size", facts)
    spots = _differing(game, game.last, second, first)
    is_whole = all(_is_known(cell) for cell in (*first, *second))
    return Comparison("two-differ" if spots or not is_whole else "two-same", {**facts, "spots": spots})


def _ply_of(game: ReplayedGame, found: Comparison) -> int:
    number = found.facts["ply"]
    return next(ply for ply in range(game.last, -1, -1) if game.number(ply) == number)


def _agreeing(one: bool, other: bool) -> str:
    if one and other:
        return "both"
    return "one" if one else "other" if other else "neither"
