"""LMTP from a correct mail server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.runtime.net.lmtp import END, IncomingMail, MemoryBudget
from tests.mail.lmtp.taker import MAIL, SMALL, TRACE, Taker
from tests.support.lmtp import TAK, connected, stuffed


async def test_a_mail_comes_with_the_headers_of_its_delivery(taker: Taker) -> None:
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        assert taker.mails == [(TRACE + MAIL, len(TRACE + MAIL))]
        assert await client.say("QUIT") == "221 Bye"


async def test_every_recipient_has_an_answer_and_the_mail_names_them_all_once(taker: Taker) -> None:
    tokens = ["tak+1.aaaabbbbccccdddd@example.org", "tak+2.eeeeffffgggghhhh@example.org"]
    async with connected(taker.place) as client:
        assert await client.sent(MAIL, [*tokens, tokens[0]]) == ["250 2.0.0 kept"] * 3
    [(raw, _)] = taker.mails
    assert [line for line in raw.decode().splitlines() if "Delivered" in line] == [
        f"Delivered-To: {one}" for one in tokens
    ]


async def test_a_recipient_that_is_not_ours_is_refused_and_the_others_are_not(taker: Taker) -> None:
    async with connected(taker.place) as client:
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
    assert b"Delivered-To: tak+1.aaaabbbbccccdddd@example.org\r\n" in taker.mails[0][0]


async def test_of_many_recipients_those_beyond_a_hundred_are_deferred(taker: Taker) -> None:
    async with connected(taker.place) as client:
        await client.say("MAIL FROM:<>")
        answers = [await client.say(f"RCPT TO:<tak+{number}@example.org>") for number in range(102)]
    assert [one[:3] for one in answers] == ["250"] * 100 + ["452"] * 2


async def test_the_null_sender_stays_known(taker: Taker) -> None:
    async with connected(taker.place) as client:
        await client.sent(MAIL, sender="")
    assert taker.mails[0][0].startswith(b"Return-Path: <>\r\n")


async def test_an_answer_for_now_is_given_to_every_recipient_and_the_next_mail_may_come(
    taker: Taker,
) -> None:
    async with connected(taker.place) as client:
        taker.answer = "451 4.3.0 later"
        assert await client.sent(MAIL, [TAK, TAK]) == ["451 4.3.0 later"] * 2
        taker.answer = "250 kept"
        assert await client.sent(MAIL) == ["250 kept"]


NO_END = [
    b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\n.\r\r\n", b"\r\n\0.\r\n", b"\n\n.\r\r\n",
]  # fmt: skip


@pytest.mark.parametrize("end", NO_END)
async def test_only_a_dot_between_whole_line_ends_ends_a_mail(taker: Taker, end: bytes) -> None:
    smuggled = b"hi" + end + b"MAIL FROM:<ada@example.org>\r\nRCPT TO:<tak@example.org>\r\nDATA\r\nps a1\r\n"
    async with connected(taker.place) as client:
        await client.begin()
        client.send(MAIL + smuggled + END)
        assert await client.answer() == "250 2.0.0 kept"
        assert (await client.say("NOOP")).startswith("250"), "that was one mail"
    [(raw, _)] = taker.mails
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
async def test_whatever_bytes_a_mail_has_arrive(taker: Taker, raw: bytes) -> None:
    async with connected(taker.place) as client:
        await client.begin()
        client.send((stuffed(raw) if raw else b"") + END)
        assert await client.answer() == "250 2.0.0 kept"
    assert taker.mails == [(TRACE + raw, len(TRACE + raw))]


async def test_a_mail_in_utf8_is_announced_and_taken(taker: Taker) -> None:
    async with connected(taker.place) as client:
        assert (await client.say("MAIL FROM:<täk@example.net> SMTPUTF8 BODY=8BITMIME")).startswith("250")
        await client.say(f"RCPT TO:<{TAK}>")
        await client.say("DATA")
        client.send(MAIL + END)
        assert await client.answer() == "250 2.0.0 kept"
    assert taker.mails[0][0].startswith("Return-Path: <täk@example.net>\r\n".encode())


async def test_of_a_mail_over_the_limit_the_beginning_is_taken_and_its_length_told(taker: Taker) -> None:
    long = MAIL + b"x" * 1_000_000 + b"\r\n"
    async with connected(taker.place) as client:
        assert await client.sent(long) == ["250 2.0.0 kept"]
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    (cut, size), whole = taker.mails
    assert (cut, size) == ((TRACE + long)[: len(TRACE) + SMALL.header_bytes], len(TRACE + long))
    assert whole == (TRACE + MAIL, len(TRACE + MAIL))
    assert taker.room.free == 1_000_000


async def test_a_mail_for_which_there_is_no_room_is_deferred(taker: Taker) -> None:
    taker.room.free = 10_000
    async with connected(taker.place) as client, connected(taker.place) as other:
        await other.begin()
        other.send(MAIL)
        answers = await client.sent(MAIL + b"x" * 11_000, [TAK, TAK])
        assert answers == ["452 4.3.1 Too much at once; try again later"] * 2
        assert taker.mails == []
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        other.send(END)
        assert await other.answer() == "250 2.0.0 kept"
    assert taker.room.free == 10_000


@given(st.binary(max_size=200), st.integers(1, 7))
def test_a_mail_in_any_pieces_is_what_was_sent(raw: bytes, step: int) -> None:
    raw += b"\r\n"
    room = MemoryBudget(1_000)
    mail = IncomingMail(SMALL, room)
    sent = stuffed(raw) + END
    pieces = [sent[at : at + step] for at in range(0, len(sent), step)]
    assert [mail.take(piece) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert (mail.content(), mail.size) == (raw, len(sent) - len(END))
    mail.let_go()
    assert room.free == 1_000
