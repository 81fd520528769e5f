"""Name the turns of a game as letters do."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Seat


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played. `number` counts from 1, and `name` is the name of the player in `seat`.

    * `text` is the turn in canonical form
    * `written` is what the player typed, if letters show it. This is so in a relay game, if it differs from `text`.
      Otherwise `written` is ''.
    * `is_agreed`: this turn is no move but sets a board that `seat` proposed and the opponent accepted
    """

    number: int
    seat: Seat
    name: str
    text: str
    is_agreed: bool = False
    written: str = ""


def played(table: Table, first: int = 1, last: int | None = None) -> tuple[Played, ...]:
    """Return the turns with the numbers `first` to `last`. If `last` is None, return all turns from `first` on."""
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
