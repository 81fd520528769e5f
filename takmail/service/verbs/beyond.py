"""Turns that a command names and that the game does not have."""

from takmail.service.branches import branch_with
from takmail.service.case import Case, Report, failed


def beyond(case: Case, turn: int) -> Report:
    """There is no such turn: nobody has played it yet, or it was given up."""
    table = case.table
    return failed("show_beyond", turn=turn, turns=len(table.turns), branch=branch_with(table, turn))
