"""A TEI engine that dies in every second process, each time at another word. Otherwise it is takmail's own bot.

Its argument is a file to which it adds a line for each process: the word at which it died, or `plays`.
"""

import os
import signal
import sys
from pathlib import Path

WORDS = ("tei", "isready", "position", "go")
ANSWERS = {"tei": "teiok", "isready": "readyok"}


def main(log: Path) -> None:
    number = len(log.read_text().splitlines()) if log.exists() else 0
    deadly = None if number % 2 else WORDS[number // 2 % len(WORDS)]
    with log.open("a") as lines:
        lines.write(f"{deadly or 'plays'}\n")
    if deadly is None:
        os.execv(sys.executable, [sys.executable, "-m", "takmail", "bot", "--tei", "--level", "easy"])
    for line in sys.stdin:
        word = line.split()[0]
        if word == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if word in ANSWERS:
            print(ANSWERS[word], flush=True)


main(Path(sys.argv[1]))
