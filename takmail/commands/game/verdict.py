"""A turn held against the rules: one that was played, or one that is only tried on a board of the game."""

from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Check, Refused, Result, Seat, State, Touched


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say to a turn: the board before and after it, what it touches, and each rule that applies.

    `game` is the folder of the game's own templates. `number` is the turn's own, or the one that it would have had;
    `name` is who played it and `written` how they wrote it, both None for a turn that is only tried. `text` is
    canonical. `after` is None if the rules don't allow it, and `result` tells how the turn ends the game, None if it
    doesn't. All of it comes from the log, replayed from the beginning.
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
        """The first rule that the turn breaks; None if it keeps all of them."""
        return next((check for check in self.checks if check.reason is not None), None)

    @property
    def is_legal(self) -> bool:
        """Whether the turn keeps every rule."""
        return self.deciding is None


def verdict_of(table: Table, you: Seat, number: int) -> Verdict:
    """The verdict on turn `number`, counted from 1, its player's name as the player in the seat `you` knows it.

    Raises `Refused` for a turn that no rule is about, as an agreed board is.
    """
    turn = table.turns[number - 1]
    name = table.names_for(you)[turn.seat]
    return _verdict(table, number, turn.text, name=name, written=turn.written)


def verdict_of_attempt(table: Table, after: int, text: str) -> Verdict:
    """The verdict on a turn, given in canonical form, if it were played on the board after turn `after` (0: the first).

    Raises `Refused` if `text` is no canonical form.
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
