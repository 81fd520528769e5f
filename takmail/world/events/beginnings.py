"""Define the events of games that begin: invitations, bids, and seeks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world import game_changes, operations
from takmail.world.events.base import Event, GameEvent, PlayerEvent, SeatEvent
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, PlayerId, SeekNumber
from takmail.world.players import Player, Seek
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProposed(GameEvent):
    """A player invites another player to a game. `new_game` is the game in its first state.

    `wait_hours` is the number of hours until an invitation leaves that has to wait, otherwise 0.
    """

    new_game: Game
    wait_hours: int = 0

    def goes_on_in(self, game: GameNumber | None) -> GameNumber | None:
        """Return the new game if the mail is about no other."""
        return self.game if game is None else game

    def apply(self, world: World) -> World:
        """Return the world with the game."""
        return with_new_game(world, self.new_game)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWritten(GameEvent):
    """The invitation is sent to the guest, not before `waits_until` if it has to wait.

    `comes_last`: an earlier mail made it.
    """

    written_at: datetime
    waits_until: datetime | None = None
    comes_last: bool = False
    has_own_letter: bool = True

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the guest."""
        record = world.game(self.game).record
        return (record.seat_of(record.guest),)

    def apply(self, world: World) -> World:
        """Return the world in which the guest is invited."""
        return self._in_game(world, game_changes.invited, self.written_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRepeated(GameEvent):
    """The guest gets the invitation once more, in the language that they have just chosen."""

    has_own_letter: bool = True

    def audience(self, _world: World) -> tuple[PlayerId, ...]:
        """Return nobody, as the mail that leads to it is the guest's."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationHeld(PlayerEvent):
    """An invitation to a player is not written yet, as they may not get it now."""

    def apply(self, world: World) -> World:
        """Return the world in which it is known that invitations to the player wait."""
        return self._of_player(world, Player.with_value, "invitations_wait", True)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldInvitationsWritten(PlayerEvent):
    """No invitation to a player waits any more."""

    def apply(self, world: World) -> World:
        """Return the world in which that is known."""
        return self._of_player(world, Player.with_value, "invitations_wait", False)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegun(SeatEvent):
    """The guest accepted the invitation at `begun_at` and sits in `seat`.

    `setup` is final. It is None if the players bid. The game then begins with their bids.
    """

    begun_at: datetime
    setup: str | None

    def goes_on_in(self, _game: GameNumber | None) -> GameNumber | None:
        """Return the game."""
        return self.game

    def apply(self, world: World) -> World:
        """Return the world in which the game has begun, or its players bid."""
        if self.setup is None:
            return self._in_game(world, game_changes.accepted)
        return _begun(world, game_changes.begun(world.game(self.game), self.setup, False, self.begun_at))


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(SeatEvent):
    """The player in `seat` bid for the first turn, and the game waits for the other bid. The opponent is not told."""

    coins: int

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()

    def apply(self, world: World) -> World:
        """Return the world with the bid, in place of an earlier one."""
        return self._in_game(world, game_changes.with_bid, self.seat, self.coins)


@dataclass(frozen=True, slots=True, kw_only=True)
class BidsOpened(SeatEvent):
    """The player in `seat` made the second bid, and the game begins at `begun_at` with a `setup` that is final.

    `is_swapped`: the players swap their seats for it. `seat` is the one after that.
    """

    begun_at: datetime
    setup: str
    is_swapped: bool

    def apply(self, world: World) -> World:
        """Return the world in which the game has begun."""
        begun = game_changes.begun(world.game(self.game), self.setup, self.is_swapped, self.begun_at)
        world = _begun(world, begun)
        return world.with_operation(operations.SwapSeats(game=self.game)) if self.is_swapped else world


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationClosed(SeatEvent):
    """Base class of how an invitation to the guest in `seat` ends. Unsent letters to them are cancelled."""

    def apply(self, world: World) -> World:
        """Return the world in which the game is declined. A rematch may be asked for again."""
        game = game_changes.declined(world.game(self.game))
        world = _with_rematch(world, game.record.rematch_of, False).with_game(game)
        return world.with_operation(operations.WithdrawToSeat(game=self.game, seat=self.seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDeclined(InvitationClosed):
    """The guest in `seat` declined.

    `has_own_letter`: the mail turned away from somebody.
    """

    def goes_on_in(self, game: GameNumber | None) -> GameNumber | None:
        """Return the declined game, of which its host hears, unless the mail turned away from somebody."""
        return game if self.has_own_letter else self.game

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the host, who hears only that the guest has left if they did."""
        return () if world.game(self.game).players[self.seat].is_erased else (self.seat.other,)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(InvitationClosed):
    """The host withdrew the invitation to the guest in `seat`."""

    def goes_on_in(self, _game: GameNumber | None) -> GameNumber | None:
        """Return the withdrawn game, whose guest the answer names."""
        return self.game

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekJoined(SeatEvent):
    """A player joined the game that another player seeks. The game begins with the joining player in `seat`.

    `new_game` is the game in its first state. `seek` is None if the other player is a bot, which needs no seek. Unless
    it has letters of its own, the answer to the mail becomes the first letter of the new game.
    """

    new_game: Game
    seek: SeekNumber | None

    def goes_on_in(self, game: GameNumber | None) -> GameNumber | None:
        """Return the new game, unless it has letters of its own."""
        return game if self.has_own_letter else self.game

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return both players."""
        return (Seat.SECOND, Seat.FIRST)

    def apply(self, world: World) -> World:
        """Return the world with the game in place of the seek."""
        world = with_new_game(world, self.new_game)
        return world if self.seek is None else world.without_seeks([self.seek])


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekOpened(Event):
    """A player seeks a game."""

    seek: Seek

    def apply(self, world: World) -> World:
        """Return the world with the seek."""
        return world.with_seek(self.seek)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksEnded(Event):
    """Seeks are no longer open, as their time is over, or as their owner gets no letters any more."""

    numbers: tuple[SeekNumber, ...]

    def apply(self, world: World) -> World:
        """Return the world without them."""
        return world.without_seeks(self.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksClosed(SeeksEnded):
    """The owner of these seeks closed them."""


def with_new_game(world: World, game: Game) -> World:
    """Return the world with a new game, whose players are in it."""
    record = replace(game.record, version=1)
    world = _with_rematch(world, record.rematch_of, True).with_game(replace(game, record=record))
    return _with_begun_game(world, record.players) if record.has_begun else world


def _begun(world: World, game: Game) -> World:
    return _with_begun_game(world.with_game(game), game.record.players)


def _with_rematch(world: World, number: GameNumber | None, has_rematch: bool) -> World:
    """Return the world after a rematch of a game is asked for, or declined. It is stored with the rematch only."""
    return world if number is None else world.with_game(replace(world.game(number), has_rematch=has_rematch))


def _with_begun_game(world: World, players: Sequence[PlayerId]) -> World:
    """Return the world in which these players have begun one more game."""
    for number in players:
        player = world.player(number)
        world = world.with_player(replace(player, begun_games=min(player.begun_games + 1, 2)))
    return world
