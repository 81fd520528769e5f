"""Define the events of reviews of finished games, and of hints."""

from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.games.thinking import Finding, Hint, Review
from takmail.world import game_changes
from takmail.world.events.base import GameEvent, SeatEvent
from takmail.world.operations import RunTask
from takmail.world.tasks import Task, TaskKind
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDue(GameEvent):
    """A process that thinks is given a task of the game."""

    task: Task

    def apply(self, world: World) -> World:
        """Return the world in which the task waits."""
        return world.with_operation(RunTask(task=self.task))


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtAsked(SeatEvent):
    """The player in `seat` asked for a review or a hint, which comes in a letter of its own."""

    kind: TaskKind

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReviewed(SeatEvent):
    """The game was reviewed for the player in `seat`.

    `turn` is the turn that the player asked about, None for the whole game. `review` is None if it failed.
    """

    review: Review | None
    turn: int | None = None
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the player who asked for the review."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndReviewed(GameEvent):
    """A game that is over was reviewed, while the letters to `seats` that tell its end were held.

    `finding` is what is worth most, None if nothing was found.
    """

    seats: tuple[Seat, ...]
    finding: Finding | None
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return those to whom the end is told now."""
        return self.seats


@dataclass(frozen=True, slots=True, kw_only=True)
class HintGiven(SeatEvent):
    """The player in `seat` gets a hint, None if none was found.

    `is_whole`: it tells the turn itself. `left` is how many more hints there are in this game.
    """

    hint: Hint | None
    is_whole: bool
    left: int
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the player who gets the hint."""
        return (self.seat,)

    def apply(self, world: World) -> World:
        """Return the world in which the player has had a hint in the position."""
        if self.hint is None or self.is_whole:
            return world
        return self._in_game(world, game_changes.with_hint, world.game(self.game).state.checksum)
