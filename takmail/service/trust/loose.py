"""A mere `yes` or `no` of which it is not known what it answers: no words for anybody, and it does nothing by itself.

What is open is asked once more, in a letter that shows it; only an answer to that letter counts.
"""

from takmail.service.case import Case
from takmail.service.reading.commands import ANSWERS, Word
from takmail.service.reading.plain import command_form
from takmail.service.reading.understand import Understood
from takmail.service.trust import confirm, held
from takmail.service.verbs import leave, offering
from takmail.store import outbox
from takmail.store.tables import Confirmation, OutboxRow, Question


def is_lost(case: Case) -> bool:
    """Whether the mail answers a letter of ours that asked for a `yes`, and that the database knows nothing of.

    So it is after a restore, with the answers to letters from after the copy was made.
    """
    newest = case.desk.key.newest_own((*case.mail.in_reply_to, *reversed(case.mail.references)))
    if newest is None or not case.desk.key.asks(newest):
        return False
    return outbox.by_message_id(case.session, (newest,)) is None


def is_loose(case: Case, answered: OutboxRow | None, understood: Understood) -> bool:
    """Whether nothing but a `yes` or `no` is in a mail about a game, and it may be one to a question that is open.

    That is so of a mail that answers no letter, and of one whose sender is not sure and that answers a question.
    """
    if case.chair is None or not _is_answer(understood) or leave.awaits_yes(case):
        return False
    is_sure = case.chair.proof.is_sure
    if _answers_question(case, answered):
        return not is_sure or (answered is None and _asked(case, answered) is not None)
    return answered is None and not offering.waits(case) and _asked(case, answered) is not None


def may_resign(case: Case, answered: OutboxRow | None) -> bool:
    """Whether the letter that is answered asked if the sender means to resign, or may have, as nothing else is open."""
    if not case.is_lost:
        return leave.is_asked_in(case, answered)
    return leave.awaits_yes(case) and _asked(case, answered) is None


def ask_again(case: Case, answered: OutboxRow | None) -> None:
    """Ask what the mail may be meant for: what the letter asked that it answers, or else what was asked last."""
    asked = _asked(case, answered)
    if case.table.players[case.seat].is_blocked:
        case.remark = "its player is blocked"
    elif isinstance(asked, Question):
        held.ask_once_more(case, asked)
    elif asked is not None:
        confirm.ask_once_more(case, asked)
    else:
        case.remark = "a late yes, and it was not sure who wrote it"


def _is_answer(understood: Understood) -> bool:
    """Whether the mail holds an answer to a question and no other command, be a question known to be open or not."""
    if understood.orders:
        return all(one.command in (Word("yes"), Word("no")) for one in understood.orders)
    first = next(iter(understood.chat.splitlines()), "")
    return command_form(first).lower().removeprefix("/") in ANSWERS


def _answers_question(case: Case, answered: OutboxRow | None) -> bool:
    return case.is_lost if answered is None else case.desk.key.asks(answered.message_id)


def _asked(case: Case, answered: OutboxRow | None) -> Confirmation | Question | None:
    """The newest of the questions that are open to the player, or of those that the answered letter asked."""
    found: list[Confirmation | Question] = [*confirm.asked_of_owner(case), *held.asked_of_seat(case)]
    if answered is None:
        found = [one for one in found if not one.is_replaced]
    else:
        found = [one for one in found if one.letter_id == answered.id]
    return max(found, key=lambda one: one.asked_at, default=None)
