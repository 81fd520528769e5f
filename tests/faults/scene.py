"""A service that is connected to its servers by two faulty wires, and an endless game of Ada and Ben on it."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import Message
from pathlib import Path
from typing import Literal

import pytest

from takmail.config import Settings
from takmail.runtime import bootstrap as composition
from takmail.runtime import delivery_failures, delivery_worker
from takmail.runtime.bootstrap import App
from takmail.runtime.net import imap_connection
from takmail.store import outbox
from takmail.store.records import TURNS
from takmail.world.kinds import LetterState
from tests.faults.wire import Wire, wire
from tests.support.cost import PATIENCE
from tests.support.mail_system import MailSystem
from tests.support.network import ADA, BEN, PASSWORDS, TAK, Network, begin, bury, one_round

SOON = timedelta(milliseconds=2)
LIMITS = ("answers_per_hour", "letters_per_day")
OPENING = ("ps b4", "ps d2")
TO_AND_FRO = ("me d2", "me b4", "mw e2", "mw c4")
"""Moves of a game that never ends. Each player has one piece, which goes one space and back again."""

Server = Literal["imap", "smtp"]


def in_haste(patch: pytest.MonkeyPatch) -> None:
    """Let takmail retry everything at once."""
    patch.setattr(composition, "backoff", lambda _failures: SOON)
    patch.setattr(composition, "DATABASE_AWAY", SOON)
    patch.setattr(delivery_worker, "SERVER_RETRY", SOON)
    patch.setattr(delivery_failures, "retry_delay", lambda _attempts: SOON)
    patch.setattr(imap_connection, "_LATE_ANSWER_SECONDS", 0.002)


@dataclass
class Wired(Network):
    """A mail system with a wire between takmail and each of its servers."""

    imap: Wire | None = None
    smtp: Wire | None = None
    connections: int = 1
    wants: dict[str, object] = field(default_factory=dict)

    def settings(self, **imap: object) -> Settings:
        """Return settings in which takmail reaches the servers through the wires."""
        assert self.imap is not None
        assert self.smtp is not None
        its = super().settings(**{"port": self.imap.port, **imap, **self.wants})
        return its.model_copy(
            update={
                # One SMTP connection by default, as a wire counts the bytes of all its connections together.
                "smtp": its.smtp.model_copy(update={"port": self.smtp.port, "connections": self.connections}),
                "limits": its.limits.model_copy(update=dict.fromkeys(LIMITS, 1_000_000)),
            }
        )


@dataclass
class Scene:
    """A running takmail, its wires, and the letters of its players.

    `box` is the mailbox's folder, and `left` the number of mails that stay in it. If `polls` is true, takmail can't use
    IDLE, so that the test can't know when takmail waits.
    """

    game: Network
    imap: Wire
    smtp: Wire
    app: App
    box: Network
    left: int = 0
    polls: bool = False
    in_vain: int = 0
    letters: dict[str, list[str]] = field(default_factory=lambda: {ADA: [], BEN: []})
    reply_to: dict[str, str] = field(default_factory=dict)
    played: list[str] = field(default_factory=list)
    _serving: asyncio.Task[None] | None = None
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def start(self) -> None:
        """Start takmail."""
        self._stop = asyncio.Event()
        self._serving = asyncio.create_task(self.app.serve(self._stop))

    async def ended(self) -> None:
        """Wait until takmail has ended by itself. Raises its error."""
        assert self._serving is not None
        async with asyncio.timeout(PATIENCE):
            await self._serving

    async def stop(self) -> None:
        """Let takmail stop normally."""
        self._stop.set()
        await self.ended()

    async def restart(self) -> None:
        """Stop takmail, and start another one on the same database."""
        await self.stop()
        await self.revive()

    async def revive(self) -> None:
        """Start another takmail after the last one has ended by itself."""
        await bury(self.app)
        self.app = App(self.app.settings)
        self.start()

    def patient(self, seconds: float, server: Server) -> None:
        """Set how long takmail waits for a server's answer. A silent wire then lets this time pass at once."""
        box = self.app.mailbox
        assert box is not None
        if server == "imap":
            box.account = replace(box.account, timeout=seconds)
            self.imap.patience = seconds
            return
        for sender in self.app._senders:
            sender.account = replace(sender.account, timeout=seconds)
        self.smtp.patience = seconds

    async def write(self, words: str = "") -> None:
        """Let the player to move write the next move, with some chat."""
        count = len(self.played)
        move = OPENING[count] if count < 2 else TO_AND_FRO[(count - 2) % 4]
        who = (ADA, BEN)[count % 2]
        self.played.append(move)
        await self.box.write(f"{who[:3].capitalize()} <{who}>", f"{move}\n\n{words}", to=self.reply_to[who])

    async def answered(self) -> None:
        """Wait until both players have another letter. Duplicates are counted separately."""
        for who in (ADA, BEN):
            known = set(self.letters[who])
            while True:
                raw = await self.game.system.next_mail(who, PATIENCE)
                letter = message_from_bytes(raw, policy=policy.default)
                self._got(who, letter)
                if str(letter["Message-ID"]) not in known:
                    break

    async def at_rest(self) -> None:
        """Wait until all mails are filed away, all letters are sent, and takmail waits for more."""
        async with asyncio.timeout(PATIENCE):
            while await self._is_busy():
                self.imap.happens.clear()
                await self.imap.happens.wait()

    async def _is_busy(self) -> bool:
        if not self._waits() or self.unsent():
            return True
        return len(await self.box.system.mails(TAK)) != self.left or not self._waits()

    def _waits(self) -> bool:
        return self.imap.idles or self.polls

    def unsent(self) -> int:
        """Return how many letters wait to be sent."""
        with self.app.store.transaction() as session:
            return outbox.count(session, [LetterState.QUEUED])

    async def turn(self) -> None:
        """Play one move, from the mailbox to both letters, and check the state after it."""
        await self.write()
        await self.answered()
        await self.at_rest()
        self.check()

    def check(self) -> None:
        """Check that each mail was handled once, and that each letter arrived."""
        assert self.turns() == self.played
        for who, ids in self.letters.items():
            assert len(set(ids)) == len(self.played), f"one letter a turn for {who}"

    def copies(self) -> int:
        """Return the maximum number of copies of a letter that arrived."""
        return max(max(Counter(ids).values(), default=0) for ids in self.letters.values())

    def turns(self) -> list[str]:
        """Return the stored turns as they were written."""
        with self.app.store.transaction() as session:
            return [_as_written(turn.text) for turn in TURNS.load(session, 1)]

    def _got(self, who: str, letter: Message) -> None:
        self.letters[who].append(str(letter["Message-ID"]))
        self.reply_to[who] = str(letter["Reply-To"].addresses[0].addr_spec)


