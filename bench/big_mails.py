"""Measure what big mails of strangers and machines leave behind: `python -m bench.big_mails [--mails 2000] [--mib 5]`.

A running service gets them by LMTP over some connections: of strangers whom their domains vouch for, of strangers whom
nobody vouches for, of machines, of forgers whom a domain disowns, and answers to games by somebody else. Meanwhile two
players play. Prints how much the database grows, what became of the mails, and how long each move of
the players waits for the answer to leave.
"""

import json
import smtplib
import time
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from bench.behind import BEN, begin, waited
from bench.club import GAMES, SIZE
from bench.hostage import ADA, CHECKED_BY, TAK, Service, serving

CONNECTIONS = 4
KINDS = {
    "vouched": f"Authentication-Results: {CHECKED_BY}; dmarc=pass header.from={{domain}}\r\n",
    "stranger": "",
    "machine": "Auto-Submitted: auto-generated\r\nPrecedence: bulk\r\n",
    "forged": f"Authentication-Results: {CHECKED_BY}; dmarc=fail header.from={{domain}}\r\n",
    "bounce": "Content-Language: en\r\nX-Failed-Recipients: ada@a.example\r\n",
}


def mail_of(number: int, kind: str, attached: bytes) -> tuple[str, bytes]:
    """Return a big mail, and its sender."""
    domain = f"b{number % 40}.example"
    who = "" if kind == "bounce" else f"u{number}@{domain}"
    head = KINDS[kind].format(domain=domain)
    return who, (
        f"{head}From: {who or 'mailer-daemon@' + domain}\r\nTo: {TAK}\r\nMessage-ID: <big{number}@{domain}>\r\n"
        "Subject: hello\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nnew 5 vs v{number}@{domain}\r\n"
        "--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    ).encode() + attached + b"\r\n--b--\r\n"


def flood(port: int, numbers: list[int], attached: bytes) -> Counter[str]:
    """Hand over mails over one connection. Return how many of each kind were taken, and not."""
    counts = Counter[str]()
    kinds = dict(zip(numbers, islice(cycle(KINDS), numbers[0] % len(KINDS), None), strict=False))
    with smtplib.LMTP("127.0.0.1", port, timeout=300) as client:
        for number, kind in kinds.items():
            who, mail = mail_of(number, kind, attached)
            try:
                client.sendmail(who, [TAK], mail)
                counts[f"{kind} taken"] += 1
            except smtplib.SMTPException as refusal:
                code = getattr(refusal, "smtp_code", None) or next(iter(refusal.recipients.values()))[0]  # type: ignore[attr-defined]
                counts[f"{kind} {code}"] += 1
    return counts


def size_of(service: Service) -> int:
    """Return the bytes of the database, with what is still in its journal."""
    return service.count("PRAGMA page_count") * service.count("PRAGMA page_size")


def play(service: Service, stop: Event) -> list[float]:
    """Let two players move until the event, in new games if one is over. Return their waits."""
    recorded = max((game["mail"] for game in json.loads(GAMES.read_text()) if game["size"] == SIZE), key=len)
    waits, number, turns = list[float](), 0, list[str]()
    while not stop.is_set():
        if not turns:
            number, turns = begin(service), recorded[:-1]
        who = (ADA, BEN)[service.turns(number) % 2]
        waits.append(waited(service, [], who, f"#{number} {turns[0]}"))
        turns = turns[1:]
        stop.wait(1)
    return waits


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mails", type=int, default=2000)
    parser.add_argument("--mib", type=float, default=5)
    options = parser.parse_args()
    attached = b"\r\n".join([b"QUJD" * 19] * int(options.mib * 2**20 / 78))
    stop = Event()
    with TemporaryDirectory() as folder, serving(Path(folder)) as service, ThreadPoolExecutor(1) as players:
        service.write((ADA, "help"), (BEN, "help"))
        service.handled()
        before, began = size_of(service), time.perf_counter()
        playing = players.submit(play, service, stop)
        shares = [list(range(share, options.mails, CONNECTIONS)) for share in range(CONNECTIONS)]
        with ThreadPoolExecutor(CONNECTIONS) as senders:
            counts = sum(senders.map(lambda share: flood(service.port, share, attached), shares), Counter())
        took = time.perf_counter() - began
        stop.set()
        waits = playing.result()
        service.handled()
        grown = size_of(service) - before
    print(f"{options.mails} mails of {options.mib} MiB in {took:.0f} s: {dict(sorted(counts.items()))}")
    print(
        f"the database grew by {grown / 1e6:.1f} MB, of which {len(waits)} moves and their letters are a part"
    )
    print(
        f"a move was answered within {max(waits):.1f} s, half of them within {sorted(waits)[len(waits) // 2]:.1f} s"
    )


if __name__ == "__main__":
    main()
