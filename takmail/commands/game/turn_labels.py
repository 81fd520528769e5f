"""Name the turns of a game as letters do."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.game.runs import Run
from takmail.commands.game.table import Table
from takmail.commands.records import TakenBackTurn, Turn
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


@dataclass(frozen=True, slots=True)
class Log:
    """The turns of a game, and its runs of turns that were taken back, each run with its turns, the oldest first."""

    turns: tuple[Played, ...]
    runs: tuple[tuple[Run, tuple[Played, ...]], ...]


def played(table: Table, first: int = 1, last: int | None = None) -> tuple[Played, ...]:
    """Return the turns with the numbers `first` to `last`. If `last` is None, return all turns from `first` on."""
    return _labelled(table, table.turns[first - 1 : last])


def log_of(table: Table) -> Log:
    """Return all turns of a game, also those that were taken back."""
    return Log(played(table), tuple((run, _labelled(table, run.turns)) for run in table.taken_back))


def _labelled(table: Table, turns: Sequence[Turn | TakenBackTurn]) -> tuple[Played, ...]:
    return tuple(
        Played(
            turn.number,
            Seat(turn.seat),
            table.players[turn.seat].name,
            turn.text,
            written="" if table.keeps_board or turn.written.lower() == turn.text else turn.written,
            is_agreed=turn.is_agreed,
        )
        for turn in turns
    )
