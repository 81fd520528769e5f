"""Which mails are dealt with in the order in which they came, however many processes there are."""

import re

from takmail.service.desk import Desk
from takmail.store.tables.kinds import ADDRESS

_MOST_OF_HEAD = 64 * 1024
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


def queue_of(desk: Desk, raw: bytes, sender: str | None) -> str | None:
    """What a mail shares with those that have to be dealt with in order: the game that it names, or its sender."""
    head = _END_OF_HEAD.split(raw[:_MOST_OF_HEAD], maxsplit=1)[0]
    game = desk.key.game_named(head)
    return f"game {game}" if game is not None else (sender or "")[: ADDRESS.length] or None
