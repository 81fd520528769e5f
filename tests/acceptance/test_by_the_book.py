"""Two programs that know only the page about Tak by Mail play whole games through takmail.

They read only the first lines of each letter, write to its reply address, and never quote. Each program keeps its own
board, as the page demands.
"""

from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import pytest

from takmail.runtime.bootstrap import App
from tests.support.network import ADA, BEN, Network, bury, invite, live, one_round, text_of
from tests.support.tak import vectors

GAMES = vectors("games.json")
SHORT = 60
"""The number of a game of 17 plies on 5x5 in which stacks are moved."""
STEP = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}


@dataclass
class Board:
    """A board in the notation of the page: stacks from top to bottom, white pieces in lower case."""

    size: int
    stacks: dict[tuple[int, int], str] = field(default_factory=dict)
    plies: int = 0

    def apply(self, message: str) -> None:
        """Apply a message in the notation of the page, which places a piece or moves a stack."""
        words = message.lower().removesuffix(" t").split()
        at = (ord(words[1][0]) - ord("a"), int(words[1][1]) - 1)
        if words[0][0] == "p":
            # In the first turn, each player places a piece of the opponent.
            white = (self.plies % 2 == 0) != (self.plies < 2)
            self.stacks[at] = words[0][1] if white else words[0][1].upper()
        else:
            self._move(at, words[0][1], int(words[2][1:]), [int(word) for word in words[3:]])
        self.plies += 1

    def _move(self, at: tuple[int, int], way: str, count: int, drops: list[int]) -> None:
        stack = self.stacks[at]
        hand, self.stacks[at] = stack[:count], stack[count:]
        for drop in drops:
            at = (at[0] + STEP[way][0], at[1] + STEP[way][1])
            below = self.stacks.get(at, "")
            if below[:1] in ("w", "W"):
                below = ("s" if below[0] == "w" else "S") + below[1:]
            hand, dropped = hand[: len(hand) - drop], hand[len(hand) - drop :]
            self.stacks[at] = dropped + below

    def rows(self) -> list[str]:
        return [
            " ".join(self.stacks.get((column, row), "") or "0" for column in range(self.size))
            for row in range(self.size)
        ]


@dataclass
class BookPlayer:
    """A program that plays a given game in the notation of the page. `to` is the reply address of the last letter."""

    address: str
    board: Board
    moves: list[str]
    to: str = ""
    seen: int = 0

    async def read(self, game: Network) -> list[list[str]]:
        """Return the lines of each new letter."""
        letters = await game.letters(self.address, self.seen)
        self.seen += len(letters)
        for letter in letters:
            self.to = _reply_address(letter)
        return [text_of(letter).splitlines() for letter in letters]

    async def play(self, game: Network) -> None:
        """Send the next move in the notation of the page, and make it on the program's own board."""
        move = self.moves[self.board.plies]
        await game.write(self.address, move, to=self.to)
        self.board.apply(move)


def _reply_address(letter: EmailMessage) -> str:
    return str(letter["Reply-To"].addresses[0].addr_spec)


def _samples() -> list[int]:
    """Return the number of one game of each size. It has about 60 plies, enough for stacks, walls and crushes."""
    nearest: dict[int, int] = {}
    for number, game in enumerate(GAMES):
        best = nearest.setdefault(game["size"], number)
        if abs(len(game["mail"]) - 60) < abs(len(GAMES[best]["mail"]) - 60):
            nearest[game["size"]] = number
    return sorted(nearest.values())


@pytest.mark.parametrize(
    "number", [SHORT, *(pytest.param(one, marks=pytest.mark.long) for one in _samples())]
)
async def test_a_whole_game_by_the_page_alone(number: int, tmp_path: Path) -> None:
    record = GAMES[number]
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        ada, ben = (BookPlayer(who, Board(record["size"]), record["mail"]) for who in (ADA, BEN))
        await invite(game, app, f"new {record['size']} vs {BEN} first=me komi={record['komi']}")
        await ben.read(game)
        await game.write(BEN, "accept", to=ben.to)
        await one_round(app)
        await ada.read(game)
        await ben.read(game)
        for ply, move in enumerate(record["mail"]):
            mover, other = (ada, ben) if ply % 2 == 0 else (ben, ada)
            await mover.play(game)
            await one_round(app)
            (brought,) = await other.read(game)
            assert brought[0] == move, f"ply {ply + 1}"
            other.board.apply(brought[0])
            await mover.read(game)
            if ply % 10 == 9:
                await _compare(game, app, other)
        assert ada.board.rows() == ben.board.rows() == record["final_rs"]
        assert f"Result: {record['result']}" in text_of((await game.letters(ADA))[-1])
        await bury(app)


async def test_a_disputed_move_reaches_the_other_program_as_the_page_says(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        await invite(game, app, f"new 3 vs {BEN} first=me")
        ben = BookPlayer(BEN, Board(3), [])
        await ben.read(game)
        await game.write(BEN, "accept", to=ben.to)
        await one_round(app)
        ada = BookPlayer(ADA, Board(3), ["ps a1"])
        await ada.read(game)
        await ada.play(game)
        await one_round(app)
        await ben.read(game)
        await ada.read(game)
        await game.write(BEN, "im that is my corner", to=ben.to)
        await one_round(app)
        ((first, *_),) = await ada.read(game)
        assert first == "im that is my corner"
        await bury(app)


async def _compare(game: Network, app: App, player: BookPlayer) -> None:
    """Send `rs`, and check that the first lines of the answer are the player's own board."""
    await game.write(player.address, "rs", to=player.to)
    await one_round(app)
    (lines,) = await player.read(game)
    shown = [" ".join(line.split()) for line in lines[: player.board.size]]
    assert shown == player.board.rows()
