"""The vectors of TZAAR: recorded games, single turns and counts from an independent program."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from takmail.games.tzaar.position import Position, read_position

_FILE = Path(__file__).parents[1] / "data" / "tzaar.json"


@cache
def vectors() -> Any:
    """Return the file."""
    return json.loads(_FILE.read_text(encoding="utf-8"))


def position(text: str) -> Position:
    """Return the position that one line describes."""
    found = read_position(text)
    assert found is not None, text
    return found
