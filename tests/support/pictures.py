"""Draw the pictures of letters once for a whole test process."""

from takmail.games.registry import Games
from takmail.letters.drawings import drawings_of
from takmail.runtime.illustrator import Illustrator

_ILLUSTRATORS: dict[tuple[str, ...], Illustrator] = {}


def illustrated(games: Games, raw: bytes, message_id: str, drawings: str) -> bytes:
    """Return a letter of the outbox as it is sent, with its pictures."""
    named = drawings_of(drawings)
    if named is None:
        return raw
    names = tuple(games.by_name)
    if names not in _ILLUSTRATORS:
        _ILLUSTRATORS[names] = Illustrator(games)
    return _ILLUSTRATORS[names].illustrated(raw, message_id, named)
