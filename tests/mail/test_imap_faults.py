"""The IMAP mailbox, against a scripted server: delays, dropped connections and refusals."""

import asyncio
import logging
import re
import resource
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from takmail.limits.mails import MAX_IMAP_ANSWER_BYTES
from takmail.runtime.net.imap import CommandRefused, ImapAccount, LoginRefused, Mailbox, MailboxLost
from tests.mail.imap_script import GOOD, ImapScript, imap_server
from tests.mail.scripted import HANG_UP
from tests.support.cost import PATIENCE
from tests.support.width import some_of


def mailbox(script: ImapScript, limit: float = 5) -> Mailbox:
    account = ImapAccount("127.0.0.1", script.port, "tak", "secret", tls="none", poll_seconds=0.05)
    return Mailbox(replace(account, timeout=limit))


async def use(box: Mailbox, seconds: float = 0) -> None:
    async with box:
        await box.new_uids(0)
        await box.fetch([11])
        await box.wait(seconds)
        await box.file_away([11], "Processed")


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "LIST", "SELECT", "NOOP", "SEARCH"])
async def test_a_server_that_falls_silent_is_given_up_in_time(command: str) -> None:
    async with imap_server(**{command: ""}) as script, asyncio.timeout(PATIENCE):
        with pytest.raises(MailboxLost, match=r"within 0\.1 s"):
            await use(mailbox(script, limit=0.1))


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "LIST", "SELECT", "NOOP", "SEARCH"])
async def test_a_server_that_hangs_up_is_noticed_long_before_any_limit(command: str) -> None:
    async with imap_server(**{command: HANG_UP}) as script, asyncio.timeout(PATIENCE):
        with pytest.raises(MailboxLost, match="hung up"):
            await use(mailbox(script, limit=60))


async def test_a_hang_up_in_the_middle_of_a_mail_is_noticed_at_once() -> None:
    half = "* 1 FETCH (UID 11 RFC822.SIZE 100 BODY[] {100}\r\nSubject: ha" + HANG_UP
    async with imap_server(FETCH=half) as script, mailbox(script, limit=60) as box, asyncio.timeout(PATIENCE):
        with pytest.raises(MailboxLost, match="UID FETCH"):
            await box.fetch([11])


async def test_a_greeting_that_turns_away_is_quoted() -> None:
    async with imap_server(greeting="* BYE too many of you\r\n") as script, asyncio.timeout(PATIENCE):
        with pytest.raises(MailboxLost, match="too many of you"):
            await mailbox(script, limit=60).check()


@pytest.mark.parametrize("verdict", ["NO", "BAD"])
@pytest.mark.parametrize("command", ["LIST", "SELECT", "NOOP", "SEARCH", "FETCH", "STORE", "MOVE"])
async def test_a_refused_command_is_told_in_the_servers_words(command: str, verdict: str) -> None:
    async with imap_server(**{command: f"{{tag}} {verdict} not today\r\n"}) as script:
        with pytest.raises(CommandRefused, match=f"{command} was answered with {verdict} not today"):
            await use(mailbox(script))


async def test_a_refused_login_is_the_operators_to_mend() -> None:
    async with imap_server(LOGIN="{tag} NO [AUTHENTICATIONFAILED] who?\r\n") as script:
        with pytest.raises(LoginRefused, match=r"tak: NO .+who"):
            await mailbox(script).check()


async def test_a_login_that_is_refused_for_now_is_tried_again() -> None:
    async with imap_server(LOGIN="{tag} NO [UNAVAILABLE] database down\r\n") as script:
        with pytest.raises(MailboxLost, match="database down"):
            await mailbox(script).check()


async def test_no_password_is_sent_where_the_server_wants_none() -> None:
    async with imap_server(CAPABILITY="* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n{tag} OK\r\n") as script:
        with pytest.raises(LoginRefused, match="without TLS"):
            await mailbox(script).check()
        assert not any("secret" in line for line in script.heard)


