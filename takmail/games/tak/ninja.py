"""PTN Ninja, a viewer of games on the web that takes a whole game in its address (gruppler/PTN-Ninja, src/router)."""

from dataclasses import replace

from takmail.games.tak.notation.lz import short
from takmail.games.tak.notation.ptn_game import PtnGame, write_game

SITE, AT_THE_START = "https://ptn.ninja/", "&ply=0"
LONGEST = 1900
"""Characters of an address: about 2,000 is where mail programs and what stands between them begin to cut."""
_NEEDED = ("Size", "Komi", "TPS")
"""The tags without which a game can't be played over."""


def address(game: PtnGame) -> str | None:
    """Where the plies of a game can be looked at, without its comments; None: the address would be too long.

    A long game is given without its players' names and its date.
    """
    plain = replace(game, items=game.plies)
    bare = replace(plain, tags=tuple(tag for tag in plain.tags if tag[0] in _NEEDED))
    for one in (plain, bare):
        found = SITE + short(write_game(one), LONGEST) + AT_THE_START
        if len(found) <= LONGEST:
            return found
    return None
