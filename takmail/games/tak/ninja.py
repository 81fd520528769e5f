"""URLs for PTN Ninja, a web viewer; its URLs contain a whole game (gruppler/PTN-Ninja, src/router)."""

from dataclasses import replace

from takmail.games.tak.notation.lz import compress
from takmail.games.tak.notation.ptn_game import PtnGame, write_game

SITE, AT_THE_START = "https://ptn.ninja/", "&ply=0"
LONGEST = 1900
"""The maximum length of a URL, in characters. Mail programs and servers may truncate URLs from about 2,000 on."""
_NEEDED = ("Size", "Komi", "Caps", "TPS")
"""The tags without which a game can't be replayed."""


def address(game: PtnGame) -> str | None:
    """Return the URL of a game without its comments; None if the URL would be too long.

    If the URL with all tags would be too long, only the tags that a replay needs are kept.
    """
    plain = replace(game, items=game.plies)
    bare = replace(plain, tags=tuple(tag for tag in plain.tags if tag[0] in _NEEDED))
    for one in (plain, bare):
        found = SITE + compress(write_game(one), LONGEST) + AT_THE_START
        if len(found) <= LONGEST:
            return found
    return None
