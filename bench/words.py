"""Count the words of the letters of a game: `python -m bench.words [--game 104] [--plies 30] [--show]`.

Ada and Ben play a recorded game by mail, once in each language. For each language it prints the words of the letters
that bring a turn, by the turn of the reader that they ask for, and the median from the reader's fourth turn on: of the
whole text, and without the rows of the board. Words are what white space parts; Chinese is counted in characters. It
prints the same of receipts, and the bytes of the HTML parts. `--show` prints the last letter of each kind.
"""

import json
import re
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from statistics import median

from takmail.letters.catalogue import LOCALES
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
FIRST_COUNTED = 4
_ROW = re.compile(r"^(?:[0sScCwW]+|[A-H])(?: +(?:[0sScCwW]+|[A-H]))+$")


def length(text: str, language: str) -> int:
    """Return the number of words of a text, or of characters if it is Chinese."""
    return len("".join(text.split())) if language == "zh" else len(text.split())


def without_board(text: str) -> str:
    """Return a text without the rows of its boards."""
    return "\n".join(line for line in text.splitlines() if not _ROW.match(line))


def played(game: dict[str, object], plies: int, language: str) -> tuple[list[Received], list[Received]]:
    """Play the beginning of a game. Return the letters that bring a turn, and the receipts, in the order of the turns.

    Each player has sent as many turns before such a letter as its place in the list says, divided by two.
    """
    harness = MemoryHarness(services=replace(BOTH_SIDES, language=language))
    harness.begin(f"{game['size']} komi={game['komi']}")
    brought, receipts = [], []
    for ply, move in enumerate(list(game["mail"])[:plies]):  # type: ignore[call-overload]
        mover, other = (ADA, BEN) if ply % 2 == 0 else (BEN, ADA)
        harness.send(mover, move, harness.last(mover))
        brought.append(harness.last(other))
        receipts.append(harness.last(mover))
    return brought, receipts


def report(letters: list[Received], language: str, name: str) -> None:
    """Print the lengths of letters of one kind."""
    whole = [length(letter.text, language) for letter in letters]
    bare = [length(without_board(letter.text), language) for letter in letters]
    first = 2 * (FIRST_COUNTED - 1)
    print(f"{language} {name}: {' '.join(map(str, whole))}")
    print(
        f"   median from turn {FIRST_COUNTED} on: {median(whole[first:]):.0f}, without the board"
        f" {median(bare[first:]):.0f}; HTML {median(len(letter.html) for letter in letters[first:]):.0f} bytes"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", type=int, default=104)
    parser.add_argument("--plies", type=int, default=30)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    game = json.loads(GAMES.read_text(encoding="utf-8"))[options.game]
    for language in LOCALES:
        brought, receipts = played(game, options.plies, language)
        report(brought, language, "turns")
        report(receipts, language, "receipts")
        if options.show:
            print(f"\n{brought[-1].text}\n======\n{receipts[-1].text}\n======")


if __name__ == "__main__":
    main()
