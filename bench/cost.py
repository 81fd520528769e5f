"""Compare what mails cost here with what they cost in another commit: `python -m bench.cost COMMIT`.

Two services, one of this checkout and one of the commit (in a temporary worktree, with the same Python and libraries),
get the same mails by LMTP, each kind in turn, and send their letters to a sink. Before each game is measured, two
warm the services up. Prints for each kind of mail the processor time of a service and its children a mail, the ratio,
and how far it varies between the turns; and the peak memory. `--letters both` does so with pictures.

In place of the time, `--by calls` counts calls of functions (`bench/calls.py`). Five games are enough for them, as they
hardly vary. A kind that both answer with different numbers of letters has no ratio. Instructions are counted without a
service (`bench/instructions.py`), as under Valgrind it looks for work more often than it has any.
"""

import json
import re
import smtplib
import sqlite3
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from signal import SIGUSR1
from tempfile import TemporaryDirectory

from bench.club import SIZE, Game, mail_of, tables
from bench.served import ROOT, Served
from bench.sink import Sink, free_port, sinking

TAK = "tak@example.test"
WARM_UP = 2
CONNECTIONS = 4
"""How many mails are handed over, and how many letters sent, at once."""
LOOK_SECONDS = 0.05
MOVE, WITH_WORDS = "a move", "a move with words"
WORDS = (
    "Hello!\n\n{move}\n\nI was away for some days, and it rained.\nThat was a nice one, by the way.\n\nBye"
)
LIMITS = (
    "answers_per_hour",
    "letters_per_day",
    "stranger_bytes_per_day",
    "total_stranger_answers_per_hour",
    "total_stranger_answers_per_day",
    "total_stranger_invitations_per_hour",
    "total_stranger_invitations_per_day",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One mail of each game: its kind, or None if it isn't measured; its author; and its text.

    It answers the newest letter to its author, unless `is_first`.
    """

    kind: str | None
    seat: int
    words: str
    is_first: bool = False


def steps(moves: int) -> Iterator[Step]:
    """Yield the mails of a game with this many moves of each kind, and those that follow it."""
    yield Step("new", 0, f"new {SIZE} vs {{black}} first=me", is_first=True)
    yield Step("its yes", 0, "yes")
    yield Step("accept", 1, "accept")
    for turn in range(2 * moves):
        has_words = turn // 2 % 2 == 1
        yield Step(WITH_WORDS if has_words else MOVE, turn % 2, WORDS if has_words else "{move}")
    yield Step(None, 0, "resign")
    yield Step(None, 0, "yes")
    yield Step("rematch", 1, "rematch")
    yield Step(None, 0, "seek 5")
    yield Step("join", 1, "join {seek}")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a service has spent on the mails of one step, and how many letters it has sent."""

    cost: float
    mails: int
    letters: int


@dataclass(frozen=True, slots=True)
class Takmail:
    """A running service, suspended between its turns. `spent` reads what it has spent since its start."""

    service: Served
    port: int
    database: Path
    sink: Sink
    spent: Callable[[Served], float]

    def turn(self, step: Step, games: Sequence[Game]) -> Spent:
        """Hand over the mail of each game, and return what they have cost."""
        mails = [self._mail(step, game) for game in games]
        letters = self.sink.letters
        self.service.go_on()
        before = self.spent(self.service)
        with ThreadPoolExecutor(CONNECTIONS) as clients:
            for _ in clients.map(
                self._hand_over, (mails[start::CONNECTIONS] for start in range(CONNECTIONS))
            ):
                pass
        while self._waiting():
            time.sleep(LOOK_SECONDS)
        cost = self.spent(self.service) - before
        self.service.hold()
        return Spent(cost, len(mails), self.sink.letters - letters)

    def _hand_over(self, mails: Sequence[bytes]) -> None:
        if not mails:
            return
        with smtplib.LMTP("127.0.0.1", self.port) as client:
            for raw in mails:
                mail = message_from_bytes(raw)
                client.sendmail(mail["Return-Path"], [mail["To"]], raw)

    def _mail(self, step: Step, game: Game) -> bytes:
        seek = re.search(rb"seek\s#(\d+)", self.sink.newest.get(game.white, b""))
        words = step.words.format(
            black=game.black, move=game.turns[game.written], seek="" if seek is None else seek[1].decode()
        )
        who = (game.white, game.black)[step.seat]
        return mail_of(who, TAK, words, None if step.is_first else self.sink.newest[who])

    def _waiting(self) -> int:
        """Return how many mails and letters wait. The last letter of a game waits for a review."""
        query = (
            "SELECT (SELECT count(*) FROM inbox WHERE state = 'new')"
            " + (SELECT count(*) FROM outbox WHERE state IN ('queued', 'postponed'))"
        )
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as store:
            return int(store.execute(query).fetchone()[0])


@contextmanager
def checkout_of(commit: str) -> Iterator[Path]:
    """Check out a commit during the block."""
    with TemporaryDirectory() as folder:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", f"{folder}/code", commit], check=True)
        try:
            yield Path(folder) / "code"
        finally:
            subprocess.run([*git, "remove", "--force", f"{folder}/code"], check=True)


@contextmanager
def running(root: Path, letters: str, by: str) -> Iterator[Takmail]:
    """Run the service of a checkout during the block. It goes on until its first turn."""
    with TemporaryDirectory() as name, sinking() as sink:
        folder, port = Path(name), free_port()
        known = (root / "config.example.toml").read_text()
        limits = "".join(f"{key} = 1000000000\n" for key in LIMITS if f"# {key} =" in known)
        (folder / "config.toml").write_text(
            f'[service]\naddress = "{TAK}"\nletters = "{letters}"\n\n[lmtp]\nport = {port}\n\n'
            f'[smtp]\nhost = "127.0.0.1"\nport = {sink.port}\ntls = "none"\nconnections = {CONNECTIONS}\n\n'
            f"[limits]\n{limits}"
        )
        wrapper, spent = UNITS[by].counter(folder)
        service = Served(folder / "config.toml", root, wrapper)
        try:
            yield Takmail(service, port, folder / "takmail.sqlite", sink, spent)
        finally:
            service.stop()


Counter = tuple[Sequence[str], Callable[[Served], float]]
"""The words before the command of a service, and what reads how much it has spent since its start."""


def _time(_folder: Path) -> Counter:
    return (), lambda service: 1000 * service.processor_seconds


def _calls(folder: Path) -> Counter:
    file = folder / "calls"

    def spent(service: Served) -> float:
        file.unlink(missing_ok=True)
        service.signal(SIGUSR1)
        while not file.exists():
            time.sleep(LOOK_SECONDS)
        calls: int = sum(function[3] for function in json.loads(file.read_text()))
        return calls / 1000

    return (sys.executable, str(ROOT / "bench" / "calls.py"), str(file)), spent


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted, in words, and the function that makes its counter, which may write to a folder."""

    words: str
    counter: Callable[[Path], Counter]


UNITS = {
    "time": Unit("ms", _time),
    "calls": Unit("thousand calls", _calls),
}

Costs = dict[str, list[tuple[Spent, ...]]]
"""What each service has spent at the steps of each kind."""


def measured(services: Sequence[Takmail], games: Sequence[Game], moves: int) -> Costs:
    """Play the games with each service in turn."""
    costs: Costs = {}
    for number, step in enumerate(steps(moves)):
        order = [*range(len(services))]
        if number % 2:
            order.reverse()
        spent = {place: services[place].turn(step, games) for place in order}
        if step.kind is not None:
            costs.setdefault(step.kind, []).append(tuple(spent[place] for place in sorted(spent)))
        for game in games:
            game.written += step.kind in (MOVE, WITH_WORDS)
    return costs


def printed(costs: Costs, services: Sequence[Takmail]) -> None:
    """Print the costs of a mail, of the commit and here, by its kind."""
    for kind, turns in costs.items():
        then, now = (
            sum(turn[place].cost for turn in turns) / sum(turn[place].mails for turn in turns)
            for place in (0, 1)
        )
        letters = [
            sum(turn[place].letters for turn in turns) / sum(turn[place].mails for turn in turns)
            for place in (0, 1)
        ]
        if kind in (MOVE, WITH_WORDS):
            assert letters == [2, 2], f"{kind} was not played"
        ratios = [turn[1].cost / turn[0].cost for turn in turns]
        compared = (
            f"{now / then:5.2f}   ({min(ratios):.2f} to {max(ratios):.2f})"
            if letters[0] == letters[1]
            else f"    -   {letters[0]:g} letters and {letters[1]:g}"
        )
        print(f"{kind:18} {then:8.2f} {now:8.2f} {compared}")
    then, now = (takmail.service.most_mib for takmail in services)
    print(f"{'MiB at most':18} {then:8.1f} {now:8.1f} {now / then:5.2f}", flush=True)


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("--letters", choices=("text", "both"), default="text")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--moves", type=int, default=6, help="how many moves of each kind each game has")
    parser.add_argument("--by", choices=UNITS, default="time")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        there = stack.enter_context(checkout_of(chosen.commit))
        services = [stack.enter_context(running(root, chosen.letters, chosen.by)) for root in (there, ROOT)]
        for takmail in services:
            takmail.service.says("listening at")
            takmail.service.hold()
        games = [*tables(WARM_UP + chosen.games, 2 * chosen.moves)]
        measured(services, games[:WARM_UP], chosen.moves)
        unit = UNITS[chosen.by].words
        print(
            f"letters: {chosen.letters}; {unit} a mail of {chosen.commit[:8]} and of this checkout",
            flush=True,
        )
        printed(measured(services, games[WARM_UP:], chosen.moves), services)


if __name__ == "__main__":
    main()
