"""`takmail serve` as a process of its own, whose log can be waited for."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from tests.stack.mailstack import MailStack

PATIENCE = 120.0
"""Seconds that the process may take to say or to do what is waited for."""


def write_config(
    folder: Path,
    stack: MailStack,
    first_start: str = "new",
    answers: int = 5,
    url: str = "",
    *,
    has_bots: bool = False,
    organisers: Sequence[str] = (),
) -> Path:
    """The config.toml that an operator would write for these servers; `answers` go to a stranger in an hour.

    `url` is that of the database, if it is not to be a file in the folder. Without bots, no last letter of a game waits
    for a review. `organisers` may begin tournaments.
    """
    login = f'user = "{stack.tak}"\npassword_file = "password"\nca_file = "{stack.ca_file}"\n'
    (folder / "password").write_text(stack.password + "\n")
    file = folder / "config.toml"
    store = f'[store]\nurl = "{url}"\n\n' if url else ""
    file.write_text(
        f'[service]\naddress = "{stack.tak}"\norganisers = {[*organisers]}\n\n'
        f'[imap]\nhost = "{stack.host}"\nport = {stack.imaps_port}\ntls = "implicit"\n{login}'
        f'first_start = "{first_start}"\n\n{store}'
        f'[smtp]\nhost = "{stack.host}"\nport = {stack.submission_port}\ntls = "starttls"\n{login}\n'
        f"[limits]\nstranger_answers_per_hour = {answers}\nstranger_letters_per_day = {max(answers, 10)}\n"
        # All players have addresses at one host.
        "total_stranger_answers_per_hour = 4000\ntotal_stranger_answers_per_day = 4000\n"
        "total_stranger_invitations_per_hour = 4000\ntotal_stranger_invitations_per_day = 4000\n\n"
        f"[bots]\nenabled = {'true' if has_bots else 'false'}\n"
    )
    return file


class Service:
    """The process; `lines` is what it has logged, and it is gone at the end of the `async with` block."""

    def __init__(self, config: Path, program: Sequence[str] = (), **environment: str) -> None:
        """`program` runs in the place of the command `takmail`, with more in its environment."""
        self.lines: list[str] = []
        self._program = program or (str(Path(sys.executable).with_name("takmail")),)
        self._config = config
        self._environment = environment
        self._news = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._process = await self._started()
        self._listening = asyncio.create_task(self._listen())
        return self

    async def _started(self) -> Process:
        return await asyncio.create_subprocess_exec(
            *self._program,
            "serve",
            "--config",
            self._config,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONWARNINGS": "default", **self._environment},
        )

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
        """Wait until it has said so many lines. That about damaged pages doesn't count, as it may come at any time."""
        await self._until(lambda: sum("damaged pages" not in line for line in self.lines) >= count)

    async def stopped(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; gives the exit code."""
        self._process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for its end; gives the exit code."""
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    async def killed(self) -> None:
        """Kill it, if it still lives, and wait until all that it has said is read."""
        if self._process.returncode is None:
            self._process.kill()
        await self._listening

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.returncode is not None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal and wait for nothing."""
        self._process.send_signal(number)

    async def within(self, seconds: float, happened: Callable[[], bool] = lambda: False) -> bool:
        """Wait until something has happened, for so long at most; True: it has happened, or the process has ended."""
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(lambda: happened() or self._process.returncode is not None)
        except TimeoutError:
            return False
        return True

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
