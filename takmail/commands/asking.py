"""Rules for every question that a letter asks."""

from collections.abc import Sequence

from takmail.commands.answers import Events
from takmail.commands.events import QuestionClosed, QuestionReplaced
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import Question

OF_SEAT = (QuestionKind.HELD, QuestionKind.DOUBT)
"""The questions to a seat that a `yes` to their letter answers by running kept words."""
MOST_ASKED = 3
"""Questions that are open to one address or seat at a time; the newest replaces the oldest."""
MOST_KEPT = 20
"""Questions to one address or seat that a `yes` can still answer, with those that newer ones have replaced.

A newer one closes the oldest: else whoever fills the places keeps the owner's own mails from being asked about.
"""


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
