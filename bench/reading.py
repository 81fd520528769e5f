"""Measure what it costs to read mails that are made to be costly: `python -m bench.reading [WORD …] [--calls]`.

Each kind of mail has 16,000 characters of one kind of line, as many as are read, and each is read in each situation: by
a player of Tak, of TZAAR and of a relay game, in a mail of a player that names no game, in an answer to an invitation,
and from a stranger. Prints the processor time of reading it and of all of `process`, in milliseconds, each at its best
of three. `--calls` prints the function calls of reading it in place of both, which nothing else on the machine
disturbs. Words choose the kinds. `ordinary` is a mail of one move and a line of words.
"""

from argparse import ArgumentParser
from time import process_time
from unittest.mock import patch

from takmail.pipeline import process
from takmail.pipeline.interpret import Interpreted, interpret
from tests.support.costly import KINDS, ORDINARY, SITUATIONS, Situation, forget, mail_of

TRIES = 3


def costs(situation: Situation, text: str) -> tuple[float, float]:
    """Return the milliseconds of processor time that it takes to read a mail, and to process it."""
    read, whole = [], []
    for _ in range(TRIES):
        spent = 0.0

        def timed(*arguments: object) -> Interpreted:
            nonlocal spent
            begin = process_time()
            try:
                return interpret(*arguments)  # type: ignore[arg-type]
            finally:
                spent += process_time() - begin

        mail = situation.harness.arrive(situation.mail(text))
        forget()
        with patch.object(process, "interpret", timed):
            begin = process_time()
            situation.harness.decide(mail)
            whole.append(1000 * (process_time() - begin))
        read.append(1000 * spent)
    return min(read), min(whole)


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", help="parts of the names of the kinds to measure")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--situation", choices=SITUATIONS)
    wanted = parser.parse_args()
    names = [name for name in KINDS if not wanted.words or any(word in name for word in wanted.words)]
    situations = {name: Situation(name) for name in SITUATIONS if wanted.situation in (None, name)}
    for situation in situations.values():
        costs(situation, ORDINARY)  # warm up: tables and templates are made on their first use
    print(f"{'':26}" + "".join(f"{name:>16}" for name in situations))
    worst = dict.fromkeys(situations, (0.0, ""))
    for kind in ("ordinary", *names):
        text = ORDINARY if kind == "ordinary" else mail_of(KINDS[kind]())
        row = ""
        for name, situation in situations.items():
            if wanted.calls:
                cost: float = situation.calls(text)
                row += f"{cost:16,}"
            else:
                cost, whole = costs(situation, text)
                row += f"{cost:8.1f}{whole:8.1f}"
            worst[name] = max(worst[name], (cost, kind))
        print(f"{kind:26}{row}", flush=True)
    for name, (cost, kind) in worst.items():
        print(f"{name}: at most {cost:,.1f}, {kind}")


if __name__ == "__main__":
    main()
