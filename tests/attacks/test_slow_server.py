"""Attacks that put letters to strangers in front of the players' letters, while the mail server is slow."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import cast

import pytest
from sqlmodel import select

from takmail.config import SmtpSettings
from takmail.games.registry import GAMES
from takmail.letters.drawings import Drawings
from takmail.runtime.delivery_worker import OTHERS_AT_ONCE, DeliveryWorker
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.smtp import Sent, SmtpSender
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import DeliveryClass, LetterState
from tests.support.cost import PATIENCE
from tests.support.harness import ADA, BEN, Harness, Received
from tests.support.sending import NoDisk

CONNECTIONS: int = SmtpSettings.model_fields["connections"].default
FORGED = 24
ADA_AS, BEN_AS = f"Ada <{ADA}>", f"Ben <{BEN}>"


@dataclass
class SlowServer:
    """A mail server that takes each letter only when the test lets it. `taken` are the recipients so far."""

    taken: list[str] = field(default_factory=list)
    waiting: list[asyncio.Event] = field(default_factory=list)
    is_connected: bool = True

    async def send(self, _raw: bytes, _mail_from: str, to: str) -> Sent:
        may_go = asyncio.Event()
        self.waiting.append(may_go)
        await may_go.wait()
        self.taken.append(to)
        return Sent()

    async def close(self) -> None:
        """Do nothing, as there is no connection to close."""


class WithoutThreads(Illustrator):
    """Draws at once, so that no letter is late because the machine is busy."""

    def has_drawn(self, _named: Drawings) -> bool:
        return True


@dataclass
class Service:
    """A running takmail. Time passes for its connections only in `pass_time`."""

    harness: Harness
    server: SlowServer = field(default_factory=SlowServer)

    def __post_init__(self) -> None:
        store = self.harness.store
        senders = [cast(SmtpSender, self.server)] * CONNECTIONS
        self.delivery = DeliveryWorker(
            store, senders, WithoutThreads(GAMES), self.harness.time_source, "serve", disk=NoDisk(store)
        )
        self.mails = MailWorker(store, self.harness.causes, delivery=self.delivery, name="serve")

    async def handle(self, *mails: bytes) -> None:
        """Receive mails and handle them. None of the waiting letters leaves meanwhile."""
        for raw in mails:
            self.mails.keep_one(raw)
        await self.mails.work_in_turns()
        await self._settle()

    async def pass_time(self) -> None:
        """Let the server take the letters that it is being handed now."""
        waiting, self.server.waiting = self.server.waiting, []
        for may_go in waiting:
            may_go.set()
        await self._settle()

    async def taken_until(self, reader: str) -> list[str]:
        """Return the recipients of the letters that the server takes from now until one to `reader`."""
        start = len(self.server.taken)
        while reader not in self.server.taken[start:]:
            assert self.server.waiting, "no letter to them leaves"
            await self.pass_time()
        return self.server.taken[start : self.server.taken.index(reader, start)]

    async def _settle(self) -> None:
        for _ in range(60):
            await asyncio.sleep(0)


@pytest.fixture
async def service(harness: Harness) -> AsyncIterator[Service]:
    """A takmail in which Ada and Ben play a game and have got all their letters."""
    harness.begin()
    service = Service(harness)
    sending = asyncio.create_task(service.delivery.run())
    await service._settle()
    while service.server.waiting:
        await service.pass_time()
    yield service
    service.delivery.stop()
    while service.server.waiting:
        await service.pass_time()
    await sending


def forged(harness: Harness, sender: str) -> bytes:
    return harness.mail(sender, "help").as_bytes()


def move(harness: Harness, who: str, turn: str, answers: Received | None = None) -> bytes:
    return harness.mail(who, turn, answers or harness.last(who.partition("<")[2][:-1])).as_bytes()


def states(store: Store, reader: str) -> list[tuple[LetterState, int]]:
    with store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.mail_to == reader).order_by("id"))
        return [(row.state, row.delivery_class) for row in rows]


async def test_i_put_many_letters_to_strangers_before_a_move(service: Service) -> None:
    harness = service.harness
    await service.handle(*(forged(harness, f"v@victim{number}.example") for number in range(FORGED)))
    await service.handle(move(harness, ADA_AS, "ps a1"))
    strangers = [one for one in await service.taken_until(BEN) if one != ADA]
    assert len(strangers) <= CONNECTIONS, "only those that were on their way already"


async def test_my_letters_leave_after_all(service: Service) -> None:
    victims = [f"v@victim{number}.example" for number in range(FORGED)]
    await service.handle(*(forged(service.harness, one) for one in victims))
    while service.server.waiting:
        await service.pass_time()
    found = [one for one in service.server.taken if one in victims]
    assert len(found) == len({*found}) > FORGED // 2


async def test_strangers_do_not_hold_up_the_handling_of_mails(service: Service) -> None:
    harness = service.harness
    await service.handle(*(forged(harness, f"v@victim{number}.example") for number in range(FORGED)))
    async with asyncio.timeout(PATIENCE):
        await service.delivery.catch_up()


async def test_few_letters_to_strangers_are_claimed_at_once(service: Service) -> None:
    """A letter that is claimed can't rise any more."""
    harness = service.harness
    victims = [f"v@victim{number}.example" for number in range(FORGED)]
    await service.handle(*(forged(harness, one) for one in victims))
    for _ in range(5):
        await service.pass_time()
    with harness.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.QUEUED)).all()
        assert len([one for one in rows if one.claimed_by]) <= OTHERS_AT_ONCE + CONNECTIONS


async def test_i_put_letters_to_a_player_before_the_one_about_their_game(service: Service) -> None:
    """Forged mails of Ben's cause letters to Ben, which would keep the letters of his game behind them."""
    harness = service.harness
    await service.handle(*(forged(harness, BEN_AS) for _ in range(FORGED)))
    before = states(harness.store, BEN)
    assert before.count((LetterState.QUEUED, DeliveryClass.OTHERS)) > CONNECTIONS
    await service.handle(move(harness, ADA_AS, "ps a1"))
    while states(harness.store, BEN)[-1] != (LetterState.SENT, DeliveryClass.GAMES):
        await service.pass_time()
    is_answer_sent = (LetterState.SENT, DeliveryClass.OTHERS)
    assert states(harness.store, BEN).count(is_answer_sent) - before.count(is_answer_sent) <= 2
    while service.server.waiting:
        await service.pass_time()
    assert all(state == LetterState.SENT for state, _ in states(harness.store, BEN)), (
        "the answers leave later"
    )
