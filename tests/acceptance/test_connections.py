"""Letters are sent over several connections. None overtakes an earlier one, and a hanging one delays no others."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import uuid4

import pytest
from sqlalchemy import func
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from takmail.games.registry import GAMES
from takmail.runtime import delivery_worker
from takmail.runtime.delivery_worker import FEWER_CONNECTIONS, SERVER_RETRY, DeliveryWorker
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.net.smtp import Failed, Later, Sent, SmtpSender
from takmail.store import dispatch
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import LetterState
from tests.support.rows import add_letter, letters
from tests.support.sending import NoDisk

NOBODY_OPENS = Later("nobody opens", unreachable=True)


@dataclass
class Line:
    """One connection. Letters to readers in `network.slow` are held until the test sets `let_go`."""

    network: "Network"
    is_connected: bool = False
    is_closed: bool = False

    async def send(self, raw: bytes, _mail_from: str, to: str) -> Sent | Later | Failed:
        network = self.network
        if (
            not self.is_connected
            and sum(line.is_connected for line in network.lines) >= network.connections_taken
        ):
            network.knocks += 1
            await asyncio.sleep(0)
            return NOBODY_OPENS
        self.is_connected = True
        assert to not in network.on_way, "two letters to one reader at once"
        network.on_way.append(to)
        network.most = max(network.most, len(network.on_way))
        try:
            await asyncio.sleep(0)
            if to in network.slow:
                await network.let_go.wait()
        finally:
            network.on_way.remove(to)
        network.taken.append(raw.decode())
        return network.answers.pop(to, Sent())

    async def close(self) -> None:
        self.is_closed, self.is_connected = True, False


@dataclass
class Network:
    """An outbox, a mail server that accepts `connections_taken` connections, and a clock that only the test moves."""

    store: Store
    connections: int = 3
    connections_taken: int = 9
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    slow: set[str] = field(default_factory=set)
    answers: dict[str, Sent | Later | Failed] = field(default_factory=dict)
    on_way: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    most: int = 0
    knocks: int = 0
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    lines: list[Line] = field(default_factory=list)

    def sender(self) -> DeliveryWorker:
        self.lines = [Line(self) for _ in range(self.connections)]
        return DeliveryWorker(
            self.store,
            cast(Sequence[SmtpSender], self.lines),
            Illustrator(GAMES),
            lambda: self.now,
            disk=NoDisk(self.store),
        )

    def letters(self, *readers: str) -> None:
        """Put a letter to each reader into the outbox. Its text is its reader and the number of earlier letters."""
        with self.store.transaction() as session:
            for reader in readers:
                number = 1 + (session.exec(select(func.max(OutboxRow.id))).one() or 0)
                row = OutboxRow(
                    message_id=f"<{uuid4()}@example.test>",
                    mail_from="tak@example.test",
                    mail_to=reader,
                    raw=f"{reader} {number}".encode(),
                    text="",
                    due_at=self.now,
                    created_at=self.now,
                )
                add_letter(session, row)

    def rows(self) -> list[OutboxRow]:
        with self.store.transaction() as session:
            return list(letters(session))

    def states(self) -> list[str]:
        return [str(row.state) for row in self.rows()]


@pytest.fixture
def network(store: Store) -> Network:
    return Network(store)


async def _turns_of_the_loop() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


async def test_several_letters_are_on_their_way_at_once(network: Network) -> None:
    network.letters(*"abcdefgh")
    assert await network.sender().send_due() is True
    assert network.most == network.connections
    assert network.states() == ["sent"] * 8


async def test_letters_to_one_reader_leave_one_after_the_other_in_order(network: Network) -> None:
    network.letters(*"abacaabbcc" * 3)
    await network.sender().send_due()
    for reader in "abc":
        numbers = [int(text.split()[1]) for text in network.taken if text.startswith(reader)]
        assert numbers == sorted(numbers)
    assert sorted(Counter(network.taken).values()) == [1] * 30


async def test_letters_deferred_to_one_reader_are_claimed_by_one_process_only(network: Network) -> None:
    network.letters("a", "a", "b")
    with network.store.transaction() as session:
        for row in letters(session):
            row.state = LetterState.POSTPONED
            session.add(row)
    await network.sender().send_due()
    assert [text for text in network.taken if text.startswith("a")] == ["a 1", "a 2"]
    assert network.states() == ["sent"] * 3


async def test_one_letter_that_hangs_holds_up_no_other_reader(network: Network) -> None:
    network.letters(*"abcdabcd")
    network.slow = {"a"}
    sender = network.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    assert sorted(network.taken) == ["b 2", "b 6", "c 3", "c 7", "d 4", "d 8"]
    network.letters("e")
    sender.wake()
    await _turns_of_the_loop()
    assert network.taken[-1] == "e 9"
    network.let_go.set()
    assert await sending is True
    assert network.taken[-2:] == ["a 1", "a 5"]


async def test_one_letter_opens_one_connection(network: Network) -> None:
    sender = network.sender()
    for reader in "abc":
        network.letters(reader)
        await sender.send_due()
    assert [line.is_connected for line in network.lines] == [True, False, False]


async def test_a_server_that_takes_fewer_connections_is_left_with_those(network: Network) -> None:
    network.connections_taken = 2
    network.letters(*"abcdef")
    sender = network.sender()
    assert await sender.send_due() is True
    assert (network.states(), network.knocks) == (["sent"] * 6, 1)
    network.letters(*"abcdef")
    await sender.send_due()
    assert network.knocks == 1, "not again so soon"
    network.connections_taken, network.now = 3, network.now + FEWER_CONNECTIONS + timedelta(seconds=1)
    network.letters(*"abcdef")
    await sender.send_due()
    assert network.most == 3
    assert network.states() == ["sent"] * 18


async def test_a_server_that_is_away_is_asked_once_a_connection_and_then_left_alone(network: Network) -> None:
    network.connections_taken = 0
    network.letters(*"abcdef" * 3)
    sender = network.sender()
    assert await sender.send_due() is False
    assert network.knocks == network.connections
    waiting = [row for row in network.rows() if row.error == ""]
    assert len(waiting) == 18 - network.connections
    assert {(row.due_at, row.claimed_by) for row in waiting} == {(network.now, "")}, "as if never claimed"
    network.connections_taken, network.now = 9, network.now + SERVER_RETRY
    assert await sender.send_due() is True
    assert network.states() == ["sent"] * 18


async def test_a_stop_waits_for_the_letters_on_their_way_and_leaves_the_others_as_they_were(
    network: Network,
) -> None:
    network.letters(*"abcde")
    network.slow = set("abcde")
    sender = network.sender()
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    sender.stop()
    await _turns_of_the_loop()
    assert not running.done()
    network.let_go.set()
    await running
    assert network.states() == ["sent"] * 3 + ["queued"] * 2
    assert [row.claimed_by for row in network.rows()] == ["serve"] * 3 + [""] * 2


async def test_a_close_breaks_off_what_hangs(network: Network) -> None:
    network.letters(*"ab")
    network.slow = set("ab")
    sender = network.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    sending.cancel()
    await sender.close()
    assert network.on_way == []
    assert all(line.is_closed for line in network.lines)
    assert network.states() == ["queued"] * 2


async def test_a_letter_that_waits_long_for_a_connection_is_claimed_anew(network: Network) -> None:
    network.connections = 1
    network.letters(*"ab")
    network.slow = {"a"}
    sender = network.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    network.now += delivery_worker.LONGEST_WAIT + timedelta(seconds=1)
    network.slow = {"b"}
    network.let_go.set()
    network.let_go = asyncio.Event()
    await _turns_of_the_loop()
    assert network.rows()[1].due_at == network.now + dispatch.LEASE
    network.let_go.set()
    assert await sending is True


async def test_many_letters_take_few_commits(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    network.letters(*(f"reader{number}@example.org" for number in range(60)))
    claims = []
    claim = dispatch.claim

    def counted(*args: object) -> list[dispatch.Claimed]:
        claims.append(args)
        return claim(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(dispatch, "claim", counted)
    await network.sender().send_due()
    assert network.states() == ["sent"] * 60
    assert len(claims) <= 60 / delivery_worker.CLAIMED_AT_ONCE


async def test_one_letter_that_cannot_be_noted_does_not_keep_the_others_from_it(network: Network) -> None:
    network.letters(*"abc")
    network.answers = {"b": Failed("550 nobody here", no_such_recipient=True), "c": Later("451 later")}
    await network.sender().send_due()
    assert network.states() == ["sent", "failed", "queued"]


async def test_who_writes_letters_waits_while_more_are_left_than_can_leave(network: Network) -> None:
    network.letters(*(f"reader{number}@example.org" for number in range(60)))
    network.slow = {row.mail_to for row in network.rows()}
    sender = network.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert not waiting.done()
    network.let_go.set()
    await waiting
    assert network.states().count("queued") < network.connections * delivery_worker.CLAIMED_AT_ONCE
    await sending


async def test_one_letter_that_hangs_keeps_nobody_from_writing(network: Network) -> None:
    network.letters(*"abcab")
    network.slow = {"a"}
    sender = network.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert waiting.done()
    network.let_go.set()
    await sending


async def test_a_server_that_is_away_keeps_nobody_from_writing(network: Network) -> None:
    network.connections_taken = 0
    network.letters(*(f"reader{number}@example.org" for number in range(60)))
    sender = network.sender()
    assert await sender.send_due() is False
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert waiting.done()


def _handed_over(network: Network, *readers: str) -> list[dispatch.Claimed]:
    """Store letters as claimed by the sending process, as `write` does."""
    network.letters(*readers)
    with network.store.transaction() as session:
        return dispatch.claim(session, network.now, most=len(readers))


async def test_letters_that_are_handed_over_leave_without_a_search(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender = network.sender()
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    letters = _handed_over(network, *"abcdef")
    monkeypatch.setattr(dispatch, "claim", None)
    sender.hand_over(letters)
    await _turns_of_the_loop()
    assert sorted(network.taken) == [f"{reader} {number}" for number, reader in enumerate("abcdef", 1)]
    assert network.states() == ["sent"] * 6
    sender.stop()
    await running


class SlowDisk(DiskSync):
    """A disk that has nothing until a test says so."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.may_end = asyncio.Event()
        self.errors: list[Exception] = []

    async def wait(self) -> None:
        await self.may_end.wait()
        if self.errors:
            raise self.errors.pop()


