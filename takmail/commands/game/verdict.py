"""Check a turn against the rules: one that was played, or an attempt on a board of the game."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Check, Refused, Result, Seat, State, Touched


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the rules on a turn: the board before and after it, the places it touches, and each relevant rule.

    All values come from replaying the game from its beginning.

    * `game` is the folder of the game's own templates
    * `number` is the number of the turn, or the one that it would have
    * `name` is who played it and `written` is what they typed; both are None for an attempt
    * `text` is canonical
    * `after` is None if the turn is illegal
    * `result` is the result if the turn ends the game, else None
    """

    game: str
    number: int
    name: str | None
    written: str | None
    text: str
    before: State
    after: State | None
    touched: tuple[Touched, ...]
    checks: tuple[Check, ...]
    result: Result | None

    @property
    def deciding(self) -> Check | None:
        """The first rule that the turn breaks, None if it is legal."""
        return next((check for check in self.checks if check.reason is not None), None)

    @property
    def is_legal(self) -> bool:
        """Whether the turn is legal."""
        return self.deciding is None


def verdict_of(table: Table, you: Seat, number: int) -> Verdict:
    """Return the verdict on turn `number` (from 1). The player's name is as the player in seat `you` knows it.

    Raises `Refused` for a turn that no rule applies to, such as an agreed board.
    """
    turn = table.turns[number - 1]
    name = table.names_for(you)[turn.seat]
    return _verdict(table, number, turn.text, name=name, written=turn.written)


def verdict_of_attempt(table: Table, after: int, text: str) -> Verdict:
    """Return the verdict on an attempt in canonical form, on the board after turn `after` (0: the start).

    Raises `Refused` if `text` is not canonical.
    """
    return _verdict(table, after + 1, text, name=None, written=None)


def _verdict(table: Table, number: int, text: str, *, name: str | None, written: str | None) -> Verdict:
    state = table.states[number - 1]
    after = _after(state, text)
    return Verdict(
        game=table.rules.name,
        number=number,
        name=name,
        written=written,
        text=text,
        before=state,
        after=after,
        touched=state.touched(text),
        checks=state.verdict(text),
        result=None if after is None else after.result,
    )


def _after(state: State, text: str) -> State | None:
    try:
        return state.play(text)
    except Refused:
        return None
