"""Define the events of what players tell each other: disputes, words and boards."""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Comparison, Seat
from takmail.world import game_changes
from takmail.world.consequences import Verdict
from takmail.world.events.base import Event, GameEvent, SeatEvent
from takmail.world.game import NamedTurn
from takmail.world.pending import Pending
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(SeatEvent):
    """The player in `seat` claims that a turn is invalid.

    * `is_named`: the player named the turn
    * `verdict` is None in a game that keeps no board
    """

    turn: NamedTurn
    reason: str
    is_named: bool
    verdict: Verdict | None
    opened_at: datetime

    @property
    def shown_reason(self) -> str:
        """What the letter shows after `im`."""
        return f"#{self.turn.number} {self.reason}".strip() if self.is_named else self.reason

    def apply(self, world: World) -> World:
        """Return the world in which the turn is disputed."""
        return self._in_game(
            world, game_changes.with_dispute, self.seat, self.turn.number, self.reason, self.opened_at
        )

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the opponent, unless they block the player."""
        return (self.seat.other,) if world.game(self.game).is_heard(self.seat) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat(SeatEvent):
    """Base class of the events about chat of the player in `seat`.

    `words` is the text that the mail has added, '' if the answer quotes none. `is_cut`: it was too long and was
    truncated.
    """

    words: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQueued(Chat):
    """Chat is stored for the next letter."""

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()

    def apply(self, world: World) -> World:
        """Return the world in which the words wait."""
        return self._in_game(world, game_changes.with_chat, self.seat, self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSent(Chat):
    """All waiting chat is sent in a letter of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRepeated(SeatEvent):
    """The mailbox of the player in `seat` writes the same text again and again, which is not forwarded any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsKept(Event):
    """Words of a player are kept until they do something in the game, in place of those that were kept before."""

    kept: Pending
    replaces: tuple[Pending, ...] = ()

    def apply(self, world: World) -> World:
        """Return the world in which the words are kept."""
        return world.with_pending(self.kept).without_pending(*self.replaces)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked(SeatEvent):
    """The player in `seat` asks to see the opponent's board, in a game where takmail keeps no board."""

    def apply(self, world: World) -> World:
        """Return the world in which the request is open."""
        return self._in_game(world, game_changes.with_board_asked, self.seat, True)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRequestClosed(GameEvent):
    """The request of the player in `seat` for the opponent's board is closed, as the opponent has written."""

    seat: Seat

    def apply(self, world: World) -> World:
        """Return the world in which no request is open."""
        return self._in_game(world, game_changes.with_board_asked, self.seat, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown(GameEvent):
    """The player in `seat` showed a board. `turn` is the last turn before it."""

    seat: Seat
    board: str
    turn: int
    shown_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which it is the board that the player showed last."""
        return self._in_game(
            world, game_changes.with_shown_board, self.seat, self.board, self.turn, self.shown_at
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForwarded(BoardShown):
    """A board of the player in `seat` is forwarded.

    * `comparison` lists the differences from the board that the opponent showed after turn `opponents_turn`
    * `has_replaced`: turns that a later turn of the same player replaced are left out of the comparison
    """

    comparison: Comparison | None
    opponents_turn: int | None = None
    has_replaced: bool = False

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the opponent."""
        return (self.seat.other,)
