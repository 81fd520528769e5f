"""Komi as text: a multiple of half a flat, represented as a number of half flats."""

import re

from takmail.games.tak.notation.errors import NotationError

HIGHEST = 64
"""The maximum komi, in flats. It equals the number of spaces of the widest board."""

_KOMI = re.compile(r"([0-9]{1,2})(?:[.,]([05])0?)?")


def write_komi(half_komi: int) -> str:
    """Return komi as text in flats: `0`, `2` or `2.5`."""
    return f"{half_komi // 2}.5" if half_komi % 2 else str(half_komi // 2)


def parse_komi(text: str) -> int:
    """Parse komi in flats and return it in half flats. Raises `NotationError` (`bad-komi`)."""
    found = _KOMI.fullmatch(text)
    if not found or int(found[1]) > HIGHEST:
        raise NotationError("bad-komi", text=text[:20], highest=HIGHEST)
    return 2 * int(found[1]) + (found[2] == "5")
