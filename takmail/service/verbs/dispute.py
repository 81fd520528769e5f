"""`im`: the last turn is held against every rule, and both players see the verdict. Nothing changes."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.people.discretion import discreet
from takmail.service.reading.commands import Dispute
from takmail.service.reading.plain import clipped
from takmail.service.verbs import talk
from takmail.service.verdict import verdict_of

MOST_REASON = 500
"""Characters of a reason that are passed on."""


def dispute(case: Case, command: Dispute) -> Report:
    """Open the question of the last turn to both players."""
    table = case.table
    if not table.turns:
        return failed("nothing_to_dispute")
    verdict = verdict_of(table, case.seat, len(table.turns))
    is_heard = talk.is_heard(case)
    if is_heard:
        case.tell("dispute", verdict=verdict, why=clipped(discreet(case, command.reason), MOST_REASON))
    return done("dispute", verdict=verdict, is_heard=is_heard)
