"""Order the turns of a game and what was taken back, for games in which taking back costs something."""

from collections.abc import Sequence
from itertools import groupby

from takmail.commands.kinds import TakenBackBy
from takmail.commands.records import TakenBackTurn, Turn
from takmail.games.interface import Seat, TakeBack

_Line = list[str | TakeBack]


def history(turns: Sequence[Turn], taken_back: Sequence[TakenBackTurn]) -> tuple[str | TakeBack, ...]:
    """Return the turns of a game in canonical form, with a `TakeBack` where a turn was taken back by right.

    Going back to a turn by consent also undoes the take-backs after it. Those before the next turn remain, because that
    is the board to which both go back. A new beginning undoes all. `taken_back` are ordered by run.
    """
    if not taken_back:
        return tuple(one.text for one in turns)
    runs = [list(some) for _, some in groupby(taken_back, lambda one: one.branch)]
    events: list[tuple[int, str | list[TakenBackTurn]]] = [(run[0].ended_version, run) for run in runs]
    events += [(one.version, one.text) for one in turns]
    events += [(one.version, one.text) for one in taken_back]
    line: _Line = []
    for _, event in sorted(events, key=lambda one: one[0]):
        if isinstance(event, str):
            line.append(event)
        else:
            _take_back(line, event)
    return tuple(line)


def _take_back(line: _Line, run: Sequence[TakenBackTurn]) -> None:
    places = [at for at, one in enumerate(line) if isinstance(one, str)]
    first = run[0]
    if first.how == TakenBackBy.RESTART:
        line.clear()
    elif first.how == TakenBackBy.RIGHT:
        del line[places[first.number - 1]]
        line.append(TakeBack(Seat(first.seat)))
    else:
        del line[places[first.number - 1] :]
