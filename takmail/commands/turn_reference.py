"""Find the turn that a command refers to, or explain why there is none."""

from takmail.commands.answers import Refusal, refused
from takmail.commands.context import Context
from takmail.commands.game.branches import branch_with
from takmail.commands.records import Turn


def is_of_this_mail(context: Context, turn: Turn) -> bool:
    """Tell whether the current mail played a turn."""
    return context.mail is not None and turn.mail == context.mail


def shows_what_is_gone(context: Context) -> bool:
    """Tell whether the mail answers a letter whose board had a turn that was taken back since."""
    return context.table.shows_taken_back(context.version, context.turn)


def turn_meant(context: Context, turn: int | None, *, is_next: bool = False) -> int | Refusal:
    """Return the number of the turn that a command names, or a refusal. By default, it is the last turn seen.

    `is_next`: the next turn counts as well, and it is the default.
    """
    if turn is None and not is_next:
        return _last_seen(context)
    most = len(context.table.turns) + is_next
    number = most if turn is None else turn
    return number if 1 <= number <= most else beyond(context, number)


def _last_seen(context: Context) -> int | Refusal:
    """Return the last turn that the sender can have seen: that of the answered letter, else of the game."""
    if shows_what_is_gone(context):
        return refused("gone")
    turns = context.table.turns
    count = len(turns)
    # A turn that the mail itself has just played was seen, too.
    is_own = bool(turns) and is_of_this_mail(context, turns[-1])
    number = count if context.turn is None or is_own else min(context.turn, count)
    return number or refused("shows_no_turn")


def beyond(context: Context, turn: int) -> Refusal:
    """Refuse a turn that was not played yet, or was taken back."""
    table = context.table
    return refused("show_beyond", turn=turn, turns=len(table.turns), branch=branch_with(table, turn))
