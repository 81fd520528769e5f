"""Where LMTP is listened for: a socket that only one service has at a time, or a port of this machine."""

import asyncio
import errno
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from takmail.mail.lmtp import Connection, Reception

MOST_CONNECTIONS = 100
"""Clients at a time; the next one is told to come back. Postfix opens 20."""


class CantListen(Exception):  # noqa: N818  (it says what happened)
    """The door can't be opened; says where and why, for the operator."""


@dataclass(frozen=True, slots=True)
class Place:
    """A socket and the permissions of its file, or where there is none a port of `host`."""

    socket: Path | None
    mode: int
    host: str
    port: int | None

    def __str__(self) -> str:
        return f"port {self.port} of {self.host}" if self.socket is None else str(self.socket)


class Door:
    """Listens while the `async with` block runs; at its end the mails that are being taken are finished."""

    def __init__(self, place: Place, reception: Reception) -> None:
        self.place = place
        self._reception = reception
        self._server: asyncio.Server | None = None
        self._inside: dict[asyncio.Task[None], Connection] = {}

    async def __aenter__(self) -> Self:
        """Listen; raises CantListen."""
        loop, place = asyncio.get_running_loop(), self.place
        try:
            if place.socket is None:
                self._server = await loop.create_server(self._client, place.host, place.port)
            else:
                self._server = await loop.create_unix_server(
                    self._client, sock=_bound(place.socket, place.mode)
                )
        except OSError as error:
            raise CantListen(f"{place}: {error.strerror or error}") from None
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        if self.place.socket is not None:
            # First of all: as long as it is listened at, it is this service's and nobody else's.
            self.place.socket.unlink(missing_ok=True)
        self._server.close()
        try:
            for client in self._inside.values():
                client.leave()
            if self._inside:
                await asyncio.wait(self._inside)
        finally:
            for task in self._inside:
                task.cancel()

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


def trouble(place: Place) -> str | None:
    """Why a service could not listen there, None if it could or does."""
    try:
        if place.socket is not None:
            if not os.access(place.socket.parent, os.W_OK | os.X_OK):
                place.socket.parent.stat()
                return f"{place}: nothing may be made in that folder"
            _is_left_over(place.socket)
    except OSError as error:
        return f"{place}: {error.strerror or error}"
    return None


def _bound(path: Path, mode: int) -> socket.socket:
    """A socket at `path`, not listening yet; one that a service which is gone has left there is replaced."""
    if _is_left_over(path):
        path.unlink()
    elif path.exists():
        raise OSError(errno.EADDRINUSE, "a takmail listens there already")
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        door.bind(str(path))
        # Nobody gets in before it is listened at, so at no moment in which the permissions are others.
        path.chmod(mode)
    except OSError:
        door.close()
        raise
    return door


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
