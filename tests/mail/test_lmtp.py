"""LMTP as a mail server speaks it, and as nobody should."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.mail import door as doors
from takmail.mail import lmtp
from takmail.mail.door import Door, Place
from takmail.mail.incoming import END, Incoming, Room
from takmail.mail.limits import Limits
from takmail.mail.lmtp import Reception
from tests.lmtp import TAK, Client, connected, stuffed

MAIL = b"From: Someone <someone@example.net>\r\nSubject: Tak\r\n\r\nhelp\r\n"
TRACE = b"Return-Path: <someone@example.net>\r\nDelivered-To: tak@example.org\r\n"
SMALL = Limits(mail_bytes=100_000, header_bytes=5_000)


@dataclass
class Office:
    """Who takes the mails; `answer` is what it says to each."""

    place: Path
    limits: Limits = SMALL
    room: Room = field(default_factory=lambda: Room(1_000_000))
    mails: list[tuple[bytes, int]] = field(default_factory=list)
    answer: str = "250 2.0.0 kept"

    def accept(self, raw: bytes, size: int) -> str:
        self.mails.append((raw, size))
        return self.answer

    def door(self) -> Door:
        def is_own(address: str) -> bool:
            return address == TAK or (address.startswith("tak+") and address.endswith("@example.org"))

        return Door(
            Place(self.place, 0o600, "", None), Reception(is_own, self.accept, self.limits, self.room)
        )


@pytest.fixture(autouse=True)
def nothing_raised(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """asyncio logs what has raised where nobody looked, and so would aiosmtpd."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info] == []


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    there = Office(tmp_path / "lmtp.sock")
    async with there.door():
        yield there


async def test_a_mail_comes_with_the_headers_of_its_delivery(office: Office) -> None:
    async with connected(office.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        assert office.mails == [(TRACE + MAIL, len(TRACE + MAIL))]
        assert await client.say("QUIT") == "221 Bye"


async def test_every_recipient_has_an_answer_and_the_mail_names_them_all_once(office: Office) -> None:
    tokens = ["tak+1.aaaabbbbccccdddd@example.org", "tak+2.eeeeffffgggghhhh@example.org"]
    async with connected(office.place) as client:
        assert await client.sent(MAIL, [*tokens, tokens[0]]) == ["250 2.0.0 kept"] * 3
    [(raw, _)] = office.mails
    assert [line for line in raw.decode().splitlines() if "Delivered" in line] == [
        f"Delivered-To: {one}" for one in tokens
    ]


async def test_a_recipient_that_is_not_ours_is_refused_and_the_others_are_not(office: Office) -> None:
    async with connected(office.place) as client:
        await client.say("MAIL FROM:<>")
        for other in (
            "other@example.org",
            "tak@example.net",
            "tako@example.org",
            "",
            "postmaster",
            "täk@x.y",
        ):
            assert (await client.say(f"RCPT TO:<{other}>")).startswith("550 5.1.1"), other
        assert (await client.say("DATA")).startswith("503"), "nobody is left to take it for"
        assert (await client.say("RCPT TO:<TAK+1.AAAABBBBCCCCDDDD@Example.ORG>")).startswith("250")
        assert (await client.say("DATA")).startswith("354")
        client.send(MAIL + END)
        assert await client.answer() == "250 2.0.0 kept"
    assert b"Delivered-To: tak+1.aaaabbbbccccdddd@example.org\r\n" in office.mails[0][0]


async def test_of_many_recipients_those_beyond_a_hundred_are_put_off(office: Office) -> None:
    async with connected(office.place) as client:
        await client.say("MAIL FROM:<>")
        answers = [await client.say(f"RCPT TO:<tak+{number}@example.org>") for number in range(102)]
    assert [one[:3] for one in answers] == ["250"] * 100 + ["452"] * 2


async def test_the_null_sender_stays_known(office: Office) -> None:
    async with connected(office.place) as client:
        await client.sent(MAIL, sender="")
    assert office.mails[0][0].startswith(b"Return-Path: <>\r\n")


async def test_an_answer_for_now_is_given_to_every_recipient_and_the_next_mail_may_come(
    office: Office,
) -> None:
    async with connected(office.place) as client:
        office.answer = "451 4.3.0 later"
        assert await client.sent(MAIL, [TAK, TAK]) == ["451 4.3.0 later"] * 2
        office.answer = "250 kept"
        assert await client.sent(MAIL) == ["250 kept"]


NO_END = [
    b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\n.\r\r\n", b"\r\n\0.\r\n", b"\n\n.\r\r\n",
]  # fmt: skip


@pytest.mark.parametrize("end", NO_END)
async def test_only_a_dot_between_whole_line_ends_ends_a_mail(office: Office, end: bytes) -> None:
    smuggled = b"hi" + end + b"MAIL FROM:<ada@example.org>\r\nRCPT TO:<tak@example.org>\r\nDATA\r\nps a1\r\n"
    async with connected(office.place) as client:
        await client.begin()
        client.send(MAIL + smuggled + END)
        assert await client.answer() == "250 2.0.0 kept"
        assert (await client.say("NOOP")).startswith("250"), "that was one mail"
    [(raw, _)] = office.mails
    assert raw == TRACE + MAIL + smuggled.replace(b"\r\n.", b"\r\n")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n",
        b".\r\n",
        b"..\r\n.\r\n\r\n...\r\n",
        b"Subject: W\xc3\xa4nde\r\n\r\n\xff\xfe\x00\x80\r\n",
        b"a bare \n and a bare \r here\r\n",
        b"X: " + b"y" * 90_000 + b"\r\n",
        b"x" * 65_533 + b".\r\n.\r\n",
    ],
)
async def test_whatever_bytes_a_mail_has_arrive(office: Office, raw: bytes) -> None:
    async with connected(office.place) as client:
        await client.begin()
        client.send((stuffed(raw) if raw else b"") + END)
        assert await client.answer() == "250 2.0.0 kept"
    assert office.mails == [(TRACE + raw, len(TRACE + raw))]


