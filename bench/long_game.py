"""Measure the cost of a mail late in a long game: `python -m bench.long_game [--turns N] [--mails N] [--coins]`.

Plays an 8x8 game by mail for `--turns` turns (1,500 by default), and another game for 30 turns. The mails go through
the whole service and a database in a file. After the placements each player moves a stack back and forth, so that both
games look the same. Then each game gets the same mails, in turn: moves, then each command in `ASKED`. Prints the median
processor time per mail for both games, and the ratio, for moves and for each command. Also prints them for the first
move after a restart, when all turns of the game must be replayed. With `--coins`, both games are played by University
Rules and every move calls tak, falsely, which takes longest to find out. No mail server is involved.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sqlmodel import select

from bench.letters import ADA, BEN, Harness, causes_for
from takmail.runtime.mail_worker import MailWorker
from takmail.store.database import Store
from takmail.store.tables import TurnRow
from takmail.world.kinds import LetterView

EARLY = 30
"""The number of turns of the short game."""
ASKED = ("rs", "show", "log", "ptn", "match", "mydata")
FEW = 5
"""The number of times that each command in `ASKED` is sent."""
_SQUARES = ("c1", "c3", "c5", "c7", "e1", "e3", "e5", "e7", "g3", "g5", "g7", "a5")
_BEGINNING = ("ps h8", "ps a1", "ps a2", "ps h7", *(f"ps {square}" for square in _SQUARES), "ms a1", "mn h8")
_TO_AND_FRO = ("ms a2 p2 2", "mn h7 p2 2", "mn a3 p2 2", "ms h6 p2 2")


def moves() -> Iterator[str]:
    """Return the moves of an endless legal game: placements without a road, then two stacks move back and forth."""
    return chain(_BEGINNING, cycle(_TO_AND_FRO))


@dataclass
class Played:
    """A game with its takmail. `left` and `who` are the next moves and players, and `past` shifts takmail's clock.

    `calls` is what each move has behind it.
    """

    office: Harness
    view: LetterView
    left: Iterator[str] = field(default_factory=moves)
    who: Iterator[str] = field(default_factory=lambda: cycle((ADA, BEN)))
    past: timedelta = timedelta()
    calls: str = ""

    @classmethod
    def begun(cls, place: Path, view: LetterView, *, coins: bool) -> "Played":
        """Return a game that has begun, with its database in the file `place`. `coins`: by University Rules."""
        store = Store.open(f"sqlite:///{place}")
        played = cls(Harness(MailWorker(store, causes_for(view)), store), view, calls=" t" if coins else "")
        played.restart()
        terms, bid = ("rules=university bid=4", " bid=2") if coins else ("first=me", "")
        for who, words in ((ADA, f"new 8 vs {BEN} {terms}"), (ADA, "yes"), (BEN, f"accept{bid}")):
            played.took(who, words)
        return played

    def restart(self) -> None:
        """Continue with nothing in memory, as a process that has just started."""
        causes = replace(causes_for(self.view), now=lambda: datetime.now(UTC) + self.past)
        self.office.mail_worker = MailWorker(self.office.store, causes)

    def took(self, who: str, words: str) -> float:
        """Return the processor milliseconds for a mail that answers the newest letter to `who`."""
        before = self.office.seconds
        self.office.send(who, words)
        return 1000 * (self.office.seconds - before)

    def move(self) -> float:
        """Play the next move. Return the processor milliseconds for its mail."""
        return self.took(next(self.who), next(self.left) + self.calls)

    def turns(self) -> int:
        """Return the number of stored turns."""
        with self.office.store.transaction() as session:
            return len(session.exec(select(TurnRow.number)).all())


def compared(name: str, took: Sequence[Sequence[float]]) -> str:
    """Return a line with the medians for the short and the long game, and their ratio."""
    early, late = map(median, zip(*took, strict=True))
    return f"{name:10} {early:7.2f} ms early, {late:7.2f} ms late: {late / early:5.2f} times as much"


def main() -> None:
    """Play both games, measure, and print the results."""
    arguments = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--turns", type=int, default=1_500)
    arguments.add_argument("--mails", type=int, default=60)
    arguments.add_argument("--letters", choices=("text", "both"), default="text")
    arguments.add_argument("--coins", action="store_true")
    given = arguments.parse_args()
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory()))
        both = [
            Played.begun(place / f"{name}.sqlite", LetterView(given.letters), coins=given.coins)
            for name in ("early", "late")
        ]
        for game, turns in zip(both, (EARLY, given.turns), strict=True):
            stack.callback(game.office.store.close)
            for _ in range(turns):
                game.move()
            assert game.turns() == turns, "a move was not played"
        print(f"turn {EARLY} and turn {given.turns:,}, letters: {given.letters}")
        print(compared("a move", [[game.move() for game in both] for _ in range(given.mails)]), flush=True)
        for words in ASKED:
            took = []
            for _ in range(FEW):
                took.append([game.took(ADA, words) for game in both])
                for game in both:
                    game.took(ADA, "rs")  # so that the next mail quotes a letter with only the board
                    game.past += timedelta(days=1, minutes=1)
            print(compared(words, took), flush=True)
        for game in both:
            game.restart()
        print(compared("restarted", [[game.move() for game in both]]))


if __name__ == "__main__":
    main()
