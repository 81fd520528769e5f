"""`im`: a turn is held against every rule, and both players see the verdict. Nothing changes."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.game.verdict import verdict_of
from takmail.service.people.discretion import discreet
from takmail.service.reading.commands import Dispute
from takmail.service.reading.plain import clipped
from takmail.service.verbs import talk
from takmail.service.verbs.beyond import turn_meant
from takmail.service.verbs.closed import not_begun
from takmail.store import disputes
from takmail.store.tables import Dispute as Row

MOST_REASON = 500
"""Characters of a reason that are passed on."""
MOST_IN_ONE_MAIL = 3
"""Disputes that one mail opens: each brings the opponent a long explanation."""


def dispute(case: Case, command: Dispute) -> Report:
    """Open the question of a turn to both players; the same from the same seat again is not told twice.

    In a game that is over nothing can come of it, but both see the verdict.
    """
    number = _number(case, command)
    if isinstance(number, Report):
        return number
    new = opened(case, number, command.reason)
    is_new = disputes.begin(case.session, new)
    case.changed()
    verdict = verdict_of(case.table, case.seat, number)
    is_heard = talk.is_heard(case)
    facts = {"verdict": verdict, "is_own": case.table.turns[number - 1].seat == case.seat}
    if is_new and is_heard:
        case.tell("dispute", why=named(command, new.reason), reason=new.reason, **facts)
    return done("dispute", is_heard=is_heard, is_new=is_new, **facts)


def opened(case: Case, number: int, reason: str) -> Row:
    """The sender's dispute about a turn, not stored yet, with its reason as the opponent may read it."""
    words = clipped(discreet(case, reason), MOST_REASON)
    now = case.desk.clock()
    return Row(game_id=case.table.number, seat=case.seat, turn=number, reason=words, opened_at=now)


def named(command: Dispute, reason: str) -> str:
    """What stands behind `im` in the letter: the turn where the sender has named one, and the reason."""
    return reason if command.turn is None else f"#{command.turn} {reason}".strip()


def _number(case: Case, command: Dispute) -> int | Report:
    """The number of the turn in question, or why there is nothing to dispute."""
    table = case.table
    closed = not_begun(table.row)
    if closed:
        return closed
    if command.turn is None and not table.turns:
        return failed("nothing_to_dispute")
    number = turn_meant(case, command.turn)
    if isinstance(number, Report):
        return number
    if table.turns[number - 1].is_agreed:
        return failed("agreed_board", turn=number)
    if sum(one.report.about == "dispute" for one in case.reports) >= MOST_IN_ONE_MAIL:
        return failed("many_disputes", most=MOST_IN_ONE_MAIL)
    return number
