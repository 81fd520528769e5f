"""Where LMTP is listened for: a socket that only one service has at a time, or a port of this machine."""

import asyncio
import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from takmail.runtime.net.lmtp import HOSTNAME, Connection, LmtpHandler

MOST_CONNECTIONS = 100
"""Clients at a time; the next one is told to come back. Postfix opens 20."""


PATIENCE = 5.0
"""Seconds that whoever listens at a port has to say who they are."""

GREETING = f"220 {HOSTNAME} ".encode()


class CannotListen(Exception):  # noqa: N818  (it says what happened)
    """The door can't be opened; says where and why, for the operator."""


class AddressInUse(CannotListen):
    """Another takmail listens there, and may end one day."""


@dataclass(frozen=True, slots=True)
class LmtpAddress:
    """A socket and the permissions of its file, or where there is none a port of `host`."""

    socket: Path | None
    mode: int
    host: str
    port: int | None

    def __str__(self) -> str:
        return f"port {self.port} of {self.host}" if self.socket is None else str(self.socket)


class LmtpSocket:
    """Listens from `open` to `close`, or while an `async with` block runs."""

    def __init__(self, place: LmtpAddress, reception: LmtpHandler) -> None:
        self.place = place
        self._reception = reception
        self._server: asyncio.Server | None = None
        self._file: os.stat_result | None = None
        self._inside: dict[asyncio.Task[None], Connection] = {}

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Listen; raises CannotListen, and Taken where another takmail does."""
        try:
            await self._listen()
        except OSError as error:
            is_ours = error.errno == errno.EADDRINUSE and await asyncio.to_thread(_is_a_takmails, self.place)
            raise (AddressInUse if is_ours else CannotListen)(
                f"{self.place}: {error.strerror or error}"
            ) from None

    async def _listen(self) -> None:
        loop, place = asyncio.get_running_loop(), self.place
        if place.socket is None:
            self._server = await loop.create_server(self._client, place.host, place.port)
            return
        door = _listening(place.socket, place.mode)
        self._file = place.socket.lstat()
        self._server = await loop.create_unix_server(self._client, sock=door)

    async def close(self) -> None:
        """Let nobody in any more, and finish the mails that are being taken."""
        assert self._server is not None
        # First of all: as long as it is listened at, it is this service's and nobody else's.
        self._clear_away()
        self._server.close()
        try:
            for client in self._inside.values():
                client.leave()
            if self._inside:
                await asyncio.wait(self._inside)
        finally:
            for task in self._inside:
                task.cancel()

    def _clear_away(self) -> None:
        """Take the socket's file away, if it is still this one's: somebody may have deleted it by hand."""
        path = self.place.socket
        if path is None or self._file is None:
            return
        with suppress(FileNotFoundError):
            if os.path.samestat(path.lstat(), self._file):
                path.unlink()

    def _client(self) -> asyncio.Protocol:
        if len(self._inside) >= MOST_CONNECTIONS:
            return _Full()
        return Connection(self._reception, self._met)

    def _met(self, client: Connection, task: asyncio.Task[None]) -> None:
        self._inside[task] = client
        task.add_done_callback(self._gone)

    def _gone(self, task: asyncio.Task[None]) -> None:
        transport = self._inside.pop(task).transport
        if transport is not None:
            transport.close()


class _Full(asyncio.Protocol):
    """What a client meets for whom there is no place."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"421 4.3.2 Too many connections; try again later\r\n")
        transport.close()


def why_not_listening(place: LmtpAddress) -> str | None:
    """Why a service could not listen there, for the operator; None if it could, or does."""
    try:
        wrong = _is_anothers(place.host, place.port) if place.socket is None else _no_room(place.socket)
    except OSError as error:
        wrong = error.strerror or str(error)
    return wrong and f"{place}: {wrong}"


def _is_anothers(host: str, port: int | None) -> str | None:
    with suppress(ConnectionRefusedError), socket.create_connection((host, port), PATIENCE) as there:
        if not there.recv(len(GREETING)).startswith(GREETING):
            return "something else listens there"
    return None


def _no_room(path: Path) -> str | None:
    if not path.parent.is_dir():
        return (
            "there is no such folder; below /run systemd makes it while the service runs (RuntimeDirectory)"
        )
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return "nothing may be made in that folder"
    _is_left_over(path)
    return None


def _is_a_takmails(place: LmtpAddress) -> bool:
    """Whether who listens at a place that is taken is a takmail."""
    if place.socket is not None:
        return True
    try:
        return _is_anothers(place.host, place.port) is None
    except OSError:
        return False


def _listening(path: Path, mode: int) -> socket.socket:
    """A socket at `path` that listens; one that a service which is gone has left there is replaced."""
    # One at a time: what another service has made and does not listen at yet looks like what one has left.
    with _alone_in(path.parent):
        if _is_left_over(path):
            path.unlink()
        elif path.exists():
            raise OSError(errno.EADDRINUSE, "a takmail listens there already")
        return _made(path, mode)


def _made(path: Path, mode: int) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        door.bind(str(path))
        # Nobody gets in before it is listened at, so at no moment in which the permissions are others.
        path.chmod(mode)
        door.listen()
    except OSError:
        door.close()
        raise
    return door


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep every other takmail from looking for a place in a folder while the block runs, which is a moment."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _is_left_over(path: Path) -> bool:
    """Whether a socket is there at which nobody listens any more; raises OSError for what is no socket."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(errno.EEXIST, "there is a file that is no socket")
    except FileNotFoundError:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        knock.setblocking(False)
        return knock.connect_ex(str(path)) == errno.ECONNREFUSED
