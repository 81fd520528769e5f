"""A board that a player has written or pasted, held against the game; nothing changes by it, and nobody else hears."""

from takmail.service.case import Case, Report, done
from takmail.service.reading.commands import Compare
from takmail.service.verbs.closed import not_begun
from takmail.store import boards


def compare(case: Case, command: Compare) -> Report:
    """Where a board left the game, in a game that is over, too; it is kept where it is surely the player's own."""
    table = case.table
    closed = not_begun(table.row)
    if closed is not None:
        return closed
    assert case.chair is not None
    found = table.rules.compare(table.row.setup, [turn.text for turn in table.turns], command.board)
    # What doesn't fit the game's board is nothing that could be proposed later.
    if case.chair.proof.is_sure and found.how != "size":
        now = case.desk.clock()
        boards.show(case.session, table.number, case.seat, command.board, len(table.turns), now)
    return done("compared", found=found)
