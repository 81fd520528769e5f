"""Refuse commands that fail for every sender, without asking who wrote them."""

from dataclasses import replace

from takmail.commands import new_game
from takmail.commands.answers import Refusal
from takmail.commands.command import Order
from takmail.commands.command_list import is_refused_to_newcomer
from takmail.commands.context import Context
from takmail.commands.grammar.account_arguments import AddAddress, Name
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.commands.grammar.understand import Understood
from takmail.commands.profile import fault_of_name
from takmail.commands.redaction import repeats_no_text
from takmail.games.interface import Reason


def refusable(context: Context, understood: Understood, at: int) -> Understood | None:
    """Return the commands to answer at once if command `at` fails for every sender, otherwise None.

    Command `at` is the first one that requires a verified sender. The commands after it would be skipped.
    """
    orders = understood.orders
    if not _can_never_work(context, orders[at]):
        return None
    games = context.services.games
    before = (replace(one, line=line) for one in orders[:at] if (line := one.canonical(games)))
    return Understood((*before, replace(orders[at], line="")), understood.chat)


def _can_never_work(context: Context, order: Order) -> bool:
    """Tell whether a command fails for every sender, with a refusal that repeats none of the typed words."""
    if is_refused_to_newcomer(context, order.command):
        return True
    key = context.services.key
    match order.arguments:
        case New(opponent, setup, kind=kind, is_relay=is_relay):
            is_to_itself = opponent == context.sender or key.is_own(opponent)
            return is_to_itself or _is_invalid_setup(context, kind, setup, is_relay=is_relay)
        case SeekGame(setup, kind=kind, is_relay=is_relay):
            return _is_invalid_setup(context, kind, setup, is_relay=is_relay)
        case Name(name):
            return fault_of_name(context.services, name) is not None
        case AddAddress(address):
            return key.is_own(address)
        case _:
            return False


def _is_invalid_setup(context: Context, kind: str, setup: tuple[str, ...], *, is_relay: bool) -> bool:
    refusal = new_game.set_up(context, kind, setup, is_relay=is_relay)
    reason = refusal.facts["reason"] if isinstance(refusal, Refusal) else None
    return isinstance(reason, Reason) and repeats_no_text(reason)
