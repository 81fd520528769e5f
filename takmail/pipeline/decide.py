"""Compute the columns of the `authorize` table for a mail, and return the Decision."""

from collections.abc import Collection

from takmail.commands.context import Context
from takmail.commands.dispatch import needs_game, needs_proof
from takmail.commands.grammar.commands import ANSWERS, Word
from takmail.commands.grammar.normalize import command_form, plain
from takmail.commands.grammar.salutations import without_manners
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import QuestionKind
from takmail.commands.questions import OF_SEAT, asked_of_seat, commands_asked_of
from takmail.commands.records import Question
from takmail.commands.relay import is_passed_on
from takmail.pipeline.authorize import Open, RepliesTo, Says, authorize
from takmail.pipeline.interpret import Interpreted, awaits_yes
from takmail.pipeline.values import Decision, Deed, Reply


def decide(interpreted: Interpreted, reply: Reply) -> Decision:
    """Return the decision on a mail's request."""
    context, request = interpreted.context, interpreted.request
    question = interpreted.question or _held_question(context, reply)
    likely = _likely_question(context, reply)
    said = says(context, request.understood)
    deed = authorize(
        interpreted.assurance, _answers(context, reply, question), said, _what_is_open(context, likely)
    )
    match deed:
        case Deed.CONFIRM:
            return Decision(deed, request, question)
        case Deed.ASK_AGAIN:
            return Decision(deed, request, likely)
        case _:
            return Decision(deed, request)


def _answers(context: Context, reply: Reply, question: Question | None) -> RepliesTo:
    """Return the value of the column `answers`. `question` is the open question that the mail answers, or None."""
    letter = reply.letter
    if question is not None:
        return RepliesTo.OPEN
    if reply.unknown_parent:
        return RepliesTo.LOST
    if letter is None:
        return RepliesTo.NOTHING
    if context.game is not None:
        asked = (one for one in context.table.questions if one.kind is QuestionKind.RESIGN)
        if any(one.seat == context.seat and one.letter in (None, letter.message_id) for one in asked):
            return RepliesTo.RESIGNATION
    return RepliesTo.CLOSED if reply.asks else RepliesTo.OTHER


def says(context: Context, understood: Understood) -> Says:
    """Return the value of the column `says`."""
    commands = [one.command for one in understood.orders]
    is_yes = Word.YES in commands
    if commands and all(one in (Word.YES, Word.NO) for one in commands):
        return Says.YES if is_yes else Says.NO
    if is_yes:
        return Says.MORE
    if context.game is None:
        if any(needs_proof(one) and not needs_game(one) for one in understood.orders):
            return Says.ACTS
        if not commands and understood.chat:
            return Says.WORDS
    else:
        answer = (
            None if commands else _bare_answer(understood.chat, (*context.table.names, context.sender_name))
        )
        if answer is not None:
            return Says.YES if answer is Word.YES else Says.NO
        if understood.chat or any(
            needs_proof(one) or is_passed_on(context, one) for one in understood.orders
        ):
            return Says.ACTS
    return Says.LOOKS if commands else Says.NOTHING


def _bare_answer(chat: str, names: Collection[str]) -> Word | None:
    """Return `yes` or `no` if the text says nothing else, otherwise None.

    Names and polite phrases on the lines below the answer are ignored.
    """
    first, *below = [line for line in chat.splitlines() if line.strip()] or [""]
    if any(any(map(str.isalnum, without_manners(plain(line), names))) for line in below):
        return None
    return ANSWERS.get(command_form(first).lower().removeprefix("/"))


def _what_is_open(context: Context, likely: Question | None) -> Open:
    """Return which questions and offers the likely sender can still answer."""
    if context.game is None:
        return Open(resignation=False, offer=False, question=likely is not None)
    offers = any(one.seat != context.you for one in context.table.offers)
    return Open(resignation=awaits_yes(context), offer=offers, question=likely is not None)


def _held_question(context: Context, reply: Reply) -> Question | None:
    """Return the question about held commands that the answered letter asked, or None if it is closed."""
    if context.game is None or not context.player_verified or reply.letter is None:
        return None
    asked = _asked_in_game(context)
    return next((one for one in asked if one.letter == reply.letter.message_id), None)


def _likely_question(context: Context, reply: Reply) -> Question | None:
    """Return the open question that a bare answer may refer to, or None.

    It is the question of the answered letter, or otherwise the newest one. For a mail about a game, the questions to
    the seat and to all addresses of its player count. For another mail, the questions to the sender's address count.
    """
    letter = None if reply.letter is None else reply.letter.message_id
    if context.game is None:
        asked = commands_asked_of(context.state.pending, context.sender, context.now)
        found = [one for one in asked if one.letter == letter and letter is not None]
        found = found or [one for one in asked if not one.is_replaced]
        return found[-1] if found else None
    owner = context.table.players[context.you]
    everything = [
        one
        for address in owner.addresses
        for one in commands_asked_of(context.state.pending, address, context.now)
    ]
    everything += _asked_in_game(context)
    if letter is None:
        everything = [one for one in everything if not one.is_replaced]
    else:
        everything = [one for one in everything if one.letter == letter]
    return max(everything, key=lambda one: one.asked_at, default=None)


def _asked_in_game(context: Context) -> list[Question]:
    """Return the questions to the seat that a `yes` can still answer."""
    return asked_of_seat(context.table, context.you, OF_SEAT, context.now)
