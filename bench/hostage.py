"""Attack the bots, and measure how long a player waits: `python -m bench.hostage [KIND] [--seconds 600]`.

KIND is what 40 addresses of eight domains (`--addresses`, `--domains`) ask for at once: `games` against the bot that
thinks longest on 8x8, `hints` in such a position, or `reviews` of the turns of finished games. Their mails are vouched
for, as those of whoever owns a domain are. Meanwhile Ada plays a game against `easy` and one against `best`. A mail's
time runs from its acceptance by LMTP until the bot's turn is stored. Prints each wait, and the longest.
"""

import smtplib
import sqlite3
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.served import Served
from bench.sink import free_port, sinking

TAK, CHECKED_BY, ADA = "tak@example.org", "mx.example.org", "ada@a.example"
LOOK_SECONDS, PATIENCE = 0.1, 600
GAMES = 5
"""The number of games against bots that each address may have."""


@dataclass(slots=True)
class Service:
    """A running service that gets its mails by LMTP, and its database."""

    port: int
    database: Path
    _numbers: Iterator[int] = field(default_factory=count)

    def write(self, *mails: tuple[str, str]) -> None:
        """Hand over mails: who writes, and the text."""
        with smtplib.LMTP("127.0.0.1", self.port) as client:
            for who, text in mails:
                client.sendmail(who, [TAK], self._mail(who, text))

    def handled(self) -> None:
        """Wait until all mails are handled."""
        while self.count("SELECT count(*) FROM inbox WHERE state = 'new'"):
            time.sleep(LOOK_SECONDS)

    def count(self, query: str, *values: object) -> int:
        """Return the number that a query finds."""
        return int(self.rows(query, *values)[0][0])

    def rows(self, query: str, *values: object) -> list[tuple[int, ...]]:
        """Return what a query finds."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as store:
            return store.execute(query, values).fetchall()

    def games_of(self, who: str) -> list[int]:
        """Return the games of a player, in the order in which they began."""
        query = "SELECT game_id FROM seat JOIN address USING (player_id) WHERE address = ? ORDER BY game_id"
        return [row[0] for row in self.rows(query, who)]

    def turns(self, game: int) -> int:
        """Return the number of turns of a game."""
        return self.count("SELECT count(*) FROM turn WHERE game_id = ?", game)

    def _mail(self, who: str, text: str) -> bytes:
        """Return a mail. A `yes` answers the last letter to its author."""
        query = "SELECT message_id FROM outbox WHERE mail_to = ? ORDER BY id DESC LIMIT 1"
        answered = f"In-Reply-To: {self.rows(query, who)[0][0]}\r\n" if text == "yes" else ""
        domain = who.partition("@")[2]
        return (
            f"Authentication-Results: {CHECKED_BY}; dmarc=pass header.from={domain}\r\nFrom: {who}\r\nTo: {TAK}\r\n"
            f"Message-ID: <{next(self._numbers)}@{domain}>\r\n{answered}Subject: a game\r\n"
            f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        ).encode()


@contextmanager
def serving(folder: Path, limits: str = "") -> Iterator[Service]:
    """Run a service with one bot at a time, as a process. `limits` are its settings in `[limits]`."""
    port, config = free_port(), folder / "config.toml"
    with sinking() as sink:
        config.write_text(
            f'[service]\naddress = "{TAK}"\nletters = "text"\nauthserv_id = "{CHECKED_BY}"\n\n'
            f'[lmtp]\nport = {port}\n\n[smtp]\nhost = "127.0.0.1"\nport = {sink.port}\ntls = "none"\n\n'
            f"[limits]\n{limits}\n"
        )
        process = Served(config)
        try:
            process.says("listening at")
            yield Service(port, folder / "takmail.sqlite")
        finally:
            process.stop()


def attack(service: Service, kind: str, addresses: int, domains: int) -> None:
    """Have many addresses ask for as much as each may, after a turn of their own."""
    people = [f"p{number}@b{number % domains}.example" for number in range(addresses)]
    own = 3 if kind == "reviews" else 8
    service.write(*((who, f"new {own} vs bot easy first=me") for who in people))
    service.handled()
    first = {who: service.games_of(who)[0] for who in people}
    service.write(*((who, f"#{game} ps b2") for who, game in first.items()))
    service.handled()
    while kind != "games" and any(service.turns(game) < 2 for game in first.values()):
        time.sleep(LOOK_SECONDS)
    match kind:
        case "games":
            mails = [(who, "new 8 vs bot best first=them") for who in people] * (GAMES - 1)
        case "hints":
            mails = [(who, f"#{game} hint") for who, game in first.items()]
            mails += [(who, "new 8 vs bot best first=them") for who in people]
        case _:
            service.write(*((who, f"#{game} resign") for who, game in first.items()))
            service.handled()
            service.write(*((who, "yes") for who in people))
            service.handled()
            mails = [(who, f"#{game} review {turn}") for who, game in first.items() for turn in ("", 1, 2)]
            mails += [(who, "new 8 vs bot best first=them") for who in people]
    began = time.perf_counter()
    service.write(*mails)
    service.handled()
    waiting = service.count("SELECT count(*) FROM due WHERE work != 'clock'")
    print(
        f"{len(mails)} mails of {addresses} addresses in {time.perf_counter() - began:.0f} s: {waiting} tasks wait"
    )


def _places() -> Iterator[str]:
    """Yield squares of a board of 8x8 in an order in which no road comes soon."""
    for number in count():
        yield f"{'acegbdfh'[number % 8]}{1 + (3 * number + number // 8) % 8}"


def play(service: Service, seconds: float) -> dict[str, list[float]]:
    """Let Ada play both bots for some time. Return her waits by bot."""
    easy, best = service.games_of(ADA)[-2:]
    waits: dict[str, list[float]] = {"easy": [], "best": []}
    asked: dict[int, tuple[float, int]] = {}
    places = {easy: _places(), best: _places()}
    began = time.perf_counter()
    while (now := time.perf_counter()) - began < seconds or asked:
        for game, bot in ((easy, "easy"), (best, "best")):
            turns = service.turns(game)
            if game in asked and turns >= asked[game][1] + 2:
                waits[bot].append(now - asked.pop(game)[0])
                print(f"{bot}: {waits[bot][-1]:.1f} s", flush=True)
            elif (
                game in asked
                and turns == asked[game][1]
                and now - asked[game][0] > 30
                and not _waits(service, game)
            ):
                asked.pop(game)  # the place was taken
            if game not in asked and now - began < seconds:
                service.write((ADA, f"#{game} ps {next(places[game])}"))
                asked[game] = (time.perf_counter(), turns)
        if now - began > seconds + PATIENCE:
            print("given up, still waiting for", [f"{now - when:.0f} s" for when, _ in asked.values()])
            break
        time.sleep(LOOK_SECONDS)
    return waits


def _waits(service: Service, game: int) -> bool:
    return bool(service.count("SELECT count(*) FROM due WHERE work = 'move' AND subject = ?", game))


def main() -> None:
    """Attack, measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", nargs="?", default="games", choices=("games", "hints", "reviews"))
    parser.add_argument("--addresses", type=int, default=40)
    parser.add_argument("--domains", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, serving(Path(folder)) as service:
        service.write((ADA, "new 8 vs bot easy first=me"))
        service.handled()
        (game,) = service.games_of(ADA)
        service.write((ADA, f"#{game} ps h8"))
        service.handled()
        service.write((ADA, "new 8 vs bot best first=me"))
        service.handled()
        attack(service, options.kind, options.addresses, options.domains)
        waits = play(service, options.seconds)
        for bot, some in waits.items():
            print(
                f"{options.kind}, {bot}: {len(some)} turns, the longest wait {max(some, default=float('inf')):.1f} s"
            )


if __name__ == "__main__":
    main()
