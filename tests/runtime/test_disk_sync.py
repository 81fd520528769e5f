"""Tasks that wait for the disk share syncs, and each sync begins after what it is for."""

import asyncio
from threading import Event, Semaphore
from typing import cast

import pytest

from takmail.runtime.disk_sync import DiskSync
from takmail.store.database import Store


class Disk:
    """A store whose syncs end when a test lets them."""

    def __init__(self) -> None:
        self.begun = 0
        self.begins = Semaphore(0)
        self.may_end = Event()
        self.error: Exception | None = None

    def sync(self) -> None:
        self.begun += 1
        self.begins.release()
        assert self.may_end.wait(60)
        if self.error is not None:
            raise self.error


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def begins(disk: Disk) -> None:
    assert await asyncio.to_thread(disk.begins.acquire, timeout=60)


async def test_tasks_that_wait_at_the_same_time_share_a_sync(disk: Disk) -> None:
    syncs = DiskSync(cast(Store, disk))
    disk.may_end.set()
    await asyncio.gather(*(syncs.wait() for _ in range(9)))
    assert disk.begun == 1
    await syncs.wait()
    assert disk.begun == 2


async def test_what_is_committed_during_a_sync_waits_for_the_next_one(disk: Disk) -> None:
    syncs = DiskSync(cast(Store, disk))
    first = asyncio.create_task(syncs.wait())
    await begins(disk)
    later = [asyncio.create_task(syncs.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert disk.begun == 1
    disk.may_end.set()
    await asyncio.gather(first, *later)
    assert disk.begun == 2


async def test_an_error_reaches_all_that_wait_and_the_next_sync_is_a_new_one(disk: Disk) -> None:
    syncs = DiskSync(cast(Store, disk))
    disk.error = OSError("the disk is gone")
    disk.may_end.set()
    found = await asyncio.gather(*(syncs.wait() for _ in range(2)), return_exceptions=True)
    assert [type(one) for one in found] == [OSError] * 2
    disk.error = None
    await syncs.wait()


async def test_one_that_no_longer_waits_does_not_stop_the_others(disk: Disk) -> None:
    syncs = DiskSync(cast(Store, disk))
    leaves, stays = (asyncio.create_task(syncs.wait()) for _ in range(2))
    await begins(disk)
    leaves.cancel()
    disk.may_end.set()
    await stays
    assert leaves.cancelled()
