"""Carry out `bid`: before some games begin, both players bid for the first turn. Neither is shown the other's bid."""

from takmail.commands import show
from takmail.commands.answers import Answer, not_open, refuse_if, refused, refused_by
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Bid
from takmail.games.interface import Refused, Seat
from takmail.world import BEGUN, Standing, asks_bid
from takmail.world.changes import beginning, in_game
from takmail.world.game_changes import with_bids
from takmail.world.news import BidMade, GameProposed, SeekJoined


def bid(context: Context, command: Bid) -> Answer:
    """Keep the sender's bid in place of an earlier one. The second player's bid begins the game.

    It is for the game that a command above it has made, or else for that of the mail. The host may bid before the guest
    accepts.
    """
    number, seat = context.game, context.seat
    made = [event.game for event in context.events if isinstance(event, GameProposed | SeekJoined)]
    if made and context.player is not None:
        number = made[-1]
        seat = context.world.games[number].record.seat_of(context.player.id)
    if number is None or seat is None:
        return show.no_game(context)
    table = context.world.games[number]
    game, rules = table.record, table.rules
    is_host = game.standing is Standing.INVITED and game.invited_by == game.seats[seat]
    if not asks_bid(rules, game.setup) or game.standing in BEGUN:
        return refused("bids_are_over")
    if not (is_host or game.standing is Standing.BIDDING):
        refuse_if(not_open(game))
    if any(event.game == number for event in context.done(BidMade)):
        return refused("two_bids")
    try:
        coins = rules.read_bid(command.text)
    except Refused as why:
        return refused_by(table.rules, why.reason)
    first, second = bids = (coins, game.bids[1]) if seat is Seat.FIRST else (game.bids[0], coins)
    if is_host or first is None or second is None:
        news = BidMade(game=number, seat=seat, notifies_opponent=False)
        return news, in_game(number, with_bids, bids)
    setup, beginner = rules.opened(game.setup, (first, second), context.rng("bids"))
    is_swapped = beginner is Seat.SECOND
    news = BidMade(game=number, seat=seat.other if is_swapped else seat)
    return news, beginning(game, setup, is_swapped=is_swapped)
