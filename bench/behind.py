"""Measure how long a move waits behind mails that are costly to read: `python -m bench.behind [WORD …] [--mails 40]`.

A running service gets mails of one kind (`tests/support/costly.py`) by LMTP, each from another address of eight
domains, which vouch for it, and right behind them a move. Words choose the kinds; those of single keywords are left out
unless they are chosen. Prints for each kind the time from when the first mail is handed over until the answer to the
move has left, and the longest.
"""

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.club import GAMES, SIZE
from bench.hostage import ADA, LOOK_SECONDS, Service, serving
from tests.support.costly import KINDS, mail_of

BEN = "ben@b.example"
DOMAINS = 8
# Otherwise most of the mails would not be taken.
LIMITS = "stranger_bytes_per_day = 1000000000"


def sent_to(service: Service, who: str) -> int:
    """Return the number of letters that have left to an address."""
    return service.count("SELECT count(*) FROM outbox WHERE mail_to = ? AND state = 'sent'", who)


def begin(service: Service) -> int:
    """Have Ada and Ben begin a game. Return its number."""
    service.write((ADA, f"new {SIZE} vs {BEN} first=me"))
    service.handled()
    number = service.games_of(ADA)[-1]
    service.write((BEN, f"#{number} accept"))
    service.handled()
    return number


def waited(service: Service, before: list[tuple[str, str]], who: str, move: str) -> float:
    """Return how long it takes until other mails, and a move behind them, are accepted and the move is answered."""
    letters, began = sent_to(service, who), time.perf_counter()
    service.write(*before, (who, move))
    while sent_to(service, who) == letters:
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - began


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", help="parts of the names of the kinds to measure")
    parser.add_argument("--mails", type=int, default=40)
    wanted = parser.parse_args()
    words = wanted.words
    kinds = [
        name for name in KINDS if (any(word in name for word in words) if words else "keyword " not in name)
    ]
    recorded = max((game["mail"] for game in json.loads(GAMES.read_text()) if game["size"] == SIZE), key=len)
    waits, number, turns = dict[str, float](), 0, list[str]()
    with TemporaryDirectory() as folder, serving(Path(folder), LIMITS) as service:
        for kind in ("nothing", *kinds):
            if not turns:
                number, turns = begin(service), recorded[:-1]
            text = mail_of(KINDS[kind]()) if kind in KINDS else ""
            people = [f"p{len(waits)}x{n}@b{n % DOMAINS}.example" for n in range(wanted.mails if text else 0)]
            who, move = (ADA, BEN)[service.turns(number) % 2], f"#{number} {turns[0]}"
            waits[kind] = waited(service, [(one, text) for one in people], who, move)
            turns = turns[1:]
            service.handled()
            print(f"{kind:26}{waits[kind]:6.1f} s", flush=True)
            assert service.turns(number) == len(recorded) - 1 - len(turns), f"{move} was not played"
    worst = max(waits, key=lambda kind: waits[kind])
    print(f"at most {waits[worst]:.1f} s, {worst}")


if __name__ == "__main__":
    main()
