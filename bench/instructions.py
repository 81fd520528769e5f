"""Compare the instructions that mails execute here with those in another commit: `python -m bench.instructions COMMIT`.

Plays a recorded game by mail in each of the two checkouts, in one process that also stores the mails, decides them and
writes the letters, with the same Python and libraries. Valgrind counts what `MOVES` mails execute after others have
warmed the process up. No clock, no network and no other process changes the figures: they vary by less than one per
cent between runs, however busy the machine is. Prints million instructions a mail of both, and the ratio, for a move
without and with words, and for letters of text and with pictures.
"""

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cost import MOVE, WITH_WORDS, WORDS, checkout_of
from bench.served import ROOT

MOVES, WARM_UP = 6, 8
KINDS = {MOVE: "{move}", WITH_WORDS: WORDS}
PLAY = """
import json, os, subprocess, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from bench.letters import ADA, BEN, MOVES, RECORDED, SIZE, Harness, LetterView, MailWorker, Store, causes_for

view, form, warm_up, count = json.loads(sys.argv[1])

def counting(word):
    subprocess.run(["callgrind_control", "-i", word, str(os.getpid())], check=True, capture_output=True)

recorded = [game["mail"] for game in json.loads(RECORDED.read_text()) if game["size"] == SIZE]
moves = next(moves for moves in recorded if len(moves) >= MOVES)
with TemporaryDirectory() as place:
    store = Store.open(f"sqlite:///{Path(place) / 'bench.sqlite'}")
    office = Harness(MailWorker(store, causes_for(LetterView(view))), store)
    for who, words in ((ADA, f"new {SIZE} vs {BEN} first=me"), (ADA, "yes"), (BEN, "accept")):
        office.send(who, words)
    for number, move in enumerate(moves[: warm_up + count]):
        raw = office.mail((ADA, BEN)[number % 2], form.format(move=move))
        if number >= warm_up:
            counting("on")
        office.mail_worker.keep_one(raw)
        office.mail_worker.work()
        if number >= warm_up:
            counting("off")
    store.close()
"""
"""What is run in each checkout, by its own `bench.letters`."""


def millions(root: Path, view: str, form: str) -> float:
    """Return the millions of instructions that a mail of this form executes in a checkout."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "count"
        valgrind = ("valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no")
        subprocess.run(
            [
                *(*valgrind, f"--callgrind-out-file={file}", sys.executable, "-c", PLAY),
                json.dumps([view, form, WARM_UP, MOVES]),
            ],
            check=True,
            cwd=root,
            # Sets are in the same order in each run.
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
        )
        counts = [int(total) for total in re.findall(r"^totals: (\d+)", file.read_text(), re.MULTILINE)]
    return sum(counts) / MOVES / 1e6


def main() -> None:
    """Count, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit")
    chosen = parser.parse_args()
    with checkout_of(chosen.commit) as there:
        for view in ("text", "both"):
            for kind, form in KINDS.items():
                then, now = (millions(root, view, form) for root in (there, ROOT))
                print(f"{view:6}{kind:18} {then:8.2f} {now:8.2f} {now / then:5.2f}", flush=True)


if __name__ == "__main__":
    main()
