"""Listen for LMTP at a Unix socket or at a TCP port. Only one service at a time can listen there."""

import asyncio
import errno
import logging
import os
import socket
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from takmail.config.private_files import locked_folder
from takmail.limits.mails import MAX_LMTP_CONNECTIONS
from takmail.runtime.net.lmtp import HOSTNAME, Connection, LmtpHandler

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""The maximum number of seconds to wait for the greeting of a server that already listens at the address."""

GREETING = f"220 {HOSTNAME} ".encode()


class CannotListen(Exception):  # noqa: N818  (the name says what happened)
    """The service can't listen at its LMTP address. The message says where and why, for the operator."""


class AddressInUse(CannotListen):
    """Another takmail already listens at the LMTP address."""


@dataclass(frozen=True, slots=True)
class LmtpAddress:
    """A Unix socket and the permissions of its file, or a port of `host`."""

    socket: Path | None
    mode: int
    host: str
    port: int | None

    def __str__(self) -> str:
        return f"port {self.port} of {self.host}" if self.socket is None else str(self.socket)


class LmtpSocket:
    """Listens from `open` to `close`."""

    def __init__(self, place: LmtpAddress, reception: LmtpHandler) -> None:
        self.place = place
        self._reception = reception
        self._server: asyncio.Server | None = None
        self._file: os.stat_result | None = None
        self._connections: dict[asyncio.Task[None], Connection] = {}
        self._reported: set[type[BaseException]] = set()

    async def open(self) -> None:
        """Start listening. Raises CannotListen, or AddressInUse if another takmail listens there."""
        try:
            await self._listen()
        except OSError as error:
            is_ours = error.errno == errno.EADDRINUSE and await asyncio.to_thread(_is_takmail, self.place)
            raise (AddressInUse if is_ours else CannotListen)(
                f"{self.place}: {error.strerror or error}"
            ) from None

    async def _listen(self) -> None:
        loop, place = asyncio.get_running_loop(), self.place
        if place.socket is None:
            self._server = await loop.create_server(self._client, place.host, place.port)
            return
        door = _bound_socket(place.socket, place.mode)
        self._file = place.socket.lstat()
        self._server = await loop.create_unix_server(self._client, sock=door)

    async def close(self) -> None:
        """Stop listening, and finish the mails that are being received."""
        assert self._server is not None
        # Remove the file first. While the server listens, no other service can have replaced it.
        self._remove_file()
        self._server.close()
        try:
            for client in self._connections.values():
                client.leave()
            if self._connections:
                await asyncio.wait(self._connections)
        finally:
            for task in self._connections:
                task.cancel()

    def _remove_file(self) -> None:
        """Remove the socket's file, unless somebody has replaced it with another one."""
        path = self.place.socket
        if path is None or self._file is None:
            return
        with suppress(FileNotFoundError):
            if os.path.samestat(path.lstat(), self._file):
                path.unlink()

    def _client(self) -> asyncio.Protocol:
        if len(self._connections) >= MAX_LMTP_CONNECTIONS:
            return _RefusingProtocol()
        try:
            return Connection(self._reception, self._add_connection, self._report)
        except Exception as error:  # asyncio would close the connection and log nothing
            self._report(error)
            return _RefusingProtocol()

    def _add_connection(self, client: Connection, task: asyncio.Task[None]) -> None:
        self._connections[task] = client
        task.add_done_callback(self._remove_connection)

    def _remove_connection(self, task: asyncio.Task[None]) -> None:
        transport = self._connections.pop(task).transport
        if transport is not None:
            transport.close()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._report(error)

    def _report(self, error: BaseException) -> None:
        """Log an error that ended a connection, once for each kind. A client that has disconnected is no error."""
        if not isinstance(error, OSError) and type(error) not in self._reported:
            self._reported.add(type(error))
            log.error("LMTP: a connection failed; the next error of this kind is not logged", exc_info=error)


class _RefusingProtocol(asyncio.Protocol):
    """Refuses a client because there are `MAX_LMTP_CONNECTIONS` others, or because a connection can't be started."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"421 4.3.2 Not now; try again later\r\n")
        transport.close()


def why_not_listening(place: LmtpAddress) -> str | None:
    """Return why a service can't listen at an address, for the operator. Return None if it can, or if one does."""
    try:
        wrong = (
            _other_program(place.host, place.port) if place.socket is None else _why_unusable(place.socket)
        )
    except OSError as error:
        wrong = error.strerror or str(error)
    return wrong and f"{place}: {wrong}"


def _other_program(host: str, port: int | None) -> str | None:
    with suppress(ConnectionRefusedError), socket.create_connection((host, port), PATIENCE) as there:
        if not there.recv(len(GREETING)).startswith(GREETING):
            return "another program listens there"
    return None


def _why_unusable(path: Path) -> str | None:
    if not path.parent.is_dir():
        return "its folder does not exist; below /run, systemd creates it while the service runs (RuntimeDirectory)"
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return "its folder is not writable"
    _is_stale(path)
    return None


def _is_takmail(place: LmtpAddress) -> bool:
    """Return whether the server that listens at an address is a takmail."""
    if place.socket is not None:
        return True
    try:
        return _other_program(place.host, place.port) is None
    except OSError:
        return False


def _bound_socket(path: Path, mode: int) -> socket.socket:
    """Return a listening socket at `path`. Replace a socket that a service has left there."""
    # The lock is needed because a new socket of another service, which doesn't listen yet, looks like one left behind.
    with locked_folder(path.parent):
        if _is_stale(path):
            path.unlink()
        elif path.exists():
            raise OSError(errno.EADDRINUSE, "another takmail already listens there")
        return _new_socket(path, mode)


def _new_socket(path: Path, mode: int) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        door.bind(str(path))
        # No client can connect before `listen`, so the permissions are set in time.
        path.chmod(mode)
        door.listen()
    except OSError:
        door.close()
        raise
    return door


def _is_stale(path: Path) -> bool:
    """Return whether a socket's file exists at which no process listens. Raises OSError if the file is no socket."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(errno.EEXIST, "a file exists there that is not a socket")
    except FileNotFoundError:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED
