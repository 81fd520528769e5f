"""Hold the commands of a mail with an uncertain author, and ask the player to confirm them with `yes`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from takmail.commands import events as ev
from takmail.commands import redaction
from takmail.commands.command import Order
from takmail.commands.command_list import YES
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.understand import Understood, is_doubt
from takmail.commands.kinds import AskedAgain, QuestionKind
from takmail.commands.questions import (
    command_questions_to_address,
    command_questions_to_seat,
    replacing_older,
    resign_questions,
)
from takmail.commands.records import Question
from takmail.commands.redaction import without_addresses
from takmail.commands.result import Assurance, SeatClaim
from takmail.letters import budgets
from takmail.letters.budgets import TOO_MANY_LETTERS, Correspondent
from takmail.limits.questions import MAX_HELD_CHARS, MAX_OPEN_QUESTIONS, MAX_SHOWN_COMMANDS
from takmail.mail.address import mask_addresses

AGAIN_AFTER = timedelta(days=1)
"""The time after which a question about the same commands is asked again, as the letter may have been overlooked."""

HELD = "held until the owner of the address answers yes"
"""The note for the operator about a mail whose commands wait for a `yes`."""

Asked = tuple[tuple[ev.Event, ...], str]
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
    if claim.assurance is Assurance.TOKEN and all(map(is_doubt, understood.orders)):
        is_told = context.queries.was_told_of_seat(context.sender, claim.game)
        told = () if is_told else (ev.SeatAddressExplained(game=claim.game),)
        return told, "words to a player's reply address, from an unknown address"
    if redaction.is_stranger(owner):
        words = redaction.lines(_with_proof(redaction.showable(context.services, understood)))
        if not words and claim.assurance is Assurance.FROM and not budgets.got_welcome(writer):
            return (ev.SenderWelcomed(),), ""
    if not words.strip():
        return (), "no content, and the sender was not verified"
    if owner.is_blocked:
        return (), "the player is blocked"
    question = Question(
        id=context.next_question(),
        kind=QuestionKind.HELD,
        asked_at=context.now,
        words=clipped(words.strip(), MAX_HELD_CHARS),
        game=context.game,
        seat=claim.seat,
        # Commands that answer no letter were written for the current state of the game, not for a later one.
        turn=len(context.table.turns) if context.turn is None else context.turn,
        version=context.table.record.version if context.version is None else context.version,
    )
    says_yes = any(one.command is YES for one in understood.orders)
    events = _question_to_seat(context, writer, question, says_yes=says_yes)
    return events, "held until the player answers yes" if events else TOO_MANY_LETTERS


def ask(context: Context, understood: Understood) -> Asked:
    """Hold commands of a mail about no game, and ask at the From address to confirm them.

    The same commands are not asked about again within `AGAIN_AFTER`. Only commands that the question can show are held,
    because the player must see what is confirmed. The player can send other commands and chat in reply to the question.
    """
    shown = redaction.showable(
        context.services, understood, is_known=not redaction.is_stranger(context.player)
    )
    left_out = len(_with_proof(shown)) < len(_with_proof(understood.orders))
    if not _with_proof(shown):
        note = "its commands cannot be shown in a letter: the sender has to send them as a reply"
        return (ev.CommandsNotShown(),), note
    words = redaction.lines(shown)
    waiting = [
        one
        for one in command_questions_to_address(context.state.pending, context.sender, context.now)
        if not one.is_replaced
    ]
    before = next((one for one in reversed(waiting) if one.words == words), None)
    if before is not None and timedelta(0) <= context.now - before.asked_at < AGAIN_AFTER:
        return (), "a question about the same commands is open already"
    kind = (
        QuestionKind.UNSURE_ACCOUNT
        if any(one.command.concerns_account for one in shown)
        else QuestionKind.COMMANDS
    )
    asked = ev.ConfirmationAsked(
        question=_question_to_address(context, context.sender, words, kind),
        lines=_lines(words),
        left_out=left_out,
        has_words=bool(understood.chat or understood.held),
    )
    return _replacing_older(context, asked), HELD


def ask_about_account(context: Context, orders: Sequence[Order]) -> tuple[ev.Event, ...]:
    """Hold commands that concern the sender's account, and ask at the From address to confirm them."""
    lines = tuple(dict.fromkeys(one.whole_line(context.services.games) for one in orders))
    words = "\n".join(lines[:MAX_SHOWN_COMMANDS])
    asked = ev.ConfirmationAsked(
        question=_question_to_address(context, context.sender, words, QuestionKind.ACCOUNT),
        lines=tuple(line.removeprefix("/") for line in words.splitlines()),
        is_of_account=True,
        left_out=len(lines) > MAX_SHOWN_COMMANDS,
    )
    return _replacing_older(context, asked)


