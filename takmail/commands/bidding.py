"""Carry out `bid`: before some games begin, both players bid for the first turn. Neither is shown the other's bid."""

from takmail.commands import show
from takmail.commands.answers import Answer, not_open, refuse_if, refused, refused_by
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Bid
from takmail.games.interface import Refused, Seat
from takmail.world import BEGUN, CorruptGame, Corruption, Standing, Table, asks_bid
from takmail.world.changes import beginning, in_game
from takmail.world.game_changes import with_bids
from takmail.world.news import BidMade, GameProposed, SeekJoined


def bid(context: Context, command: Bid) -> Answer:
    """Keep the sender's bid in place of an earlier one. The second player's bid begins the game.

    The host may bid before the guest accepts.
    """
    place = _place_of(context, command)
    if place is None:
        return show.no_game(context)
    table, seat = place
    number, game, rules = table.number, table.record, table.rules
    is_host = game.standing is Standing.INVITED and game.invited_by == game.seats[seat]
    if not asks_bid(rules, game.setup) or game.standing in BEGUN:
        return refused("bids_are_over", has_bids=table.has_bids)
    if not (is_host or game.standing is Standing.BIDDING):
        refuse_if(not_open(game))
    if any(event.game == number for event in context.done(BidMade)):
        return refused("two_bids")
    if isinstance(table.states, Corruption):
        raise CorruptGame(table.states)
    try:
        coins = rules.read_bid(command.text)
    except Refused as why:
        return refused_by(table.rules, why.reason)
    first, second = bids = (coins, game.bids[1]) if seat is Seat.FIRST else (game.bids[0], coins)
    if is_host or first is None or second is None:
        return BidMade(game=number, seat=seat, notifies_opponent=False), in_game(number, with_bids, bids)
    setup, beginner = rules.opened(game.setup, (first, second), context.rng("bids"))
    is_swapped = beginner is Seat.SECOND
    made = BidMade(game=number, seat=seat.other if is_swapped else seat)
    return made, beginning(game, setup, context.now, is_swapped=is_swapped)


def _place_of(context: Context, command: Bid) -> tuple[Table, Seat] | None:
    """Return the game that a bid is for, and the sender's seat in it: that of the mail, or one made by the mail itself.

    That counts if the bid stands beside the command that made it, or if its players bid and those of the mail's game
    don't now.
    """
    games, place = context.world.games, None
    if context.game is not None and context.seat is not None:
        place = games[context.game], context.seat
    made = [event.game for event in context.events if isinstance(event, GameProposed | SeekJoined)]
    if not made or context.player is None:
        return place
    new = games[made[-1]]
    is_bidding = place is not None and place[0].record.standing is Standing.BIDDING
    if place is None or command.is_beside or (new.has_bids and not is_bidding):
        return new, new.record.seat_of(context.player.id)
    return place
