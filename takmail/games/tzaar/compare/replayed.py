"""Replay a game turn by turn, up to the first turn that can't be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.interface import Refused
from takmail.games.kit.turns import Ply
from takmail.games.tzaar.board import Spot
from takmail.games.tzaar.compare.rows import Cells
from takmail.games.tzaar.notation.rs import cells_of
from takmail.games.tzaar.playing import play_turn
from takmail.games.tzaar.position import Position


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A replayed game: `frames[n]` is the position after `n` turns, and `cells[n]` its board.

    `plies` are the turns that were played, and `stopped` is the first that can't be played, or None.
    """

    frames: tuple[Position, ...]
    cells: tuple[Cells, ...]
    plies: tuple[Ply, ...]
    stopped: Ply | None

    @property
    def last(self) -> int:
        """The number of turns played."""
        return len(self.plies)

    def number(self, ply: int) -> int:
        """Return the number in the game of the turn after which the board is that of frame `ply`; 0 for the start."""
        return self.plies[ply - 1].number if ply else 0

    def touched_last(self, spot: Spot, ply: int) -> Ply | None:
        """Return the last turn, up to `ply`, that has changed a spot."""
        for at in range(ply, 0, -1):
            if self.cells[at][spot] != self.cells[at - 1][spot]:
                return self.plies[at - 1]
        return None


def replayed_game(start: Position, turns: Sequence[str], numbers: Sequence[int] = ()) -> ReplayedGame:
    """Replay turns. `numbers` are their numbers in the game if these are not 1, 2, 3."""
    frames, plies = [start], list[Ply]()
    stopped = None
    for at, text in enumerate(turns):
        ply = Ply(numbers[at] if at < len(numbers) else at + 1, text)
        try:
            frames.append(play_turn(frames[-1], text))
        except Refused:
            stopped = ply
            break
        plies.append(ply)
    return ReplayedGame(tuple(frames), tuple(map(cells_of, frames)), tuple(plies), stopped)
