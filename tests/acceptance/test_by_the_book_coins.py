"""Two programs that know only the page about Tak by Mail, and the rules about coins, play through takmail for coins.

Each keeps its own ledger and compares the ledger with each letter.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.tak import vectors

GAMES: list[dict[str, Any]] = vectors("variants.json")["coins"]  # type: ignore[call-overload]
PAID = re.compile(
    r"Coins: (\d+) in the pot\. You have paid (\d+)(?: and taken (\d+))?, [\w ]+ has paid (\d+)(?: and taken (\d+))?\."
)

RIGHTS = {
    "Either of you may take their last turn back": (True, True),
    "You may take your last turn back": (True, False),
    "; you may not until": (False, True),
}
"""What a letter tells of the right to take back, and who has it, the reader first."""


@dataclass
class BookLedger:
    """The coins as the rules tell them. White is 0 and Black 1.

    `due` is what the next turn pays. `may_take_back` tells who has the right in Femr's Folly.
    """

    rules: str
    size: int
    paid: list[int]
    taken: list[int] = field(default_factory=lambda: [0, 0])
    due: int = 0
    token: int | None = None
    done: set[str] = field(default_factory=set)
    may_take_back: tuple[bool, bool] = (True, True)

    @property
    def pot(self) -> int:
        return sum(self.paid) - sum(self.taken)

    def after(self, ply: int, message: str, call: bool | None) -> "BookLedger":
        """Return the ledger after a message. `call`: it calls tak, and whether that is true."""
        who = ply % 2
        new = BookLedger(
            self.rules,
            self.size,
            [*self.paid],
            [*self.taken],
            self.due,
            self.token,
            {*self.done},
            self.may_take_back,
        )
        if self.rules == "university":
            new.paid[who] += self.due
            new.due = 0
            if call and self.token != who:
                new.due, new.token = 2, who
            return new
        for piece, rows in (("pw", 1), ("pc", 2)):
            if message.startswith(piece) and piece not in self.done:
                new.paid[who] += rows * self.size
                new.done.add(piece)
        if call and "tak" not in self.done:
            new.taken[who] += self.size
            new.done.add("tak")
        return new


@dataclass
class CoinPlayer:
    """A program that plays one side. `color` is 0 for White. It answers its last letter, and never quotes."""

    harness: MemoryHarness
    address: str
    color: int

    @property
    def text(self) -> str:
        """The text of the last letter, with its lines joined."""
        return said(self.harness.last(self.address))

    def says(self, text: str) -> None:
        """Answer the last letter."""
        self.harness.send(self.address, text, self.harness.last(self.address), quoting=False)

    def check(self, ledger: BookLedger, step: object) -> None:
        """Compare the last letter with the ledger."""
        found = PAID.search(self.text)
        assert found, self.text
        pot, mine, my_taken, theirs, their_taken = (int(one or 0) for one in found.groups())
        other = 1 - self.color
        assert pot == ledger.pot, step
        assert (mine, my_taken) == (ledger.paid[self.color], ledger.taken[self.color]), step
        assert (theirs, their_taken) == (ledger.paid[other], ledger.taken[other]), step
        assert ("You owe the pot 2 coins" in self.text) == (ledger.due == 2 and ledger.token == other), step
        assert ("owes the pot 2 coins" in self.text) == (ledger.due == 2 and ledger.token == self.color), step
        for sentence, rights in RIGHTS.items():
            is_told = ledger.rules == "femr" and rights == ledger.may_take_back[:: 1 - 2 * self.color]
            assert (sentence in self.text) == is_told, (step, sentence)


def _beginning(game: dict[str, Any]) -> BookLedger:
    if game["rules"] == "university":
        return BookLedger("university", game["size"], [10 + game["bids"][0], 10])
    return BookLedger("femr", game["size"], [game["size"] ** 2, game["size"] ** 2 - game["size"]])


def _first(rules: str, *, with_undo: bool = False) -> int:
    found = [
        number
        for number, game in enumerate(GAMES)
        if game["rules"] == rules and True in game["calls"] and (not with_undo or "undo" in game["turns"])
        if not game.get("bids") or game["bids"][0] > game["bids"][1]
    ]
    return min(found, key=lambda number: len(GAMES[number]["turns"]))


SOME = {_first("university"), _first("femr", with_undo=True)}
REST = {number for number, one in enumerate(GAMES) if not one.get("bids") or one["bids"][0] > one["bids"][1]}


@pytest.mark.parametrize(
    "number", [*sorted(SOME), *(pytest.param(one, marks=pytest.mark.wide) for one in sorted(REST - SOME))]
)
def test_a_whole_game_for_coins_by_the_book(number: int) -> None:
    record, harness = GAMES[number], MemoryHarness(sends=True)
    ada, ben = CoinPlayer(harness, ADA, 0), CoinPlayer(harness, BEN, 1)
    bids = record.get("bids")
    terms = "rules=university" if bids else "rules=femr first=me"
    beside = f" bid={bids[0]}" if bids and number % 2 else ""
    harness.send(f"Ada <{ADA}>", f"new {record['size']} vs {BEN} {terms}{beside}")
    ben.says(f"accept bid={bids[1]}" if beside else "accept")
    if bids and not beside:
        ada.says(f"bid {bids[0]}")
        ben.says(f"{bids[1]}")
    ledgers, ply = [_beginning(record)], 0
    for player in (ada, ben):
        player.check(ledgers[-1], "the beginning")
    turns, calls = record["turns"], [*record["calls"], None]
    for step, (turn, pot, call) in enumerate(zip(turns, record["pots"], calls, strict=False)):
        is_last = step == len(turns) - 1
        mover = (ada, ben)[(ply - (turn == "undo")) % 2]
        mover.says(turn)
        if turn == "undo":
            ply -= 1
            taken_back = ledgers.pop()
            assert taken_back
            ledgers[-1].paid[ply % 2] += record["size"]
            ledgers[-1].may_take_back = (ply % 2 == 1, ply % 2 == 0)
        elif turn == "resign":
            mover.says("yes")
        else:
            ledgers.append(ledgers[-1].after(ply, turn, call))
            ply += 1
        assert ledgers[-1].pot == pot, f"the book itself at step {step}"
        for player in () if is_last else (ada, ben):
            player.check(ledgers[-1], (step, turn))
    for player in (ada, ben):
        net = record["net"][player.color]
        told = f"In all you {'win' if net > 0 else 'lose'} {abs(net)} coin" if net else "neither win nor lose"
        assert told in player.text, player.text
