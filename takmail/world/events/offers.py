"""Define the events of offers."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from takmail.games.interface import Comparison, Seat
from takmail.world import game_changes
from takmail.world.consequences import OfferedChange
from takmail.world.events.base import GameEvent, SeatEvent
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import PendingEnd
from takmail.world.pending import Pending
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameEvent):
    """A player made an offer, in place of those that it `replaces`."""

    offer: Pending
    replaces: tuple[Pending, ...] = ()

    @property
    def seat(self) -> Seat:
        """The seat of the player who made it."""
        assert self.offer.seat is not None
        return self.offer.seat

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the opponent. If they block the player, they see the offer in the next letter about the game."""
        return (self.seat.other,) if world.game(self.game).is_heard(self.seat) else ()

    def stands(self, game: Game) -> bool:
        """Tell whether the offer is open after the mail."""
        return self.version + 1 in (offer.version for offer in game.offers)

    def apply(self, world: World) -> World:
        """Return the world with the offer in place of those that it replaces."""
        return self._in_game(world, game_changes.with_offer, self.offer, self.replaces)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalMade(OfferMade):
    """A player proposed to continue from another board.

    * `wish` is the proposal as letters describe it
    * `instead_of` is the replaced proposal that the opponent knows about, if any
    * `is_in_place`: this proposal replaces one of the same player, whether or not the opponent knows about it
    * `comparison` lists the differences between the proposed board and the game
    * `shown_after` is the turn after which an earlier mail showed the board, None if this mail contains the board
    """

    wish: OfferedChange
    instead_of: OfferedChange | None
    is_in_place: bool
    comparison: Comparison | None
    shown_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferClosed(SeatEvent):
    """Base class of the answers of the player in `seat` to an offer. `wish` is the offer as letters describe it."""

    offer: Pending
    wish: OfferedChange
    how: ClassVar[PendingEnd]

    def apply(self, world: World) -> World:
        """Return the world in which the offer has ended."""
        return self._in_game(world, game_changes.without_offers, (self.offer,), self.how)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRefused(OfferClosed):
    """The player in `seat` refused the opponent's offer."""

    how: ClassVar[PendingEnd] = PendingEnd.REFUSED


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(OfferClosed):
    """The player in `seat` withdrew their own offer.

    `known_to_opponent` is the same offer, if the opponent was notified of it. Otherwise it is the replaced offer that
    the opponent knows about, or None.
    """

    known_to_opponent: OfferedChange | None
    how: ClassVar[PendingEnd] = PendingEnd.WITHDRAWN

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the opponent, if they know of an offer and don't block the player."""
        is_heard = self.known_to_opponent is not None and world.game(self.game).is_heard(self.seat)
        return (self.seat.other,) if is_heard else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferAgreed(OfferClosed):
    """The player in `seat` accepted the opponent's offer at `agreed_at`. What it offers follows.

    `turn` is the last turn of the game before, None if there was none. `mail` is the number of the mail that accepts.
    """

    agreed_at: datetime
    mail: int | None = None
    turn: NamedTurn | None = None
    how: ClassVar[PendingEnd] = PendingEnd.AGREED

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return both players. A bot agrees in the mail of its opponent."""
        return tuple(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceAgreed(GameEvent):
    """Both players agreed on a `pace` at `agreed_at`, None for none."""

    pace: str | None
    agreed_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the clocks begin anew."""
        return self._in_game(world, game_changes.with_pace, self.pace, self.agreed_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class OffersLapsed(GameEvent):
    """Open `offers` lapsed, as the board about which they were made is gone. That is part of what made it go.

    Nobody is told of it if the opponent knows of none of them (`is_known`).
    """

    offers: tuple[Pending, ...]
    is_known: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return both players, if both know of the offers."""
        return tuple(Seat) if self.is_known else ()

    def stands(self, game: Game) -> bool:
        """Tell whether the turn with which they lapsed, or its being taken back, was not undone by the same mail."""
        turns = (turn.version for turn in game.turns)
        return self.version in (*turns, *(run.ended_version for run in game.taken_back))

    def apply(self, world: World) -> World:
        """Return the world in which the offers have ended."""
        return self._in_game(world, game_changes.with_offers_lapsed, self.offers)


@dataclass(frozen=True, slots=True, kw_only=True)
class OffersExpired(OffersLapsed):
    """Open `offers` lapsed, as their time is over."""

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return nobody."""
        return ()

    def apply(self, world: World) -> World:
        """Return the world in which the offers have ended, which letters of a cause at the same time can't mention."""
        return self._in_game(world, game_changes.without_offers, self.offers, PendingEnd.LAPSED)
