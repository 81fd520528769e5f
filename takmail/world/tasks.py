"""Define what a game waits for from a process that thinks: a bot's turn, a review, a hint."""

from dataclasses import dataclass
from enum import StrEnum

from takmail.games.interface import Seat
from takmail.games.thinking import Reviewer
from takmail.world.game import Game
from takmail.world.kinds import GameNumber


class TaskKind(StrEnum):
    """The kinds of tasks.

    * `move`: the player to move is a bot
    * `last`: the last letter of a game waits for what its review finds
    * `review`: a player asked for a review of a finished game, or of one turn
    * `hint`: a player asked for a hint in a game against a bot
    """

    MOVE = "move"
    LAST = "last"
    REVIEW = "review"
    HINT = "hint"

    @property
    def is_asked_for(self) -> bool:
        """Whether a player asks for such a task."""
        return self in (TaskKind.REVIEW, TaskKind.HINT)


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a game. `seat` is who asked, and `turn` the turn to review; each is None if it does not matter.

    Nobody's task is about one turn, as the key could not tell it from a seat.
    """

    game: GameNumber
    kind: TaskKind
    seat: Seat | None = None
    turn: int | None = None

    def __post_init__(self) -> None:
        assert self.seat is not None or self.turn is None

    @property
    def key(self) -> str:
        """The task within its game as a line of text, such as `move` or `review 1 14`."""
        parts = (self.kind, self.seat, self.turn)
        return " ".join(str(part) for part in parts if part is not None)

    @classmethod
    def from_key(cls, game: GameNumber, key: str) -> "Task":
        """Return the task of a game with this `key`."""
        kind, *rest = key.split()
        numbers = [int(number) for number in rest]
        seat = Seat(numbers[0]) if numbers else None
        return cls(game, TaskKind(kind), seat, numbers[1] if len(numbers) > 1 else None)


def waits_for_bot(game: Game) -> bool:
    """Return whether it is the turn of a bot. It does not move while its opponent wants no mail."""
    return any(
        game.waits_for(seat) and game.players[seat].is_bot and not game.players[seat.other].wants_no_mail
        for seat in Seat
    )


def is_reviewed(game: Game) -> bool:
    """Return whether a review may find something in a game."""
    return bool(game.turns) and isinstance(game.rules, Reviewer)
