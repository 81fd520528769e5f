"""A process that begins where all modules are loaded, in the place of one that spends a second of CPU on that.

It is forked by Python's own fork server, which has loaded takmail, and done nothing else, once for all.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from takmail.cli import main

_SERVER = get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.crash.service_main"])  # and all of takmail by that


class Forked:
    """A process with what is used here of `asyncio.subprocess.Process`."""

    def __init__(self, target: Callable[..., None], *args: Any) -> None:
        self._errors, errors = _SERVER.Pipe(duplex=False)
        self._process = _SERVER.Process(target=_with_stderr, args=(errors, target, args), daemon=True)
        self._process.start()
        errors.close()
        self.stderr = asyncio.StreamReader()
        self._ended = asyncio.get_running_loop().create_future()

    @classmethod
    async def begun(cls, target: Callable[..., None], *args: Any) -> "Forked":
        """Call `target` in a new process."""
        process, loop = cls(target, *args), asyncio.get_running_loop()
        pipe = os.fdopen(os.dup(process._errors.fileno()), "rb", buffering=0)
        process._errors.close()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(process.stderr), pipe)
        loop.add_reader(process._process.sentinel, process._has_ended)
        return process

    @property
    def returncode(self) -> int | None:
        """The exit code, or the negative of the signal that has ended it."""
        return self._process.exitcode if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for its end; gives the exit code."""
        await asyncio.shield(self._ended)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """As `kill(2)`; nothing where it is gone."""
        if not self._ended.done():
            assert self._process.pid is not None
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """As hard as can be."""
        self.send_signal(signal.SIGKILL)

    def _has_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set_result(None)


async def takmail_begun(*words: str | Path, stdin: Path | None = None) -> Forked:
    """Run a verb of the command line in a new process, with what a file holds on standard input."""
    return await Forked.begun(_takmail, [str(word) for word in words], stdin)


def _takmail(words: list[str], stdin: Path | None) -> None:
    if stdin is not None:
        sys.stdin = stdin.open()
    main(words, prog_name="takmail")


def _with_stderr(errors: Connection, target: Callable[..., None], args: tuple[Any, ...]) -> None:
    os.dup2(errors.fileno(), 2)
    errors.close()
    target(*args)
