"""Start processes in which takmail is already loaded, which saves a second of CPU each.

Python's fork server forks them. It has loaded takmail once and done nothing else.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from takmail.cli import main
from tests.support.cost import PATIENCE

_SERVER = get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.crash.service_main"])  # and, through it, all of takmail


class Forked:
    """A process with the part of the `asyncio.subprocess.Process` interface that the tests use."""

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
        """The exit code, or the negative number of the signal that ended the process."""
        return self._process.exitcode if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for the process to end, and return its exit code."""
        await asyncio.shield(self._ended)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal as `kill(2)` does. Does nothing if the process has ended."""
        if not self._ended.done():
            assert self._process.pid is not None
            with suppress(ProcessLookupError):  # it has ended, and the event loop has not heard of it yet
                os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _has_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set_result(None)


class Dialogue:
    """A command of the command line in a new process, with pipes as its standard input and output."""

    def __init__(self, *words: str, has_stdin: bool = True) -> None:
        (given, gives), (says, said) = _SERVER.Pipe(duplex=False), _SERVER.Pipe(duplex=False)
        self._process = _SERVER.Process(target=_in_dialogue, args=(given, said, words), daemon=True)
        self._process.start()
        given.close(), said.close()
        self.stdin = os.fdopen(os.dup(gives.fileno()), "w")
        self.stdout = os.fdopen(os.dup(says.fileno()))
        gives.close(), says.close()
        if not has_stdin:
            self.stdin.close()

    def interrupt(self) -> None:
        """Send what Ctrl-C does."""
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGINT)

    def ended(self) -> tuple[str, int]:
        """Wait until the process ends, and return what it still has said, and its exit code."""
        said = self.stdout.read()
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None
        return said, self._process.exitcode

    def close(self) -> None:
        """End the process, if it runs."""
        self._process.kill()
        self._process.join()
        self.stdin.close(), self.stdout.close()


def _in_dialogue(given: Connection, said: Connection, words: tuple[str, ...]) -> None:
    for connection, number in ((given, 0), (said, 1), (said, 2)):
        os.dup2(connection.fileno(), number)
    given.close(), said.close()
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background of a shell ignore it
    main(words, prog_name="takmail")


async def takmail_begun(*words: str | Path, stdin: Path | None = None) -> Forked:
    """Run a command of the command line in a new process, with a file as standard input."""
    return await Forked.begun(_takmail, [str(word) for word in words], stdin)


def _takmail(words: list[str], stdin: Path | None) -> None:
    if stdin is not None:
        sys.stdin = stdin.open()
    main(words, prog_name="takmail")


def _with_stderr(errors: Connection, target: Callable[..., None], args: tuple[Any, ...]) -> None:
    os.dup2(errors.fileno(), 2)
    errors.close()
    target(*args)
