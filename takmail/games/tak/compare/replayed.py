"""Replay a game turn by turn, up to the first turn that can't be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.interface import Refused
from takmail.games.kit.turns import Ply
from takmail.games.tak.board import Board, Square
from takmail.games.tak.compare.cells import Cells, cells_of
from takmail.games.tak.moves import Move
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position
from takmail.games.tak.turns import play_turn


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A replayed game: `frames[n]` is the position after `n` turns, and `cells[n]` is its board for comparison.

    `moves[n]` leads from frame n to the next frame. It is None for an agreed board, which is no move. `turns` are the
    turns played, and `numbers` are their numbers in the log. `stopped` is the first turn that can't be played, or None.
    The replay ends before that turn.
    """

    frames: tuple[Position, ...]
    cells: tuple[Cells, ...]
    moves: tuple[Move | None, ...]
    turns: tuple[str, ...]
    numbers: tuple[int, ...]
    stopped: Ply | None

    @property
    def board(self) -> Board:
        """The geometry of the game's board."""
        return self.frames[0].board

    @property
    def capstones(self) -> int:
        """The number of capstones that each player has in the game."""
        return self.frames[0].whole(Color.WHITE).capstones

    @property
    def last(self) -> int:
        """The number of turns played."""
        return len(self.frames) - 1

    def turn_number(self, ply: int) -> int:
        """Return the number, in the log, of the last of the first `ply` turns; 0 if `ply` is 0."""
        return self.numbers[ply - 1] if ply else 0

    def plies(self, after: int, until: int | None = None) -> tuple[Ply, ...]:
        """Return the turns after the first `after` turns, up to and including turn `until`."""
        end = self.last if until is None else until
        return tuple(Ply(self.numbers[number], self.turns[number]) for number in range(after, end))

    def touched_last(self, square: Square, ply: int) -> Ply | None:
        """Return the last of the first `ply` turns that changed `square`."""
        for number in range(ply, 0, -1):
            if self.cells[number][square] != self.cells[number - 1][square]:
                return Ply(self.turn_number(number), self.turns[number - 1])
        return None


def replayed_game(start: Position, turns: Sequence[str], numbers: Sequence[int] = ()) -> ReplayedGame:
    """Play `turns` from `start` up to the first turn that can't be played; `numbers` default to 1, 2, 3."""
    called = tuple(numbers) or tuple(range(1, len(turns) + 1))
    frames, cells, moves = [start], [cells_of(start)], list[Move | None]()
    stopped = None
    for number, text in zip(called, turns, strict=True):
        try:
            position = play_turn(frames[-1], text)
        except Refused:
            stopped = Ply(number, text)
            break
        cells.append(cells_of(position, (frames[-1], cells[-1])))
        moves.append(_move(start.board, text))
        frames.append(position)
    count = len(moves)
    return ReplayedGame(
        tuple(frames), tuple(cells), tuple(moves), tuple(turns[:count]), called[:count], stopped
    )


def _move(board: Board, text: str) -> Move | None:
    try:
        return mail.parse(board, text).move
    except NotationError:
        return None
