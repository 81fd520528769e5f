"""Load the recorded episodes. Each group of episodes is a compressed JSON file."""

import json
import lzma
from pathlib import Path

from tests.yardstick.play import Episode

DATA = Path(__file__).parent / "data"


def load() -> dict[str, Episode]:
    """Return all episodes by name, group by group."""
    found = {}
    for file in sorted(DATA.glob("*.json.xz")):
        for one in json.loads(lzma.decompress(file.read_bytes())):
            found[one["name"]] = Episode(one["name"], one["base"], tuple(one["steps"]))
    return found
