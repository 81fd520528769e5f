"""A policy service that Postfix asks about every letter (SMTPD_POLICY_README), to refuse what a test wants refused."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Self

Judge = Callable[[Mapping[str, str]], str]
"""From what Postfix says of a letter at one moment to what it is to answer; "DUNNO" lets it pass."""


def lets_pass(_: Mapping[str, str]) -> str:
    """Refuses nothing."""
    return "DUNNO"


class Policy:
    """The service; `judge` may be changed at any time, and `refused` counts what it did not let pass."""

    def __init__(self) -> None:
        self.judge: Judge = lets_pass
        self.refused = 0
        self._links: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for link in self._links:
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links.add(task)
        with suppress(OSError, asyncio.CancelledError):
            while asked := await _request(reader):
                answer = self.judge(asked)
                self.refused += answer != "DUNNO"
                writer.write(f"action={answer}\n\n".encode())
                await writer.drain()
        writer.close()
        self._links.discard(task)


async def _request(reader: asyncio.StreamReader) -> dict[str, str]:
    """The next question, empty when Postfix has hung up."""
    asked: dict[str, str] = {}
    while (line := (await reader.readline()).decode().rstrip("\n")) or not asked:
        name, is_one, value = line.partition("=")
        if not is_one:
            break
        asked[name] = value
    return asked