@contextmanager
def _heard(it: Scene) -> Iterator[None]:
    """Set the event `happens` at each line of takmail's log, and count failed polls."""
    loop = asyncio.get_running_loop()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            it.in_vain += "mailbox polling stopped" in record.getMessage()
            # Other threads log as well, and an asyncio.Event isn't theirs to set.
            loop.call_soon_threadsafe(it.imap.happens.set)

    ear, logger = Ear(), logging.getLogger("takmail")
    level = logger.level
    logger.addHandler(ear)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(ear)
        logger.setLevel(level)


def _as_written(turn: str) -> str:
    return " ".join(turn.split()[:2])


@asynccontextmanager
async def scene(
    folder: Path,
    patch: pytest.MonkeyPatch,
    old: Sequence[bytes] = (),
    connections: int = 1,
    **imap_settings: object,
) -> AsyncIterator[Scene]:
    """Yield a begun game on a takmail behind wires, after all mails are handled.

    `old` are mails that were in the mailbox before the first start.
    """
    in_haste(patch)
    async with (
        MailSystem(PASSWORDS) as system,
        wire(system.imap_port) as imap,
        wire(system.smtp_port) as smtp,
    ):
        game = Wired(
            system,
            folder,
            imap=imap,
            smtp=smtp,
            connections=connections,
            wants={"first_start": "all"} | imap_settings,
        )
        for raw in old:
            await system.deliver(TAK, raw)
        if game.wants["first_start"] != "all":
            first = game.app()
            await one_round(first)
            await bury(first)
        await bury(await begin(game))
        it = Scene(game, imap, smtp, App(game.settings()), box=game, left=len(await system.mails(TAK)))
        for who in (ADA, BEN):
            for letter in await game.letters(who):
                await system.next_mail(who)
                it.reply_to[who] = str(letter["Reply-To"].addresses[0].addr_spec)
        it.start()
        try:
            with _heard(it):
                await it.at_rest()
                yield it
            await it.stop()
        finally:
            if it._serving is not None:
                it._serving.cancel()
                await asyncio.gather(it._serving, return_exceptions=True)
            await bury(it.app)
