"""The mails in a mailbox that are answered: at the first start, and after the server has renumbered them."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import func, select

from takmail.runtime.bootstrap import App
from takmail.store.tables import InboxRow
from tests.support.mail_system import MailSystem
from tests.support.network import ADA, PASSWORDS, TAK, Network, bury, live, one_round

LONG_AGO = datetime(2020, 1, 1, 12, tzinfo=UTC)


async def _old_mails(game: Network) -> None:
    for number in range(3):
        await game.write(ADA, "help", message_id=f"<old{number}@mail.example.org>", received=LONG_AGO)


async def _first_letters(game: Network) -> list[str]:
    return [letter["In-Reply-To"] for letter in await game.letters(ADA)]


async def test_mails_older_than_the_first_start_are_never_answered(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await _old_mails(game)
        for number in range(2):
            app = game.app()
            await one_round(app)
            await game.write(ADA, "help", message_id=f"<new{number}@mail.example.org>")
            await one_round(app)
            await bury(app)
        assert await _first_letters(game) == ["<new0@mail.example.org>", "<new1@mail.example.org>"]
        assert len(await game.system.mails(TAK)) == 3


async def test_how_many_they_are_is_told_at_the_first_start_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with live(tmp_path) as game:
        await _old_mails(game)
        with caplog.at_level(logging.INFO, "takmail"):
            for _ in range(2):
                app = game.app()
                await one_round(app)
                await one_round(app)
                await bury(app)
        told = [one.getMessage() for one in caplog.records if "first_start" in one.getMessage()]
        assert told == ["3 mails from before the first start are ignored ([imap] first_start)"]


async def test_they_are_answered_where_the_settings_say_all(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await _old_mails(game)
        app = game.app(first_start="all")
        await one_round(app)
        assert len(await game.letters(ADA)) == 3
        assert await game.system.mails(TAK) == []
        await bury(app)


async def _numbered_anew(game: Network, system: MailSystem) -> Network:
    """Renumber a mailbox, as after a restore: it has the same mails with the same dates under new UIDs."""
    again = Network(system, game.folder)
    await _old_mails(again)
    await again.write(ADA, "help", message_id="<new@mail.example.org>")
    return again


async def test_a_mailbox_numbered_anew_brings_no_second_answer_and_leaves_old_mails_alone(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game, MailSystem(PASSWORDS) as system:
        await _old_mails(game)
        app = game.app()
        await one_round(app)
        await game.write(ADA, "help", message_id="<new@mail.example.org>")
        await one_round(app)
        assert await _first_letters(game) == ["<new@mail.example.org>"]
        await bury(app)

        restored = await _numbered_anew(game, system)
        await restored.write(ADA, "help", message_id="<newest@mail.example.org>")
        app = restored.app()
        await one_round(app)
        assert await _first_letters(restored) == ["<newest@mail.example.org>"]
        assert len(await system.mails(TAK)) == 3
        assert len(await system.mails(TAK, "Processed")) == 2
        kept = _kept(app)
        await one_round(app)
        assert _kept(app) == kept, "mails that are left alone are not looked at again"
        await bury(app)


async def test_nothing_of_a_mail_that_is_left_alone_is_kept(tmp_path: Path) -> None:
    async with live(tmp_path) as game, MailSystem(PASSWORDS) as system:
        await _old_mails(game)
        app = game.app()
        await one_round(app)
        await bury(app)
        restored = await _numbered_anew(game, system)
        app = restored.app()
        await one_round(app)
        with app.store.transaction() as session:
            rows = session.exec(select(InboxRow)).all()
        assert [(row.raw, row.state) for row in rows if row.is_filed and not row.raw] == [(b"", "older")] * 3
        await bury(app)


async def test_a_mailbox_numbered_anew_is_answered_whole_where_nothing_was_old(tmp_path: Path) -> None:
    async with live(tmp_path) as game, MailSystem(PASSWORDS) as system:
        app = game.app(first_start="all")
        await one_round(app)
        await bury(app)
        restored = await _numbered_anew(game, system)
        app = restored.app(first_start="all")
        await one_round(app)
        assert len(await _first_letters(restored)) == 4
        await bury(app)


async def test_a_mail_that_another_process_has_handled_meanwhile_is_not_handled_again(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game:
        app, other = game.app(), game.app()
        app.mail_worker.keep_one(f"From: {ADA}\r\nTo: {TAK}\r\n\r\nhelp\r\n".encode())
        other.mail_worker.work()
        app.mail_worker.work()
        await app.delivery_worker.send_due()
        assert len(await game.letters(ADA)) == 1
        await bury(other)
        await bury(app)


def _kept(app: App) -> int:
    with app.store.transaction() as session:
        return session.exec(select(func.count()).select_from(InboxRow)).one()


@pytest.mark.parametrize("mails", [200, pytest.param(20_000, marks=pytest.mark.long)])
async def test_of_many_old_mails_none_is_fetched_nor_answered(mails: int, tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        mail = f"From: {ADA}\r\nTo: {TAK}\r\n\r\nhelp\r\n".encode()
        for _ in range(mails):
            await game.system.deliver(TAK, mail, mail_from=ADA, received=LONG_AGO)
        app = game.app()
        await one_round(app)
        assert _kept(app) == 0
        await game.write(ADA, "help")
        await one_round(app)
        assert len(await game.letters(ADA)) == 1
        assert _kept(app) == 1
        await bury(app)


async def test_a_mail_is_stored_with_the_time_at_which_the_mailbox_got_it(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        await game.write(ADA, "help", received=LONG_AGO)
        await one_round(app)
        number = app.mail_worker.keep_one(f"From: {ADA}\r\nTo: {TAK}\r\n\r\nhelp\r\n".encode())
        with app.store.transaction() as session:
            times = {row.id: row.arrived_at for row in session.exec(select(InboxRow))}
        assert times == {1: LONG_AGO.replace(microsecond=0), number: None}
        await bury(app)
