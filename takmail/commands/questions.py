"""Rules for every question that a letter asks."""

from collections.abc import Collection, Sequence
from datetime import datetime

from takmail.commands.answers import Events
from takmail.commands.events import QuestionClosed, QuestionReplaced
from takmail.commands.game.table import Table
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import Question
from takmail.games.interface import Seat

OF_SEAT = (QuestionKind.HELD, QuestionKind.DOUBT)
"""The questions to a seat that a `yes` to their letter answers by running kept words."""
MOST_ASKED = 3
"""Questions that are open to one address or seat at a time; the newest replaces the oldest."""
MOST_KEPT = 20
"""Questions to one address or seat that a `yes` can still answer, with those that newer ones have replaced.

A newer one closes the oldest: else whoever fills the places keeps the owner's own mails from being asked about.
"""


def asked_of(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions that a `yes` from an address can still answer, oldest first."""
    return [one for one in pending if one.address == address and one.letter is not None and one.is_open(now)]


def asked_of_seat(table: Table, seat: Seat, kinds: Collection[QuestionKind], now: datetime) -> list[Question]:
    """Return the questions of these kinds that a `yes` of a seat can still answer, replaced or not, oldest first."""
    return [one for one in table.questions if one.seat == seat and one.kind in kinds and one.is_open(now)]


def commands_asked_of(pending: Sequence[Question], address: str, now: datetime) -> list[Question]:
    """Return the questions about commands that a `yes` from an address can still answer, oldest first."""
    return [one for one in asked_of(pending, address, now) if one.kind is QuestionKind.COMMANDS]


def making_room(new: Question, known: Sequence[Question]) -> Events:
    """What gives way to a new question among those of its kind to the same address or seat, oldest first.

    To ask the same once more takes no other one's place.
    """
    closed = known[: max(0, len(known) + 1 - MOST_KEPT)]
    open_ones = [one for one in known[len(closed) :] if not one.is_replaced]
    newest = list(dict.fromkeys(map(_what, reversed((*open_ones, new)))))[:MOST_ASKED]
    return (
        *(QuestionClosed(question=one.id) for one in closed),
        *(QuestionReplaced(question=one.id) for one in open_ones if _what(one) not in newest),
    )


def _what(question: Question) -> tuple[object, ...]:
    return question.words, question.turn, question.version