@pytest.mark.parametrize("answer", ['* ID ("name" "Coremail")\r\n{tag} OK\r\n', "{tag} BAD what?\r\n"])
async def test_a_server_that_wants_to_know_is_told_the_programs_name_first(answer: str) -> None:
    capability = "* CAPABILITY IMAP4rev1 ID\r\n{tag} OK\r\n"
    async with imap_server(CAPABILITY=capability, ID=answer) as script:
        await mailbox(script).check()
        commands = [line.split()[0] for line in script.heard]
        (identity,) = (line for line in script.heard if line.startswith("ID "))
        assert commands.index("LOGIN") < commands.index("ID") < commands.index("SELECT")
        assert re.fullmatch(r'ID \("name" "takmail" "version" "[\d.]+"\)', identity)


async def test_a_server_that_does_not_ask_is_told_no_name() -> None:
    async with imap_server() as script:
        await mailbox(script).check()
        assert not any(line.startswith("ID") for line in script.heard)


async def test_a_missing_processed_folder_is_made() -> None:
    async with imap_server(LIST="{tag} OK none\r\n") as script:
        await mailbox(script).check()
        assert 'CREATE "Processed"' in script.heard


async def test_a_folder_that_another_program_has_just_made_is_as_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = "{tag} NO [ALREADYEXISTS] Mailbox already exists\r\n"
    async with imap_server(LIST="{tag} OK none\r\n", CREATE=refused) as script:
        say = script.say

        def say_and_make(writer: asyncio.StreamWriter, command: str, tag: str) -> None:
            say(writer, command, tag)
            if command == "CREATE":
                script.answers["LIST"] = GOOD["LIST"]

        monkeypatch.setattr(script, "say", say_and_make)
        await mailbox(script).check()
        assert script.heard.count('CREATE "Processed"') == 1


async def test_a_processed_folder_that_cant_be_made_is_told() -> None:
    async with imap_server(LIST="{tag} OK none\r\n", CREATE="{tag} NO not allowed\r\n") as script:
        with pytest.raises(CommandRefused, match="not allowed"):
            await mailbox(script).check()


async def test_without_uidnext_the_last_mail_tells_it() -> None:
    select = "* OK [UIDVALIDITY 7] ok\r\n{tag} OK done\r\n"
    async with (
        imap_server(SELECT=select, SEARCH="* SEARCH 41\r\n{tag} OK\r\n") as script,
        mailbox(script) as box,
    ):
        assert (box.uid_validity, box.uid_next) == (7, 42)
        assert "UID SEARCH UID *" in script.heard


async def test_without_move_mails_are_copied_and_only_they_expunged() -> None:
    capability = "* CAPABILITY IMAP4rev1 UIDPLUS\r\n{tag} OK\r\n"
    async with imap_server(CAPABILITY=capability) as script, mailbox(script) as box:
        await box.file_away([3, 4, 5, 9], "Processed")
        assert script.heard[-4:] == [
            r"UID STORE 3:5,9 +FLAGS.SILENT (\Seen)",
            'UID COPY 3:5,9 "Processed"',
            r"UID STORE 3:5,9 +FLAGS.SILENT (\Deleted)",
            "UID EXPUNGE 3:5,9",
        ]


async def test_without_move_and_uidplus_everything_deleted_is_expunged() -> None:
    async with (
        imap_server(CAPABILITY="* CAPABILITY IMAP4rev1\r\n{tag} OK\r\n") as script,
        mailbox(script) as box,
    ):
        await box.file_away([3], "Processed")
        assert script.heard[-1] == "EXPUNGE"


async def test_a_mail_is_not_deleted_when_its_copy_failed() -> None:
    answers = {"CAPABILITY": "* CAPABILITY IMAP4rev1\r\n{tag} OK\r\n", "COPY": "{tag} NO quota\r\n"}
    async with imap_server(**answers) as script, mailbox(script) as box:
        with pytest.raises(CommandRefused, match="quota"):
            await box.file_away([3], "Processed")
        assert not any("Deleted" in line or "EXPUNGE" in line for line in script.heard)


async def test_a_server_that_never_answers_idle_costs_a_poll_and_the_limit() -> None:
    async with (
        imap_server(IDLE="", DONE="") as script,
        mailbox(script, limit=0.1) as box,
        asyncio.timeout(PATIENCE),
    ):
        await box.new_uids(0)
        with pytest.raises(MailboxLost, match="DONE"):
            await box.wait()