async def test_a_letter_behind_one_that_waits_for_the_disk_follows_it_at_once(network: Network) -> None:
    sender, disk = network.sender(), SlowDisk(network.store)
    sender._disk = disk
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    sender.hand_over(_handed_over(network, "a"))
    network.letters("a")
    sender.wake()
    await _turns_of_the_loop()
    assert network.taken == []
    disk.may_end.set()
    await _turns_of_the_loop()
    assert network.taken == ["a 1", "a 2"]
    sender.stop()
    await running


async def test_letters_that_the_disk_refused_are_sent_when_it_has_them(network: Network) -> None:
    sender, disk = network.sender(), SlowDisk(network.store)
    disk.may_end.set()
    disk.errors = [OperationalError("", {}, Exception("disk I/O error"))]
    sender._disk = disk
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    sender.hand_over(_handed_over(network, *"ab"))
    with pytest.raises(OperationalError):
        await running
    assert network.taken == []
    assert await sender.send_due() is True
    assert sorted(network.taken) == ["a 1", "b 2"]


async def test_letters_are_not_taken_while_they_could_not_be_sent(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_worker, "MAX_WAITING", 2)
    sender = network.sender()
    assert not sender.takes_letters, "it doesn't run yet"
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    assert sender.takes_letters
    network.slow = set("abcde")
    sender.hand_over(_handed_over(network, *"abcde"))
    await _turns_of_the_loop()
    assert not sender.takes_letters, "three are in transit and two wait"
    network.let_go.set()
    await _turns_of_the_loop()
    assert sender.takes_letters
    network.connections_taken = 0
    for line in network.lines:
        line.is_connected = False
    sender.hand_over(_handed_over(network, "f", "g"))
    await _turns_of_the_loop()
    assert not sender.takes_letters, "the server is away"
    assert [row.claimed_by for row in network.rows()][-2:] == ["", ""], "their turns can be taken back"
    sender.stop()
    await running
    assert not sender.takes_letters


def test_a_claimed_letter_is_settled_before_another_process_may_take_it() -> None:
    assert delivery_worker.LONGEST_WAIT + delivery_worker.LONGEST_SEND < dispatch.LEASE
