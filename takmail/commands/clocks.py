"""Carry out the commands about clocks: `gift`, and what follows when the time of a player is over."""

from datetime import timedelta

from takmail.commands.answers import Answer, Refusal, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Length
from takmail.world import Queries, clock_of
from takmail.world.changes import Change, in_game
from takmail.world.game_changes import with_gift
from takmail.world.news import TimeGiven
from takmail.world.pace import DAY

WAIT = 3 * DAY
"""How long a player gets if the opponent waits although their time is over."""


def tell(_context: Context) -> Told:
    """Tell the time for turns, what each player has left, and until when the next move counts."""
    return told("clock")


def gift(context: Context, command: Length) -> Answer:
    """Give the opponent time for their next turn."""
    table = context.table
    if table.record.clock_from is None:
        return refused("no_clock")
    given = TimeGiven(game=table.number, seat=context.you, time=command.time)
    return given, in_game(table.number, with_gift, context.you.other, command.time)


def cannot_claim(context: Context) -> Refusal | None:
    """Return a refusal if the opponent has time, or a mail of theirs waits, which may be their move, otherwise None."""
    ends_at = clock_of(context.table).deadline
    if ends_at is None or ends_at > context.now:
        return refused("nothing_to_claim")
    opponent = context.table.players[context.you.other]
    is_waiting = context.world.ask(Queries.has_waiting_mail, opponent.id)
    return refused("opponents_mail_waits") if is_waiting else None


def waiting(context: Context) -> Change:
    """Return the change that gives the opponent, whose time is over, more of it from now on."""
    clock = clock_of(context.table)
    over = clock.spent_until(context.now) - (clock.allowance or timedelta(0))
    return in_game(context.table.number, with_gift, context.you.other, max(timedelta(0), over) + WAIT)
