"""A TEI engine that does what its arguments say: quirks that engines have, and faults that they may have.

It runs as a program of its own, and knows nothing of Tak or takmail. Each argument is `name=value`:

* `log` is a file to which it adds a line for each process and each line that it reads
* `intro` is a line that it prints before `teiok`, and may be repeated
* `times` is how often `intro` and `info` are repeated, within one line unless they have its end
* `info` is what it prints after the last `info` of a search, if anything
* `best` is what it prints after `bestmove`
* `at` is the word at which it does `fault`, and `once` is a file that it makes then, and after which it has no fault
* `chatter` is a number of lines that it prints with each answer
"""

import os
import signal
import sys
from pathlib import Path

ARGUMENTS = [argument.partition("=")[::2] for argument in sys.argv[1:]]
VALUES = dict(ARGUMENTS)


def say(text: str) -> None:
    print(text, flush=True)


def note(text: str) -> None:
    if "log" in VALUES:
        with Path(VALUES["log"]).open("a") as log:
            log.write(f"{text}\n")


def wait_for_ever() -> None:
    while True:
        signal.pause()


def fail(fault: str) -> None:
    """Do what a faulty engine does."""
    if fault == "crash":
        print("thread 'main' panicked at\x1b[0m 'no such board'", file=sys.stderr)
        sys.exit(101)
    if fault == "hang":
        wait_for_ever()
    while fault == "line":
        sys.stdout.write("x" * 65_536)
    while fault == "lines":
        sys.stdout.write("info depth 1\n" * 5_000)
    while fault == "errors":
        sys.stderr.write("x" * 65_536)
    if fault == "closed":
        os.close(1)
        os.close(2)
        wait_for_ever()
    if fault == "memory":
        say(f"info string {len(bytearray(512 * 1024 * 1024))}")


def answer(word: str) -> None:
    if word == "tei":
        for name, value in ARGUMENTS:
            if name == "intro":
                say(value * int(VALUES.get("times", "1")))
        say("teiok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        say("readyok")
        say("info depth 6 seldepth 9 nodes 269773 score cp 250 pv a1 e5*")
        say("info string depth 99 is the last one")
        if "info" in VALUES:
            say(f"info {VALUES['info'] * int(VALUES['times'])}")
        say(f"bestmove {VALUES.get('best', 'a1')}")
    elif word not in ("teinewgame", "position", "setoption", "stop", "quit"):
        sys.exit(f"unknown command {word}")


def main() -> None:
    note(f"process {sys.argv[1:]}")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        word = line.split()[0]
        note(line.strip())
        if VALUES.get("at") == word and not ("once" in VALUES and Path(VALUES["once"]).exists()):
            if "once" in VALUES:
                Path(VALUES["once"]).touch()
            fail(VALUES["fault"])
        for number in range(int(VALUES.get("chatter", "0"))):
            say(f"chatter {number}: teiok? no")
            print("x" * 1_000, file=sys.stderr)
        answer(word)
        if word == "quit" and VALUES.get("deaf") != "yes":
            return
    if VALUES.get("deaf") == "yes":
        wait_for_ever()


main()
