"""Faults of an IMAP server: refusals, restarts, and missing commands."""

import asyncio
import re
from pathlib import Path

import pytest

from takmail.runtime import imap_poller
from tests.faults.scene import scene
from tests.support.cost import PATIENCE
from tests.support.network import TAK, logged
from tests.support.width import combined

COMMANDS = (
    "CAPABILITY", "LIST", "SELECT", "NOOP", "UID SEARCH",
    r"UID FETCH .+SIZE\)", "UID FETCH .+BODY", "UID STORE", "UID MOVE",
)  # fmt: skip
WITHOUT_IDLE = "* CAPABILITY IMAP4rev1 MOVE UIDPLUS\r\n{tag} OK done\r\n"


async def test_any_command_that_is_refused_once_delays_a_mail_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch, poll_seconds=0.2) as it:
        for command, verdict in combined(COMMANDS, ["NO", "BAD"]):
            it.imap.answer(command, f"{{tag}} {verdict} not now\r\n")
            it.imap.hang_up()
            await it.turn()
            assert not it.imap.answers[command], "it was refused"
        assert it.copies() == 1


async def test_a_mailbox_that_lets_nobody_in_for_a_while_is_read_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        for command, answer in (
            ("LOGIN", "{tag} NO [AUTHENTICATIONFAILED] who are you\r\n"),
            ("LOGIN", "{tag} NO [UNAVAILABLE] later\r\n"),
            ("SELECT", "{tag} NO [NONEXISTENT] there is no such mailbox\r\n"),
        ):
            it.imap.answer(command, *[answer] * 5)
            it.imap.hang_up()
            with logged(answer.split("] ")[1].strip()) as told:
                await it.turn()
            assert told.is_set()
            assert not it.imap.answers[command]


async def test_a_server_that_is_restarted_in_the_middle_of_a_fetch_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        fetching = asyncio.Event()

        async def goes_down() -> None:
            fetching.set()
            await it.game.system.stop()

        it.imap.before["UID FETCH .+BODY"] = goes_down
        await it.write()
        await asyncio.wait_for(fetching.wait(), PATIENCE)
        with logged("mailbox polling stopped") as lost:
            await asyncio.wait_for(lost.wait(), PATIENCE)
        await it.game.system.start()
        await it.answered()
        await it.at_rest()
        it.check()


async def test_where_processed_is_full_new_mails_are_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        it.imap.always["UID MOVE"] = "{tag} NO [OVERQUOTA] Processed is full\r\n"
        for _ in range(3):
            await it.write()
            await it.answered()
        it.check()
        assert len(await it.game.system.mails(TAK)) == 3
        it.imap.always.clear()
        await it.turn()


async def test_where_no_folder_for_rejected_mails_can_be_made_they_go_to_the_processed_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        it.imap.always |= {
            'LIST "" "Rejected"': "{tag} OK none\r\n",
            'CREATE "Rejected"': "{tag} NO not here\r\n",
        }
        it.imap.hang_up()
        await it.game.write(
            "Someone <someone@example.net>", "Auto-reply", message_id="<gone@mail.example.net>"
        )
        await it.turn()
        assert it.app.mailbox is not None
        assert it.app.mailbox.rejected == "Processed"


async def test_without_idle_the_mailbox_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with scene(tmp_path, monkeypatch, poll_seconds=0.02) as it:
        it.imap.always["CAPABILITY"] = WITHOUT_IDLE
        it.polls = True
        it.imap.hang_up()
        it.imap.heard.clear()
        await it.turn()
        assert not any(line.endswith("IDLE") for line in it.imap.heard)


async def test_an_idle_that_is_refused_is_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap_poller, "POLL_PAUSES", ())
    async with scene(tmp_path, monkeypatch, poll_seconds=0.02) as it:
        it.imap.always["IDLE"] = "{tag} BAD not today\r\n"
        it.polls = True
        it.imap.hang_up()
        it.imap.heard.clear()
        await it.turn()
        await it.turn()
        assert sum(line.endswith("IDLE") for line in it.imap.heard) == 1


async def test_a_mail_that_no_push_tells_of_is_found_by_polling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch, poll_seconds=0.1) as it:
        it.imap.swallows = re.compile(rb"\* \d+ (EXISTS|RECENT)\r\n")
        await it.turn()
        await it.turn()
