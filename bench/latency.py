"""Measure the time from a mail's arrival to the delivery of its answer, with a real Dovecot and Postfix.

`python -m bench.latency [--mails 400] [--rate 5] [--seed 1] [--letters text]`, from the checkout, as root.

Moves arrive at random moments (a seeded Poisson process with `--rate` mails a second) in games that have begun.
Dovecot waits half a second before it announces a new mail. A second IDLE client on the same mailbox records each
announcement (the push). Prints the median and the 99th percentile of two times, which both end with the log line that
the mail server has accepted the answer. One starts with the push, and is 0 if the answer came before it. The other
starts with the mail's arrival.
"""

import argparse
import asyncio
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from aioimaplib import IMAP4

from bench.club import Players, tables
from bench.served import served
from bench.town import MailNetwork, town

GAMES = 100
CONNECTIONS = 4
ADDRESS = "text@example.test"


@dataclass(slots=True)
class Times:
    """The times of events, in seconds of `perf_counter`.

    `came` is the arrival of each mail by Message-ID. `pushes` are Dovecot's announcements of new mails.
    """

    came: dict[str, float] = field(default_factory=dict)
    pushes: list[float] = field(default_factory=list)

    def above_push(self, came: float, taken: float) -> float:
        """Return the seconds from the first push after the arrival `came` to the delivery `taken`, at least 0."""
        return max(0.0, taken - min((push for push in self.pushes if push > came), default=taken))


async def listen(place: MailNetwork, times: Times) -> None:
    """Record the time of each push, until cancelled."""
    servers = place.servers
    mailbox = IMAP4(servers.host, servers.imap_port)
    await mailbox.wait_hello_from_server()
    await mailbox.login(f'"{ADDRESS}"', servers.password)
    await mailbox.select("INBOX")
    idle = await mailbox.idle_start()
    try:
        while True:
            if any(line.endswith(b"EXISTS") for line in await mailbox.wait_server_push()):
                times.pushes.append(time.perf_counter())
    finally:
        mailbox.idle_done()
        await idle
        await mailbox.logout()


async def arrive(club: Players, mails: list[bytes], rate: float, chance: Random, times: Times) -> None:
    """Deliver the mails to the mailbox at random moments, `rate` a second on average."""
    for raw in mails:
        await asyncio.sleep(chance.expovariate(rate))
        times.came[raw.partition(b"\nMessage-ID: ")[2].partition(b"\n")[0].decode()] = time.perf_counter()
        club.town.put(club.address, [raw])


async def measured(club: Players, mails: int, rate: float, chance: Random) -> Times:
    """Let the mails arrive, and wait until all are answered."""
    times, left = Times(), mails
    listening = asyncio.create_task(listen(club.town, times))
    while left > 0:
        batch = club.moves()[:left]
        chance.shuffle(batch)
        before = len(club.takmail.sent)
        await arrive(club, batch, rate, chance, times)
        # The next moves answer the letters that this batch causes.
        await asyncio.to_thread(club.takmail.has_sent, before + 2 * len(batch))
        club.collect()
        left -= len(batch)
    await asyncio.sleep(1)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    return times


def answered(club: Players, times: Times) -> list[tuple[float, float]]:
    """Return, for each mail, the seconds from its arrival and from the push to the acceptance of its answer."""
    with sqlite3.connect(f"file:{club.database}?mode=ro", uri=True) as store:
        rows = store.execute(
            "SELECT inbox.raw, min(outbox.id) FROM outbox JOIN inbox ON inbox.id = mail_id GROUP BY mail_id"
        ).fetchall()
    store.close()
    found = []
    for raw, letter in rows:
        name = bytes(raw).partition(b"\nMessage-ID: ")[2].partition(b"\n")[0].strip().decode()
        if (came := times.came.get(name)) is not None:
            taken = club.takmail.sent[letter]
            found.append((taken - came, times.above_push(came, taken)))
    assert len(found) == len(times.came)
    return found


def main(mails: int, rate: float, seed: int, letters: str) -> None:
    """Start the servers and takmail, measure, and print the results."""
    with town() as place, TemporaryDirectory() as name:
        seats = list(tables(min(GAMES, mails), mails // GAMES + 1))
        place.let_in([*(who for table in seats for who in (table.white, table.black)), ADDRESS])
        at = Path(name) / "takmail"
        with served(at, place, ADDRESS, letters, CONNECTIONS) as takmail:
            club = Players(place, takmail, ADDRESS, at / "takmail.sqlite", seats)
            club.begin()
            place.at_rest()
            times = asyncio.run(measured(club, mails, rate, Random(seed)))
            found = answered(club, times)
    print(f"{len(found)} mails, {rate:g} a second, seed {seed}, letters: {letters}")
    for what, which in (("from the arrival", 0), ("above the push", 1)):
        took = [1000 * one[which] for one in found]
        print(f"{what:16} median {median(took):6.0f} ms, 99 % {quantiles(took, n=100)[98]:6.0f} ms")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--mails", type=int, default=400)
    options.add_argument("--rate", type=float, default=5)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--letters", choices=("text", "both"), default="text")
    chosen = options.parse_args()
    main(chosen.mails, chosen.rate, chosen.seed, chosen.letters)
