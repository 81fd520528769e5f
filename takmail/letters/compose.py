"""All letters that follow from a cause: pure, from its events, its reports and the state after them."""

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
"""What an answer shows in a file, too."""
_ASKED_BY_ANSWER = (ev.ResignationAsked, ev.ErasureAsked, ev.TurnDoubted)
"""Questions that the answer to a mail asks."""
HELPED = "a stranger's mail without a command, and how to begin was told today"
"""Why such a mail gets no letter, for the operator."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The letters of a cause in the order in which they leave, and its events with the letters that ask in them.

    `note` is for the operator: why there is no answer, '' if there is nothing to say.
    """

    letters: tuple[NewLetter, ...]
    events: Events
    note: str = ""


def compose(
    services: Services, snapshot: Snapshot, message: Message | None, sender: Sender | None, result: Result
) -> Composed:
    """Write the letters; `message` and `sender` are None where no mail of a person's is the cause.

    First come those that single events lead to, in that order, then the answer, the news for the other player, and
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
        before = len(work.post.letters)
        work = with_event(work, event)
        if len(work.post.letters) > before:
            asked[at] = work.post.newest
    note = ""
    if writer is not None and not result.is_silent:
        if work.is_unknown and budgets.was_helped(writer.budget):
            note = HELPED
        else:
            work = _with_answer(work, writer)
            answers = (at for at, one in enumerate(result.events) if isinstance(one, _ASKED_BY_ANSWER))
            asked |= dict.fromkeys(answers, work.post.newest)
    work = _with_news(work)
    for event in waiting:
        work = with_event(work, event)
    events = tuple(_asking(event, asked.get(at)) for at, event in enumerate(result.events))
    return Composed(work.post.letters, events, note)


def _asking(event: ev.Event, letter: MessageId | None) -> ev.Event:
    """An event whose question has the letter that asks it."""
    if not isinstance(event, ev.QuestionAsked) or letter is None or event.question.letter is not None:
        return event
    return replace(event, question=replace(event.question, letter=letter))


def _with_answer(work: LetterBatch, writer: Writer) -> LetterBatch:
    """Tell the sender what was understood, done, not done and why; a stranger without a command how to begin."""
    if work.is_unknown:
        return work.to_sender("welcome", {}, answers=LetterPurpose.NONSENSE)
    result, shown = work.result, tuple(work.answers())
    known = Known(work.post.services, result.state)
    facts: dict[str, Any] = {
        "reports": tuple(answered(known, one) for one in result.reports),
        "words": result.words,
        "words_cut": result.words_cut,
        "brought": bool(work.own_news()),
        "words_wait": _have_words_to_wait(work),
    }
    asks = any(isinstance(one, _ASKED_BY_ANSWER) for one in shown)
    if work.claim is None:
        return work.with_post(_answer_outside(work, writer, facts, asks=asks))
    table, seat = result.state.table(work.claim.game), work.claim.seat
    is_resync = len(shown) == len(result.reports) and _is_resync(shown)
    post = work.post.with_words(
        "resync" if is_resync else "answer",
        table,
        seat,
        has_ended=work.has_ended(table.number),
        match=result.matches.get(table.number),
        of=writer.of,
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
    """The answer to a mail about no game."""
    # Nothing of it is kept once its reader is forgotten, and nothing comes back to whom nobody knows any more.
    has_left = any(isinstance(one, ev.PlayerErased) for one in work.result.events)
    return work.post.outside(
        "answer",
        writer.mailbox,
        writer.view,
        {"view": None, "match": None, **facts},
        of=writer.of,
        name=writer.name,
        answers=writer.budget.kind,
        is_answer=True,
        asks=asks,
        is_fleeting=has_left,
        hides_from=has_left,
    )


def _with_news(work: LetterBatch) -> LetterBatch:
    """Tell the other player all that the mail has changed in its game, with the words that wait, in one letter."""
    found = work.own_news()
    if not found or work.claim is None:
        return work
    table, reader = work.result.state.table(work.claim.game), work.claim.seat.other
    return work.with_post(
        work.tell(work.post, table, reader, found, has_ended=work.has_ended(table.number), of=work.of)
    )


def _have_words_to_wait(work: LetterBatch) -> bool:
    """Whether the other player has had so many letters of words alone that the next one has to wait."""
    if work.claim is None or not news.is_chat(work.own_news()):
        return False
    table = work.result.state.table(work.claim.game)
    reader = table.players[work.claim.seat.other]
    if reader.is_gone:
        return False
    post = work.post
    box = post.box(reader.main)
    return budgets.due_later(post.services.rates, box, LetterPurpose.CHAT, table.number, post.now) is not None


def _is_resync(told: tuple[ev.Event, ...]) -> bool:
    """Whether a mail asks for the board and for nothing else."""
    shown = [one for one in told if not isinstance(one, an.ShownAbove)]
    return bool(shown) and all(isinstance(one, an.BoardResynced) for one in shown)
