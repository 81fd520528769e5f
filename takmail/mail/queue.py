"""Which mails are handled in the order in which they came, however many processes there are."""

import re

from takmail.mail.tokens import SeatKey

_MOST_OF_HEAD = 64 * 1024
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_LONGEST = 320


def queue_of(key: SeatKey, raw: bytes, sender: str | None) -> str | None:
    """What a mail shares with those that have to be handled in order: the game that it names, or its sender."""
    head = _END_OF_HEAD.split(raw[:_MOST_OF_HEAD], maxsplit=1)[0]
    game = key.game_named(head)
    return f"game {game}" if game is not None else (sender or "")[:_LONGEST] or None
