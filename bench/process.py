"""Measure the processor time of `process` for one ordinary move: `python -m bench.process [--games N]`.

Plays N games of tests/data/games.json (3 by default) by mail until turn 30. Then measures 20 more turns, each of which
answers and quotes the newest letter. Prints the median times of `process`, which includes composing the letters, and of
parsing the mail, for plain-text letters and for letters with both parts. All that is stored is loaded before.
"""

import json
from argparse import ArgumentParser
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from time import process_time

from takmail.pipeline.process import process
from takmail.world.kinds import LetterView
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SIZE, EARLY, MEASURED = 6, 30, 20


@dataclass
class Times:
    """The measurements of each mail: seconds of parsing it, seconds of `process`, and the bytes of its letters."""

    reading: list[float] = field(default_factory=list)
    processing: list[float] = field(default_factory=list)
    bytes_written: list[int] = field(default_factory=list)


def play(moves: list[str], view: LetterView, times: Times) -> None:
    """Play a game by mail, and measure its last moves."""
    people = MemoryHarness(services=replace(PLAIN, letter_view=view))
    people.begin(str(SIZE))
    people.play(*moves[:EARLY])
    for number, move in enumerate(moves[EARLY : EARLY + MEASURED], EARLY):
        who = (ADA, BEN)[number % 2]
        raw = people.mail(who, move, people.last(who)).as_bytes()
        began = process_time()
        people.read(raw)
        read = process_time()
        mail = people.arrive(raw)
        decided = people.decide(mail)
        loaded = process_time()
        outcome = process(people.services, decided.snapshot, mail.message)
        done = process_time()
        assert outcome is not None
        assert outcome.turn == number + 1, outcome.note
        people.keep(decided)
        times.reading.append(read - began)
        times.processing.append(done - loaded)
        times.bytes_written.append(sum(len(letter.raw) for letter in outcome.letters))


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=3)
    wanted = parser.parse_args().games
    recorded = [game["mail"] for game in json.loads(GAMES.read_text()) if game["size"] == SIZE]
    games = [moves for moves in recorded if len(moves) >= EARLY + MEASURED][:wanted]
    play(games[0], LetterView.BOTH, Times())  # warm up: templates are compiled on their first use
    for view in (LetterView.TEXT, LetterView.BOTH):
        times = Times()
        for moves in games:
            play(moves, view, times)
        print(
            f"{view:5} {len(times.processing)} mails: process {1000 * median(times.processing):.2f} ms a mail, "
            f"reading it {1000 * median(times.reading):.2f} ms, {median(times.bytes_written):,.0f} bytes of letters"
        )


if __name__ == "__main__":
    main()
