"""Carry out the command with which the players of some games bid for the first turn, before the game begins."""

import re
from dataclasses import dataclass
from typing import Self

from takmail.commands import show
from takmail.commands.answers import Answer, not_open, refuse_if, refused, refused_by
from takmail.commands.command import Arguments, Order, Rest
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import short_number
from takmail.games.interface import Refused, Seat
from takmail.world import Game, asks_bid, events

_BID = re.compile(r"(=?) ?(\S*?)(?: coins?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bid(Arguments):
    """What a player bids for the first turn. The game itself reads it.

    `needs_game`: it is no bid beside another command, which makes the game.
    """

    text: str
    needs_game: bool = True

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `4`, or any word behind a mark. "bid you farewell" is chat."""
        bid = _BID.fullmatch(rest.text)
        if bid is None or not (bid[1] or rest.is_marked or bid[2].lstrip("+-")[:1].isdigit()):
            return None
        return cls(bid[2].rstrip(".,"), not bid[1])

    def written(self) -> str | None:
        """Return the bid, None if it has room for a message."""
        return None if short_number(self.text) is None else f"{'' if self.needs_game else '='}{self.text}"


def is_bid_beside(order: Order) -> bool:
    """Tell whether an order is a bid beside another command, which makes its game."""
    return isinstance(order.arguments, Bid) and not order.arguments.needs_game


def bid(context: Context, command: Bid) -> Answer:
    """Keep the sender's bid in place of an earlier one. The second player's bid begins the game.

    The host may bid before the guest accepts.
    """
    place = _place_of(context, command)
    if place is None:
        return show.no_game(context)
    game, seat = place
    number, record, rules = game.number, game.record, game.rules
    is_host = record.is_invitation_of(record.players[seat])
    if not asks_bid(rules, record.setup) or record.has_begun:
        return refused("bids_are_over", has_bids=game.has_bids)
    if not (is_host or record.is_bidding):
        refuse_if(not_open(record))
    if events.has_done(context.so_far.happened, events.BidMade, number, seat):
        return refused("two_bids")
    game.ensure_sound()
    try:
        coins = rules.read_bid(command.text)
    except Refused as why:
        return refused_by(game.rules, why.reason)
    first, second = (coins, record.seats[1].bid) if seat is Seat.FIRST else (record.seats[0].bid, coins)
    if is_host or first is None or second is None:
        return (events.BidMade(game=number, seat=seat, coins=coins),)
    setup, beginner = rules.opened(record.setup, (first, second), context.rng("bids"))
    is_swapped = beginner is Seat.SECOND
    return (
        events.BidsOpened(
            game=number,
            seat=seat.other if is_swapped else seat,
            begun_at=context.now,
            setup=setup,
            is_swapped=is_swapped,
        ),
    )


def _place_of(context: Context, command: Bid) -> tuple[Game, Seat] | None:
    """Return the game that a bid is for, and the sender's seat in it: that of the mail, or one made by the mail itself.

    That counts if the bid stands beside the command that made it, or if its players bid and those of the mail's game
    don't now.
    """
    place = None
    if context.game_number is not None and context.seat is not None:
        place = context.game, context.seat
    made = context.world.new_games
    if not made or context.player is None:
        return place
    new = made[-1]
    is_bidding = place is not None and place[0].record.is_bidding
    if place is None or not command.needs_game or (new.has_bids and not is_bidding):
        return new, new.record.seat_of(context.player.id)
    return place
