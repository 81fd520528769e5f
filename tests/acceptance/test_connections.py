"""Letters over several connections at once: none overtakes another, and one that hangs holds up nobody else."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import uuid4

import pytest

from takmail import outbound
from takmail.commands.kinds import LetterState
from takmail.outbound import FEWER, SERVER_AWAY, Outbound
from takmail.runtime.net.smtp import Failed, Later, Sender, Sent
from takmail.store import leaving, outbox
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from tests.rows import add_letter, letters

NOBODY_OPENS = Later("nobody opens", unreachable=True)


@dataclass
class Line:
    """One connection; the server holds each letter until it is let go, if it is in no hurry."""

    town: "Town"
    is_connected: bool = False
    is_closed: bool = False

    async def send(self, raw: bytes, _mail_from: str, to: str) -> Sent | Later | Failed:
        town = self.town
        if not self.is_connected and sum(line.is_connected for line in town.lines) >= town.connections_taken:
            town.knocks += 1
            await asyncio.sleep(0)
            return NOBODY_OPENS
        self.is_connected = True
        assert to not in town.on_way, "two letters to one reader at once"
        town.on_way.append(to)
        town.most = max(town.most, len(town.on_way))
        try:
            await asyncio.sleep(0)
            if to in town.slow:
                await town.let_go.wait()
        finally:
            town.on_way.remove(to)
        town.taken.append(raw.decode())
        return town.answers.pop(to, Sent())

    async def close(self) -> None:
        self.is_closed, self.is_connected = True, False


@dataclass
class Town:
    """An outbox, a mail server that takes so many connections, and a clock that stands still until it is moved."""

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

    def sender(self) -> Outbound:
        self.lines = [Line(self) for _ in range(self.connections)]
        return Outbound(self.store, cast(Sequence[Sender], self.lines), lambda: self.now)

    def letters(self, *readers: str) -> None:
        """One letter to each of them; what it says is its reader and how many came before it."""
        with self.store.transaction() as session:
            for reader in readers:
                number = outbox.newest(session) + 1
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
def town(store: Store) -> Town:
    return Town(store)


async def _turns_of_the_loop() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


async def test_several_letters_are_on_their_way_at_once(town: Town) -> None:
    town.letters(*"abcdefgh")
    assert await town.sender().send_due() is True
    assert town.most == town.connections
    assert town.states() == ["sent"] * 8


async def test_letters_to_one_reader_leave_one_after_the_other_in_order(town: Town) -> None:
    town.letters(*"abacaabbcc" * 3)
    await town.sender().send_due()
    for reader in "abc":
        numbers = [int(text.split()[1]) for text in town.taken if text.startswith(reader)]
        assert numbers == sorted(numbers)
    assert sorted(Counter(town.taken).values()) == [1] * 30


async def test_letters_put_off_to_one_reader_are_in_one_hand_only(town: Town) -> None:
    town.letters("a", "a", "b")
    with town.store.transaction() as session:
        for row in letters(session):
            row.state = LetterState.POSTPONED
            session.add(row)
    await town.sender().send_due()
    assert [text for text in town.taken if text.startswith("a")] == ["a 1", "a 2"]
    assert town.states() == ["sent"] * 3


async def test_one_letter_that_hangs_holds_up_no_other_reader(town: Town) -> None:
    town.letters(*"abcdabcd")
    town.slow = {"a"}
    sender = town.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    assert sorted(town.taken) == ["b 2", "b 6", "c 3", "c 7", "d 4", "d 8"]
    town.letters("e")
    sender.wake()
    await _turns_of_the_loop()
    assert town.taken[-1] == "e 9"
    town.let_go.set()
    assert await sending is True
    assert town.taken[-2:] == ["a 1", "a 5"]


async def test_one_letter_opens_one_connection(town: Town) -> None:
    sender = town.sender()
    for reader in "abc":
        town.letters(reader)
        await sender.send_due()
    assert [line.is_connected for line in town.lines] == [True, False, False]


async def test_a_server_that_takes_fewer_connections_is_left_with_those(town: Town) -> None:
    town.connections_taken = 2
    town.letters(*"abcdef")
    sender = town.sender()
    assert await sender.send_due() is True
    assert (town.states(), town.knocks) == (["sent"] * 6, 1)
    town.letters(*"abcdef")
    await sender.send_due()
    assert town.knocks == 1, "not again so soon"
    town.connections_taken, town.now = 3, town.now + FEWER + timedelta(seconds=1)
    town.letters(*"abcdef")
    await sender.send_due()
    assert town.most == 3
    assert town.states() == ["sent"] * 18


async def test_a_server_that_is_away_is_asked_once_a_connection_and_then_left_alone(town: Town) -> None:
    town.connections_taken = 0
    town.letters(*"abcdef" * 3)
    sender = town.sender()
    assert await sender.send_due() is False
    assert town.knocks == town.connections
    waiting = [row for row in town.rows() if row.error == ""]
    assert len(waiting) == 18 - town.connections
    assert {(row.due_at, row.claimed_by) for row in waiting} == {(town.now, "")}, "as if never claimed"
    town.connections_taken, town.now = 9, town.now + SERVER_AWAY
    assert await sender.send_due() is True
    assert town.states() == ["sent"] * 18


async def test_a_stop_waits_for_the_letters_on_their_way_and_leaves_the_others_as_they_were(
    town: Town,
) -> None:
    town.letters(*"abcde")
    town.slow = set("abcde")
    sender = town.sender()
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    sender.stop()
    await _turns_of_the_loop()
    assert not running.done()
    town.let_go.set()
    await running
    assert town.states() == ["sent"] * 3 + ["queued"] * 2
    assert [row.claimed_by for row in town.rows()] == ["serve"] * 3 + [""] * 2


async def test_a_close_breaks_off_what_hangs(town: Town) -> None:
    town.letters(*"ab")
    town.slow = set("ab")
    sender = town.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    sending.cancel()
    await sender.close()
    assert town.on_way == []
    assert all(line.is_closed for line in town.lines)
    assert town.states() == ["queued"] * 2


async def test_a_letter_that_waits_long_for_a_connection_is_claimed_anew(town: Town) -> None:
    town.connections = 1
    town.letters(*"ab")
    town.slow = {"a"}
    sender = town.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    town.now += outbound.LONGEST_WAIT + timedelta(seconds=1)
    town.slow = {"b"}
    town.let_go.set()
    town.let_go = asyncio.Event()
    await _turns_of_the_loop()
    assert town.rows()[1].due_at == town.now + leaving.LEASE
    town.let_go.set()
    assert await sending is True


async def test_many_letters_take_few_commits(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    town.letters(*(f"reader{number}@example.org" for number in range(60)))
    claims = []
    claim = leaving.claim

    def counted(*args: object) -> list[leaving.Claimed]:
        claims.append(args)
        return claim(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(leaving, "claim", counted)
    await town.sender().send_due()
    assert town.states() == ["sent"] * 60
    assert len(claims) <= 60 / outbound.CLAIMED_AT_ONCE


async def test_one_letter_that_cannot_be_noted_does_not_keep_the_others_from_it(town: Town) -> None:
    town.letters(*"abc")
    town.answers = {"b": Failed("550 nobody here", no_such_reader=True), "c": Later("451 later")}
    await town.sender().send_due()
    assert town.states() == ["sent", "failed", "queued"]


async def test_who_writes_letters_waits_while_more_are_left_than_can_leave(town: Town) -> None:
    town.letters(*(f"reader{number}@example.org" for number in range(60)))
    town.slow = {row.mail_to for row in town.rows()}
    sender = town.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert not waiting.done()
    town.let_go.set()
    await waiting
    assert town.states().count("queued") < town.connections * outbound.CLAIMED_AT_ONCE
    await sending


async def test_one_letter_that_hangs_keeps_nobody_from_writing(town: Town) -> None:
    town.letters(*"abcab")
    town.slow = {"a"}
    sender = town.sender()
    sending = asyncio.create_task(sender.send_due())
    await _turns_of_the_loop()
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert waiting.done()
    town.let_go.set()
    await sending


async def test_a_server_that_is_away_keeps_nobody_from_writing(town: Town) -> None:
    town.connections_taken = 0
    town.letters(*(f"reader{number}@example.org" for number in range(60)))
    sender = town.sender()
    assert await sender.send_due() is False
    waiting = asyncio.create_task(sender.catch_up())
    await _turns_of_the_loop()
    assert waiting.done()


def test_a_letter_in_hand_is_settled_before_another_process_may_take_it() -> None:
    assert outbound.LONGEST_WAIT + outbound.LONGEST_SEND < leaving.LEASE
