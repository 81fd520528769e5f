"""The turns of a game as letters name them."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Seat


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played: its number counted from 1, who played it, and its canonical text.

    `written` is how it was written where that is passed on, too: in a relay game, if it is not the same.
    `is_agreed`: it is no move, but a board that both have agreed on, which `seat` has proposed.
    """

    number: int
    seat: Seat
    name: str
    text: str
    is_agreed: bool = False
    written: str = ""


def played(table: Table, first: int = 1, last: int | None = None) -> tuple[Played, ...]:
    """The turns of a game from the `first` number to the `last`, or to the end, in order."""
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
