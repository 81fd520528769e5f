"""`im`: the last turn is held against every rule, and both players see the verdict. Nothing changes."""

from dataclasses import dataclass

from takmail.games.game import Check
from takmail.service.case import Case, Report, done, failed
from takmail.service.people.discretion import discreet
from takmail.service.reading.commands import Dispute
from takmail.service.reading.plain import clipped
from takmail.service.verbs import talk
from takmail.service.view import Played, View, look, played

MOST_REASON = 500
"""Characters of a reason that are passed on."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A disputed turn: as it was written, the board before and after it, and each rule that it was held against.

    The whole log has been replayed from the empty board to get here, so `checks` speak of the true position.
    """

    reason: str
    turn: Played
    written: str
    before: View
    after: View
    checks: tuple[Check, ...]


def dispute(case: Case, command: Dispute) -> Report:
    """Open the question of the last turn to both players."""
    table = case.table
    if not table.turns:
        return failed("nothing_to_dispute")
    number = len(table.turns)
    last = table.turns[-1]
    verdict = Verdict(
        reason=clipped(discreet(case, command.reason), MOST_REASON),
        turn=played(table)[-1],
        written=last.written,
        before=look(table, case.seat, number - 1),
        after=look(table, case.seat, number),
        checks=table.states[number - 1].verdict(last.text),
    )
    is_heard = talk.is_heard(case)
    if is_heard:
        case.tell("dispute", verdict=verdict)
    return done("dispute", verdict=verdict, is_heard=is_heard)
