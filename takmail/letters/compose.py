"""Compose all letters of a cause from its events, its reports and the state after them, without side effects."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from takmail.commands.answers import Shows
from takmail.commands.result import Result, Sender
from takmail.letters import budgets, worded_news
from takmail.letters.batch import LetterBatch, correspondent
from takmail.letters.draft import Correspondent
from takmail.letters.event_letters import host_address, with_event
from takmail.letters.letter import NewLetter
from takmail.letters.letter_writer import LetterWriter
from takmail.letters.receipts import is_of_words, is_receipt, says_more
from takmail.letters.services import Services
from takmail.letters.worded_news import parts_of_answer, shows
from takmail.letters.wording import Known, answered
from takmail.limits.words import MAX_SAID_AGAIN_CHARS
from takmail.mail.message import Message
from takmail.world import LetterPurpose, MessageId, PendingId, Snapshot, news

_CHAT = (news.ChatQueued, news.ChatSent)
_ASKED_BY_ANSWER = (news.MeaningAsked, news.ResignationAsked, news.TurnConfirmationAsked)
"""The questions that the answer to a mail asks, so that they have no letter of their own."""
HELPED = "a stranger's mail without a command, and the welcome was sent today"
"""The note for the operator about a mail that gets no letter."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The letters of a cause in the order of sending, and the letters that ask its questions.

    `note` tells the operator why a mail got no answer, or is ''.
    """

    letters: tuple[NewLetter, ...]
    asked_by: Mapping[PendingId, MessageId]
    note: str = ""


def compose(
    services: Services, snapshot: Snapshot, message: Message | None, sender: Sender | None, result: Result
) -> Composed:
    """Write the letters of a cause. `message` and `sender` are None unless a person's mail is the cause.

    The letters of single events come first, in the order of the events. The answer and the news for the opponent
    follow. The last letters are the invitations that an earlier mail made and that had to wait.
    """
    writer = None if message is None or sender is None else correspondent(services, message, sender, result)
    is_proven = writer is None or writer.sender.purpose is LetterPurpose.SURE
    letters = LetterWriter(services, result.world, snapshot.now, snapshot.seed, is_proven)
    work = LetterBatch(letters, snapshot.world, result, writer)
    waiting, asked = [], {}
    for at, event in enumerate(result.events):
        if isinstance(event, news.InvitationWritten) and not work.caused(news.GameProposed, event.game):
            waiting.append(event)
            continue
        before = len(work.letter_writer.letters)
        work = with_event(work, event)
        if len(work.letter_writer.letters) > before:
            asked[at] = work.letter_writer.newest
    note = ""
    if writer is not None and not result.is_silent:
        if work.is_without_command and budgets.got_welcome(writer.sender, work.welcome_counts_as):
            note = HELPED
        else:
            work = _with_answer(work, writer, snapshot)
            answers = (at for at, one in enumerate(result.events) if isinstance(one, _ASKED_BY_ANSWER))
            asked |= dict.fromkeys(answers, work.letter_writer.newest)
    work = _with_news(work)
    for event in waiting:
        work = with_event(work, event)
    asked_by = {
        event.question.id: asked[at]
        for at, event in enumerate(result.events)
        if isinstance(event, news.QuestionAsked) and at in asked
    }
    return Composed(work.letter_writer.letters, asked_by, note)


def _with_answer(work: LetterBatch, writer: Correspondent, snapshot: Snapshot) -> LetterBatch:
    """Add the answer to the mail's sender. Who can't get one, such as a stranger, gets the welcome instead."""
    if work.is_welcomed:
        return work.with_welcome()
    result = work.result
    if work.is_stranger:
        result = replace(result, reports=work.refusals()[:1])
    known = Known(work.letter_writer.services, result.world)
    stops = any(isinstance(one, news.MailStopped) for one in result.events)
    again = " ".join(result.chat.text.split())
    facts: dict[str, Any] = {
        # Perhaps the player's mail program asked for it, and the player has never heard of it.
        "only_answers": result.player is not None and result.player.wants_no_mail and not stops,
        "reports": tuple(answered(known, one) for one in result.reports),
        "words": result.chat.status,
        "chat_text": result.chat.text,
        "words_again": again if len(again) <= MAX_SAID_AGAIN_CHARS else "",
        "words_cut": any(isinstance(one, _CHAT) and one.is_cut for one in result.events),
        "brought": bool(work.own_news()),
        "words_wait": _must_chat_wait(work),
    }
    asks = any(isinstance(one, _ASKED_BY_ANSWER) for one in result.events)
    if work.claim is None:
        return work.with_letters(_answer_outside(work, writer, facts, asks=asks))
    table, seat = result.world.games[work.claim.game], work.claim.seat
    shown = {shows(one.answer) for one in result.reports}
    kind, has_ended = "answer", work.has_ended(table.number)
    if is_receipt(result, work.before, writer):
        kind = "receipt"
    elif shown - {Shows.AGAIN} == {Shows.BOARD}:
        kind = "resync"
    elif is_of_words(result, table, None if snapshot.answered is None else snapshot.answered.version):
        kind = "said"
    letters = work.letter_writer.with_waiting_chat(
        kind,
        table,
        seat,
        has_ended=has_ended,
        match=result.matches.get(table.number),
        writer=writer,
        counts_as=writer.sender.purpose,
        is_answer=True,
        asks=asks,
        # It is still written, because it counts as the answer to the mail.
        is_withheld=kind == "receipt"
        and table.players[seat].wants_no_receipts
        and not (says_more(table) or writer.needs_new_token),
        with_record=Shows.RECORD in shown,
        host_address=host_address(table.record, table.players[seat.other]),
        **parts_of_answer(result.reports, table, has_ended=has_ended),
        **facts,
    )
    return work.with_letters(letters)


def _answer_outside(
    work: LetterBatch, writer: Correspondent, facts: dict[str, object], *, asks: bool
) -> LetterWriter:
    """Return the letters with the answer to a mail that is not about a game."""
    # After an erasure, nothing of the answer is kept, so a bounce could not be matched with a player.
    has_left = any(isinstance(one, news.PlayerErased) for one in work.result.events)
    return work.letter_writer.outside_games(
        "answer",
        writer.mailbox,
        writer.style,
        {"view": None, "match": None, **parts_of_answer(work.result.reports), **facts},
        writer=writer,
        name=writer.name,
        answers=writer.sender.purpose,
        is_answer=True,
        asks=asks,
        purge_after_send=has_left,
        has_null_sender=has_left,
    )


def _with_news(work: LetterBatch) -> LetterBatch:
    """Add the letter to the opponent. It reports all changes of the mail's game and contains the waiting chat."""
    found = work.own_news()
    if not found or work.claim is None:
        return work
    table, reader = work.result.world.games[work.claim.game], work.claim.seat.other
    return work.with_letters(
        work.write_news(
            work.letter_writer,
            table,
            reader,
            found,
            has_ended=work.has_ended(table.number),
            writer=work.writer,
        )
    )


def _must_chat_wait(work: LetterBatch) -> bool:
    """Return whether the news are only chat, and the opponent's limit on chat letters is used up."""
    if work.claim is None or not worded_news.is_chat(work.own_news()):
        return False
    table = work.result.world.games[work.claim.game]
    reader = table.players[work.claim.seat.other]
    if reader.is_erased:
        return False
    letters = work.letter_writer
    mailbox = letters.current_mailbox(reader.main_mailbox)
    return (
        budgets.due_later(letters.services.rates, mailbox, LetterPurpose.CHAT, table.number, letters.now)
        is not None
    )
