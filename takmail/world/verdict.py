"""Check a turn against all rules. It is a turn that was played, or an attempt on a board of the game."""

from dataclasses import dataclass

from takmail.games.interface import Check, Result, Seat, State, Touched
from takmail.world.replay import after_if_legal
from takmail.world.table import Table


@dataclass(frozen=True, slots=True)
class Verdict:
    """A turn checked against all rules, in a replay of the game from its beginning.

    * `game` is the name of the game
    * `number` is the number of the turn, or the number that an attempt would have
    * `name` is the name of the player who played the turn, and `written` is what they typed. Both are None for an
      attempt.
    * `text` is the turn in canonical form
    * `before` and `after` are the states before and after the turn. `after` is None if the turn is illegal.
    * `touched` are the places that the turn involves, and `checks` are the relevant rules
    * `result` is the result of the game if the turn ends it, otherwise None
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
    """Return the verdict on turn `number`, counted from 1. The player is named as the player in seat `you` knows them.

    Raises `Refused` for a turn that no rule applies to, such as an agreed board.
    """
    turn = table.turns[number - 1]
    name = table.names_for(you)[turn.seat]
    return verdict_of_attempt(table, number, turn.text, name, turn.written)


def verdict_of_attempt(
    table: Table, number: int, text: str, name: str | None = None, written: str | None = None
) -> Verdict:
    """Return the verdict on a turn in canonical form, played as turn `number`, counted from 1.

    Raises `Refused` if `text` is not in canonical form.
    """
    state = table.positions[number - 1]
    after = after_if_legal(state, text)
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
