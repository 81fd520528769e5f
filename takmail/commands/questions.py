"""Ask questions that wait for a `yes`, and carry out `resign`, `yes` and `no`."""

from collections.abc import Iterable
from dataclasses import replace

from takmail.commands.answers import Answer, Events, refused, told
from takmail.commands.context import Context
from takmail.limits.questions import MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS
from takmail.world import Pending, PendingKind, events

NEEDS_LINE = ""
"""What stands among the lines that a question offers if a `yes` means none of them."""


def open_questions(context: Context, *addresses: str) -> list[Pending]:
    """Return the questions to these addresses and to the sender's seat that a `yes` can still answer.

    Those to addresses come first, and the oldest before the others. Those that newer ones replaced are included.
    """
    of_game = () if context.game_number is None else context.game.questions
    asked = [question for question in context.world.questions_to(*addresses) if question.letter is not None]
    asked += [question for question in of_game if question.seat == context.seat]
    return [question for question in asked if question.is_open]


def same_questions(context: Context, asked: Pending) -> list[Pending]:
    """Return the open questions to the reader of a question that ask the same."""
    return [question for question in _open_beside(context, asked) if question.is_same_as(asked)]


def _open_beside(context: Context, asked: Pending) -> list[Pending]:
    return open_questions(context, *(() if asked.address is None else (asked.address,)))


def closing(questions: Iterable[Pending]) -> Events:
    """Return what closes these questions, if there are any."""
    closed = tuple(questions)
    return (events.QuestionsClosed(questions=closed),) if closed else ()


def choices(asked: Pending) -> tuple[str, ...]:
    """Return the lines of which a question asks which is meant, none if it asks anything else."""
    lines = asked.words.split("\n") if asked.kind is PendingKind.MEANT else ()
    return tuple(line for line in lines if line != NEEDS_LINE)


def needs_line(asked: Pending) -> bool:
    """Return whether only a line that a question offers answers it, as no `yes` means what its reader took back."""
    return asked.kind is PendingKind.MEANT and NEEDS_LINE in asked.words.split("\n")


def ask(context: Context, asked: events.QuestionAsked) -> Events:
    """Return a question that closes or replaces older ones to make room for itself.

    Only questions of the same kind to the same address or seat give way: a kind that verified mails lead to is no other
    mail's, so that nobody can push such a question out. Questions about the same commands take one place together.
    """
    new = asked.question
    known = [question for question in _open_beside(context, new) if question.kind is new.kind]
    closed = known[: max(0, len(known) + 1 - MAX_KEPT_QUESTIONS)]
    open_ones = [question for question in known[len(closed) :] if not question.is_replaced]
    newest = list(dict.fromkeys(map(_what_is_asked, reversed((*open_ones, new)))))[:MAX_OPEN_QUESTIONS]
    replaced = (question for question in open_ones if _what_is_asked(question) not in newest)
    return (replace(asked, closes=tuple(closed), replaces=tuple(replaced)),)


def question_to_seat(context: Context, kind: PendingKind, words: str) -> Pending:
    """Return a question to the sender's seat about words that were written for the board of the answered letter.

    Words that answer no letter were written for the current board, not for a later one.
    """
    game = context.game
    return Pending(
        context.next_pending(),
        kind,
        context.now,
        words,
        game.number,
        context.you,
        version=game.record.version if context.answered.version is None else context.answered.version,
        turn=len(game.turns) if context.answered.turn is None else context.answered.turn,
    )


def question_to_sender(context: Context, kind: PendingKind, words: str) -> Pending:
    """Return a question to the sender's address, about no game."""
    return Pending(context.next_pending(), kind, context.now, words, address=context.author.address)


def _what_is_asked(question: Pending) -> tuple[object, ...]:
    return question.words, question.turn, question.version


def resign(context: Context) -> Answer:
    """Resign the game if the sender has confirmed it by a `yes`. Otherwise ask whether it is meant."""
    game, you = context.game, context.you
    # A turn of the opponent ends the question, also if it was stored at the same time as the question.
    if context.line.is_confirmed and context.answered.turn == len(game.turns):
        return (events.Resigned(game=game.number, seat=you),)
    return ask_resign(context)


def resignations(context: Context) -> list[Pending]:
    """Return the open questions whether the sender gives the game up, oldest first."""
    return [question for question in open_questions(context) if question.kind is PendingKind.RESIGN]


def ask_resign(context: Context, line: str = "resign") -> Answer:
    """Ask whether the sender gives the game up, or what else a line gives up, once for all lines of a mail."""
    if context.asked(PendingKind.RESIGN):
        return told("ask_resign")
    # It is about the current board, whichever the answered letter shows.
    now = context.of_current_board()
    return ask(context, events.ResignationAsked(question=question_to_seat(now, PendingKind.RESIGN, line)))


def yes(context: Context) -> Answer:
    """Refuse a `yes` that does not answer the letter of a question. If it may give the game up, that is asked again."""
    return (
        ask_resign(context, resignations(context)[-1].words)
        if resignations(context)
        else refused("nothing_asked")
    )


def no(context: Context) -> Answer:
    """Close the questions to the sender in the game of the mail. Outside games, close those to the sender's address.

    An address that is to be removed is kept only by an answer to the letter about that.
    """
    if context.game_number is None:
        asked = [
            question
            for question in context.world.questions_to(context.author.address)
            if question.kind is not PendingKind.REMOVAL or question.letter == context.answered.letter
        ]
    else:
        asked = [question for question in context.game.questions if question.seat == context.you]
    return (events.QuestionsDropped(questions=tuple(asked)),)
