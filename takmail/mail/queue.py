"""Group the mails that must be handled in order of arrival, across all processes."""

import re

from takmail.limits.mails import MAX_HEAD_BYTES
from takmail.mail.tokens import SeatKey

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_MAX_KEY_CHARS = 320  # the maximum length of a queue's key, in characters


def head_of(raw: bytes) -> bytes:
    """Return the headers of a mail, as far as they are searched before it is read."""
    return _END_OF_HEAD.split(raw[:MAX_HEAD_BYTES], maxsplit=1)[0]


def queue_of(key: SeatKey, raw: bytes, sender: str | None) -> str | None:
    """Return the key of a mail's queue, whose mails are handled in order: the game that it names, or its sender."""
    game = key.game_named(head_of(raw))
    return f"game {game}" if game is not None else (sender or "")[:_MAX_KEY_CHARS] or None
