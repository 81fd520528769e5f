"""Two services on one mailbox, one with a copy of the other's database: one stops before a mail is answered twice."""

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from unittest.mock import AsyncMock, patch

import pytest

from takmail.config import LimitSettings
from takmail.runtime import mailbox_guard
from takmail.runtime.bootstrap import App
from takmail.store import marker
from takmail.store.backup import back_up
from tests.support.cost import PATIENCE
from tests.support.network import ADA, Network, bury, live, logged, one_round

pytestmark = pytest.mark.sqlite("the database is copied as a file")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a service that takes the mailbox over from elsewhere wait for less time."""
    monkeypatch.setattr(mailbox_guard, "GRACE", timedelta(seconds=2))
    monkeypatch.setattr(mailbox_guard, "TRUSTED", timedelta(seconds=1))
    monkeypatch.setattr(mailbox_guard, "LOOK_EVERY", timedelta(seconds=0.2))


def copy_of(game: Network, name: str) -> Network:
    """Copy the database and the key to a folder, as somebody does who clones a machine."""
    folder = game.folder / name
    folder.mkdir()
    back_up(game.folder / "takmail.sqlite", folder / "takmail.sqlite")
    shutil.copy(game.settings().service.key_file, folder)
    return replace(game, folder=folder)


@asynccontextmanager
async def serving(*games: Network) -> AsyncIterator[Sequence[App]]:
    """Run a service in each of these folders."""
    apps, stop = [App(game.settings(first_start="all")) for game in games], asyncio.Event()
    tasks = [asyncio.create_task(app.serve(stop)) for app in apps]
    try:
        yield apps
    finally:
        stop.set()
        await asyncio.gather(*tasks)
        for app in apps:
            await bury(app)


def stopped(app: App) -> str:
    with app.store.transaction() as session:
        return marker.stopped(session)


async def answered(game: Network, count: int) -> None:
    """Write so many mails, and wait for as many letters."""
    for _ in range(count):
        await game.write(ADA, "help")
    for _ in range(count):
        await game.system.next_mail(ADA, PATIENCE)


async def check(game: Network, count: int) -> None:
    """Check that so many mails were answered, each once."""
    answers = Counter(str(letter["In-Reply-To"]) for letter in await game.letters(ADA))
    assert (len(answers), set(answers.values())) == (count, {1})


async def begun(game: Network) -> None:
    """Let a service answer a first mail, and end."""
    game.limits = LimitSettings(stranger_answers_per_hour=100, stranger_letters_per_day=100)
    app = game.app(first_start="all")
    await game.write(ADA, "help")
    await one_round(app)
    await game.system.next_mail(ADA, PATIENCE)
    await bury(app)


async def test_a_copy_that_starts_beside_it_takes_over_and_each_mail_has_one_answer(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await begun(game)
        with logged("waiting for") as waits, logged("belongs to another copy") as noticed:
            async with serving(game) as (first,):
                await answered(game, 4)
                async with serving(copy_of(game, "copy")) as (copy,):
                    await asyncio.wait_for(waits.wait(), PATIENCE)
                    await answered(game, 4)
                    await asyncio.wait_for(noticed.wait(), PATIENCE)
                    await answered(game, 4)
                    assert (bool(stopped(first)), bool(stopped(copy))) == (True, False)
        await check(game, 13)


async def test_of_two_that_start_at_once_one_goes_on(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await begun(game)
        for _ in range(4):
            await game.write(ADA, "help")
        with logged("belongs to another copy") as noticed:
            async with serving(game, copy_of(game, "copy")) as apps:
                await asyncio.wait_for(noticed.wait(), PATIENCE)
                await answered(game, 4)
                for _ in range(4):
                    await game.system.next_mail(ADA, PATIENCE)
                assert [bool(stopped(app)) for app in apps].count(True) == 1
        await check(game, 9)


async def test_the_old_one_that_starts_again_answers_nothing(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await begun(game)
        copy = copy_of(game, "copy")
        async with serving(copy):
            await answered(game, 1)
        await game.write(ADA, "help")
        with logged("belongs to another copy") as noticed:
            async with serving(game) as (old,):
                await asyncio.wait_for(noticed.wait(), PATIENCE)
                assert "generation 2 of the database" in stopped(old)
        await check(game, 2)
        async with serving(copy):
            await game.system.next_mail(ADA, PATIENCE)
        await check(game, 3)


async def copied_in_flight(game: Network) -> Network:
    """Copy the database while a mail is stored and not yet answered. Then the original answers it, and ends."""
    await begun(game)
    first = game.app(first_start="all")
    await game.write(ADA, "help")
    with patch.object(first.mail_worker, "work_in_turns", AsyncMock(return_value=0)):
        await one_round(first)
    copy = copy_of(game, "copy")
    await one_round(first)
    await game.system.next_mail(ADA, PATIENCE)
    await bury(first)
    return copy


async def test_a_copy_leaves_to_the_original_what_that_was_handling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_guard, "GRACE", timedelta(seconds=0.1))  # nobody else reads
    async with live(tmp_path) as game:
        copy = await copied_in_flight(game)
        with logged("was handling 1 mails") as forgotten:
            async with serving(copy):
                await answered(game, 1)
        assert forgotten.is_set()
        await check(game, 3)


async def test_a_file_overwritten_by_an_older_copy_waits_for_the_operator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_guard, "GRACE", timedelta(seconds=0.1))
    async with live(tmp_path) as game:
        copy = await copied_in_flight(game)
        async with serving(game):
            await answered(game, 1)
        shutil.copyfile(copy.folder / "takmail.sqlite", game.folder / "takmail.sqlite")  # as `cp` does
        await game.write(ADA, "help")
        with logged("belongs to another copy") as noticed:
            async with serving(game):
                await asyncio.wait_for(noticed.wait(), PATIENCE)
        await check(game, 3)
        app = game.app()
        with app.store.transaction() as session:
            marker.allow_take_over(session)  # as `takmail take-mailbox` does
        await bury(app)
        with logged("was handling 1 mails") as forgotten:
            async with serving(game):
                await game.system.next_mail(ADA, PATIENCE)
        assert forgotten.is_set()
        await check(game, 4)
