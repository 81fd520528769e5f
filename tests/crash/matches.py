"""Matches with an end, whose next game begins in the letters that tell the end of the one before it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from random import Random

from sqlmodel import col, select

from takmail.cli.demo.habits import text_of
from takmail.store.database import Store
from takmail.store.tables import GameRow, TurnRow
from takmail.world.kinds import Standing
from tests.crash.play import Leave, begun
from tests.crash.post import Post

ROAD = ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
"""A road on a 3x3 board, for whoever begins."""
WINS = 2
_GAME = re.compile(r"\[tak #(\d+)\]")


@dataclass(frozen=True, slots=True)
class MatchScript:
    """A match, best of three. `are_roads`: for each game, whether who begins wins it by a road, or gives it up."""

    players: tuple[str, str]
    are_roads: tuple[bool, ...]

    @property
    def mails(self) -> int:
        """The number of mails."""
        return 3 + sum(len(ROAD) if is_road else 2 for is_road in self.are_roads)

    @property
    def wins(self) -> Counter[str]:
        """How many games each player wins."""
        return Counter(
            self.players[(number + (not is_road)) % 2] for number, is_road in enumerate(self.are_roads)
        )


def match_script(random: Random, players: tuple[str, str]) -> MatchScript:
    """Return a match, in which the winner of each game is drawn."""
    script = MatchScript(players, ())
    while max(script.wins.values(), default=0) < WINS:
        script = MatchScript(players, (*script.are_roads, random.random() < 0.7))
    return script


class MatchPlay:
    """A match in progress. `numbers` are those of its games, and `letters` the last one of each player."""

    def __init__(self, script: MatchScript, post: Post, leave: Leave) -> None:
        self.script = script
        self.numbers: list[int] = []
        self.letters: dict[str, EmailMessage] = {}
        self._post = post
        self._leave = leave
        self._had: Counter[tuple[str, int]] = Counter()

    async def run(self) -> None:
        """Play the match from the invitation to the last letter."""
        host, guest = self.script.players
        words = f"new 3 vs {guest} first=me games=3"
        number, self.letters[guest] = await begun(self._post, self._leave, host, guest, words)
        self._had.update({(who, number): self._post.count(who, number) for who in (host, guest)})
        await self._write(guest, host, "accept")
        for place, is_road in enumerate(self.script.are_roads):
            self.numbers.append(number)
            first, second = self.script.players[place % 2], self.script.players[1 - place % 2]
            if is_road:
                for turn, move in enumerate(ROAD):
                    number = await self._write(*((first, second) if turn % 2 == 0 else (second, first)), move)
            else:
                await self._write(first, None, "resign")
                number = await self._write(first, second, "yes")

    async def _write(self, who: str, other: str | None, words: str) -> int:
        """Write a mail, and wait for its answer and the letter to the other one. Return the number of their game."""
        await self._leave()
        answer = await self._post.answer_to(await self._post.write(who, words, self.letters[who]))
        found = _GAME.search(str(answer["Subject"]))
        assert found, text_of(answer)
        number = int(found[1])
        self.letters[who] = answer
        self._had[who, number] += 1
        if other is not None:
            self._had[other, number] += 1
            self.letters[other] = await self._post.newest(other, number, self._had[other, number])
        return number

    def check(self, store: Store) -> None:
        """Check that each game began once and was played once, and that both players know who has won."""
        with store.transaction() as session:
            of_match = col(GameRow.series).startswith(f"{self.numbers[0]} ")
            games = session.exec(select(GameRow).where(of_match).order_by(col(GameRow.id))).all()
            assert [game.id for game in games] == self.numbers
            assert [game.rematch_of for game in games] == [None, *self.numbers[:-1]]
            assert {game.standing for game in games} == {Standing.OVER}
            for game, is_road in zip(games, self.script.are_roads, strict=True):
                turns = select(TurnRow.text).where(TurnRow.game_id == game.id).order_by(col(TurnRow.number))
                assert tuple(session.exec(turns)) == (ROAD if is_road else ()), game.id
        for (who, number), count in self._had.items():
            assert self._post.count(who, number) == count, f"letters about game {number} to {who}"
        for who, letter in self.letters.items():
            has_won = self.script.wins[who] == WINS
            told = " ".join(text_of(letter).split())
            assert has_won == ("You have won the match" in told), told
            assert "won the match" in told, told


def check_matches(store: Store, matches: Sequence[MatchPlay]) -> str:
    """Check all matches."""
    for match in matches:
        match.check(store)
    return f"{len(matches)} matches of {sum(len(match.numbers) for match in matches)} games"
