"""Handle bounced letters: send them again, suspend the address after several bounces, and notify the opponents."""

from datetime import datetime, timedelta

from takmail.commands.answers import CauseResult, Events
from takmail.commands.context import Context
from takmail.limits.letters import MAX_BOUNCES
from takmail.mail.message import MachineSign, Mail
from takmail.pipeline.reactions import with_events
from takmail.pipeline.results import cause_result
from takmail.world import (
    UNFINISHED,
    LetterState,
    MailState,
    MessageId,
    Queries,
    ReturnedLetter,
    events,
)

AGAIN_AFTER = timedelta(days=1)
"""The delay after which a bounced letter is sent again. A full mailbox may have been emptied by then."""

SENT_AGAIN_FOR = timedelta(days=5)
"""How long after it was written a letter that came back for a limit on our sending is sent again."""

MAY_COME_BACK = (LetterState.SENT, LetterState.QUEUED, LetterState.FAILED)
"""The states of letters that can bounce. A letter that the mail server refuses is marked as failed before that."""


def returned(context: Context, message: Mail) -> CauseResult:
    """Return the result of a delivery report, with the events for the letter that it reports.

    Only a report that names a stored letter counts, by its Message-ID or by a reply address with the letter's nonce. A
    nonce can't be guessed, so the report comes from a server that received the letter. A seat's token is not enough:
    whoever has read one letter to the seat could stop the others.
    """
    effects, note = _effects_and_note(context, message)
    note = f"{MachineSign.REPORT.value}: {note}"
    return cause_result(with_events(context, effects), note, is_silent=True, mail_state=MailState.MACHINE)


def _effects_and_note(context: Context, message: Mail) -> tuple[Events, str]:
    bounce = message.body.bounce
    if bounce is None:
        return (), "no letter bounced"
    named = (*bounce.letters, *context.services.key.letters_in(bounce.reply_to, ""))
    letter = context.world.ask(Queries.returned_letter, tuple(MessageId(name.lower()) for name in named))
    if letter is None:
        return (), "not about a letter of takmail"
    if not letter.to:
        return (), f"letter {letter.number} was to a player whose data was erased"
    if letter.state not in (LetterState.SENT, LetterState.QUEUED):
        return (), f"letter {letter.number} had already bounced or ended"
    words = bounce.words or bounce.reason
    if not bounce.permanent:
        # The recipient is not the reason: a server in between gave up, or it rejects our mail. The operator has to
        # look at it. Only a limit on our sending passes by itself.
        is_kept = bounce.is_limit and letter.has_bytes and context.now - letter.created_at < SENT_AGAIN_FOR
        again = context.now + AGAIN_AFTER if is_kept else None
        return (_back(letter, words, again),), f"letter {letter.number} was not delivered: {bounce.reason}"
    return on_bounce(context, letter, words), f"letter {letter.number} bounced: {bounce.reason}"


def on_bounce(context: Context, letter: ReturnedLetter, reason: str) -> Events:
    """Return what follows from a letter that bounced or was refused. It is sent again after `AGAIN_AFTER`.

    After `MAX_BOUNCES` bounces, letters to the address are suspended, and the recipient's opponents are notified. The
    player who sent an invitation is notified of its first bounce, as the address may be mistyped.
    """
    if not letter.to or letter.state not in MAY_COME_BACK:
        return ()  # the player's data was erased, or another report arrived first
    reader = context.world.owner(letter.to)
    mailbox = None if reader is None else reader.mailbox(letter.to)
    if reader is None or mailbox is None or not letter.has_bytes:
        return (_back(letter, reason, None),)
    bounces = mailbox.bounces + 1
    effects: list[events.Event] = [
        _back(letter, reason, context.now + AGAIN_AFTER),
        events.LetterBounced(player=reader.id, address=letter.to),
    ]
    for record in context.world.games_of(reader.id, *UNFINISHED):
        is_of_letter = record.number == letter.game and record.invitation.host != reader.id
        is_told = bounces == (MAX_BOUNCES if record.is_running else 1)
        if is_told and (is_of_letter or record.is_running):
            effects.append(events.OpponentUnreachable(game=record.number, seat=record.seat_of(reader.id)))
    return tuple(effects)


def _back(letter: ReturnedLetter, reason: str, retry_at: datetime | None) -> events.LetterReturned:
    return events.LetterReturned(letter=letter.message_id, reason=reason, retry_at=retry_at)
