"""Draw the pictures of letters once for a whole test process."""

from takmail.games.registry import GAMES
from takmail.letters.drawings import drawings_of
from takmail.runtime.illustrator import Illustrator

_ILLUSTRATOR = Illustrator(GAMES)


def illustrated(raw: bytes, message_id: str, drawings: str) -> bytes:
    """Return a letter of the outbox as it is sent, with its pictures."""
    named = drawings_of(drawings)
    return raw if named is None else _ILLUSTRATOR.illustrated(raw, message_id, named)
