"""Mails a second of one worker and of several on one PostgreSQL: `bench/workers.py URL [MAILS]`.

URL names an empty database, such as postgresql+psycopg://takmail@/bench?host=/run/postgresql. A queue of MAILS mails
(2,000 by default), each a move in one of many games, is worked off by processes that share it: by one and by four,
three times each, and which comes first changes, as what is stored grows. Letters of text are written and not sent.
Prints the time from when all processes are ready to when no mail waits, and the mails a second.
"""

import sys
import time
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from takmail.app import App
from takmail.games.game import Seat
from takmail.settings import ServiceSettings, Settings, SmtpSettings, StoreSettings
from takmail.store import intake

TAK = "tak@example.org"
MOVES = ("a1", "e5", "c3", "b4", "d2", "a5", "e1", "c1", "b2", "d4")
SEVERAL, RUNS = 4, 3


def settings(url: str, folder: Path) -> Settings:
    """A takmail that is there only to deal with mails."""
    return Settings(
        service=ServiceSettings(address=TAK, key_file=folder / "key", letters="text"),
        smtp=SmtpSettings(host="127.0.0.1", port=1, tls="none"),
        store=StoreSettings(url=url),
        limits={"answers_per_hour": 10**9, "letters_per_day": 10**9},  # type: ignore[arg-type]  # pydantic's to check
    )


def mail(number: str, who: str, words: str, to: str) -> bytes:
    """A mail without any quote."""
    return f"From: {who}\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n\r\n{words}\r\n".encode()


def players(game: int) -> tuple[str, str]:
    """Who plays a game, and no other: two mails of one player wait for each other."""
    return f"ada{game}@example.org", f"ben{game}@example.org"


def begin(app: App, run: int, games: int) -> int:
    """Begin so many games; gives the number of the first."""
    key, first = app.desk.key, run * games + 1
    for game in range(first, first + games):
        ada, ben = players(game)
        asks = mail(f"{game}.new", ada, f"new 5 vs {ben} first=me", key.personal_address(ada))
        accepts = mail(f"{game}.yes", ben, "accept", key.reply_address(game, Seat.SECOND))
        for one in (asks, accepts):
            app.inbound.keep_one(one)
            app.inbound.work()
    return first


def fill(app: App, run: int, first: int, games: int) -> None:
    """Keep the mails of all turns: the first turn of every game, then the second ones."""
    for turn, square in enumerate(MOVES):
        for game in range(first, first + games):
            to = app.desk.key.reply_address(game, Seat(turn % 2))
            app.inbound.keep_one(mail(f"{run}.{game}.{turn}", players(game)[turn % 2], f"ps {square}", to))


def work(url: str, folder: Path, ready: Barrier) -> None:
    """One worker: deals with mails until none waits, be it in the hands of another."""
    app = App(settings(url, folder))
    ready.wait()
    while waits(app):
        app.inbound.work()
    app.close()


def waits(app: App) -> int:
    """How many mails wait."""
    with app.store.transaction() as session:
        return len(intake.waiting(session))


def timed(url: str, folder: Path, workers: int) -> float:
    """How long so many workers take for what waits, in seconds."""
    how = get_context("spawn")
    ready = how.Barrier(workers + 1)
    processes = [how.Process(target=work, args=(url, folder, ready)) for _ in range(workers)]
    for one in processes:
        one.start()
    ready.wait()
    started = time.perf_counter()
    for one in processes:
        one.join()
    if any(one.exitcode for one in processes):
        raise SystemExit("a worker has failed")
    return time.perf_counter() - started


def main() -> None:
    url, mails = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    games = mails // len(MOVES)
    with TemporaryDirectory() as place:
        folder = Path(place)
        app, run = App(settings(url, folder)), 0
        for pair in range(RUNS):
            for workers in (1, SEVERAL) if pair % 2 == 0 else (SEVERAL, 1):
                fill(app, run, begin(app, run, games), games)
                seconds = timed(url, folder, workers)
                count = games * len(MOVES)
                print(f"{workers} workers: {count} mails in {seconds:.1f} s, {count / seconds:.1f} a second")
                run += 1
        app.close()


if __name__ == "__main__":
    main()
