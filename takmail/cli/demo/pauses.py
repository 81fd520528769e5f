"""Pause the demo for as long as it takes to read what it shows."""

import asyncio
import re

WORDS_PER_MINUTE = 240
"""How fast an adult reads silently."""

MINUTES = 6
"""About how long it takes to read the whole demo."""

_WORD = re.compile(r"[^\W\d_]{2,}")  # not the single letters of a board


def reading_seconds(text: str) -> float:
    """Return how long it takes to read the words of a text."""
    return len(_WORD.findall(text)) * 60 / WORDS_PER_MINUTE


async def no_pause(_text: str) -> None:
    """Go on at once."""


async def read(text: str) -> None:
    """Pause for as long as it takes to read the text."""
    await asyncio.sleep(reading_seconds(text))
