"""Hold the commands of a mail with an uncertain author, and ask the player to confirm them with `yes`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from takmail.commands import questions, redaction
from takmail.commands.answers import Events
from takmail.commands.command import Order
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.understand import Understood, is_doubt
from takmail.commands.questions import of_seat, open_questions
from takmail.commands.redaction import without_addresses
from takmail.commands.result import Assurance, SeatClaim
from takmail.letters import budgets
from takmail.letters.budgets import TOO_MANY_LETTERS, Correspondent
from takmail.limits.questions import MAX_HELD_CHARS, MAX_OPEN_QUESTIONS, MAX_SHOWN_COMMANDS
from takmail.world import AskedAgain, Pending, PendingKind, Queries, news

AGAIN_AFTER = timedelta(days=1)
"""The time after which a question about the same commands is asked again, as the letter may have been overlooked."""

HELD = "held until the owner of the address answers yes"
"""The note for the operator about a mail whose commands wait for a `yes`."""

Asked = tuple[Events, str]
"""The events of a question, and the operator's note about the mail."""


def hold(
    context: Context, writer: Correspondent, claim: SeatClaim, understood: Understood, typed: str
) -> Asked:
    """Hold the text that was typed for a seat, and ask the seat's player, at the player's own address, to confirm it.

    No question is asked about an empty text. If the player is a guest who has not accepted yet, only commands are
    held, not chat.

    Nothing is held of a mail without a command that somebody unknown wrote to the player's reply address. It may be a
    friend to whom the player forwarded a letter, who is told once what the address is.
    """
    owner, words = context.table.players[claim.seat], typed
    asks_nothing = all(
        is_doubt(order) or (redaction.is_stranger(owner) and not order.command.needs_proof)
        for order in understood.orders
    )
    if claim.assurance is Assurance.TOKEN and asks_nothing:
        is_told = context.world.ask(Queries.was_told_of_seat, context.sender, claim.game)
        told = () if is_told else (news.SeatAddressExplained(game=claim.game),)
        return told, "words to a player's reply address, from an unknown address"
    if redaction.is_stranger(owner):
        words = redaction.lines(_with_proof(redaction.showable(context.services, understood)))
        if not words and claim.assurance is Assurance.FROM and not budgets.got_welcome(writer):
            return (news.SenderWelcomed(),), ""
    if not words.strip():
        return (), "no content, and the sender was not verified"
    if owner.is_blocked:
        return (), "the player is blocked"
    last_for = budgets.last_question_for(context.services.rates, writer, owner, owner.main_mailbox)
    if last_for is None:
        return (), TOO_MANY_LETTERS
    question = of_seat(context, PendingKind.HELD, clipped(words.strip(), MAX_HELD_CHARS))
    held = news.CommandsHeld(
        question=question,
        # The letter shows no address, as its reader may not have written the words.
        lines_text=without_addresses(context, question.words),
        last_for=last_for,
    )
    return questions.ask(context, held), "held until the player answers yes"


def ask(context: Context, understood: Understood) -> Asked:
    """Hold commands of a mail about no game, and ask at the From address to confirm them.

    The same commands are not asked about again within `AGAIN_AFTER`. Only commands that the question can show are held,
    because the player must see what is confirmed. The player can send other commands and chat in reply to the question.
    """
    shown = redaction.showable(
        context.services, understood, is_known=not redaction.is_stranger(context.player)
    )
    if not _with_proof(shown):
        note = "its commands cannot be shown in a letter: the sender has to send them as a reply"
        return (news.CommandsNotShown(),), note
    words = redaction.lines(shown)
    same = (
        question
        for question in open_questions(context, context.sender)
        if question.words == words and not question.is_replaced
    )
    # The clock may have been set back since.
    if any(timedelta(0) <= context.now - question.asked_at < AGAIN_AFTER for question in same):
        return (), "a question about the same commands is open already"
    kind = (
        PendingKind.UNSURE_ACCOUNT
        if any(order.command.concerns_account for order in shown)
        else PendingKind.COMMANDS
    )
    asked = news.ConfirmationAsked(
        question=_question_to_sender(context, words, kind),
        left_out=any(map(is_doubt, understood.orders))
        or len(_with_proof(shown)) < len(_with_proof(understood.orders)),
        has_words=bool(understood.chat or understood.beside),
    )
    return questions.ask(context, asked), HELD


def ask_about_account(context: Context, orders: Sequence[Order]) -> Events:
    """Hold commands that concern the sender's account, and ask at the From address to confirm them."""
    lines = tuple(dict.fromkeys(order.whole_line(context.services.games) for order in orders))
    words = "\n".join(lines[:MAX_SHOWN_COMMANDS])
    question = _question_to_sender(context, words, PendingKind.ACCOUNT)
    return questions.ask(
        context, news.ConfirmationAsked(question=question, left_out=len(lines) > MAX_SHOWN_COMMANDS)
    )


def ask_again(context: Context, writer: Correspondent, asked: Pending | None) -> Asked:
    """Ask the question again that an ambiguous answer may refer to. `asked` is None if no question is open."""
    reader = None if context.game is None else context.table.players[context.you]
    if reader is not None and reader.is_blocked:
        return (), "the player is blocked"
    if asked is None:
        return (), "a late yes, and the sender was not verified"
    new = replace(asked, id=context.next_pending(), asked_at=context.now, letter=None, is_replaced=False)
    if reader is None:
        asked_again = questions.ask(context, news.ConfirmationAsked(question=new, again=AskedAgain.UNCLEAR))
        return asked_again, "the answer was not yes, and a question is open"
    if sum(map(asked.is_same_as, open_questions(context, asked.address))) >= MAX_OPEN_QUESTIONS:
        return (), "an ambiguous yes to a question that was asked often enough"
    mailbox = reader.main_mailbox if asked.address is None else reader.mailbox(asked.address)
    assert mailbox is not None
    last_for = budgets.last_question_for(context.services.rates, writer, reader, mailbox)
    if last_for is None:
        return (), TOO_MANY_LETTERS
    again: news.QuestionAsked = (
        news.ConfirmationAsked(question=new, again=AskedAgain.LOOSE, last_for=last_for)
        if asked.game is None
        else news.CommandsHeld(
            question=new, lines_text=without_addresses(context, new.words), is_again=True, last_for=last_for
        )
    )
    return questions.ask(context, again), "a yes, but it is uncertain which question it answers"


def _question_to_sender(context: Context, words: str, kind: PendingKind) -> Pending:
    return Pending(context.next_pending(), kind, context.now, words, address=context.sender)


def _with_proof(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders that require a verified sender."""
    return tuple(order for order in orders if order.command.needs_proof)