def ask_again(context: Context, writer: Correspondent, asked: Question | None) -> Asked:
    """Ask the question again that an ambiguous answer may refer to. `asked` is None if no question is open."""
    if context.game is None:
        assert asked is not None
        unclear = ev.ConfirmationAsked(
            question=_question_to_address(context, context.sender, asked.words, asked.kind),
            lines=_lines(asked.words),
            again=AskedAgain.UNCLEAR,
        )
        return _replacing_older(context, unclear), "the answer was not yes, and a question is open"
    owner = context.table.players[context.you]
    if owner.is_blocked:
        return (), "the player is blocked"
    if asked is None:
        return (), "a late yes, and the sender was not verified"
    same = [one for one in _known(context, asked) if one.is_same_as(asked)]
    if len(same) >= MAX_OPEN_QUESTIONS:
        return (), "an ambiguous yes to a question that was asked often enough"
    note = "a yes, but it is uncertain which question it answers"
    if asked.game is not None:
        events = _question_to_seat(
            context, writer, replace(asked, id=context.next_question(), letter=None), is_again=True
        )
        return events, note if events else TOO_MANY_LETTERS
    assert asked.address is not None
    reader = context.player_by_address(asked.address)
    mailbox = reader.mailbox(asked.address) if reader is not None else None
    mailbox = mailbox or context.queries.mailbox(asked.address)
    last_for = budgets.last_question_for(context.services.rates, writer, reader, mailbox)
    if last_for is None:
        return (), TOO_MANY_LETTERS
    loose = ev.ConfirmationAsked(
        question=_question_to_address(context, asked.address, asked.words, asked.kind),
        lines=_lines(asked.words),
        again=AskedAgain.LOOSE,
        last_for=last_for,
    )
    return _replacing_older(context, loose), note


def _question_to_seat(
    context: Context,
    writer: Correspondent,
    question: Question,
    *,
    says_yes: bool = False,
    is_again: bool = False,
) -> tuple[ev.Event, ...]:
    """Return the events of a question to a seat about held commands, or none if its player got too many letters."""
    reader = context.table.players[context.you]
    last_for = budgets.last_question_for(context.services.rates, writer, reader, reader.main_mailbox)
    if last_for is None:
        return ()
    resigning = resign_questions(context.table, context.you, context.now)
    asked = ev.CommandsHeld(
        question=replace(question, asked_at=context.now, is_replaced=False),
        # The question must not show an address or token from the text, because its reader may not have written it.
        lines_text=without_addresses(context, question.words),
        resigns=says_yes and bool(resigning),
        is_again=is_again,
        last_for=last_for,
    )
    return _replacing_older(context, asked)


def _question_to_address(context: Context, address: str, words: str, kind: QuestionKind) -> Question:
    return Question(
        id=context.next_question(),
        kind=kind,
        asked_at=context.now,
        words=words,
        address=address,
    )


def _replacing_older(context: Context, asked: ev.QuestionAsked) -> tuple[ev.Event, ...]:
    """Return a question, and the events that replace or close older ones of its kind to the same address or seat."""
    return (asked, *replacing_older(asked.question, _known(context, asked.question)))


def _known(context: Context, asked: Question) -> list[Question]:
    """Return the questions that a `yes` can answer, to the address or the seat to which this one goes."""
    if asked.address is None:
        return command_questions_to_seat(context.table, context.you, context.now)
    return command_questions_to_address(context.state.pending, asked.address, context.now)


def _with_proof(orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders that require a verified sender."""
    return tuple(one for one in orders if one.command.needs_proof)


def _lines(words: str) -> tuple[str, ...]:
    return tuple(mask_addresses(line.removeprefix("/")) for line in words.splitlines())
