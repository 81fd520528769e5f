"""Find the letter and the open question that a mail answers."""

from takmail.commands.context import Context
from takmail.commands.questions import asked_of
from takmail.commands.records import Question
from takmail.commands.result import Sender
from takmail.commands.snapshot import Snapshot
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.pipeline.values import Reply


def resolve_reply(services: Services, snapshot: Snapshot, message: Message) -> Reply:
    """Return the letter that a mail answers."""
    newest = services.key.newest_own((*message.in_reply_to, *reversed(message.references)))
    # After a backup is restored, mails may answer letters that are newer than the backup.
    is_unknown = newest is not None and services.key.asks(newest) and newest not in snapshot.known_letters
    if is_unknown:
        return Reply(None, asks=True, unknown_parent=True)
    answered = snapshot.answered
    return Reply(answered, asks=answered is not None and services.key.asks(answered.message_id))


def address_question(
    services: Services, context: Context, sender: Sender, message: Message, reply: Reply
) -> Question | None:
    """Return the open question to the sender's address that a `yes` would answer, or None.

    It is the question of the answered letter. Some mail programs omit the reference to this letter, but keep its reply
    address. If a mail has only the reply address, the only open question is returned.
    """
    if not (sender.address_verified or sender.player_verified):
        return None
    asked = asked_of(context.state.pending, sender.address, context.now)
    if reply.letter is not None:
        return next((one for one in asked if one.letter == reply.letter.message_id), None)
    waiting = [one for one in asked if not one.is_replaced]
    is_answer = services.key.proves_address(message.recipients, (), sender.address)
    is_only = len({(one.kind, one.words) for one in waiting}) == 1
    return waiting[0] if is_answer and is_only and context.game is None else None
