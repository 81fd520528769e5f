"""Find the turn that a command refers to, or refuse the command if there is none."""

from takmail.commands.answers import Refusal, RefusalError, refused
from takmail.commands.context import Context


def turn_meant(context: Context, turn: int | None, *, is_next: bool = False) -> int:
    """Return the number of the turn that a command refers to. If `turn` is None, it is the last turn seen.

    `is_next`: the next turn is allowed, too, and is the default. Raises RefusalError if there is no such turn.
    """
    if turn is None and not is_next:
        return _last_seen(context)
    most = len(context.table.turns) + is_next
    number = most if turn is None else turn
    if not 1 <= number <= most:
        raise RefusalError(beyond(context, number))
    return number


def _last_seen(context: Context) -> int:
    """Return the last turn that the sender can have seen.

    It is the last turn in the answered letter. If the mail answers none, it is the last turn of the game.
    """
    if context.shows_what_is_gone:
        raise RefusalError(refused("gone"))
    turns = context.table.turns
    count = len(turns)
    # The sender knows a turn that this same mail has played.
    is_own = bool(turns) and context.has_played(turns[-1])
    number = count if context.turn is None or is_own else min(context.turn, count)
    if number == 0:
        raise RefusalError(refused("shows_no_turn"))
    return number


def beyond(context: Context, turn: int) -> Refusal:
    """Refuse a turn number after the last turn of the game. It may not be played yet, or may be taken back."""
    table = context.table
    runs = table.runs_with(turn)
    return refused("show_beyond", turn=turn, turns=len(table.turns), run=runs[-1] if runs else None)