async def test_a_hang_up_in_idle_ends_the_wait() -> None:
    async with (
        imap_server(IDLE="+ idling\r\n" + HANG_UP) as script,
        mailbox(script) as box,
        asyncio.timeout(PATIENCE),
    ):
        await box.new_uids(0)
        with pytest.raises(MailboxLost, match="hung up"):
            await box.wait(60)


async def test_a_server_that_takes_idle_back_is_polled() -> None:
    async with imap_server(IDLE="{tag} BAD never heard of it\r\n") as script, mailbox(script) as box:
        await box.new_uids(0)
        assert [await box.wait(), await box.wait()] == [False, False]
        assert script.heard.count("IDLE") == 1


async def test_without_idle_the_mailbox_is_polled_and_a_hang_up_noticed() -> None:
    async with (
        imap_server(CAPABILITY="* CAPABILITY IMAP4rev1\r\n{tag} OK\r\n") as script,
        mailbox(script) as box,
    ):
        await box.new_uids(0)
        assert await box.wait() is False
        assert "IDLE" not in script.heard
        script.push("* BYE restarting\r\n")
        for writer in script.clients.values():
            writer.close()
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(MailboxLost):
                await box.wait(60)


async def test_only_new_mail_wakes_the_waiting() -> None:
    async with imap_server() as script, mailbox(script) as box, asyncio.timeout(PATIENCE):
        await box.new_uids(0)
        waiting = asyncio.create_task(box.wait(60))
        await script.idling.wait()
        script.push("* OK still here\r\n* 2 EXPUNGE\r\n")
        await asyncio.wait({waiting}, timeout=0.05)
        assert not waiting.done()
        script.push("* 1 EXISTS\r\n")
        assert await waiting is True


async def test_mail_told_of_between_two_commands_is_not_slept_over() -> None:
    late = "* SEARCH 11\r\n* 2 EXISTS\r\n{tag} OK done\r\n"
    async with imap_server(SEARCH=late) as script, mailbox(script) as box, asyncio.timeout(PATIENCE):
        assert await box.new_uids(0) == (11,)
        assert await box.wait(60) is True
        assert "IDLE" not in script.heard


async def test_a_cancelled_wait_leaves_no_task_even_with_a_dead_imap_server() -> None:
    async with imap_server(DONE="", LOGOUT="") as script:
        box = mailbox(script, limit=0.1)
        await box.open()
        await box.new_uids(0)
        before = asyncio.all_tasks()
        waiting = asyncio.create_task(box.wait(60))
        await script.idling.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert asyncio.all_tasks() == before
        async with asyncio.timeout(PATIENCE):
            await box.close()


async def test_what_servers_write_into_a_fetch_is_understood() -> None:
    answer = (
        '* 1 FETCH (UID 11 INTERNALDATE " 5-Nov-2026 23:30:00 -0100" RFC822.SIZE 4 BODY[] {4}\r\n(UID)\r\n'
        "* 2 EXISTS\r\n"
        "* 7 FETCH (FLAGS (\\Seen))\r\n"
        '* 2 FETCH (BODY[] "a \\"b\\" UID 99" INTERNALDATE "garbage" UID 12)\r\n'
        "* 3 FETCH (UID 13 RFC822.SIZE 0 BODY[] NIL)\r\n"
        "* 4 FETCH (UID 14 RFC822.SIZE 0 BODY[] {0}\r\n)\r\n"
        "* 5 FETCH (UID 555 BODY[] {2}\r\nhi)\r\n"
        "{tag} OK done\r\n"
    )
    async with imap_server(FETCH=answer) as script, mailbox(script) as box:
        mails = await box.fetch([14, 13, 12, 11])
    assert [(mail.uid, mail.raw) for mail in mails] == [
        (11, b"(UID"),
        (12, b'a "b" UID 99'),
        (13, b""),
        (14, b""),
    ]
    assert [mail.received for mail in mails] == [datetime(2026, 11, 6, 0, 30, tzinfo=UTC), None, None, None]


