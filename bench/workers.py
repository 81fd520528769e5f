"""Compare the throughput of one worker and of several on one PostgreSQL: `bench/workers.py URL [MAILS]`.

URL is an empty database, such as postgresql+psycopg://takmail@/bench?host=/run/postgresql. A queue has MAILS mails
(2,000 by default), each with a move in one of many games. It is worked off three times by one process and three times
by four, in alternating order, because the database grows. Their plain-text letters are sent to Postfix's smtp-sink,
which keeps none (tests/stack/install.sh). The first turns of the games warm the processes up. Prints the time until the
last letter is sent, the mails per second, and the processor time per mail.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from takmail.config import ServiceSettings, Settings, SmtpSettings, StoreSettings
from takmail.games.interface import Seat
from takmail.runtime.bootstrap import App
from takmail.runtime.mail_worker import BUSY
from takmail.store import inbox, outbox
from takmail.world import LetterState, MailState

TAK = "tak@example.org"
MOVES = ("a1", "e5", "c3", "b4", "d2", "a5", "e1", "c1", "b2", "d4")
SEVERAL, RUNS = 4, 3
CONNECTIONS = 4
WITHOUT_LIMITS = (
    "answers_per_hour",
    "letters_per_day",
    "total_stranger_invitations_per_hour",
    "total_stranger_invitations_per_day",
)
WARM = 2
"""The number of turns of each game before the clock starts. Templates are compiled at their first use."""


@contextmanager
def smtp_sink() -> Iterator[int]:
    """Run a mail server that accepts all letters and keeps none, and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    sink = subprocess.Popen(["/usr/sbin/smtp-sink", "-u", "nobody", f"127.0.0.1:{port}", "100"])
    try:
        while True:
            with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            if sink.poll() is not None:
                raise SystemExit("smtp-sink does not run")
            time.sleep(BUSY.total_seconds())
        yield port
    finally:
        sink.terminate()
        sink.wait()


def settings(url: str, folder: Path, port: int) -> Settings:
    """Return the settings of a takmail that processes mails, receives none, and sends letters to this port."""
    return Settings(
        service=ServiceSettings(address=TAK, key_file=folder / "key", letters="text"),
        smtp=SmtpSettings(host="127.0.0.1", port=port, tls="none", connections=CONNECTIONS),
        store=StoreSettings(url=url),
        limits=dict.fromkeys(WITHOUT_LIMITS, 10**9),  # type: ignore[arg-type]  # pydantic's to check
    )


def mail(number: str, who: str, words: str, to: str) -> bytes:
    """Return a mail without a quote."""
    return f"From: {who}\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n\r\n{words}\r\n".encode()


def players(game: int) -> tuple[str, str]:
    """Return the players of a game. They have no other game, because mails of one player wait for each other."""
    return f"ada{game}@example.org", f"ben{game}@example.org"


def begin(app: App, run: int, games: int) -> range:
    """Begin this many games, and return their numbers."""
    key, numbers = app.services.key, range(run * games + 1, (run + 1) * games + 1)
    for game in numbers:
        ada, ben = players(game)
        asks = mail(f"{game}.new", ada, f"new 5 vs {ben} first=me", key.personal_address(ada))
        accepts = mail(f"{game}.yes", ben, "accept", key.reply_address(game, Seat.SECOND))
        for one in (asks, accepts):
            app.mail_worker.keep_one(one)
            app.mail_worker.work()
    return numbers


def fill(app: App, run: int, games: range, turns: range) -> None:
    """Store the mails of these turns: the first turn of every game, then the second."""
    for turn in turns:
        for game in games:
            to = app.services.key.reply_address(game, Seat(turn % 2))
            app.mail_worker.keep_one(
                mail(f"{run}.{game}.{turn}", players(game)[turn % 2], f"ps {MOVES[turn]}", to)
            )


def work(url: str, folder: Path, port: int, all_at_once: Barrier, busy: "SimpleQueue[float]") -> None:
    """Run one worker: process the first mails to warm up, then the measured ones, and report the processor seconds.

    Between the two, the worker waits at the barrier until all workers are ready and the measured mails are stored.
    """
    app = App(settings(url, folder, port))
    asyncio.run(_work(app, all_at_once, busy))
    app.close()


async def _work(app: App, all_at_once: Barrier, busy: "SimpleQueue[float]") -> None:
    sending = asyncio.create_task(app.delivery_worker.run())
    await work_off(app)
    all_at_once.wait()
    all_at_once.wait()
    started = time.process_time()
    await work_off(app)
    busy.put(time.process_time() - started)
    app.delivery_worker.stop()
    await sending
    await app.delivery_worker.close()


async def work_off(app: App) -> None:
    """Process mails and send letters until none waits, not even one that another worker has claimed."""
    while waits(app):
        if not await app.mail_worker.work_in_turns():
            await asyncio.sleep(BUSY.total_seconds())


def waits(app: App) -> int:
    """Return how many mails and letters wait."""
    with app.store.transaction() as session:
        return inbox.count(session, [MailState.NEW]) + outbox.count(session, [LetterState.QUEUED])


def timed(
    app: App, url: str, folder: Path, port: int, workers: int, run: int, games: range
) -> tuple[float, float]:
    """Return the wall-clock and the processor seconds that this many workers take for the turns of these games."""
    how = get_context("spawn")
    all_at_once, busy = how.Barrier(workers + 1), how.SimpleQueue()
    fill(app, run, games, range(WARM))
    processes = [
        how.Process(target=work, args=(url, folder, port, all_at_once, busy)) for _ in range(workers)
    ]
    for one in processes:
        one.start()
    all_at_once.wait()
    fill(app, run, games, range(WARM, len(MOVES)))
    all_at_once.wait()
    started = time.perf_counter()
    for one in processes:
        one.join()
    if any(one.exitcode for one in processes):
        raise SystemExit("a worker has failed")
    return time.perf_counter() - started, sum(busy.get() for _ in processes)


def main() -> None:
    url, mails = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    games = mails // (len(MOVES) - WARM)
    with TemporaryDirectory() as place, smtp_sink() as port:
        folder = Path(place)
        app, run = App(settings(url, folder, port)), 0
        for pair in range(RUNS):
            for workers in (1, SEVERAL) if pair % 2 == 0 else (SEVERAL, 1):
                seconds, busy = timed(app, url, folder, port, workers, run, begin(app, run, games))
                count = games * (len(MOVES) - WARM)
                rate = f"{count / seconds:.1f} a second, {1000 * busy / count:.1f} ms of the processor a mail"
                print(f"{workers} workers: {count} mails in {seconds:.1f} s, {rate}", flush=True)
                run += 1
        app.close()


if __name__ == "__main__":
    main()
