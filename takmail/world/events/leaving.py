"""Define the events of players who turn away: from another player, from mail, or from takmail."""

from dataclasses import dataclass
from datetime import datetime

from takmail.world import operations
from takmail.world.events.base import Event, PlayerEvent, SeatEvent
from takmail.world.kinds import PlayerId, PlayerKind
from takmail.world.players import Player
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStopped(PlayerEvent):
    """A player asked for no more mail.

    `running` is the number of their accepted games that are not over, without those of `tournaments`, which they leave.
    """

    stopped_at: datetime
    running: int
    tournaments: tuple[str, ...] = ()

    def apply(self, world: World) -> World:
        """Return the world in which the player gets no mail."""
        return self._of_player(world, Player.stopped, self.stopped_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlocked(PlayerEvent):
    """A player blocked another one."""

    blocked: PlayerId

    def apply(self, world: World) -> World:
        """Return the world in which the player gets no words of the other one, not even those that wait."""
        world = self._of_player(world, Player.blocking, self.blocked)
        return world.with_operation(operations.DropChat(player=self.blocked, reader=self.player))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblocked(PlayerEvent):
    """A player unblocked another one. `is_changed` is false if the other player was not blocked."""

    unblocked: PlayerId
    is_changed: bool

    def apply(self, world: World) -> World:
        """Return the world in which the player does not block the other one."""
        return self._of_player(world, Player.unblocking, self.unblocked)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased(Event):
    """The data of a player was erased at `left_at`.

    * `erasure` says what is deleted
    * `marks` are those of each of the player's addresses, which remember that its owner has left
    * `games` is the number of games that the player resigned by leaving
    * `keep_days` is the number of days for which copies in others' mails and letters are kept
    """

    erasure: operations.ErasePlayer
    marks: tuple[tuple[str, ...], ...]
    left_at: datetime
    games: int
    keep_days: int

    def apply(self, world: World) -> World:
        """Return the world without the player, but for what games and other players need of them."""
        gone = world.player(self.erasure.player)
        erased = Player(
            gone.id,
            self.erasure.label,
            None,
            gone.created_at,
            kind=PlayerKind.ERASED,
            is_blocked=gone.is_blocked,
            invitations_wait=gone.invitations_wait,
            begun_games=gone.begun_games,
        )
        world = world.with_operation(self.erasure).with_player(erased)
        for marks in self.marks:
            world = world.with_operation(operations.RememberAddress(marks=marks, left_at=self.left_at))
        return world


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOfOpponent(SeatEvent):
    """Base class of what happened to the player in `seat` outside the game."""

    has_own_letter: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentStoppedMail(EventOfOpponent):
    """The player in `seat` wants no more mail. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentLeft(EventOfOpponent):
    """The player in `seat` had their data erased, and so gives the game up. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentUnreachable(EventOfOpponent):
    """Letters to the player in `seat` bounce. The opponent is notified."""
