"""The compiled bot, which `make compiled` builds, chooses the same turns as the plain one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
COMPILED = CHECKOUT / ".venv" / "compiled"
BOT = Path("takmail", "games", "tak", "bot")
GAMES = """
from random import Random
from takmail.games.tak.bot import search
from takmail.games.tak.bot.bits import bits_of, layout_of, make, result
from takmail.games.tak.bot.levels import LEVELS, choice
from takmail.games.tak.bot.tinue import TinueSearch
from takmail.games.tak.position import empty_position

print(search.__file__)
for size in (3, 4, 5, 6, 8):
    layout, bits, ended = layout_of(size, size % 3), bits_of(empty_position(size, size % 3)), None
    while ended is None and bits[9] < 8 * size:
        level = list(LEVELS)[(bits[9] + size) % len(LEVELS)]
        nodes = 300 if LEVELS[level].nodes else None
        found = choice(layout, bits, LEVELS[level], Random(bits[9]), lambda: False, nodes=nodes)
        forced = TinueSearch(layout, not bits[9] & 1).find(bits, 5, 20, quiet=5)
        print(level, found, forced)
        bits = make(bits, found.ply)
        ended = result(layout, bits, found.ply[3])
"""


def _is_of_these_sources() -> bool:
    """Return whether there is a compiled bot, and it was made of the sources that are here."""
    sources = list((CHECKOUT / BOT).glob("*.py"))
    copies = [COMPILED / BOT / source.name for source in sources]
    return all(
        copy.is_file() and copy.read_bytes() == source.read_bytes()
        for copy, source in zip(copies, sources, strict=True)
    )


def _lines(folder: Path) -> list[str]:
    command = [sys.executable, "-P", "-c", GAMES]
    path = os.pathsep.join([str(folder), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.skipif(not _is_of_these_sources(), reason="needs `make compiled`, after each change of the bot")
def test_the_compiled_bot_plays_as_the_plain_one_does() -> None:
    (compiled_file, *compiled), (plain_file, *plain) = _lines(COMPILED), _lines(CHECKOUT)
    assert compiled_file.endswith(".so")
    assert plain_file.endswith(".py")
    assert len(plain) > 60
    assert compiled == plain
