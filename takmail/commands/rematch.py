"""Carry out `rematch`: begin the same game again with the seats exchanged."""

from dataclasses import replace

from takmail.commands import new_game
from takmail.commands.answers import Answer, refuse_if, refused
from takmail.commands.context import Context
from takmail.commands.game_standing import not_open
from takmail.commands.grammar.bid_forms import Rematch
from takmail.commands.kinds import Standing
from takmail.commands.notified import events_for_opponent
from takmail.commands.records import GameRecord


def rematch(context: Context, command: Rematch) -> Answer:
    """Invite the opponent to the same game again. In reply to such an invitation, accept it.

    After a declined invitation, it is the same invitation again, and who was host may still know only an address.
    The terms are words that the game itself parses: a bid, where the old game had bids. All else stays as it was.
    """
    table, old = context.table, context.table.record
    you, other = table.players[context.you], table.players[context.you.other]
    if old.standing == Standing.INVITED and old.rematch_of is not None and old.invited_by != you.id:
        return new_game.accept(context, command)
    was_declined = old.standing == Standing.DECLINED
    if old.standing != Standing.OVER and not was_declined:
        return not_open(old) or refused("rematch_too_soon")
    if other.is_erased:
        return refused("opponent_left")
    following = context.rematch_of(table.number)
    if following is not None:
        return _existing_rematch(context, following, command)
    label = old.guest_label if was_declined and old.invited_by == you.id else None
    refuse_if(new_game.too_many(context, other, label))
    setup = table.rules.rematch_setup(old.setup)
    setup = new_game.with_terms(table.rules, setup, command.terms, "rematch", is_again=True)
    new = new_game.new_game(
        context,
        kind=old.kind,
        setup=setup,
        host=you,
        guest=other,
        host_seat=context.you if was_declined else context.you.other,
        days=old.days,
        is_relay=old.is_relay,
    )
    follows = old.rematch_of if was_declined else table.number
    return new_game.found(context, replace(new, rematch_of=follows, guest_label=label), other)


def _existing_rematch(context: Context, following: GameRecord, command: Rematch) -> Answer:
    """Answer a request for a rematch that already exists. If the sender is invited to it, begin it.

    It does not begin if the mail has caused events in the old game. The mail's letter to the opponent then reports
    these events.
    """
    if following.standing != Standing.INVITED:
        return refused("rematch_begun", number=following.number)
    table, other = context.table, context.table.players[context.you.other]
    was_host = following.invited_by == table.players[context.you].id
    if was_host or events_for_opponent(context.events, table.number, other.id):
        return refused("already_asked", other=other.name, number=following.number, was_host=was_host)
    return new_game.begin(context, following, command.terms, "rematch")
