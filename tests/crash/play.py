"""Playing a script by mail: each player writes when the letters before have come."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

from takmail.cli.demo.habits import text_of
from tests.crash.post import Post
from tests.crash.script import Scene, Script

Leave = Callable[[], Awaitable[None]]
"""What a player waits for before a mail is written."""


class Play:
    """One game on its way; `number` is the game's own, once there is one."""

    def __init__(self, script: Script, post: Post, leave: Leave) -> None:
        self.script = script
        self.number = 0
        self._post = post
        self._leave = leave
        self._had = [0, 0]

    async def run(self) -> None:
        """From the invitation to the last letter."""
        await self._begin()
        for scene in self.script.scenes:
            await (self._undo(scene) if scene.is_undone else self._act(scene))

    @property
    def letters(self) -> tuple[int, int]:
        """How many letters about the game each player must have, by what was written."""
        first, second = self._had
        return first, second

    @property
    def came(self) -> tuple[int, int]:
        """How many different ones each of them has."""
        first, second = (self._post.count(who, self.number) for who in self.script.players)
        return first, second

    async def _begin(self) -> None:
        script, post = self.script, self._post
        host, guest = script.players[script.host], script.players[1 - script.host]
        first = "me" if script.host == 0 else "them"
        await self._leave()
        words = f"new {script.size} vs {guest} first={first}"
        question = await post.answer_to(await post.write(host, words))
        await self._leave()
        told = await post.answer_to(await post.write(host, "yes", question))
        found = re.search(r"it is game #(\d+)", " ".join(text_of(told).split()))
        assert found, text_of(told)
        self.number = int(found[1])
        invitation = await post.newest(guest, self.number)
        self._had = [post.count(one, self.number) for one in script.players]
        await self._leave()
        await post.answer_to(await post.write(guest, "accept", invitation))
        self._had[1 - script.host] += 1
        await self._news(script.host)

    async def _act(self, scene: Scene) -> None:
        """One mail, its answer, and the opponent's letter."""
        await self._write(scene.seat, scene.words)
        if scene.has_news:
            await self._news(1 - scene.seat)

    async def _undo(self, scene: Scene) -> None:
        """A move is played, at once taken back, with the other's leave if they may know of it, and played again."""
        you, other = scene.seat, 1 - scene.seat
        await self._write(you, scene.words)
        told = " ".join(text_of(await self._write(you, "undo")).split())
        if "The letter about it had not left yet" not in told:
            assert "I ask whether it may be taken back" in told, told
            await self._news(other, 2)
            await self._write(other, "agree")
            await self._news(you)
        await self._write(you, scene.words)
        await self._news(other)

    async def _write(self, seat: int, words: str) -> EmailMessage:
        """Answer the newest letter; gives the answer to that."""
        who = self.script.players[seat]
        letter = await self._post.newest(who, self.number, self._had[seat])
        await self._leave()
        answer = await self._post.answer_to(await self._post.write(who, words, letter))
        await self._news(seat)
        return answer

    async def _news(self, seat: int, letters: int = 1) -> None:
        """Wait for so many more letters to a player."""
        self._had[seat] += letters
        await self._post.newest(self.script.players[seat], self.number, self._had[seat])


class Pace:
    """Lets players write so many mails in all, and more from time to time, so that a run lasts as long as it should."""

    def __init__(self) -> None:
        self._allowed = 0.0
        self._written = 0
        self._more = asyncio.Condition()

    async def leave(self) -> None:
        """Wait until one more mail may be written."""
        async with self._more:
            await self._more.wait_for(lambda: self._written < self._allowed)
            self._written += 1

    async def allow(self, mails: float) -> None:
        """So many more mails may be written; a part of one adds up."""
        async with self._more:
            self._allowed += mails
            self._more.notify_all()
