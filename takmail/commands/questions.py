"""Define the rules for all questions that letters ask."""

from collections.abc import Collection, Sequence
from datetime import datetime

from takmail.commands.answers import Events
from takmail.commands.events import QuestionClosed, QuestionReplaced
from takmail.commands.game.table import Table
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import Question
from takmail.games.interface import Seat

OF_SEAT = (QuestionKind.HELD, QuestionKind.DOUBT)
"""Questions to a seat. A `yes` to their letter runs the held commands."""
MAX_OPEN_QUESTIONS = 3
"""The maximum number of open questions to one address or seat. The newest replaces the oldest."""
MOST_KEPT = 20
"""The maximum number of questions to one address or seat that a `yes` can answer, including replaced ones.

A new one closes the oldest. Otherwise an attacker could fill all places, and the owner's mails would not be asked
about.
"""


def asked_of(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions that a `yes` from an address can still answer, oldest first."""
    return [one for one in pending if one.address == address and one.letter is not None and one.is_open(now)]


def asked_of_seat(table: Table, seat: Seat, kinds: Collection[QuestionKind], now: datetime) -> list[Question]:
    """Return the questions of these kinds that a `yes` of a seat can answer, replaced or not, oldest first."""
    return [one for one in table.questions if one.seat == seat and one.kind in kinds and one.is_open(now)]


def commands_asked_of(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions about commands that a `yes` from an address can still answer, oldest first."""
    return [one for one in asked_of(pending, address, now) if one.kind is QuestionKind.COMMANDS]


def replacing_older(new: Question, known: Sequence[Question]) -> Events:
    """Return the events that close or replace older questions to make room for a new one.

    `known` are the questions of its kind to the same address or seat, oldest first. A question that asks the same
    again takes no additional place.
    """
    closed = known[: max(0, len(known) + 1 - MOST_KEPT)]
    open_ones = [one for one in known[len(closed) :] if not one.is_replaced]
    newest = list(dict.fromkeys(map(_content, reversed((*open_ones, new)))))[:MAX_OPEN_QUESTIONS]
    return (
        *(QuestionClosed(question=one.id) for one in closed),
        *(QuestionReplaced(question=one.id) for one in open_ones if _content(one) not in newest),
    )


def _content(question: Question) -> tuple[object, ...]:
    return question.words, question.turn, question.version
