"""A policy service that Postfix asks about every letter (SMTPD_POLICY_README). Tests use it to refuse letters."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import closing

from tests.crash.listening import Listening

Judge = Callable[[Mapping[str, str]], str]
"""A function from the attributes that Postfix sends about a letter to the action. "DUNNO" accepts the letter."""


def lets_pass(_: Mapping[str, str]) -> str:
    """Accept every letter."""
    return "DUNNO"


class Policy(Listening):
    """The policy service. A test may change `judge` at any time. A refusal counts in `refused` and sets `refuses`."""

    def __init__(self) -> None:
        super().__init__()
        self.judge: Judge = lets_pass
        self.refused = 0
        self.refuses = asyncio.Event()

    async def _deal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            while asked := await _request(reader):
                answer = self.judge(asked)
                if answer != "DUNNO":
                    self.refused += 1
                    self.refuses.set()
                writer.write(f"action={answer}\n\n".encode())
                await writer.drain()


async def _request(reader: asyncio.StreamReader) -> dict[str, str]:
    """Return the attributes of the next request, or none if Postfix has disconnected."""
    asked: dict[str, str] = {}
    while (line := (await reader.readline()).decode().rstrip("\n")) or not asked:
        name, is_one, value = line.partition("=")
        if not is_one:
            break
        asked[name] = value
    return asked
