"""The verb `moves`, which tells what there is to play."""

from takmail.games.game import Refused
from takmail.service.case import Case, Report, done, failed
from takmail.service.reading.commands import Moves
from takmail.service.verbs.closed import not_open


def choose(case: Case, command: Moves) -> Report:
    """All turns of one place, or the likely ones of all, for whoever is to move."""
    table = case.table
    closed = not_open(table.row)
    if closed:
        return closed
    state = table.state
    if state.to_move != case.seat:
        return failed("not_your_turn")
    try:
        found = state.choices_at(command.place) if command.place else state.choices()
    except Refused as refused:
        return failed("refused", game=table.rules.name, reason=refused.reason, turn="", fixes=())
    if not found:
        return failed("moves_none", place=command.place)
    return done("moves", place=command.place, groups=found, number=len(table.turns) + 1)
