"""The outcome of a game by the rules."""

from dataclasses import dataclass
from enum import Enum

from takmail.games.tak.pieces import Color


class EndedBy(Enum):
    """What ended a game (Tak rules, The Goal and Other Ways to Win).

    `FULL` means that the board is full, and `RESERVES` that a player has no piece left.
    """

    ROAD = "road"
    FULL = "full"
    RESERVES = "reserves"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game by the rules; `winner` is None for a draw.

    `white_flats` and `black_flats` are the numbers of flats on top of stacks, without komi. They decide only if
    there is no road. `half_komi` is the komi that was added to Black's flats, in half flats. If `double_road` is
    true, the last ply made a road for both sides, and the player who made it wins.
    """

    winner: Color | None
    ended_by: EndedBy
    double_road: bool
    white_flats: int
    black_flats: int
    half_komi: int

    @property
    def score(self) -> str:
        """The result in PTN: `R-0`, `0-R`, `F-0`, `0-F` or `1/2-1/2`."""
        if self.winner is None:
            return "1/2-1/2"
        letter = "R" if self.ended_by is EndedBy.ROAD else "F"
        return f"{letter}-0" if self.winner is Color.WHITE else f"0-{letter}"
