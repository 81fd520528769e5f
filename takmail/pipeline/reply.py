"""Find the letter that a mail answers."""

from takmail.commands.snapshot import Snapshot
from takmail.letters.services import Services
from takmail.mail.message import Message
from takmail.pipeline.values import Reply


def resolve_reply(services: Services, snapshot: Snapshot, message: Message) -> Reply:
    """Return the letter that a mail answers."""
    key, answered = services.key, snapshot.answered
    newest = key.newest_own((*message.in_reply_to, *reversed(message.references)))
    # After a backup is restored, mails may answer letters that are newer than the backup.
    if newest is not None and key.asks(newest) and newest not in snapshot.known_letters:
        return Reply(None, is_lost=True)
    return Reply(answered, asks=answered is not None and key.asks(answered.message_id))
