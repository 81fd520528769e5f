"""The turn that a command names, and what to say where the game does not have it."""

from takmail.commands.answers import Refusal, refused
from takmail.commands.context import Context
from takmail.commands.game.branches import branch_with
from takmail.commands.records import Turn


def is_of_this_mail(context: Context, turn: Turn) -> bool:
    """Whether the very mail at hand has played a turn."""
    return context.mail is not None and turn.mail == context.mail


def shows_what_is_gone(context: Context) -> bool:
    """Whether the words answer a letter whose board had a turn that was given up since."""
    return context.table.shows_what_is_gone(context.version, context.turn)


def turn_meant(context: Context, turn: int | None, *, is_next: bool = False) -> int | Refusal:
    """The number of the turn that a command names, or that there is none such; the last seen where it names none.

    `is_next`: the turn that is to be played counts as well, and it is the one that is meant where none is named.
    """
    if turn is None and not is_next:
        return _last_seen(context)
    most = len(context.table.turns) + is_next
    number = most if turn is None else turn
    return number if 1 <= number <= most else beyond(context, number)


def _last_seen(context: Context) -> int | Refusal:
    """The last turn that the sender can have had before them: of the letter that is answered, or else of the game."""
    if shows_what_is_gone(context):
        return refused("gone")
    turns = context.table.turns
    count = len(turns)
    # What the mail itself has just played is seen, too.
    is_own = bool(turns) and is_of_this_mail(context, turns[-1])
    number = count if context.turn is None or is_own else min(context.turn, count)
    return number or refused("shows_no_turn")


def beyond(context: Context, turn: int) -> Refusal:
    """There is no such turn: nobody has played it yet, or it was given up."""
    table = context.table
    return refused("show_beyond", turn=turn, turns=len(table.turns), branch=branch_with(table, turn))
