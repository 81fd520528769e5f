"""Label the turns of a game as letters name them."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Seat


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played: its number from 1, its player, and its canonical text.

    * `written` is the player's spelling, if it is forwarded, too: in a relay game, if it differs from `text`
    * `is_agreed`: this is not a move but a board that both players agreed on and that `seat` proposed
    """

    number: int
    seat: Seat
    name: str
    text: str
    is_agreed: bool = False
    written: str = ""


def played(table: Table, first: int = 1, last: int | None = None) -> tuple[Played, ...]:
    """Return the turns of a game with the numbers `first` to `last`, or to the end."""
    return tuple(
        Played(
            turn.number,
            Seat(turn.seat),
            table.players[turn.seat].name,
            turn.text,
            written="" if table.keeps_board or turn.written.lower() == turn.text else turn.written,
            is_agreed=turn.is_agreed,
        )
        for turn in table.turns[first - 1 : last]
    )
