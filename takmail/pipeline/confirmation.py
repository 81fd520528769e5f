"""Asking whether a mail was the player's own: what is kept until they say `yes`, and what the letter shows of it."""

from dataclasses import replace
from datetime import timedelta

from takmail.commands import events as ev
from takmail.commands import redaction
from takmail.commands.context import Context
from takmail.commands.dispatch import needs_proof
from takmail.commands.grammar.commands import Word
from takmail.commands.grammar.normalize import clipped
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import AskedAgain, QuestionKind
from takmail.commands.questions import MOST_ASKED, OF_SEAT, asked_of_seat, commands_asked_of, making_room
from takmail.commands.records import ASKED_FOR, Question
from takmail.commands.redaction import without_addresses
from takmail.commands.result import Assurance, SeatClaim
from takmail.letters import budgets
from takmail.letters.budgets import ENOUGH, Correspondent
from takmail.mail.address import masked

MOST_HELD = 6_000
"""Characters of a mail that are held; what stands behind them is not carried out."""
AGAIN_AFTER = timedelta(days=1)
"""When the same commands are asked about once more: the letter may have been overlooked."""

Asked = tuple[tuple[ev.Event, ...], str]
"""The events of a question, and what the operator is told of it."""


def hold(
    context: Context, writer: Correspondent, claim: SeatClaim, understood: Understood, typed: str
) -> Asked:
    """Keep what was typed for a seat and ask its player at their own address, unless nothing was typed.

    Of somebody who has only been invited no more is kept than commands.
    """
    owner, words = context.table.players[claim.seat], typed
    if redaction.is_stranger(owner):
        words = redaction.lines(tuple(filter(needs_proof, redaction.showable(context.services, understood))))
        if not words and claim.assurance is Assurance.FROM and not budgets.was_helped(writer):
            return (ev.SenderWelcomed(),), ""
    if not words.strip():
        return (), "nothing in it, and it was not sure who wrote it"
    if owner.is_blocked:
        return (), "its player is blocked"
    question = Question(
        id=context.next_question(),
        kind=QuestionKind.HELD,
        asked_at=context.now,
        words=clipped(words.strip(), MOST_HELD),
        game=context.game,
        seat=claim.seat,
        # Words that answer no letter were written for the game as it stands, not as it will stand.
        turn=len(context.table.turns) if context.turn is None else context.turn,
        version=context.table.record.version if context.version is None else context.version,
    )
    says_yes = any(one.command == Word.YES for one in understood.orders)
    events = _held(context, writer, question, says_yes=says_yes)
    return events, "held until its player says yes" if events else ENOUGH


def ask(context: Context, understood: Understood) -> Asked:
    """Keep commands outside any game and ask at the address in the From; the same ones are asked about once.

    Only those are kept that the question shows. The others, and words, can be written in answer to it: whoever says
    `yes` has to have seen what they say it to.
    """
    shown = redaction.showable(context.services, understood)
    left_out = sum(map(needs_proof, shown)) < sum(map(needs_proof, understood.orders))
    if not any(map(needs_proof, shown)):
        note = "what it asks for can't be shown: it has to be written in answer to a letter"
        return (ev.CommandsUnshown(days=ASKED_FOR.days),), note
    words = redaction.lines(shown)
    waiting = [
        one
        for one in commands_asked_of(context.state.pending, context.sender, context.now)
        if not one.is_replaced
    ]
    before = next((one for one in reversed(waiting) if one.words == words), None)
    if before is not None and timedelta(0) <= context.now - before.asked_at < AGAIN_AFTER:
        return (), "a yes to these very words has been asked for already"
    asked = ev.ConfirmationAsked(
        question=_confirmation(context, context.sender, words),
        lines=_lines(words),
        days=ASKED_FOR.days,
        left_out=left_out,
        has_words=bool(understood.chat),
    )
    return _with_room(context, asked), "held until the owner of the address says yes"


def ask_again(context: Context, writer: Correspondent, asked: Question | None) -> Asked:
    """Ask once more what a bare answer may be meant for, or words where only a `yes` will do; None: nothing is open."""
    if context.game is None:
        assert asked is not None
        unclear = ev.ConfirmationAsked(
            question=_confirmation(context, context.sender, asked.words),
            lines=_lines(asked.words),
            days=ASKED_FOR.days,
            again=AskedAgain.UNCLEAR,
        )
        return _with_room(context, unclear), "no yes, and a question is open"
    owner = context.table.players[context.you]
    if owner.is_blocked:
        return (), "its player is blocked"
    if asked is None:
        return (), "a late yes, and it was not sure who wrote it"
    note = "a yes, and it is not sure what it answers"
    if asked.game is not None:
        events = _held(
            context, writer, replace(asked, id=context.next_question(), letter=None), is_again=True
        )
        return events, note if events else ENOUGH
    assert asked.address is not None
    same = [
        one
        for one in commands_asked_of(context.state.pending, asked.address, context.now)
        if one.words == asked.words
    ]
    if len(same) >= MOST_ASKED:
        return (), "a yes that may be meant for what is asked already, which was told often enough"
    reader = context.player_by_address(asked.address)
    mailbox = reader.mailbox(asked.address) if reader is not None else None
    mailbox = mailbox or context.queries.mailbox(asked.address)
    last_for = budgets.last_question_for(context.services.rates, writer, reader, mailbox)
    if last_for is None:
        return (), ENOUGH
    loose = ev.ConfirmationAsked(
        question=_confirmation(context, asked.address, asked.words),
        lines=_lines(asked.words),
        days=ASKED_FOR.days,
        again=AskedAgain.LOOSE,
        last_for=last_for,
    )
    return _with_room(context, loose), note


def _held(
    context: Context,
    writer: Correspondent,
    question: Question,
    *,
    says_yes: bool = False,
    is_again: bool = False,
) -> tuple[ev.Event, ...]:
    """The question to a seat about words; none where their player has had many such letters of late."""
    reader = context.table.players[context.you]
    last_for = budgets.last_question_for(context.services.rates, writer, reader, reader.main)
    if last_for is None:
        return ()
    resigning = asked_of_seat(context.table, context.you, (QuestionKind.RESIGN,), context.now)
    asked = ev.CommandsHeld(
        question=replace(question, asked_at=context.now, is_replaced=False),
        # Whoever is asked may not be who wrote: the writer's address and token are none of their business.
        words=without_addresses(context, question.words),
        days=ASKED_FOR.days,
        resigns=says_yes and bool(resigning),
        is_again=is_again,
        last_for=last_for,
    )
    return _with_room(context, asked)


def _confirmation(context: Context, address: str, words: str) -> Question:
    return Question(
        id=context.next_question(),
        kind=QuestionKind.COMMANDS,
        asked_at=context.now,
        words=words,
        address=address,
    )


def _with_room(context: Context, asked: ev.QuestionAsked) -> tuple[ev.Event, ...]:
    """A question, and what it replaces and closes among those of its kind to the same address or seat."""
    new = asked.question
    if new.game is None:
        assert new.address is not None
        known = commands_asked_of(context.state.pending, new.address, context.now)
    else:
        known = asked_of_seat(context.table, context.you, OF_SEAT, context.now)
    return (asked, *making_room(new, known))


def _lines(words: str) -> tuple[str, ...]:
    return tuple(masked(line) for line in words.splitlines())
