"""Find every legal alternative to a single ply that leads, with the rest of the game, to a written board.

Plies are undone on the written board one by one, from the end of the log. Each undone ply leaves one or a few boards,
or none if that ply can't have led to the board. If a remaining board is one move away from the game's position, the
squares that differ determine the move. The rest of the game is then replayed by the rules. In this way only moves that
can lead to the written board are tried.
"""

from dataclasses import dataclass
from itertools import pairwise

from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.compare.board_before import boards_before, letter
from takmail.games.tak.compare.cells import Cells, cells_of, differing
from takmail.games.tak.compare.replayed import ReplayedGame
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation import mail
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position
from takmail.games.tak.rules import IllegalMove, play
from takmail.limits.games import MAX_COMPARISON_STEPS

_MAX_BOARDS = 8
"""The maximum number of boards to follow. A capstone that may have flattened a wall doubles the number of boards."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A legal move that could have been played as ply `number`, counted from 1; `text` is in canonical form."""

    number: int
    text: str


def alternatives(replayed: ReplayedGame, cells: Cells) -> tuple[int, tuple[Alternative, ...]]:
    """Return a number of turns, and the alternatives that lead to `cells` after that many turns, the latest first.

    The current position is tried first, then earlier ones, the latest first. Returns (0, ()) if there is no
    alternative.
    """
    count = _pieces(cells)
    steps = MAX_COMPARISON_STEPS
    for ply in range(replayed.last, 0, -1):
        if abs(_pieces(replayed.cells[ply]) - count) > 1:
            continue
        found, taken = _alternatives_until(replayed, ply, cells, steps)
        if found:
            return ply, found
        steps -= taken
        if steps <= 0:
            break
    return 0, ()


def one_move(position: Position, before: Cells, after: Cells) -> Move | None:
    """Return the legal move that leads from one board to the other, or None."""
    board = position.board
    changed = differing(before, after)
    moves = (
        [_placed(position, changed[0], after)]
        if len(changed) == 1
        else _spreads(board, changed, before, after)
    )
    for move in moves:
        if move is not None and (played := _played(position, move)) and cells_of(played) == after:
            return move
    return None


def _pieces(cells: Cells) -> int:
    return sum(map(len, cells))


def _alternatives_until(
    replayed: ReplayedGame, ply: int, cells: Cells, most: int
) -> tuple[tuple[Alternative, ...], int]:
    """Return the alternatives that lead to `cells` after `ply` turns, and the number of plies undone."""
    found = []
    boards = [cells]
    steps = 0
    for number in range(ply, 0, -1):
        position, original = replayed.frames[number - 1], replayed.moves[number - 1]
        if original is None or steps > most:
            break
        for after in boards:
            move = one_move(position, replayed.cells[number - 1], after)
            if move is not None and _leads_to(replayed, number, ply, move, cells):
                found.append(Alternative(number, mail.write(replayed.board, move)))
        steps += len(boards)
        boards = _likeliest(
            replayed.cells[number - 1],
            [
                before
                for after in boards
                for before in boards_before(
                    replayed.board, after, original, position.to_move, position.in_opening
                )
            ],
        )
        if not boards:
            break
    return tuple(dict.fromkeys(found)), steps


def _likeliest(cells: Cells, boards: list[Cells]) -> list[Cells]:
    """Return the boards to follow: those nearest to the game's board.

    A wall that was wrongly restored is one more difference, so such a board comes later.
    """
    if len(boards) <= _MAX_BOARDS:
        return boards
    return sorted(dict.fromkeys(boards), key=lambda board: sum(map(str.__ne__, cells, board)))[:_MAX_BOARDS]


def _leads_to(replayed: ReplayedGame, number: int, ply: int, move: Move, cells: Cells) -> bool:
    """Return whether the game with `move` as ply `number` is legal and leads to `cells` after `ply` turns."""
    position = _played(replayed.frames[number - 1], move)
    for later in replayed.moves[number:ply]:
        if position is None or later is None:
            return False
        position = _played(position, later)
    return position is not None and cells_of(position) == cells


def _played(position: Position, move: Move) -> Position | None:
    try:
        return play(position, move)
    except IllegalMove:
        return None


def _placed(position: Position, square: Square, after: Cells) -> Move | None:
    for kind in Kind:
        if after[square] == letter(kind, position.color_placed):
            return Place(kind, square)
    return None


def _spreads(board: Board, changed: tuple[Square, ...], before: Cells, after: Cells) -> list[Move | None]:
    """Return the spreads that change exactly these squares, which must form a line with the stack at one end."""
    if not 2 <= len(changed) <= board.size:
        return []
    steps = {b - a for a, b in pairwise(changed)}
    directions = [direction for direction, step in board.step.items() if steps == {step}]
    if not directions:
        return []
    (direction,) = directions
    opposite = next(one for one, step in board.step.items() if step == -board.step[direction])
    return [
        _spread(changed, direction, before, after),
        _spread(changed[::-1], opposite, before, after),
    ]


def _spread(line: tuple[Square, ...], direction: Direction, before: Cells, after: Cells) -> Spread | None:
    drops = tuple(len(after[square]) - len(before[square]) for square in line[1:])
    return Spread(line[0], direction, drops) if min(drops) > 0 else None
