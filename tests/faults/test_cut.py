"""The connection to either server breaks between any two bytes, anywhere between a mail and its letters.

A seed chooses a few bytes of each direction after which the connection breaks. `make long` tries more of them: as many
as FAULT_BYTES, or every byte with FAULT_BYTES=all.
"""

import os
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.faults.scene import Scene, Server, scene
from tests.faults.wire import Way, Wire
from tests.support.network import TAK
from tests.support.width import combined, tenth_of

PARTS = pytest.mark.parametrize("parts", [2, pytest.param(None, marks=pytest.mark.long, id="many")])
"""The number of equal parts of the bytes in one direction. One byte of each part is chosen."""
BYTES = os.environ.get("FAULT_BYTES", "60")
SEED = int(os.environ.get("FAULT_SEED", "1"))
NO_MOVE = "* CAPABILITY IMAP4rev1 IDLE UIDPLUS\r\n{tag} OK done\r\n"


def chosen(length: int, parts: int | None) -> list[int]:
    """Return the numbers of bytes after which the wire breaks: one in each part of a direction, and both ends."""
    if parts is None and BYTES == "all":
        return list(range(length + 1))
    chance, parts = Random(SEED), parts or int(BYTES)
    edges = [length * part // parts for part in range(parts + 1)]
    return [0, *(chance.randrange(a, max(a + 1, b)) for a, b in pairwise(edges)), length]


def of(it: Scene, server: Server) -> Wire:
    return it.imap if server == "imap" else it.smtp


async def length_of(it: Scene, server: Server, way: Way, *, is_new: bool) -> int:
    """Return how many bytes a turn takes in one direction, over a new connection or the existing one."""
    wire = of(it, server)
    if is_new:
        wire.hang_up()
    before = wire.passed[way]
    await it.turn()
    return wire.passed[way] - before


@PARTS
@pytest.mark.parametrize(("server", "way", "is_new"), combined(["imap", "smtp"], Way, [True, False]))
async def test_a_connection_that_breaks_after_any_byte_loses_and_doubles_nothing(
    server: Server, way: Way, is_new: bool, parts: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(f"seed {SEED}")
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        wire, calls = of(it, server), 0
        places = chosen(await length_of(it, server, way, is_new=is_new), parts)
        for after in places:
            calls -= wire.connections
            if is_new:
                wire.hang_up()
                calls -= 1
            wire.break_after(way, after)
            await it.turn()
            wire.broken = None
            calls += wire.connections
        assert calls >= len(places) // 2, "the wire did break"
        assert it.copies() <= (1 if server == "imap" else 2)
        await filed_once(it)


@PARTS
async def test_several_connections_that_break_at_once_lose_and_double_nothing(
    parts: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch, connections=3) as it:
        await it.turn()
        length = await length_of(it, "smtp", Way.UP, is_new=True)
        for after in chosen(length, parts):
            it.smtp.hang_up()
            it.smtp.break_after(Way.UP, after)
            await it.turn()
            it.smtp.broken = None
        assert it.copies() <= 2


async def test_a_mailbox_that_breaks_between_copy_and_expunge_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:

        async def breaks() -> None:
            it.imap.hang_up()

        it.imap.always |= {"CAPABILITY": NO_MOVE, "UID MOVE": "{tag} BAD what is that\r\n"}
        it.imap.hang_up()
        await it.turn()
        for command in ("UID COPY", "UID STORE", "UID EXPUNGE"):
            it.imap.before[command] = breaks
            await it.turn()
            assert not it.imap.before
        assert it.copies() == 1


@pytest.mark.parametrize("server", ["imap", "smtp"])
async def test_a_connection_that_breaks_during_the_logout_ends_the_service_in_peace(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        for after in tenth_of((0, 3, 6)):
            await it.turn()
            of(it, server).break_after(Way.UP, after)
            await it.restart()
            of(it, server).broken = None
        await it.turn()


@PARTS
@pytest.mark.parametrize(("server", "way"), combined(["imap", "smtp"], Way))
async def test_a_connection_that_falls_silent_after_any_byte_is_given_up(
    server: Server, way: Way, parts: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        wire = of(it, server)
        length = await length_of(it, server, way, is_new=True)
        it.patient(2, server)
        for after in chosen(length, parts)[1:-1]:
            wire.hang_up()
            silence = wire.break_after(way, after, is_silent=True)
            # A turn takes more bytes if takmail polls before it is woken. So it may take several turns.
            while not silence.is_over:
                await it.turn()
        # How often a letter is sent again depends on how busy the machine is. `turn` compares the Message-IDs.
        assert server == "smtp" or it.copies() == 1


async def filed_once(it: Scene) -> None:
    """Check that each mail is in the Processed folder once."""
    filed = await it.game.system.mails(TAK, "Processed")
    assert len(filed) == it.game.written
