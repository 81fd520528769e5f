"""Letters that come back: whoever can't be reached is left in peace, and who plays with them is told."""

from datetime import timedelta

from takmail.commands import events as ev
from takmail.commands.context import Context
from takmail.commands.kinds import RUNNING, LetterState, MailState, Standing
from takmail.commands.queries import Queries
from takmail.commands.records import MOST_BOUNCES, GameNumber, MessageId, ReturnedLetter
from takmail.commands.result import Sender
from takmail.commands.snapshot import Snapshot
from takmail.letters.services import Services
from takmail.mail.message import MachineSign, Message
from takmail.pipeline.execute import Execution, context_of
from takmail.pipeline.gates import Stopped

AGAIN_AFTER = timedelta(days=1)
"""When a letter that came back goes out once more: a full mailbox may have been emptied."""

MAY_COME_BACK = (LetterState.SENT, LetterState.QUEUED, LetterState.FAILED)
"""A letter that has left, or was in a sender's hand; a sender notes it as failed before it is one that came back."""


def returned(
    services: Services, queries: Queries, snapshot: Snapshot, message: Message, sender: Sender
) -> Stopped:
    """What a delivery report leads to.

    A letter's Message-ID can't be guessed, so a report that names one comes from where that letter went; and so does
    one that names a seat's token, where a server has left the Message-ID out.
    """
    work = Execution(context_of(services, queries, snapshot, sender))
    events, note = _read(work.context, message)
    note = f"{MachineSign.REPORT.value}: {note}"
    return Stopped(MailState.MACHINE, note, work.with_events(events).result(is_silent=True))


def _read(context: Context, message: Message) -> tuple[tuple[ev.Event, ...], str]:
    bounce = message.bounce
    if bounce is None:
        return (), "no letter came back"
    refs = (context.services.key.in_address(address) for address in bounce.replies)
    seats = [(GameNumber(ref.game), ref.seat) for ref in refs if ref is not None]
    letters = [MessageId(one.lower()) for one in bounce.letters]
    letter = context.queries.returned_letter(letters, seats)
    if letter is None:
        return (), "not about a letter of ours"
    if not letter.to:
        return (), f"letter {letter.number} was to somebody who is forgotten"
    if letter.state not in (LetterState.SENT, LetterState.QUEUED):
        return (), f"letter {letter.number} came back before"
    words = bounce.words or bounce.reason
    if not bounce.permanent:
        # Not its reader's fault: a server in between gave up, or wants no mail of ours. That is the operator's to see.
        gone = ev.LetterReturned(letter=letter.message_id, reason=words, again=None)
        return (gone,), f"letter {letter.number} did not arrive: {bounce.reason}"
    return came_back(context, letter, words), f"letter {letter.number} came back: {bounce.reason}"


def came_back(context: Context, letter: ReturnedLetter, reason: str) -> tuple[ev.Event, ...]:
    """A letter came back, or was refused at the door; it goes out once more a day later.

    After `MOST_BOUNCES` its reader's address rests, and the opponents are told. Who invited somebody is told at
    once, as the address may be mistyped.
    """
    if not letter.to or letter.state not in MAY_COME_BACK:
        return ()  # to somebody who is gone, or a report was quicker
    reader = context.player_by_address(letter.to)
    mailbox = None if reader is None else reader.mailbox(letter.to)
    if reader is None or mailbox is None or not letter.is_kept:
        return (ev.LetterReturned(letter=letter.message_id, reason=reason, again=None),)
    bounces = mailbox.bounces + 1
    found: list[ev.Event] = [
        ev.MailboxBounced(address=letter.to, before=mailbox.bounces),
        ev.LetterReturned(letter=letter.message_id, reason=reason, again=context.now + AGAIN_AFTER),
    ]
    if bounces >= MOST_BOUNCES:
        found.append(ev.LettersRested(address=letter.to))
    for record in context.games_of(reader.id, Standing.INVITED, *RUNNING):
        if record.standing in RUNNING:
            is_told = bounces == MOST_BOUNCES
        else:
            is_told = record.number == letter.game and record.invited_by != reader.id and bounces == 1
        if is_told:
            found.append(ev.OpponentUnreachable(game=record.number, seat=record.seat_of(reader.id)))
    return tuple(found)
