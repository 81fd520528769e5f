"""The verbs that give a game up, and the answers to a question: resign, yes, no."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.trust.asking import ASKED_FOR
from takmail.service.verbs.closed import not_open
from takmail.store import confirmations, games, questions
from takmail.store.tables import OutboxRow, Question, QuestionKind


def ask_resign(case: Case) -> Report:
    """Ask whether the sender means it; only the `yes` gives the game up."""
    table = case.table
    refusal = not_open(table.row)
    if refusal:
        return refusal
    question = Question(
        game_id=table.number, seat=case.seat, kind=QuestionKind.RESIGN, asked_at=case.desk.clock()
    )
    lapse(case)
    questions.ask(case.session, question)
    return done("ask_resign")


def resign(case: Case) -> Report:
    """Give the game up, if that is what was asked."""
    if case.chair is None or not may_resign(case):
        return failed("nothing_asked")
    result = case.table.rules.resign(case.seat)
    games.end(case.session, case.table.row, result.score, resigned=case.seat)
    case.ended()
    case.tell("resigned")
    return done("resigned")


def no(case: Case) -> Report:
    """Let what is asked drop, in the game that the mail is about, or else of the sender's address."""
    if case.chair is None:
        confirmations.drop_all(case.session, case.mail.sender)
        return done("dropped")
    questions.close_all(case.session, case.table.number, case.seat)
    return done("dropped")


def is_asked_in(case: Case, letter: OutboxRow | None) -> bool:
    """Whether it was this letter that asked if the sender means to resign, where that is still asked."""
    asked = questions.open_to(case.session, case.table.number, case.seat, QuestionKind.RESIGN)
    return letter is not None and any(one.letter_id in (None, letter.id) for one in asked)


def may_resign(case: Case) -> bool:
    """Whether the sender has been asked if they mean to resign, not too long ago."""
    asked = questions.open_to(case.session, case.table.number, case.seat, QuestionKind.RESIGN)
    return any(case.desk.clock() - one.asked_at <= ASKED_FOR for one in asked)


def awaits_yes(case: Case) -> bool:
    """Whether a `yes` in any mail gives the game up; not while there is an offer that it may be meant for.

    Then only a `yes` to the very letter that asked does.
    """
    return may_resign(case) and not any(one.seat != case.seat for one in case.table.offers)


def lapse(case: Case) -> None:
    """Anything but a `yes` to the question means that the game goes on."""
    questions.close_all(case.session, case.table.number, case.seat, QuestionKind.RESIGN)
