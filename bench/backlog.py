"""Measure how a large backlog of mails is worked off: `python -m bench.backlog [--mails 100000] [--every 10000]`.

Run it as root, from the folder of the checkout. The players of a hundred games ask for the board again and again
while takmail is suspended. Each mail quotes the letter that it answers. Prints the rate for each batch of `--every`
mails, and takmail's peak memory. The clock starts when takmail resumes.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.club import Players, tables
from bench.served import Served, served
from bench.town import town

GAMES = 100
CONNECTIONS = 4
ADDRESS = "text@example.test"


def asked(club: Players, mails: int) -> Iterator[bytes]:
    """Yield this many mails that ask for the board, from all players in turn."""
    written = cycle([club.reply(who, "show") for table in club.tables for who in (table.white, table.black)])
    for number, raw in enumerate(islice(written, mails)):
        yield raw.replace(b"\nMessage-ID: <", b"\nMessage-ID: <%d." % number, 1)


def worked_off(takmail: Served, mails: int, every: int) -> None:
    """Resume takmail, and print its progress until it has answered all mails. It sends one letter per mail."""
    sent, began, done = len(takmail.sent), time.perf_counter(), 0
    takmail.go_on()
    while done < mails:
        more = min(every, mails - done)
        ended = takmail.has_sent(sent + done + more)
        done += more
        print(
            f"{done:7} mails, the last {more} at {more / (ended - began):6.1f} a second; "
            f"most memory {takmail.most_mib:.0f} MiB",
            flush=True,
        )
        began = ended


def main(mails: int, every: int) -> None:
    """Start the servers and takmail, measure, and print the results."""
    with town() as place, TemporaryDirectory() as name:
        seats = list(tables(min(GAMES, mails), 0))
        place.let_in([*(who for table in seats for who in (table.white, table.black)), ADDRESS])
        at = Path(name) / "takmail"
        with served(at, place, ADDRESS, "text", CONNECTIONS) as takmail:
            club = Players(place, takmail, ADDRESS, at / "takmail.sqlite", seats)
            club.begin()
            takmail.hold()
            place.put(ADDRESS, asked(club, mails))
            worked_off(takmail, mails, every)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--mails", type=int, default=100_000)
    options.add_argument("--every", type=int, default=10_000)
    chosen = options.parse_args()
    main(chosen.mails, chosen.every)