WRONG_DATES = (
    "5-Nov-2026 23:30:00 -0100",
    "05-Nov-2026 23:30:00",
    "05-Nov-2026 24:30:00 +0000",
    "05-Nov-2026 23:30:60 +0000",
    "31-Nov-2026 23:30:00 +0000",
    "05-Nov-26 23:30:00 +0000",
    "05-Brumaire-2026 23:30:00 +0000",
    "Thu, 05 Nov 2026 23:30:00 +0000",
    "05-Nov-2026 23:30:00 +9900",
    "31-Dec-9999 23:30:00 -0100",
    "00-Jan-0000 00:00:00 +0000",
)


async def test_a_time_that_no_server_may_send_is_none() -> None:
    answer = "".join(
        f'* {uid} FETCH (UID {uid} INTERNALDATE "{date}" BODY[] {{2}}\r\nhi)\r\n'
        for uid, date in enumerate((*WRONG_DATES, "05-NOV-2026 00:30:00 -0000"), start=1)
    )
    async with imap_server(FETCH=answer + "{tag} OK done\r\n") as script, mailbox(script) as box:
        mails = await box.fetch(range(1, len(WRONG_DATES) + 2))
    times = [mail.received for mail in mails]
    assert times == [None] * len(WRONG_DATES) + [datetime(2026, 11, 5, 0, 30, tzinfo=UTC)]


async def test_a_fetched_mail_stays_unread() -> None:
    async with imap_server() as script, mailbox(script) as box:
        await box.fetch([11])
        await box.fetch([11], at_most=100)
    fetches = [line for line in script.heard if "FETCH" in line]
    assert [line.partition("BODY")[2] for line in fetches] == [".PEEK[])", ".PEEK[]<0.100>)"]


FLOODS = {
    "a literal": "* 1 FETCH (UID 11 BODY[] {4000000000}\r\n" + "x" * 40_000_000,
    "expunged mails": "* 1 EXPUNGE\r\n" * 200_000,
    "flags": "* 1 FETCH (FLAGS ())\r\n" * 200_000,
    "empty lines": "\r\n" * 200_000,
    "line feeds": "\n" * 20_000_000,
    "a long line": "* OK " + "x" * 20_000_000,
    "unknown lines": "what\r\n" * 200_000,
    "literals": "* 1 FETCH (BODY[] {1}\r\nx)\r\n" * 200_000,
    "continuations": "+ go on\r\n" * 200_000,
}
"""What a server sends that has gone mad, or means harm."""


@pytest.mark.parametrize(
    ("command", "flood"),
    some_of(
        [
            *(("FETCH", flood) for flood in FLOODS),
            *((command, "flags") for command in ("SELECT", "SEARCH", "IDLE")),
            ("IDLE", "a long line"),
        ],
        3,
    ),
)
async def test_a_server_that_sends_too_much_is_left_and_may_be_asked_again(
    command: str, flood: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with imap_server(**{command: FLOODS[flood]}) as script:
        box = mailbox(script, limit=60)
        began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(MailboxLost, match="the server sent more than"):
            await use(box, 60)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - began
        assert grown * 1_024 < 4 * MAX_IMAP_ANSWER_BYTES
        script.answers = {**GOOD}
        await use(mailbox(script))
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_many_mails_that_another_program_deletes_are_only_news(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with (
        imap_server(NOOP="* 1 EXPUNGE\r\n" * 1_900 + "{tag} OK done\r\n") as script,
        mailbox(script) as box,
    ):
        for _ in range(5):
            assert await box.new_uids(0) == ()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_mailbox_of_a_hundred_thousand_mails_is_read() -> None:
    numbers = " ".join(map(str, range(1_000_001, 1_100_001)))
    async with (
        imap_server(SEARCH=f"* SEARCH {numbers}\r\n{{tag}} OK done\r\n") as script,
        mailbox(script) as box,
    ):
        assert len(await box.new_uids(0)) == 100_000


async def test_the_lines_of_mails_are_not_counted() -> None:
    text = "a line\r\n" * 50_000
    mail = (
        f"* 1 FETCH (UID 11 RFC822.SIZE {len(text)} BODY[] {{{len(text)}}}\r\n{text})\r\n{{tag}} OK done\r\n"
    )
    async with imap_server(FETCH=mail) as script, mailbox(script) as box:
        (fetched,) = await box.fetch([11])
        assert fetched.raw == text.encode()