async def test_a_mail_in_utf8_is_announced_and_taken(office: Office) -> None:
    async with connected(office.place) as client:
        assert (await client.say("MAIL FROM:<täk@example.net> SMTPUTF8 BODY=8BITMIME")).startswith("250")
        await client.say(f"RCPT TO:<{TAK}>")
        await client.say("DATA")
        client.send(MAIL + END)
        assert await client.answer() == "250 2.0.0 kept"
    assert office.mails[0][0].startswith("Return-Path: <täk@example.net>\r\n".encode())


async def test_of_a_mail_over_the_limit_the_beginning_is_taken_and_its_length_told(office: Office) -> None:
    long = MAIL + b"x" * 1_000_000 + b"\r\n"
    async with connected(office.place) as client:
        assert await client.sent(long) == ["250 2.0.0 kept"]
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    (cut, size), whole = office.mails
    assert (cut, size) == ((TRACE + long)[: len(TRACE) + SMALL.header_bytes], len(TRACE + long))
    assert whole == (TRACE + MAIL, len(TRACE + MAIL))
    assert office.room.free == 1_000_000


async def test_a_mail_for_which_there_is_no_room_is_put_off(office: Office) -> None:
    office.room.free = 10_000
    async with connected(office.place) as client, connected(office.place) as other:
        await other.begin()
        other.send(MAIL)
        answers = await client.sent(MAIL + b"x" * 11_000, [TAK, TAK])
        assert answers == ["452 4.3.1 Too much at once; try again later"] * 2
        assert office.mails == []
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        other.send(END)
        assert await other.answer() == "250 2.0.0 kept"
    assert office.room.free == 10_000


