"""Mails delivered by LMTP: a game without a mailbox, and the errors that can prevent it."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from takmail.runtime import bootstrap as composition
from takmail.runtime import lmtp_receiver
from takmail.store import database, leases
from tests.support.by_lmtp import KEPT, app_on, begun, mail, place, play, reply_address, rows, serving, turns
from tests.support.cost import PATIENCE
from tests.support.databases import locked
from tests.support.lmtp import SOMEONE, connected
from tests.support.network import ADA, BEN, TAK, live, logged


async def test_a_game_is_played_without_a_mailbox(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, play(game) as post:
        await post.write(ADA, f"new 5 vs {BEN} first=me", TAK)
        await post.read(ADA)
        await post.write(ADA, "yes")
        await post.read(BEN)
        await post.write(BEN, "accept")
        await post.read(BEN)
        await post.read(ADA, 2)
        for number, (who, move) in enumerate([(ADA, "ps a1"), (BEN, "ps e5"), (ADA, "ps b2")], 4):
            assert await post.write(who, move) == KEPT.format(number)
            await post.read(who)
            await post.read(BEN if who == ADA else ADA)
        assert turns(app) == ["ps a1", "ps e5", "ps b2"]


async def test_a_second_service_takes_the_socket_over_when_the_first_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEWED_EVERY", timedelta(milliseconds=20))
    async with live(tmp_path) as game:
        second, stop = app_on(game), asyncio.Event()
        async with AsyncExitStack() as first:
            await first.enter_async_context(serving(game))
            with logged("another takmail listens at") as waits:
                task = asyncio.create_task(second.serve(stop))
                async with asyncio.timeout(PATIENCE):
                    await waits.wait()
            with logged("listening at") as listens:
                await first.aclose()
                async with asyncio.timeout(PATIENCE):
                    await listens.wait()
        async with connected(place(game)) as client:
            assert await client.sent(mail(ADA, "help")) == [KEPT.format(1)]
        stop.set()
        await task
        second.close()
        assert not place(game).exists()


async def test_the_seat_is_known_by_the_envelope_where_no_header_names_it(tmp_path: Path) -> None:
    async with begun(tmp_path) as game, serving(game) as app, play(game) as post:
        hidden = mail(ADA, "ps b4", to="Friends:;", number=20)
        await post.client.sent(hidden, [reply_address(post.last[ADA])], ADA)
        await post.read(ADA)
        assert turns(app) == ["ps b4"]


async def test_a_mail_for_two_of_our_addresses_is_one_mail_that_names_both(tmp_path: Path) -> None:
    async with begun(tmp_path) as game, serving(game) as app, play(game) as post:
        both = [TAK, reply_address(post.last[ADA])]
        assert await post.client.sent(mail(ADA, "ps b4", number=20), both, ADA) == [KEPT.format(4)] * 2
        await post.read(ADA)
        assert turns(app) == ["ps b4"]
        assert len(rows(app)) == 4


async def test_what_comes_from_nobody_is_a_machines_and_never_answered(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, connected(place(game)) as client:
        with logged("mail 2: answered") as answered:
            await client.sent(mail(ADA, "help"), [TAK], "")
            await client.sent(mail(SOMEONE, "help", number=2), [TAK])
            async with asyncio.timeout(PATIENCE):
                await answered.wait()
        assert (rows(app)[0].state, rows(app)[0].note) == ("machine", "null-return-path")


async def test_the_writer_of_a_mail_over_the_limit_is_told_so_by_a_letter(tmp_path: Path) -> None:
    async with begun(tmp_path, mail_bytes=1024 * 1024) as game, serving(game) as app, play(game) as post:
        assert await post.write(ADA, "ps a1\r\n" * (game.limits.mail_bytes // 7)) == KEPT.format(4)
        assert "longer than the 1 MiB" in await post.read(ADA)
        assert turns(app) == []
        assert len(rows(app)[-1].raw) <= DEFAULT_LIMITS.header_bytes


async def test_while_the_database_is_locked_a_mail_is_deferred_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 0.0
    monkeypatch.setattr(
        composition, "LmtpReceiver", partial(lmtp_receiver.LmtpReceiver, seconds=lambda: seconds)
    )
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(composition, "DATABASE_AWAY", timedelta(milliseconds=10))
    async with live(tmp_path) as game, serving(game) as app, connected(place(game)) as client:
        later = "451 4.3.0 It can't be kept now; try again later"
        with locked(tmp_path):
            with logged("a mail is refused for now, and the client will retry") as told:
                assert await client.sent(mail(ADA, "help"), [TAK] * 2) == [later] * 2
            assert told.is_set()
            with logged("a mail is refused for now") as told:
                assert await client.sent(mail(ADA, "help"), [TAK]) == [later]
            assert not told.is_set(), "the database rests, and is not asked for each"
        seconds = lmtp_receiver.REFUSAL_SECONDS
        assert await client.sent(mail(ADA, "help"), [TAK]) == [KEPT.format(1)]
        await game.system.next_mail(ADA, PATIENCE)
        assert len(rows(app)) == 1


async def test_a_mail_that_is_being_handed_over_at_the_end_is_kept_and_played_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game:
        app, stop = app_on(game), asyncio.Event()
        with logged("listening at") as listens:
            task = asyncio.create_task(app.serve(stop))
            await listens.wait()
        async with connected(place(game)) as client, connected(place(game)) as idle:
            await client.begin([TAK], ADA)
            stop.set()
            assert (await idle.answer()).startswith("421")
            client.send(mail(ADA, "help") + b".\r\n")
            assert await client.answer() == KEPT.format(1)
        await task
        app.close()
        async with serving(game):
            await game.system.next_mail(ADA, PATIENCE)
