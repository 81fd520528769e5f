"""Compare the throughput of takmail with that of a minimal responder, with a real Dovecot and Postfix.

`python -m bench.throughput [--pairs 5] [--games 200] [--rounds 3]`, from the checkout, as root, after
tests/stack/install.sh.

Two takmails, one with plain-text letters and one with pictures, begin all games. A run consists of several rounds. At
the start of a round the mailbox contains a move for every game, which answers and quotes a letter. The clock starts
when takmail resumes, and stops when the last letter is accepted. After the run, bench/responder.py reads the same mails
and sends the same letters over as many connections. Prints the mails per second of both, their ratio, takmail's
processor time per mail, and its peak memory.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.club import Players, Sent, tables
from bench.responder import Job
from bench.served import ROOT, served
from bench.town import MailNetwork, town

PUSHED = 1.5
"""The number of seconds after which Dovecot has announced new mails to all waiting clients."""
CONNECTIONS = 4
LETTERS_A_MAIL = 2
VIEWS = {"text": "text", "pictures": "both"}
"""The kinds of letters: their names in this benchmark, and their values in takmail's settings."""


@dataclass(slots=True)
class Run:
    """A run: its wall-clock seconds, takmail's processor seconds, the mails of each round, and all letters."""

    seconds: float
    processor_seconds: float
    rounds: list[list[bytes]]
    letters: list[Sent]

    @property
    def mails(self) -> int:
        """The number of mails in all rounds."""
        return sum(map(len, self.rounds))


def by_takmail(club: Players, rounds: int) -> Run:
    """Play this many turns in each game, and return the measurements."""
    takmail, run = club.takmail, Run(0.0, 0.0, [], [])
    for _ in range(rounds):
        mails = club.moves()
        takmail.hold()
        club.town.put(club.address, mails)
        time.sleep(PUSHED)
        before, sent = takmail.processor_seconds, len(takmail.sent)
        began = time.perf_counter()
        takmail.go_on()
        run.seconds += takmail.has_sent(sent + LETTERS_A_MAIL * len(mails)) - began
        while club.town.left_in(club.address):
            time.sleep(0.05)
        run.processor_seconds += takmail.processor_seconds - before
        run.rounds.append(mails)
        run.letters += club.collect()
        club.town.at_rest()
    assert len(run.letters) == LETTERS_A_MAIL * run.mails, "a move was not played"
    return run


def by_responder(place: MailNetwork, user: str, done: Run, folder: Path) -> float:
    """Let the responder read the mails and send the letters of the run `done`. Return the wall-clock seconds."""
    servers, seconds = place.servers, 0.0
    job = Job(
        servers.host,
        servers.imap_port,
        servers.smtp_port,
        user,
        servers.password,
        CONNECTIONS,
        [(one.mail_from, one.mail_to, one.raw.decode("latin-1")) for one in done.letters],
        LETTERS_A_MAIL,
    )
    job.write(folder / "job.json")
    with _running([sys.executable, "-m", "bench.responder", str(folder / "job.json")]) as responder:
        assert responder.stdin is not None
        assert responder.stdout is not None
        assert responder.stdout.readline() == "ready\n"
        for mails in done.rounds:
            place.put(user, mails)
            began = time.perf_counter()
            print(len(mails), file=responder.stdin, flush=True)
            assert responder.stdout.readline() == "done\n"
            seconds += time.perf_counter() - began
            place.at_rest()
    return seconds


@contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.terminate()


def measured(clubs: dict[str, Players], pairs: int, rounds: int, folder: Path) -> dict[str, list[float]]:
    """Measure each kind of letters in turn, `pairs` times, and print the results. Return the ratios by kind."""
    ratios: dict[str, list[float]] = {name: [] for name in clubs}
    for _ in range(pairs):
        for name, club in clubs.items():
            run = by_takmail(club, rounds)
            club.takmail.hold()
            least = by_responder(club.town, "noop@example.test", run, folder)
            club.takmail.go_on()
            ratios[name].append(least / run.seconds)
            size = sum(len(one.raw) for one in run.letters) / len(run.letters)
            print(
                f"{name:8} takmail {run.mails / run.seconds:6.1f} mails a second, "
                f"{1000 * run.processor_seconds / run.mails:5.2f} ms of the processor each; "
                f"no-op {run.mails / least:6.1f}; ratio {ratios[name][-1]:.2f}; "
                f"letters of {size / 1000:.1f} KB",
                flush=True,
            )
    return ratios


def main(pairs: int, games: int, rounds: int) -> None:
    """Start the servers and takmails, measure, and print the results."""
    with ExitStack() as stack:
        place, folder = stack.enter_context(town()), Path(stack.enter_context(TemporaryDirectory()))
        seats = list(tables(games, pairs * rounds))
        people = [who for table in seats for who in (table.white, table.black)]
        place.let_in([*people, *(f"{name}@example.test" for name in (*VIEWS, "noop"))])
        clubs = {}
        for name, view in VIEWS.items():
            address, at = f"{name}@example.test", folder / name
            takmail = stack.enter_context(served(at, place, address, view, CONNECTIONS))
            club = Players(
                place, takmail, address, at / "takmail.sqlite", list(tables(games, pairs * rounds))
            )
            club.begin()
            place.at_rest()
            clubs[name] = club
        ratios = measured(clubs, pairs, rounds, folder)
        for name, club in clubs.items():
            print(
                f"{name:8} median ratio {median(ratios[name]):.2f}; "
                f"most memory {club.takmail.most_mib:.0f} MiB"
            )


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pairs", type=int, default=5)
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    main(chosen.pairs, chosen.games, chosen.rounds)