async def test_who_hangs_up_within_a_mail_leaves_nothing(office: Office) -> None:
    for begun in (b"", MAIL, MAIL + b"\r\n.", MAIL + b"x" * 300_000):
        async with connected(office.place) as client:
            await client.begin()
            client.send(begun)
    async with connected(office.place) as client:
        client.writer.write_eof()
        assert await client.answer() == ""
    async with connected(office.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    assert len(office.mails) == 1
    assert office.room.free == 1_000_000


async def test_who_hangs_up_before_the_answer_has_handed_the_mail_over(office: Office) -> None:
    async with connected(office.place) as client:
        await client.begin([TAK] * 50)
        client.send(MAIL + END)
    async with connected(office.place) as client:
        await client.say("NOOP")
    assert len(office.mails) == 1


async def test_who_hangs_up_without_reading_the_answers_is_no_error(office: Office) -> None:
    for _ in range(20):
        async with connected(office.place) as client:
            client.send(b"NOOP\r\n" * 5_000)
            await client.answer()
    async with connected(office.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


@pytest.mark.parametrize("first", [b"", b"LHLO x\r\n", b"NOO", b"x" * 200_000])
async def test_who_says_nothing_more_is_hung_up_on(
    office: Office, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    monkeypatch.setattr(lmtp, "PATIENCE", 0.1)
    client = await Client.at(office.place)
    client.send(first)
    while await client.answer():
        pass
    client.hang_up()


async def test_who_sends_a_mail_too_slowly_is_hung_up_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "PATIENCE", 0.3)
    async with connected(office.place) as client:
        await client.begin()

        async def dripping() -> None:
            while True:
                client.send(b"x")
                await asyncio.sleep(0.01)

        drip = asyncio.create_task(dripping())
        assert await client.answer() == ""
        drip.cancel()
    assert office.mails == []


async def test_a_hundred_are_served_at_once_and_the_next_is_told_to_come_back(office: Office) -> None:
    async with AsyncExitStack() as exits:
        clients = [await exits.enter_async_context(connected(office.place)) for _ in range(100)]
        one_more = await Client.at(office.place)
        assert (await one_more.answer()).startswith("421 4.3.2")
        assert await one_more.answer() == ""
        one_more.hang_up()
        answers = await asyncio.gather(*(client.sent(MAIL) for client in clients))
        assert answers == [["250 2.0.0 kept"]] * 100
        await clients[0].say("QUIT")
        assert await clients[0].answer() == ""
        async with connected(office.place) as client:
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
async def test_a_strange_command_is_refused_and_does_no_harm(office: Office, command: bytes) -> None:
    async with connected(office.place) as client:
        assert (await client.say(command))[:2] in ("45", "50", "53", "55", "25"), command
        assert (await client.say("RSET")).startswith("250")
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


async def test_who_says_too_much_that_nobody_understands_is_hung_up_on(office: Office) -> None:
    async with connected(office.place) as client:
        answers = [await client.say("what") for _ in range(5)]
        assert answers[-1].startswith("502")
        assert await client.answer() == ""


async def test_a_sender_with_line_ends_in_it_makes_no_header(office: Office) -> None:
    async with connected(office.place) as client:
        await client.say(b"MAIL FROM:<a\rb\0c\x85d@example.net>")
        await client.say(f"RCPT TO:<{TAK}>")
        await client.say("DATA")
        client.send(MAIL + END)
        await client.answer()
    assert office.mails[0][0].startswith(b"Return-Path: <a b cd@example.net>\r\nDelivered-To: ")


@given(st.binary(max_size=200), st.integers(1, 7))
def test_a_mail_in_any_pieces_is_what_was_sent(raw: bytes, step: int) -> None:
    raw += b"\r\n"
    room = Room(1_000)
    mail = Incoming(SMALL, room)
    sent = stuffed(raw) + END
    pieces = [sent[at : at + step] for at in range(0, len(sent), step)]
    assert [mail.take(piece) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert (mail.content(), mail.size) == (raw, len(sent) - len(END))
    mail.let_go()
    assert room.free == 1_000


BITS = [
    b"LHLO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<tak@example.org>\r\n", b"DATA\r\n", END, b"RSET\r\n", b"\r\n",
    b"\xff", b"<",
]  # fmt: skip


async def test_random_bytes_do_no_harm(office: Office) -> None:
    for seed in range(200):
        print(f"{seed=}")
        lot = Random(seed)
        async with asyncio.timeout(10):
            client = await Client.at(office.place)
            client.send(b"".join(lot.choice(BITS) for _ in range(30)) + b"QUIT\r\n")
            client.hang_up() if seed % 2 else client.writer.write_eof()
            await client.reader.read()
            client.hang_up()
    async with connected(office.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


# The end, and the beginning.


async def test_at_the_end_a_mail_that_is_being_taken_is_finished_and_nobody_else_gets_in(
    tmp_path: Path,
) -> None:
    office = Office(tmp_path / "lmtp.sock")
    door = office.door()
    await door.open()
    async with connected(office.place) as busy, connected(office.place) as idle:
        await busy.begin()
        busy.send(MAIL)
        closing = asyncio.create_task(door.close())
        assert (await idle.answer()).startswith("421")
        with pytest.raises(OSError, match=r"No such file|refused"):
            await Client.at(office.place)
        assert not closing.done()
        busy.send(END)
        assert await busy.answer() == "250 2.0.0 kept"
        await closing
        assert (await busy.answer()).startswith("421")
        assert await busy.answer() == ""
    assert len(office.mails) == 1


async def test_an_end_that_takes_too_long_takes_no_more(tmp_path: Path) -> None:
    office = Office(tmp_path / "lmtp.sock")
    door = office.door()
    await door.open()
    async with connected(office.place) as busy:
        await busy.begin()
        busy.send(MAIL)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await door.close()
        assert await busy.answer() == ""
    assert office.mails == []


async def test_the_socket_of_a_service_that_is_gone_is_replaced(tmp_path: Path) -> None:
    office = Office(tmp_path / "lmtp.sock")
    doors._made(office.place, 0o600).close()
    assert office.place.exists()
    async with office.door(), connected(office.place) as client:
        assert office.place.stat().st_mode & 0o777 == 0o600
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    assert not office.place.exists()


async def test_the_socket_of_a_service_that_runs_is_left_to_it(office: Office) -> None:
    with pytest.raises(doors.Taken, match="a takmail listens there already"):
        await office.door().open()
    async with connected(office.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


async def test_a_socket_that_another_service_is_just_making_is_left_to_it(tmp_path: Path) -> None:
    office = Office(tmp_path / "lmtp.sock")
    with doors._alone_in(tmp_path):
        later = asyncio.create_task(asyncio.to_thread(doors._listening, office.place, 0o600))
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(office.place))
        await asyncio.wait({later}, timeout=0.1)
        made.listen()
    with made, pytest.raises(OSError, match="a takmail listens there already"):
        await later


async def test_who_closes_leaves_a_socket_alone_that_is_anothers_by_now(tmp_path: Path) -> None:
    first, second = Office(tmp_path / "lmtp.sock"), Office(tmp_path / "lmtp.sock")
    door = first.door()
    await door.open()
    first.place.unlink()
    async with second.door():
        await door.close()
        async with connected(second.place) as client:
            assert await client.sent(MAIL) == ["250 2.0.0 kept"]


@pytest.mark.parametrize(
    ("name", "why"), [("file", "no socket"), ("none/lmtp.sock", "No such file"), (".", "no socket")]
)
async def test_a_place_where_nobody_can_listen_is_told(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").write_text("mine")
    office = Office(tmp_path / name)
    with pytest.raises(doors.CantListen, match=why):
        await office.door().open()
    assert (tmp_path / "file").read_text() == "mine"


async def test_a_port_of_this_machine_will_do(tmp_path: Path) -> None:
    office = Office(tmp_path / "none")
    reception = Reception(lambda _: True, office.accept, SMALL, office.room)
    async with Door(Place(None, 0, "127.0.0.1", 0), reception) as door:
        assert door._server is not None
        port = door._server.sockets[0].getsockname()[1]
        async with connected(port) as client:
            assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        with pytest.raises(doors.CantListen, match=rf"port {port} of 127.0.0.1: .*in use"):
            await Door(Place(None, 0, "127.0.0.1", port), reception).open()
        with pytest.raises(doors.Taken):
            await Door(Place(None, 0, "127.0.0.1", port), reception).open()


async def test_a_port_at_which_something_else_listens_is_not_waited_for(tmp_path: Path) -> None:
    office = Office(tmp_path / "none")
    other = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with other:
        port = other.sockets[0].getsockname()[1]
        reception = Reception(lambda _: True, office.accept, SMALL, office.room)
        with pytest.raises(doors.CantListen) as told:
            await Door(Place(None, 0, "127.0.0.1", port), reception).open()
    assert not isinstance(told.value, doors.Taken)
