"""Define the events of turns, and of how a game ends."""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Seat, State
from takmail.world import game_changes, operations
from takmail.world.events.base import GameEvent, SeatEvent
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import MessageId, Ruling, TakenBackBy
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlayed(GameEvent):
    """A player played a turn at `played_at`.

    * `turn` is the turn as letters name it, and `written` is what the player typed
    * `after` is the state after it, which the rules made, None if the game keeps no board
    * `mail` is the number of the mail that played it, and `arrived_at` is when that arrived. Each is None if unknown.
    * `has_own_letter`: no mail played it
    """

    turn: NamedTurn
    written: str
    played_at: datetime
    after: State | None = None
    mail: int | None = None
    arrived_at: datetime | None = None

    @property
    def seat(self) -> Seat:
        """The seat of the player who played it."""
        return self.turn.seat

    @property
    def doer(self) -> Seat | None:
        """The player who played it."""
        return self.seat

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the opponent."""
        return (self.seat.other,)

    def stands(self, game: Game) -> bool:
        """Tell whether the turn was not taken back by the same mail."""
        return self.version + 1 in (turn.version for turn in game.turns)

    def apply(self, world: World) -> World:
        """Return the world in which the turn is played."""
        return self._in_game(
            world,
            game_changes.with_turn,
            self.turn,
            self.written,
            self.played_at,
            self.after,
            self.mail,
            self.arrived_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnForwarded(TurnPlayed):
    """A player's turn was forwarded in a game that keeps no board.

    `crossed` is the opponent's last turn if the player had not seen it, because the two turns crossed in the mail.
    """

    crossed: NamedTurn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAdopted(TurnPlayed):
    """Both players continue from another board, which counts as a turn. That they agreed tells it."""

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsTakenBack(GameEvent):
    """The turns behind turn `last` are taken back at `taken_back_at`.

    * `letter` is the letter that reports them and is withdrawn with them, None if there is none
    * `is_agreed`: both players agreed to it
    """

    last: int
    how: TakenBackBy
    taken_back_at: datetime
    letter: MessageId | None = None
    is_agreed: bool = False

    def apply(self, world: World) -> World:
        """Return the world without these turns, and with the letter withdrawn."""
        world = self._in_game(
            world,
            game_changes.without_turns,
            self.last,
            self.how,
            self.taken_back_at,
            self.letter,
            is_agreed=self.is_agreed,
        )
        if self.letter is None:
            return world
        return world.with_operation(operations.WithdrawLetter(letter=self.letter))


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnTakenBack(TurnsTakenBack):
    """A player took back `turn`, their last one, which the opponent cannot have seen."""

    turn: NamedTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTakenBackByRight(TurnsTakenBack):
    """The player in `seat` took back `turn`, their last one, which the opponent has seen."""

    seat: Seat
    turn: NamedTurn

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the opponent."""
        return (self.seat.other,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(SeatEvent):
    """The player in `seat` resigned. `has_own_letter`: a bot did, by no mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameEvent):
    """A game ended. There is no other way in which one ends.

    `resigned` is the seat that gave it up, and `ruling` says how the players, time or the operator ended it. If both
    are None, the rules did. `why` is the operator's reason, or ''. What led to the end tells it. After it, who won
    and how stands in the game's record (`GameRecord.end`), also of a corrupt game.
    """

    resigned: Seat | None = None
    ruling: Ruling | None = None
    why: str = ""

    def apply(self, world: World) -> World:
        """Return the world in which the game is over, or declined if it has not begun."""
        return self._in_game(world, game_changes.ended, self.resigned, self.ruling, self.why)
