"""Sending letters, against a scripted server."""

import asyncio
import socket
from datetime import timedelta

import aiosmtplib
import pytest
from aiosmtplib.email import parse_address
from hypothesis import given
from hypothesis.strategies import from_regex

from takmail.runtime.delivery_failures import GIVE_UP_AFTER, retry_delay
from takmail.runtime.net import smtp
from takmail.runtime.net.smtp import CannotSend, Failed, Later, Sent, SmtpAccount
from tests.mail.scripted import HANG_UP
from tests.mail.smtp_script import GOOD, PIPELINING, SmtpScript, smtp_server
from tests.support.closing import Sender
from tests.support.cost import PATIENCE

RAW = b"Subject: x\r\n\r\n.a dot\r\n..two\r\nps a1\r\n"
ADA, TAK = "ada@example.test", "tak@example.test"


@pytest.fixture(params=[GOOD["EHLO"], PIPELINING], ids=["one by one", "pipelining"], autouse=True)
def greeting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each server take one command at a time, then several."""
    monkeypatch.setitem(GOOD, "EHLO", request.param)


def sender(script: SmtpScript, timeout: float = 5) -> Sender:
    return Sender(SmtpAccount("127.0.0.1", script.port, "tak", "secret", tls="none", timeout=timeout))


async def test_letters_go_out_exactly_as_they_are_over_one_connection() -> None:
    async with smtp_server() as script:
        async with sender(script) as out:
            for _ in range(3):
                assert await out.send(RAW, ADA, TAK) == Sent("2.0.0 queued as 1")
        assert script.connections == 1
        # RFC 5321 §4.5.2: a leading dot is doubled in transit.
        assert script.letters == [b"Subject: x\r\n\r\n..a dot\r\n...two\r\nps a1\r\n.\r\n"] * 3
        assert script.heard[2:4] == [f"MAIL FROM:<{ADA}> SIZE={len(RAW)}", f"RCPT TO:<{TAK}>"]
        assert script.heard[-1] == "QUIT"


async def test_a_server_that_permits_it_gets_the_commands_before_the_text_at_once() -> None:
    late = {"EHLO": PIPELINING, "MAIL": "", "RCPT": "250 ok\r\n250 ok\r\n"}
    async with smtp_server(late) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


async def test_commands_that_were_sent_at_once_are_answered_all_before_the_next_letter() -> None:
    refused = {"EHLO": PIPELINING, "MAIL": ["552 no\r\n"], "RCPT": ["503 no\r\n"], "DATA": ["503 no\r\n"]}
    async with smtp_server(refused) as script, sender(script) as out:
        result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, Failed)
        assert "552 no" in result.reason
        assert await out.send(RAW, ADA, TAK) == Sent("2.0.0 queued as 1")
        assert script.connections == 1


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\r\n.\r\nb\r\n", b"a\r\n..\r\nb\r\n.\r\n"),
        (b"a\n.\nb\r.\r\nc", b"a\r\n..\r\nb\r\n..\r\nc\r\n.\r\n"),
        (b"..\r\n\r\n", b"...\r\n\r\n.\r\n"),
    ],
)
async def test_no_line_of_a_letter_ends_its_text(raw: bytes, text: bytes) -> None:
    async with smtp_server() as script, sender(script) as out:
        assert isinstance(await out.send(raw, ADA, TAK), Sent)
        assert script.letters == [text]
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


@pytest.mark.parametrize(
    "answer", ["250-a\r\n" * 1_000, "250 " + "a" * 20_000 + "\r\n", "600 what\r\n", "\r\n"]
)
async def test_an_answer_without_end_or_meaning_only_delays_the_letter(answer: str) -> None:
    async with smtp_server({"MAIL": [answer]}) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, TAK), Later)
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


async def test_the_null_sender_and_eight_bits_are_announced() -> None:
    async with smtp_server() as script, sender(script) as out:
        await out.send("Subject: ä\r\n\r\n".encode(), "", TAK)
        assert "MAIL FROM:<> SIZE=15 BODY=8BITMIME" in script.heard


async def test_several_tasks_may_send_at_once() -> None:
    async with smtp_server() as script, sender(script) as out:
        results = await asyncio.gather(*(out.send(RAW, ADA, TAK) for _ in range(10)))
        assert {type(result) for result in results} == {Sent}
        assert script.connections == 1


@pytest.mark.parametrize(
    ("stage", "code", "expected"),
    [
        *((stage, code, Later) for stage in ("MAIL", "RCPT", "DATA", ".") for code in ("450", "451")),
        *((stage, code, Failed) for stage in ("RCPT", "DATA", ".") for code in ("550", "552")),
        ("MAIL", "552", Failed),
        ("MAIL", "550", Later),
    ],
)
async def test_a_refusal_is_passing_or_final_by_its_code(
    stage: str, code: str, expected: type[Later | Failed]
) -> None:
    async with smtp_server({stage: [f"{code} 5.0.0 because\r\n"]}) as script, sender(script) as out:
        result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, expected)
        assert f"{code} 5.0.0 because" in result.reason
        assert f"127.0.0.1:{script.port}" in result.reason
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        assert "RSET" in script.heard
        assert script.connections == 1


@pytest.mark.parametrize(
    ("stage", "answer", "of_reader"),
    [
        ("RCPT", "550 5.1.1 user unknown", True),
        ("RCPT", "552 5.2.2 mailbox full", True),
        ("RCPT", "550 5.7.1 user unknown", False),
        ("RCPT", "554 5.1.1 blocked", False),
        ("RCPT", "550 blocked for bad reputation", False),
        ("DATA", "550 5.1.1 user unknown", False),
    ],
)
async def test_only_a_refused_reader_counts_as_one(stage: str, answer: str, of_reader: bool) -> None:
    async with smtp_server({stage: [f"{answer}\r\n"]}) as script, sender(script) as out:
        result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, Failed)
        assert result.no_such_recipient is of_reader


@pytest.mark.parametrize("stage", ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize("fault", [HANG_UP, "421 4.3.2 shutting down\r\n" + HANG_UP, "gibberish\r\n"])
async def test_a_connection_that_breaks_only_delays_the_letter(stage: str, fault: str) -> None:
    async with smtp_server({stage: [fault, fault]}) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, TAK), Later)
        script.answers.clear()
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


@pytest.mark.parametrize("stage", ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "."])
async def test_a_silent_server_only_delays_the_letter(stage: str) -> None:
    async with (
        smtp_server({stage: [""]}) as script,
        sender(script, timeout=0.1) as out,
        asyncio.timeout(PATIENCE),
    ):
        assert isinstance(await out.send(RAW, ADA, TAK), Later)
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


async def test_a_server_that_hung_up_meanwhile_is_called_again() -> None:
    async with smtp_server() as script, sender(script) as out:
        await out.send(RAW, ADA, TAK)
        for writer in script.clients.values():
            writer.close()
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        assert script.connections == 2


async def test_a_server_that_takes_so_many_letters_a_connection_is_called_again() -> None:
    enough = "421 4.7.0 too many letters\r\n" + HANG_UP
    async with smtp_server({"MAIL": ["250 ok\r\n", enough]}) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        assert script.connections == 2


async def test_a_refused_login_is_the_operators_fault_and_not_the_letters() -> None:
    async with smtp_server({"AUTH": "535 5.7.8 who are you\r\n"}) as script, sender(script) as out:
        result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, Later)
        words = "the login of tak was refused: 535 5.7.8 who are you; check `user` and `password` in [smtp]"
        assert result.reason.endswith(words)
        assert "secret" not in result.reason
        with pytest.raises(CannotSend, match="login of tak"):
            await out.check()


@pytest.mark.parametrize(
    ("stage", "answer"),
    [
        ("MAIL", "553 5.1.8 not yours"),
        ("RCPT", "553 5.7.1 <tak@example.test>: Sender address rejected: not owned by user tak"),
    ],
)
async def test_a_refused_sender_names_the_address(stage: str, answer: str) -> None:
    async with smtp_server({stage: f"{answer}\r\n"}) as script, sender(script) as out:
        with pytest.raises(CannotSend) as told:
            await out.check(TAK)
        words = f"{answer}; check `address` in [service]"
        assert str(told.value).endswith(words)
        result = await out.send(RAW, TAK, ADA)
        assert not isinstance(result, Sent)
        assert result.reason.endswith(words)


@pytest.mark.parametrize(
    "answer",
    [
        "554 5.7.1 Your account is temporarily suspended from sending",
        "550 5.7.1 Outbound mail is switched off",
        "553 5.1.8 not yours",
        "530 5.7.0 Authentication required",
        "503 5.5.1 Bad sequence",
        "500 what",
    ],
)
async def test_what_a_server_refuses_before_the_recipient_fails_no_letter(answer: str) -> None:
    async with smtp_server({"MAIL": f"{answer}\r\n"}) as script, sender(script) as out:
        result = await out.send(RAW, TAK, ADA)
        assert isinstance(result, Later)
        assert result.unreachable


@pytest.mark.parametrize(
    ("answer", "mail_from"),
    [
        ("501 5.5.4 Invalid arguments", TAK),
        ("552 5.3.4 Message size exceeds fixed limit", TAK),
        ("554 5.3.4 Message too big for system", TAK),
        ("550 5.6.7 Non-ASCII addresses not permitted", TAK),
        ("555 5.5.4 Unsupported option: SMTPUTF8", TAK),
        ("553 Mail from must equal authorized user", ""),
        ("550 5.7.1 Null senders are not accepted", ""),
    ],
)
async def test_what_a_server_refuses_of_one_letter_holds_up_no_other(answer: str, mail_from: str) -> None:
    async with smtp_server({"MAIL": f"{answer}\r\n"}) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, mail_from, ADA), Failed)


@pytest.mark.parametrize(
    "answers", [{}, {"MAIL": "451 4.7.1 later\r\n"}, {"RCPT": "450 4.2.0 greylisted\r\n"}]
)
async def test_asking_whether_the_address_may_send_sends_nothing(answers: dict[str, str]) -> None:
    async with smtp_server(answers) as script, sender(script) as out:
        await out.check(TAK)
        assert f"MAIL FROM:<{TAK}>" in script.heard
        assert script.letters == []


@pytest.mark.parametrize(
    ("stage", "answer", "keys"),
    [
        ("MAIL", "530 5.7.0 Must issue a STARTTLS command first", "`port` and `tls`"),
        ("MAIL", "530 5.7.0 Authentication required", "`user` and `password`"),
    ],
)
async def test_a_server_that_wants_more_first_names_the_keys(stage: str, answer: str, keys: str) -> None:
    async with smtp_server({stage: f"{answer}\r\n"}) as script, sender(script) as out:
        result = await out.send(RAW, TAK, ADA)
        assert isinstance(result, Later)
        assert result.reason.endswith(f"{answer}; check {keys} in [smtp]")


async def test_a_server_without_starttls_names_the_keys() -> None:
    async with smtp_server() as script:
        account = SmtpAccount("127.0.0.1", script.port, tls="starttls", timeout=5)
        async with Sender(account) as out:
            with pytest.raises(CannotSend, match=r"STARTTLS .*; check `port` and `tls` in \[smtp\]"):
                await out.check()


async def test_a_port_without_logins_names_what_to_change() -> None:
    async with (
        smtp_server({"EHLO": "250 mail.example.test\r\n"}) as script,
        Sender(SmtpAccount("127.0.0.1", script.port, "tak", "secret", tls="none")) as out,
    ):
        with pytest.raises(CannotSend, match=r'`tls` \("starttls"\) .* leave out `user` and `password`$'):
            await out.check()


async def test_a_refused_login_leaves_no_open_connection_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    sockets: list[socket.socket] = []
    login = aiosmtplib.SMTP.login

    async def watched(client: aiosmtplib.SMTP, user: str, password: str) -> aiosmtplib.SMTPResponse:
        assert client.transport is not None
        sockets.append(client.transport.get_extra_info("socket"))
        return await login(client, user, password)

    monkeypatch.setattr(aiosmtplib.SMTP, "login", watched)
    async with smtp_server({"AUTH": "535 5.7.8 who are you\r\n"}) as script, sender(script) as out:
        with pytest.raises(CannotSend):
            await out.check()
        assert [one.fileno() for one in sockets] == [-1]


async def test_a_server_that_wants_a_login_first_only_delays_the_letter() -> None:
    async with smtp_server({"MAIL": "530 5.7.0 log in first\r\n"}) as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, TAK), Later)


async def test_no_letter_and_no_password_go_out_where_starttls_is_missing() -> None:
    async with smtp_server() as script:
        async with Sender(SmtpAccount("127.0.0.1", script.port, "tak", "secret", tls="starttls")) as out:
            result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, Later)
        assert not any(line.startswith(("AUTH", "MAIL")) for line in script.heard)


async def test_an_unreadable_ca_file_only_delays_the_letter() -> None:
    async with smtp_server() as script:
        account = SmtpAccount("127.0.0.1", script.port, tls="implicit", ca_file="/no/such/file")
        async with Sender(account) as out:
            assert isinstance(await out.send(RAW, ADA, TAK), Later)


@pytest.mark.parametrize("to", ["täk@example.test", "tak@exämple.test"])
async def test_a_recipient_beyond_ascii_fails_alone(to: str) -> None:
    async with smtp_server() as script, sender(script) as out:
        result = await out.send(RAW, ADA, to)
        assert isinstance(result, Failed)
        assert "SMTPUTF8" in result.reason
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)


async def test_a_recipient_beyond_ascii_is_written_to_where_the_server_can() -> None:
    async with (
        smtp_server({"EHLO": "250-mail\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n"}) as script,
        sender(script) as out,
    ):
        assert isinstance(await out.send(RAW, ADA, "täk@example.test"), Sent)
        assert f"MAIL FROM:<{ADA}> SMTPUTF8" in script.heard
        assert "RCPT TO:<täk@example.test>" in script.heard


@pytest.mark.parametrize(
    "to",
    [
        "",
        "a b@example.test",
        "a@example.test>\r\nDATA",
        "a@b.test, c@d.test",
        "Ada <a@b.test>",
        "a\0@b",
        "\udcff@b",
    ],
)
async def test_what_is_no_address_never_reaches_the_server(to: str) -> None:
    async with smtp_server() as script, sender(script) as out:
        assert isinstance(await out.send(RAW, ADA, to), Failed)
        assert isinstance(await out.send(RAW, "x\r\ny", TAK), Failed)
        assert script.connections == 0


async def test_a_cancelled_letter_leaves_the_next_one_a_fresh_connection() -> None:
    async with smtp_server({".": [""]}) as script, sender(script) as out:
        sending = asyncio.create_task(out.send(RAW, ADA, TAK))
        async with asyncio.timeout(PATIENCE):
            await script.has_letter.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        assert script.connections == 2


async def test_closing_takes_no_longer_than_a_polite_server_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "_QUIT_SECONDS", 0.05)
    async with smtp_server({"QUIT": ""}) as script, asyncio.timeout(PATIENCE):
        before = asyncio.all_tasks()
        out = sender(script, timeout=60)
        await out.check()
        await out.close()
        await out.close()
        script_tasks = {task for task in script.clients if task}
        assert asyncio.all_tasks() - script_tasks == before
        assert isinstance(await out.send(RAW, ADA, TAK), Sent)
        script.always["QUIT"] = GOOD["QUIT"]
        await out.close()


async def test_nobody_answers() -> None:
    async with smtp_server() as script:
        port = script.port
    async with Sender(SmtpAccount("127.0.0.1", port, tls="none")) as out:
        result = await out.send(RAW, ADA, TAK)
        assert isinstance(result, Later)
        assert str(port) in result.reason


def test_the_password_is_in_no_repr() -> None:
    assert "hush" not in repr(SmtpAccount("mail.example.org", 587, "tak", "hush"))


def test_plain_smtp_over_a_network_is_refused() -> None:
    SmtpAccount("localhost", 25, tls="none")
    with pytest.raises(ValueError, match=r"mail\.example\.org is another machine"):
        SmtpAccount("mail.example.org", 25, tls="none")


def test_deferred_letters_are_tried_ever_more_rarely() -> None:
    minutes = [retry_delay(attempts) / timedelta(minutes=1) for attempts in range(10)]
    assert minutes == [0, 1, 2, 4, 8, 16, 32, 64, 120, 120]
    assert timedelta(days=5) == GIVE_UP_AFTER


@given(from_regex(smtp._PLAIN_ADDRESS, fullmatch=True))
def test_an_address_that_looks_plain_is_written_by_the_library_as_it_stands(address: str) -> None:
    assert parse_address(address) == address
