"""Compose all letters of a cause. Pure: from its events, its reports and the state after them."""

from dataclasses import dataclass, replace
from typing import Any

from takmail.commands import answers as an
from takmail.commands import events as ev
from takmail.commands.answers import Events
from takmail.commands.kinds import LetterPurpose
from takmail.commands.records import MessageId
from takmail.commands.result import Result, Sender
from takmail.commands.snapshot import Snapshot
from takmail.letters import budgets, news
from takmail.letters.batch import LetterBatch, Writer, writer_of
from takmail.letters.event_letters import with_event
from takmail.letters.letter import NewLetter
from takmail.letters.letter_writer import LetterWriter
from takmail.letters.services import Services
from takmail.letters.wording import Known, answered
from takmail.mail.message import Message

_RECORDS = (an.RecordShown, an.SentRecordShown)
"""The answers that attach a file."""
_ASKED_BY_ANSWER = (ev.ResignationAsked, ev.ErasureAsked, ev.TurnConfirmationAsked)
"""Questions that are part of the answer to a mail."""
HELPED = "a stranger's mail without a command, and the welcome was sent today"
"""Why such a mail gets no letter, for the operator."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The letters of a cause in the order of sending, and its events with the letters that ask questions.

    `note` is for the operator: why there is no answer, or ''.
    """

    letters: tuple[NewLetter, ...]
    events: Events
    note: str = ""


def compose(
    services: Services, snapshot: Snapshot, message: Message | None, sender: Sender | None, result: Result
) -> Composed:
    """Write the letters. `message` and `sender` are None unless a person's mail is the cause.

    First come the letters of single events, in their order. Then follow the answer and the news for the opponent, and
    last the invitations that had to wait until now.
    """
    writer = (
        None if message is None or sender is None else writer_of(services, snapshot, message, sender, result)
    )
    work = LetterBatch(
        LetterWriter(services, result.state, snapshot.now, snapshot.seed), snapshot.state, result, writer
    )
    waiting, asked = [], {}
    for at, event in enumerate(result.events):
        if isinstance(event, ev.InvitationWritten) and not work.is_proposed(event.game):
            waiting.append(event)
            continue
        before = len(work.letter_writer.letters)
        work = with_event(work, event)
        if len(work.letter_writer.letters) > before:
            asked[at] = work.letter_writer.newest
    note = ""
    if writer is not None and not result.is_silent:
        if work.is_unknown and budgets.got_welcome(writer.budget):
            note = HELPED
        else:
            work = _with_answer(work, writer)
            answers = (at for at, one in enumerate(result.events) if isinstance(one, _ASKED_BY_ANSWER))
            asked |= dict.fromkeys(answers, work.letter_writer.newest)
    work = _with_news(work)
    for event in waiting:
        work = with_event(work, event)
    events = tuple(_with_asking_letter(event, asked.get(at)) for at, event in enumerate(result.events))
    return Composed(work.letter_writer.letters, events, note)


def _with_asking_letter(event: ev.Event, letter: MessageId | None) -> ev.Event:
    """Return the event of a question with the letter that asks it."""
    if not isinstance(event, ev.QuestionAsked) or letter is None or event.question.letter is not None:
        return event
    return replace(event, question=replace(event.question, letter=letter))


def _with_answer(work: LetterBatch, writer: Writer) -> LetterBatch:
    """Add the answer: what was understood, done or refused. A stranger without a command gets the welcome."""
    if work.is_unknown:
        return work.to_sender("welcome", {}, answers=LetterPurpose.NONSENSE)
    result, shown = work.result, tuple(work.answers())
    known = Known(work.letter_writer.services, result.state)
    facts: dict[str, Any] = {
        "reports": tuple(answered(known, one) for one in result.reports),
        "words": result.chat_status,
        "words_cut": result.is_chat_cut,
        "brought": bool(work.own_news()),
        "words_wait": _must_chat_wait(work),
    }
    asks = any(isinstance(one, _ASKED_BY_ANSWER) for one in shown)
    if work.claim is None:
        return work.with_post(_answer_outside(work, writer, facts, asks=asks))
    table, seat = result.state.table(work.claim.game), work.claim.seat
    is_resync = len(shown) == len(result.reports) and _is_resync(shown)
    post = work.letter_writer.with_waiting_chat(
        "resync" if is_resync else "answer",
        table,
        seat,
        has_ended=work.has_ended(table.number),
        match=result.matches.get(table.number),
        of=writer.origin,
        counts_as=writer.budget.kind,
        is_answer=True,
        asks=asks,
        with_record=any(isinstance(one, _RECORDS) for one in shown),
        **facts,
    )
    return work.with_post(post)


def _answer_outside(
    work: LetterBatch, writer: Writer, facts: dict[str, object], *, asks: bool
) -> LetterWriter:
    """Return the letters with the answer to a mail that is not about a game."""
    # After an erasure nothing of the answer is kept, and a bounce can't be assigned to anybody.
    has_left = any(isinstance(one, ev.PlayerErased) for one in work.result.events)
    return work.letter_writer.outside_games(
        "answer",
        writer.mailbox,
        writer.view,
        {"view": None, "match": None, **facts},
        of=writer.origin,
        name=writer.name,
        answers=writer.budget.kind,
        is_answer=True,
        asks=asks,
        purge_after_send=has_left,
        hides_from=has_left,
    )


def _with_news(work: LetterBatch) -> LetterBatch:
    """Add the letter to the opponent with all changes of the mail's game and the waiting chat."""
    found = work.own_news()
    if not found or work.claim is None:
        return work
    table, reader = work.result.state.table(work.claim.game), work.claim.seat.other
    return work.with_post(
        work.write_news(
            work.letter_writer, table, reader, found, has_ended=work.has_ended(table.number), of=work.origin
        )
    )


def _must_chat_wait(work: LetterBatch) -> bool:
    """Return whether the opponent has had so many chat letters that the next one has to wait."""
    if work.claim is None or not news.is_chat(work.own_news()):
        return False
    table = work.result.state.table(work.claim.game)
    reader = table.players[work.claim.seat.other]
    if reader.is_erased:
        return False
    post = work.letter_writer
    box = post.current_mailbox(reader.main_mailbox)
    return budgets.due_later(post.services.rates, box, LetterPurpose.CHAT, table.number, post.now) is not None


def _is_resync(told: tuple[ev.Event, ...]) -> bool:
    """Return whether a mail asks for the board and for nothing else."""
    shown = [one for one in told if not isinstance(one, an.ShownAbove)]
    return bool(shown) and all(isinstance(one, an.BoardResynced) for one in shown)
