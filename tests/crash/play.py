"""Play a script by mail. Each player writes once the previous letters have arrived."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

from takmail.cli.demo.habits import text_of
from tests.crash.clocked import Due, Wait
from tests.crash.post import Post
from tests.crash.script import Scene, Script
from tests.crash.time_machine import TimeMachine

Leave = Callable[[], Awaitable[None]]
"""A function that waits until a player may write the next mail, or until something may become due."""


async def begun(post: Post, leave: Leave, host: str, guest: str, words: str) -> tuple[int, EmailMessage]:
    """Invite somebody to a game. Return its number and the invitation."""
    await leave()
    question = await post.answer_to(await post.write(host, words))
    await leave()
    told = await post.answer_to(await post.write(host, "yes", question))
    found = re.search(r"it is game #(\d+)", " ".join(text_of(told).split()))
    assert found, text_of(told)
    number = int(found[1])
    return number, await post.newest(guest, number)


class Play:
    """A game in progress. `number` is the game's number, once takmail has begun it."""

    def __init__(self, script: Script, post: Post, leave: Leave, alarm: Leave, time: TimeMachine) -> None:
        self.script = script
        self.number = 0
        self._post = post
        self._leave = leave
        self._alarm = alarm
        self._time = time
        self._had = [0, 0]

    async def run(self) -> None:
        """Play the game from the invitation to the last letter."""
        await self._begin()
        for scene in self.script.scenes:
            match scene:
                case Wait():
                    await self._wait(scene)
                case Scene(is_undone=True):
                    await self._undo(scene)
                case Scene():
                    await self._act(scene)

    @property
    def letters(self) -> tuple[int, int]:
        """Return the number of letters about the game that each player must get for the mails written so far."""
        first, second = self._had
        return first, second

    @property
    def came(self) -> tuple[int, int]:
        """Return the number of different letters about the game that each player has."""
        first, second = (self._post.count(who, self.number) for who in self.script.players)
        return first, second

    async def _begin(self) -> None:
        script, post = self.script, self._post
        host, guest = script.players[script.host], script.players[1 - script.host]
        first = "me" if script.host == 0 else "them"
        words = f"new {script.size} vs {guest} first={first} {script.options}".strip()
        self.number, invitation = await begun(post, self._leave, host, guest, words)
        self._had = [post.count(one, self.number) for one in script.players]
        await self._leave()
        await post.answer_to(await post.write(guest, "accept", invitation))
        self._had[1 - script.host] += 1
        await self._news(script.host)

    async def _act(self, scene: Scene) -> None:
        """Write one mail, and wait for its answer and the opponent's letter."""
        await self._write(scene.seat, scene.words)
        if scene.has_news:
            await self._news(1 - scene.seat)

    async def _undo(self, scene: Scene) -> None:
        """Play a move, take it back at once, and play it again. The opponent must accept if they may know the move."""
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

    async def _wait(self, wait: Wait) -> None:
        """Let time pass until something is due, and wait for the letters about it."""
        due = wait.due
        await self._alarm()
        await self._time.pass_time(self.number, due.alarm, takes_holidays=due.takes_holidays)
        assert due is not Due.QUESTION or self._time.questions(self.number) == 1
        for seat in (wait.seat, 1 - wait.seat):
            if words := due.words(is_to_mover=seat == wait.seat):
                letter = await self._news(seat)
                said = " ".join(text_of(letter).split())
                assert words in said, f"game {self.number}: {due} is due, and the letter says: {said}"

    async def _write(self, seat: int, words: str) -> EmailMessage:
        """Reply to a player's newest letter. Return takmail's answer."""
        who = self.script.players[seat]
        letter = await self._post.newest(who, self.number, self._had[seat])
        await self._leave()
        answer = await self._post.answer_to(await self._post.write(who, words, letter))
        await self._news(seat)
        return answer

    async def _news(self, seat: int, letters: int = 1) -> EmailMessage:
        """Wait until this number of further letters to a player has arrived. Return the last one."""
        self._had[seat] += letters
        return await self._post.newest(self.script.players[seat], self.number, self._had[seat])


class Pace:
    """Limits how many mails the players may write, so that the games last as long as the test needs."""

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
        """Allow this number of further mails. Fractions add up."""
        async with self._more:
            self._allowed += mails
            self._more.notify_all()
