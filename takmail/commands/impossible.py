"""Refuse commands that fail for every sender, without asking who wrote them."""

from dataclasses import replace

from takmail.commands.answers import Refusal
from takmail.commands.command_list import perform
from takmail.commands.context import Context
from takmail.commands.grammar.understand import Understood


def refusable(context: Context, understood: Understood) -> Understood | None:
    """Return the commands to answer at once if the first that needs proof fails for every sender, otherwise None.

    The commands after it would be skipped.
    """
    orders, games = understood.orders, context.services.games
    at = next(at for at, one in enumerate(orders) if one.command.needs_proof)
    # Only such commands have refusals for all, and the others may load what nobody else may cause to be loaded.
    answer = perform(context, orders[at]) if orders[at].command.makes_player else ()
    if not (isinstance(answer, Refusal) and answer.is_for_all):
        return None
    before = (replace(one, line=line) for one in orders[:at] if (line := one.canonical(games)))
    return Understood((*before, replace(orders[at], line="")), understood.chat)
