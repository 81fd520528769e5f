"""Define a position as letters show it, and what is told of a game that is over."""

from dataclasses import dataclass

from takmail.games.grid import Grid
from takmail.games.interface import Effect, Result, Score, Seat, State
from takmail.games.optional import Account


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a game as a letter shows it.

    * `turn` is the number of the turn after which it is shown, and `led_by` the text of this turn, None at the start
    * `state` is None if the game keeps no board. Then `facts` and `checksum` are those of the set-up.
    * `is_current`: it is how the game stands, and no earlier, proposed or tried position
    * `effect` is what the turn did, None if unknown. `is_completed`: the player left out something of the turn, and the
      rules of the game have added it.
    * `result` is how the game has ended with it, None if it goes on or is void
    * `account` are the coins of the game then, None if it is not played for coins or has not begun
    """

    turn: int
    to_move: Seat
    facts: object
    checksum: str
    board: tuple[str, ...] = ()
    state: State | None = None
    led_by: str | None = None
    is_current: bool = True
    effect: Effect | None = None
    is_completed: bool = False
    result: Result | None = None
    account: Account | None = None

    @property
    def grid(self) -> Grid | None:
        """The board as a table of pictures, with the turn that led to it, None if there is no board."""
        return None if self.state is None else self.state.grid(self.led_by)

    @classmethod
    def board_of(cls, state: State, turn: int, led_by: str | None, account: Account | None = None) -> "Shown":
        """Return a position with its board that is not the current one, without what the turn did."""
        return cls(
            turn,
            state.to_move,
            state.facts(),
            state.checksum,
            state.board(),
            state,
            led_by,
            is_current=False,
            result=state.result,
            account=account,
        )


@dataclass(frozen=True, slots=True)
class Ended:
    """What is told of a game that is over.

    * `score` is what it is worth, None if it is void, has no board or is played for coins
    * `record` is its record, and `viewer_url` a web address that displays it, None if there is none
    """

    record: str
    score: Score | None = None
    viewer_url: str | None = None
