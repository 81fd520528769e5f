"""LMTP from clients that violate the protocol."""

import asyncio
from contextlib import AsyncExitStack
from random import Random

import pytest

from takmail.runtime.net import lmtp
from takmail.runtime.net.lmtp import END
from tests.mail.lmtp.taker import MAIL, Taker
from tests.support.lmtp import TAK, Client, connected


async def test_who_hangs_up_within_a_mail_leaves_nothing(taker: Taker) -> None:
    for begun in (b"", MAIL, MAIL + b"\r\n.", MAIL + b"x" * 300_000):
        async with connected(taker.place) as client:
            await client.begin()
            client.send(begun)
    async with connected(taker.place) as client:
        client.writer.write_eof()
        assert await client.answer() == ""
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    assert len(taker.mails) == 1
    assert taker.room.free == 1_000_000


async def test_who_hangs_up_before_the_answer_has_handed_the_mail_over(taker: Taker) -> None:
    async with connected(taker.place) as client:
        await client.begin([TAK] * 50)
        client.send(MAIL + END)
    async with connected(taker.place) as client:
        await client.say("NOOP")
    assert len(taker.mails) == 1


async def test_who_hangs_up_without_reading_the_answers_is_no_error(taker: Taker) -> None:
    for _ in range(20):
        async with connected(taker.place) as client:
            client.send(b"NOOP\r\n" * 5_000)
            await client.answer()
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


@pytest.mark.parametrize("first", [b"", b"LHLO x\r\n", b"NOO", b"x" * 200_000])
async def test_who_says_nothing_more_is_hung_up_on(
    taker: Taker, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    monkeypatch.setattr(lmtp, "TIMEOUT", 0.1)
    client = await Client.at(taker.place)
    client.send(first)
    while await client.answer():
        pass
    client.hang_up()


async def test_who_sends_a_mail_too_slowly_is_hung_up_on(
    taker: Taker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "TIMEOUT", 0.3)
    async with connected(taker.place) as client:
        await client.begin()

        async def dripping() -> None:
            while True:
                client.send(b"x")
                await asyncio.sleep(0.01)

        drip = asyncio.create_task(dripping())
        assert await client.answer() == ""
        drip.cancel()
    assert taker.mails == []


async def test_a_hundred_are_served_at_once_and_the_next_is_told_to_come_back(taker: Taker) -> None:
    async with AsyncExitStack() as exits:
        clients = [await exits.enter_async_context(connected(taker.place)) for _ in range(100)]
        one_more = await Client.at(taker.place)
        assert (await one_more.answer()).startswith("421 4.3.2")
        assert await one_more.answer() == ""
        one_more.hang_up()
        answers = await asyncio.gather(*(client.sent(MAIL) for client in clients))
        assert answers == [["250 2.0.0 kept"]] * 100
        await clients[0].say("QUIT")
        assert await clients[0].answer() == ""
        async with connected(taker.place) as client:
            assert await client.sent(MAIL) == ["250 2.0.0 kept"]


STRANGE = [
    b"EHLO x", b"HELO x", b"LHLO", b"AUTH PLAIN AHRhawBzZWNyZXQ=", b"STARTTLS", b"BDAT 5 LAST", b"VRFY tak",
    b"EXPN tak", b"TURN", b"DATA", b"DATA now", b"RCPT", b"RCPT TO:", b"RCPT TO:<", b"MAIL", b"MAIL FROM:",
    b"MAIL FROM:<a@", b'MAIL FROM:<"', b"MAIL FROM:<a@[", b"MAIL FROM:<" + b"(" * 480, b"MAIL FROM:<a@b.c> SIZE=x",
    b"MAIL FROM:<a@b.c> RET=HDRS", b"MAIL FROM:<a@b.c> BODY=BINARYMIME", b"MAIL FROM:<\xff@b.c> SMTPUTF8=1",
    b"MAIL FROM:<a\rb@c.d> NOTIFY=NEVER", b"NOOP " + b"x" * 200_000, b"GET / HTTP/1.1", b"\xff\xfe\xfd", b"\0", b"",
    b" ", b"x" * 700,
]  # fmt: skip


@pytest.mark.parametrize("command", STRANGE, ids=lambda one: repr(one[:25]))
async def test_a_strange_command_is_refused_and_does_no_harm(taker: Taker, command: bytes) -> None:
    async with connected(taker.place) as client:
        assert (await client.say(command))[:2] in ("45", "50", "53", "55", "25"), command
        assert (await client.say("RSET")).startswith("250")
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


async def test_who_says_too_much_that_nobody_understands_is_hung_up_on(taker: Taker) -> None:
    async with connected(taker.place) as client:
        answers = [await client.say("what") for _ in range(5)]
        assert answers[-1].startswith("502")
        assert await client.answer() == ""


async def test_a_sender_with_line_ends_in_it_makes_no_header(taker: Taker) -> None:
    async with connected(taker.place) as client:
        await client.say(b"MAIL FROM:<a\rb\0c\x85d@example.net>")
        await client.say(f"RCPT TO:<{TAK}>")
        await client.say("DATA")
        client.send(MAIL + END)
        await client.answer()
    assert taker.mails[0][0].startswith(b"Return-Path: <a b cd@example.net>\r\nDelivered-To: ")


BITS = [
    b"LHLO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<tak@example.org>\r\n", b"DATA\r\n", END, b"RSET\r\n", b"\r\n",
    b"\xff", b"<",
]  # fmt: skip


async def test_random_bytes_do_no_harm(taker: Taker) -> None:
    for seed in range(200):
        print(f"{seed=}")
        rng = Random(seed)
        async with asyncio.timeout(10):
            client = await Client.at(taker.place)
            client.send(b"".join(rng.choice(BITS) for _ in range(30)) + b"QUIT\r\n")
            client.hang_up() if seed % 2 else client.writer.write_eof()
            await client.reader.read()
            client.hang_up()
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
