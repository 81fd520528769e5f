"""The recorded episodes: one compressed file of JSON for each group."""

import json
import lzma
from collections.abc import Iterable
from pathlib import Path

from tests.yardstick.play import Episode

DATA = Path(__file__).parent / "data"


def load() -> dict[str, Episode]:
    """All episodes by name, group by group."""
    found = {}
    for file in sorted(DATA.glob("*.json.xz")):
        for one in json.loads(lzma.decompress(file.read_bytes())):
            found[one["name"]] = Episode(one["name"], one["base"], tuple(one["steps"]))
    return found


def save(group: str, episodes: Iterable[Episode]) -> int:
    """Write the episodes of a group; gives the size of the file in bytes."""
    plain = [{"name": one.name, "base": one.base, "steps": one.steps} for one in episodes]
    text = json.dumps(plain, ensure_ascii=False, indent=0)
    file = DATA / f"{group}.json.xz"
    # The preset and the check are named, so that the same episodes are the same bytes.
    file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME, check=lzma.CHECK_CRC64))
    return file.stat().st_size
