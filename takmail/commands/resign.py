"""Carry out `resign`, and the answers `yes` and `no` to a question."""

from takmail.commands.answers import Answer, refused, told
from takmail.commands.context import Context
from takmail.commands.events import GameEnded, QuestionClosed, QuestionsDropped, ResignationAsked, Resigned
from takmail.commands.kinds import QuestionKind
from takmail.commands.questions import resign_questions
from takmail.commands.records import Question


def ask_resign(context: Context) -> Answer:
    """Ask the sender to confirm the resignation. The game is resigned only after a `yes`."""
    asked = resign_questions(context)
    if any(one.id < 0 for one in asked):
        return told("ask_resign")
    question = Question(
        context.next_question(),
        QuestionKind.RESIGN,
        asked_at=context.now,
        game=context.table.number,
        seat=context.you,
    )
    before = (QuestionClosed(question=one.id) for one in asked)
    return (ResignationAsked(question=question), *before)


def resign(context: Context) -> Answer:
    """Resign the game, if the sender was asked to confirm it.

    Without a signature the `yes` has to answer the letter that asks, which only its reader knows. Otherwise it is asked
    again.
    """
    asked = resign_questions(context)
    if context.game is None or not asked:
        return refused("nothing_asked")
    is_answer = context.letter is not None and any(one.letter == context.letter for one in asked)
    if not (context.is_signed or is_answer):
        return ask_resign(context)
    result = context.table.rules.resign(context.you)
    return (
        Resigned(game=context.game, seat=context.you),
        GameEnded(game=context.game, score=result.score, resigned=context.you),
    )


def no(context: Context) -> Answer:
    """Close the questions to the sender in the game of the mail. Outside games, close those to the sender's address.

    An address that is to be removed is kept only by an answer to the letter about that.
    """
    if context.game is None:
        asked = [
            one
            for one in context.questions_to(context.sender)
            if one.kind is not QuestionKind.REMOVAL or one.letter == context.letter
        ]
    else:
        asked = [one for one in context.table.questions if one.seat == context.you]
    return (QuestionsDropped(), *(QuestionClosed(question=one.id) for one in asked))
