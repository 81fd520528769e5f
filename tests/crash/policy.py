"""A policy service that Postfix asks about every letter (SMTPD_POLICY_README), to refuse what a test wants refused."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import closing

from tests.crash.listening import Listening

Judge = Callable[[Mapping[str, str]], str]
"""From what Postfix says of a letter at one moment to what it is to answer; "DUNNO" lets it pass."""


def lets_pass(_: Mapping[str, str]) -> str:
    """Refuses nothing."""
    return "DUNNO"


class Policy(Listening):
    """The service; `judge` may be changed at any time, and `refused` counts what it did not let pass."""

    def __init__(self) -> None:
        super().__init__()
        self.judge: Judge = lets_pass
        self.refused = 0

    async def _deal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            while asked := await _request(reader):
                answer = self.judge(asked)
                self.refused += answer != "DUNNO"
                writer.write(f"action={answer}\n\n".encode())
                await writer.drain()


async def _request(reader: asyncio.StreamReader) -> dict[str, str]:
    """The next question, empty when Postfix has hung up."""
    asked: dict[str, str] = {}
    while (line := (await reader.readline()).decode().rstrip("\n")) or not asked:
        name, is_one, value = line.partition("=")
        if not is_one:
            break
        asked[name] = value
    return asked
