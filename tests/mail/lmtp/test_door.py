"""Opening and closing the socket, and other files or servers at its path."""

import asyncio
import socket
from pathlib import Path

import pytest

from takmail.config.private_files import locked_folder
from takmail.runtime.net import lmtp_socket as doors
from takmail.runtime.net.lmtp import END, LmtpHandler
from takmail.runtime.net.lmtp_socket import LmtpAddress
from tests.mail.lmtp.taker import MAIL, SMALL, Taker
from tests.support.closing import LmtpSocket
from tests.support.lmtp import Client, connected


async def test_at_the_end_a_mail_that_is_being_taken_is_finished_and_nobody_else_gets_in(
    tmp_path: Path,
) -> None:
    taker = Taker(tmp_path / "lmtp.sock")
    door = taker.door()
    await door.open()
    async with connected(taker.place) as busy, connected(taker.place) as idle:
        await busy.begin()
        busy.send(MAIL)
        closing = asyncio.create_task(door.close())
        assert (await idle.answer()).startswith("421")
        with pytest.raises(OSError, match=r"No such file|refused"):
            await Client.at(taker.place)
        assert not closing.done()
        busy.send(END)
        assert await busy.answer() == "250 2.0.0 kept"
        await closing
        assert (await busy.answer()).startswith("421")
        assert await busy.answer() == ""
    assert len(taker.mails) == 1


async def test_an_end_that_takes_too_long_takes_no_more(tmp_path: Path) -> None:
    taker = Taker(tmp_path / "lmtp.sock")
    door = taker.door()
    await door.open()
    async with connected(taker.place) as busy:
        await busy.begin()
        busy.send(MAIL)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await door.close()
        assert await busy.answer() == ""
    assert taker.mails == []


async def test_the_socket_of_a_service_that_is_gone_is_replaced(tmp_path: Path) -> None:
    taker = Taker(tmp_path / "lmtp.sock")
    doors._new_socket(taker.place, 0o600).close()
    assert taker.place.exists()
    async with taker.door(), connected(taker.place) as client:
        assert taker.place.stat().st_mode & 0o777 == 0o600
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]
    assert not taker.place.exists()


async def test_the_socket_of_a_service_that_runs_is_left_to_it(taker: Taker) -> None:
    with pytest.raises(doors.AddressInUse, match="another takmail already listens there"):
        await taker.door().open()
    async with connected(taker.place) as client:
        assert await client.sent(MAIL) == ["250 2.0.0 kept"]


async def test_a_socket_that_another_service_is_just_making_is_left_to_it(tmp_path: Path) -> None:
    taker = Taker(tmp_path / "lmtp.sock")
    with locked_folder(tmp_path):
        later = asyncio.create_task(asyncio.to_thread(doors._bound_socket, taker.place, 0o600))
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.bind(str(taker.place))
        await asyncio.wait({later}, timeout=0.1)
        made.listen()
    with made, pytest.raises(OSError, match="another takmail already listens there"):
        await later


async def test_who_closes_leaves_a_socket_alone_that_is_anothers_by_now(tmp_path: Path) -> None:
    first, second = Taker(tmp_path / "lmtp.sock"), Taker(tmp_path / "lmtp.sock")
    door = first.door()
    await door.open()
    first.place.unlink()
    async with second.door():
        await door.close()
        async with connected(second.place) as client:
            assert await client.sent(MAIL) == ["250 2.0.0 kept"]


@pytest.mark.parametrize(
    ("name", "why"), [("file", "not a socket"), ("none/lmtp.sock", "No such file"), (".", "not a socket")]
)
async def test_a_place_where_nobody_can_listen_is_told(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").write_text("mine")
    taker = Taker(tmp_path / name)
    with pytest.raises(doors.CannotListen, match=why):
        await taker.door().open()
    assert (tmp_path / "file").read_text() == "mine"


async def test_a_port_of_this_machine_will_do(tmp_path: Path) -> None:
    taker = Taker(tmp_path / "none")
    reception = LmtpHandler(lambda _: True, taker.accept, SMALL, taker.room)
    async with LmtpSocket(LmtpAddress(None, 0, "127.0.0.1", 0), reception) as door:
        assert door._server is not None
        port = door._server.sockets[0].getsockname()[1]
        async with connected(port) as client:
            assert await client.sent(MAIL) == ["250 2.0.0 kept"]
        with pytest.raises(doors.CannotListen, match=rf"port {port} of 127.0.0.1: .*in use"):
            await LmtpSocket(LmtpAddress(None, 0, "127.0.0.1", port), reception).open()
        with pytest.raises(doors.AddressInUse):
            await LmtpSocket(LmtpAddress(None, 0, "127.0.0.1", port), reception).open()


async def test_a_port_at_which_something_else_listens_is_not_waited_for(tmp_path: Path) -> None:
    taker = Taker(tmp_path / "none")
    other = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with other:
        port = other.sockets[0].getsockname()[1]
        reception = LmtpHandler(lambda _: True, taker.accept, SMALL, taker.room)
        with pytest.raises(doors.CannotListen) as told:
            await LmtpSocket(LmtpAddress(None, 0, "127.0.0.1", port), reception).open()
    assert not isinstance(told.value, doors.AddressInUse)
