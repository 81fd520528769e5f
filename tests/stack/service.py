"""`takmail serve` as a process of its own, whose log can be waited for."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tests.stack.mailstack import MailStack

PATIENCE = 30.0
"""Seconds that the process may take to say or to do what is waited for."""


def write_config(folder: Path, stack: MailStack, first_start: str = "new", answers: int = 5) -> Path:
    """The config.toml that an operator would write for these servers; `answers` go to a stranger in an hour."""
    login = f'user = "{stack.tak}"\npassword_file = "password"\nca_file = "{stack.ca_file}"\n'
    (folder / "password").write_text(stack.password + "\n")
    file = folder / "config.toml"
    file.write_text(
        f'[service]\naddress = "{stack.tak}"\n\n'
        f'[imap]\nhost = "{stack.host}"\nport = {stack.imaps_port}\ntls = "implicit"\n{login}'
        f'first_start = "{first_start}"\n\n'
        f'[smtp]\nhost = "{stack.host}"\nport = {stack.submission_port}\ntls = "starttls"\n{login}\n'
        f"[limits]\nstranger_answers_per_hour = {answers}\nstranger_letters_per_day = {max(answers, 10)}\n"
    )
    return file


class Service:
    """The process; `lines` is what it has logged, and it is gone at the end of the `async with` block."""

    def __init__(self, config: Path) -> None:
        self.lines: list[str] = []
        self._config = config
        self._news = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("takmail"),
            "serve",
            "--config",
            self._config,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONWARNINGS": "default"},
        )
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._listening
        if error is not None:
            print(f"What the service said before this:\n{self.log}")

    async def says(self, words: str) -> None:
        """Wait for a line with these words."""
        await self._until(lambda: any(words in line for line in self.lines))

    async def says_lines(self, count: int) -> None:
        """Wait until it has said so many lines."""
        await self._until(lambda: len(self.lines) >= count)

    async def stopped(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; gives the exit code."""
        self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    async def _until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: happened() or self._process.returncode is not None)
        assert happened(), f"the service has ended:\n{self.log}"

    @property
    def log(self) -> str:
        """All lines so far."""
        return "\n".join(self.lines)

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            async with self._news:
                self.lines.append(line.decode().rstrip())
                self._news.notify_all()
        await self._process.wait()
        async with self._news:
            self._news.notify_all()
