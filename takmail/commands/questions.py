"""Define which questions a `yes` can answer, and which questions a new one closes or replaces."""

from collections.abc import Sequence
from datetime import datetime

from takmail.commands.answers import Events
from takmail.commands.events import QuestionClosed, QuestionReplaced
from takmail.commands.game.table import Table
from takmail.commands.kinds import ABOUT_ACCOUNT, QuestionKind
from takmail.commands.records import Question
from takmail.games.interface import Seat
from takmail.limits.questions import MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS


def questions_to_address(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions to an address that a `yes` can still answer, oldest first.

    Like all functions of this module, it includes the questions that newer ones replaced.
    """
    return [one for one in pending if one.address == address and one.letter is not None and one.is_open(now)]


def command_questions_to_address(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions to an address whose `yes` runs commands, oldest first."""
    kinds = (QuestionKind.COMMANDS, *ABOUT_ACCOUNT)
    return [one for one in questions_to_address(pending, address, now) if one.kind in kinds]


def command_questions_to_seat(table: Table, seat: Seat, now: datetime) -> list[Question]:
    """Return the questions to a seat whose `yes` runs commands, oldest first."""
    kinds = (QuestionKind.HELD, QuestionKind.DOUBT)
    return [one for one in table.questions if one.seat == seat and one.kind in kinds and one.is_open(now)]


def resign_questions(table: Table, seat: Seat, now: datetime) -> list[Question]:
    """Return the questions to a seat whose `yes` resigns the game, oldest first."""
    kind = QuestionKind.RESIGN
    return [one for one in table.questions if one.seat == seat and one.kind is kind and one.is_open(now)]


def replacing_older(new: Question, known: Sequence[Question]) -> Events:
    """Return the events that close or replace older questions to make room for a new one.

    `known` are the questions to the same address or seat, oldest first. Only those of the same kind give way: a kind
    that verified mails lead to is no other mail's, so that nobody can push such a question out. Questions about the
    same commands take one place together.
    """
    known = [one for one in known if one.kind is new.kind]
    closed = known[: max(0, len(known) + 1 - MAX_KEPT_QUESTIONS)]
    open_ones = [one for one in known[len(closed) :] if not one.is_replaced]
    newest = list(dict.fromkeys(map(_what_is_asked, reversed((*open_ones, new)))))[:MAX_OPEN_QUESTIONS]
    return (
        *(QuestionClosed(question=one.id) for one in closed),
        *(QuestionReplaced(question=one.id) for one in open_ones if _what_is_asked(one) not in newest),
    )


def _what_is_asked(question: Question) -> tuple[object, ...]:
    return question.words, question.turn, question.version
