"""Define which questions a `yes` can answer, and which questions a new one closes or replaces."""

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.events import QuestionClosed, QuestionReplaced
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import Question
from takmail.limits.questions import MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS


def open_questions(context: Context, *addresses: str | None) -> list[Question]:
    """Return the questions to these addresses and to the sender's seat that a `yes` can still answer.

    Those to addresses come first, and the oldest before the others. Those that newer ones replaced are included.
    """
    of_game = () if context.game is None else context.table.questions
    asked = [one for one in context.state.pending if one.address in addresses and one.letter is not None]
    asked += [one for one in of_game if one.seat == context.seat]
    return [one for one in asked if one.is_open(context.now)]


def resign_questions(context: Context) -> list[Question]:
    """Return the questions to the sender's seat whose `yes` resigns the game, oldest first."""
    return [one for one in open_questions(context) if one.kind is QuestionKind.RESIGN]


def replacing_older(context: Context, new: Question) -> Events:
    """Return the events that close or replace older questions to make room for a new one.

    Only questions of the same kind to the same address or seat give way: a kind that verified mails lead to is no other
    mail's, so that nobody can push such a question out. Questions about the same commands take one place together.
    """
    known = [one for one in open_questions(context, new.address) if one.kind is new.kind]
    closed = known[: max(0, len(known) + 1 - MAX_KEPT_QUESTIONS)]
    open_ones = [one for one in known[len(closed) :] if not one.is_replaced]
    newest = list(dict.fromkeys(map(_what_is_asked, reversed((*open_ones, new)))))[:MAX_OPEN_QUESTIONS]
    return (
        *(QuestionClosed(question=one.id) for one in closed),
        *(QuestionReplaced(question=one.id) for one in open_ones if _what_is_asked(one) not in newest),
    )


def _what_is_asked(question: Question) -> tuple[object, ...]:
    return question.words, question.turn, question.version
