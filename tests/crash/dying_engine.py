"""A TEI engine that dies in every second process, each time at another word. Otherwise it is takmail's own bot.

Its argument is a file to which it adds a line for each process: the word at which it dies, or `plays`.
"""

import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # takmail passes no PYTHONPATH on to engines

WORDS = ("tei", "isready", "position", "go")
ANSWERS = {"tei": "teiok", "isready": "readyok"}


def die_at(deadly: str) -> None:
    """Answer as an engine does until this word comes."""
    for line in sys.stdin:
        word = line.split()[0]
        if word == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if word in ANSWERS:
            print(ANSWERS[word], flush=True)


def play() -> None:
    """Play at the weakest level."""
    from takmail.games.registry import GAMES
    from takmail.games.thinking import Channel, EngineServer

    bot = GAMES.rules("tak")
    assert isinstance(bot, EngineServer)

    def read() -> str:
        return sys.stdin.readline().strip() or "quit"

    bot.serve("easy", None, Channel(read, lambda: None, lambda line: print(line, flush=True), time.monotonic))


def main(log: Path) -> None:
    number = len(log.read_text().splitlines()) if log.exists() else 0
    deadly = None if number % 2 else WORDS[number // 2 % len(WORDS)]
    with log.open("a") as lines:
        lines.write(f"{deadly or 'plays'}\n")
    if deadly is None:
        play()
    else:
        die_at(deadly)


main(Path(sys.argv[1]))
