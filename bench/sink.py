"""A mail server that takes all letters."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.controller import Controller


@dataclass(slots=True)
class Sink:
    """The sink's port, how many letters it has taken, and the newest one to each address."""

    port: int
    letters: int = 0
    newest: dict[str, bytes] = field(default_factory=dict)

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802 - aiosmtpd calls it by this name
        """Take a letter."""
        self.letters += 1
        self.newest |= dict.fromkeys(envelope.rcpt_tos, envelope.content)
        return "250 OK"


@contextmanager
def sinking() -> Iterator[Sink]:
    """Run a sink during the block, in a thread."""
    sink = Sink(free_port())
    server = Controller(sink, hostname="127.0.0.1", port=sink.port)
    server.start()
    try:
        yield sink
    finally:
        server.stop()


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
