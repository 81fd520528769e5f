"""Ask questions that wait for a `yes`, and carry out `resign`, `yes` and `no`."""

from collections.abc import Iterable
from dataclasses import replace

from takmail.commands.answers import Answer, NewsAndChanges, refused, told
from takmail.commands.context import Context
from takmail.limits.questions import MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS
from takmail.world import Pending, PendingKind, changes, game_changes, news
from takmail.world.changes import Change, in_game


def open_questions(context: Context, *addresses: str | None) -> list[Pending]:
    """Return the questions to these addresses and to the sender's seat that a `yes` can still answer.

    Those to addresses come first, and the oldest before the others. Those that newer ones replaced are included.
    """
    of_game = () if context.game is None else context.table.questions
    asked = [
        question
        for question in context.world.pending
        if question.address in addresses and question.letter is not None
    ]
    asked += [question for question in of_game if question.seat == context.seat]
    return [question for question in asked if question.is_open]


def closing(questions: Iterable[Pending]) -> tuple[Change, ...]:
    """Return the change that closes these questions, if there are any."""
    closed = tuple(questions)
    return (changes.closing(*closed),) if closed else ()


def _replacing_older(context: Context, new: Pending) -> NewsAndChanges:
    """Return the changes that close or replace older questions to make room for a new one.

    Only questions of the same kind to the same address or seat give way: a kind that verified mails lead to is no other
    mail's, so that nobody can push such a question out. Questions about the same commands take one place together.
    """
    known = [question for question in open_questions(context, new.address) if question.kind is new.kind]
    closed = known[: max(0, len(known) + 1 - MAX_KEPT_QUESTIONS)]
    open_ones = [question for question in known[len(closed) :] if not question.is_replaced]
    newest = list(dict.fromkeys(map(_what_is_asked, reversed((*open_ones, new)))))[:MAX_OPEN_QUESTIONS]
    replaced = [question for question in open_ones if _what_is_asked(question) not in newest]
    return (*closing(closed), *([changes.outdating(*replaced)] if replaced else []))


def question_to_seat(context: Context, kind: PendingKind, words: str) -> Pending:
    """Return a question to the sender's seat about words that were written for the board of the answered letter.

    Words that answer no letter were written for the current board, not for a later one.
    """
    table = context.table
    return Pending(
        context.next_pending(),
        kind,
        context.now,
        words,
        table.number,
        context.you,
        version=table.record.version if context.version is None else context.version,
        turn=len(table.turns) if context.turn is None else context.turn,
    )


def ask(context: Context, asked: news.QuestionAsked) -> NewsAndChanges:
    """Return a question, and the changes that open it in place of older ones."""
    return (asked, changes.asking(asked.question), *_replacing_older(context, asked.question))


def _what_is_asked(question: Pending) -> tuple[object, ...]:
    return question.words, question.turn, question.version


def resign(context: Context) -> Answer:
    """Resign the game if the sender has confirmed it by a `yes`. Otherwise ask whether it is meant."""
    table, you = context.table, context.you
    # A turn of the opponent ends the question, also if it was stored at the same time as the question.
    if context.line == context.confirmed and context.turn == len(table.turns):
        end = in_game(table.number, game_changes.ended, you)
        return news.Resigned(game=table.number, seat=you), end
    return _ask_resign(context)


def resignations(context: Context) -> list[Pending]:
    """Return the open questions whether the sender gives the game up, oldest first."""
    return [question for question in open_questions(context) if question.kind is PendingKind.RESIGN]


def _ask_resign(context: Context) -> Answer:
    """Ask whether the sender gives the game up, once for all lines of a mail."""
    if context.done(news.ResignationAsked):
        return told("ask_resign")
    # It is about the current board, whichever the answered letter shows.
    now = replace(context, version=None, turn=None)
    return ask(context, news.ResignationAsked(question=question_to_seat(now, PendingKind.RESIGN, "resign")))


def yes(context: Context) -> Answer:
    """Refuse a `yes` that does not answer the letter of a question. If it may give the game up, that is asked again."""
    return _ask_resign(context) if resignations(context) else refused("nothing_asked")


def no(context: Context) -> Answer:
    """Close the questions to the sender in the game of the mail. Outside games, close those to the sender's address.

    An address that is to be removed is kept only by an answer to the letter about that.
    """
    if context.game is None:
        asked = [
            question
            for question in context.questions_to(context.sender)
            if question.kind is not PendingKind.REMOVAL or question.letter == context.letter
        ]
    else:
        asked = [question for question in context.table.questions if question.seat == context.you]
    return (news.QuestionsDropped(), *closing(asked))
