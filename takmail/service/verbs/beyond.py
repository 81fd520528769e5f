"""The turn that a command names, and what to say where the game does not have it."""

from takmail.service.case import Case, Report, failed
from takmail.service.game.branches import branch_with
from takmail.service.verbs.undo import shows_what_is_gone


def turn_meant(case: Case, turn: int | None, *, is_next: bool = False) -> int | Report:
    """The number of the turn that a command names, or that there is none such; the last seen where it names none.

    `is_next`: the turn that is to be played counts as well, and it is the one that is meant where none is named.
    """
    if turn is None and not is_next:
        return _last_seen(case)
    most = len(case.table.turns) + is_next
    number = most if turn is None else turn
    return number if 1 <= number <= most else beyond(case, number)


def _last_seen(case: Case) -> int | Report:
    """The last turn that the sender can have had before them: of the letter that is answered, or else of the game."""
    if shows_what_is_gone(case):
        return failed("gone")
    turns = case.table.turns
    count = len(turns)
    # What the mail itself has just played is seen, too.
    is_own = bool(turns) and case.intake_id is not None and turns[-1].intake_id == case.intake_id
    number = count if case.shown is None or is_own else min(case.shown, count)
    return number or failed("shows_no_turn")


def beyond(case: Case, turn: int) -> Report:
    """There is no such turn: nobody has played it yet, or it was given up."""
    table = case.table
    return failed("show_beyond", turn=turn, turns=len(table.turns), branch=branch_with(table, turn))
