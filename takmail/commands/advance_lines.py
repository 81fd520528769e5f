"""Read the lines about moves in advance: `if ps b4 then pw c3`, and `ifs 2`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, Order, PlainArguments, Rest
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.normalize import short_number, without_move
from takmail.games.interface import Reading, ReadTurn, State
from takmail.games.optional import SecondNotation
from takmail.world.advance import THEN

_THEN = re.compile(r"[,;]? then ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IfThen(Arguments):
    """Turns of the opponent and of the player in order, as they were typed. The board before each says what it is.

    A turn of two actions may have the word between them, too. `is_plain`: a player can choose no text freely in them.
    """

    parts: tuple[str, ...]
    is_plain: bool = True

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse turns with `then` between them, all of which read as turns. "if you want, we can stop" is chat."""
        parts = tuple(part.strip() for part in _THEN.split(rest.text))
        if len(parts) < 2:
            return None
        is_plain = True
        for part in parts:
            reading = rest.read_turn(part)
            if reading is None:
                return None
            is_plain = is_plain and isinstance(reading, ReadTurn)
        return cls(parts, is_plain)

    def written(self) -> str | None:
        """Return the turns."""
        return THEN.join(self.parts) if self.is_plain else None


def behind_turns(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders of a mail with its branches behind its turns, as they are about the board after these."""
    turns = [place for place, order in enumerate(orders) if isinstance(order.arguments, Play)]
    above = orders[: turns[-1]] if turns else ()
    branches = [order for order in above if isinstance(order.arguments, IfThen)]
    if not branches:
        return (*orders,)  # the usual case
    end = turns[-1] + 1
    return (*(order for order in orders[:end] if order not in branches), *branches, *orders[end:])


@dataclass(frozen=True, slots=True)
class OneBranch(PlainArguments):
    """The number of a branch."""

    number: int

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `2` or `#2`. "ifs and buts" is chat."""
        number = short_number(rest.text)
        return None if number is None else cls(number)


def read_on(state: State, text: str, *, reads_ptn: bool) -> Reading:
    """Read a text as a turn on a board, as a line of a mail is read on the current one."""
    line = without_move(text)
    if reads_ptn and isinstance(state, SecondNotation) and (turn := state.read_ptn(line)) is not None:
        return turn
    return state.read(line)
