"""A board that a player has written or pasted, held against the game; nothing changes by it, and nobody else hears."""

from takmail.commands.answers import Answer
from takmail.commands.context import Context
from takmail.commands.events import BoardCompared, BoardKept
from takmail.commands.grammar.commands import Compare
from takmail.commands.unavailable import not_begun


def compare(context: Context, command: Compare) -> Answer:
    """Where a board left the game, in a game that is over, too; it is kept where it is surely the player's own."""
    table = context.table
    closed = not_begun(table.record)
    if closed is not None:
        return closed
    found = table.rules.compare(table.record.setup, table.texts(), command.board)
    compared = BoardCompared(found=found)
    # What doesn't fit the game's board is nothing that could be proposed later.
    if not context.is_sure or found.how == "size":
        return (compared,)
    kept = BoardKept(
        game=table.number,
        seat=context.you,
        board=command.board,
        turn=len(table.turns),
        at=context.now,
    )
    return (compared, kept)
