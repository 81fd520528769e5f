"""Ask a child process, with limits on time and memory, for what takes long.

A request is a function. `ChildProcess` sends it, and `serve_parent` calls it in the child. The first request starts the
process, which then answers one after the other. The operating system enforces the limits (`setrlimit`), so that the
process ends even if its parent has ended.
"""

import os
import resource
import signal
import subprocess
import sys
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from threading import Lock
from typing import TypeVar

from takmail import __version__

T = TypeVar("T")

READY = f"takmail {__version__} is ready"
"""The child's first message. It contains the version, as an update may have been installed since the parent's start."""

OUT_OF_MEMORY = 3
"""The exit code of the child if a request exceeds the memory limit."""


NICENESS = 10
"""How far a process that thinks stands back behind those that handle mails."""

STARTING_SECONDS = 60
"""The maximum time that a process takes to start, in seconds."""

_ENDING_SECONDS = 5
"""The maximum time that a process takes to end after closing its connection, in seconds."""

_MAX_PROCESSES = 2
"""The number of processes that are started for one request if they die for an unknown reason."""


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """The limits of one request.

    * `cpu_seconds` is its processor time in seconds
    * `seconds` is how long the parent waits for the answer. It suffices on a busy machine.
    * `memory_bytes` is the memory that the process may use beyond what it has at its start
    """

    cpu_seconds: int
    seconds: float
    memory_bytes: int


class NoAnswer(Exception):  # noqa: N818  (the name says what happened)
    """There is no answer to a request. The message is the reason, for the operator."""


class LimitExceeded(NoAnswer):
    """A request exceeds a limit."""


class ChildFailed(NoAnswer):
    """A request failed with an exception, which is a bug. The message is the traceback, and may quote a mail."""


class Closed(OSError):  # noqa: N818
    """The child process was ended by `ChildProcess.close` while it worked on a request."""


class _Killed(Exception):  # noqa: N818
    """The process died for an unknown reason."""


class ChildProcess:
    """Calls functions in a child process. `module` is its program, and `verb` says in reasons what it does.

    If it `stands_back`, other processes come first.
    """

    def __init__(self, module: str, verb: str, limits: ChildLimits, *, stands_back: bool = False) -> None:
        self._module = module
        self._verb = verb
        self._limits = limits
        self._stands_back = stands_back
        self._child: _Child | None = None
        self._is_closed = False
        self._lock = Lock()

    def ask(self, request: Callable[[], T]) -> T:
        """Return what a function returns that can be pickled. Blocks until then.

        Raises LimitExceeded, ChildFailed, Closed, and OSError if no process can be started.
        """
        with self._lock:
            for _ in range(_MAX_PROCESSES):
                with suppress(_Killed):
                    return self._try_once(request)
        raise LimitExceeded(f"{_MAX_PROCESSES} processes that {self._verb} it were killed")

    def close(self) -> None:
        """End the process, even while it works. A running `ask` then raises Closed."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()

    def _try_once(self, request: Callable[[], T]) -> T:
        child, limits, verb = self._start(), self._limits, self._verb
        try:
            child.connection.send(request)
            if not child.connection.poll(limits.seconds):
                self._end(child)
                raise LimitExceeded(f"it took more than {limits.seconds} seconds to {verb}")
            answer: T | ChildFailed = child.connection.recv()
        except (EOFError, OSError):  # the connection is closed from there, or by `close`
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(_ENDING_SECONDS)
            code = self._end(child)
            if self._is_closed:
                raise Closed("the child process was ended while it worked") from None
            if code == -signal.SIGXCPU:
                reason = f"it took more than {limits.cpu_seconds} seconds of processor time to {verb}"
                raise LimitExceeded(reason) from None
            if code == OUT_OF_MEMORY:
                raise LimitExceeded(f"it took too much memory to {verb}") from None
            raise _Killed from None
        except TypeError:  # `close` has closed the connection between two of its steps
            if not self._is_closed:
                raise
            self._end(child)
            raise Closed("the child process was ended while it worked") from None
        if isinstance(answer, ChildFailed):
            raise answer
        return answer

    def _start(self) -> "_Child":
        if self._child is None:
            self._child = _Child(self._module, self._limits)
            if self._stands_back:
                stand_back(self._child.process.pid)
        if self._is_closed:  # also while it started
            self._end(self._child)
            raise Closed("the child process is closed")
        return self._child

    def _end(self, child: "_Child") -> int:
        """End a process, unless it has ended. Return its exit code, which is negative after a signal."""
        self._child = None
        return child.kill()


class _Child:
    """The process and the connection to it."""

    def __init__(self, module: str, limits: ChildLimits) -> None:
        """Start the process. Raises OSError if it doesn't start or ends before it is ready."""
        bounds = (str(limits.cpu_seconds), str(limits.memory_bytes))
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", module, str(theirs.fileno()), *bounds],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # In a session of its own, the child doesn't get Ctrl-C from the terminal.
                start_new_session=True,
            )
        self._finalizer = weakref.finalize(self, _kill, self.process, self.connection)
        try:
            said = self.connection.recv() if self.connection.poll(STARTING_SECONDS) else "nothing"
        except (EOFError, ConnectionError):
            said = "nothing"
        if said != READY:
            self.kill()
            raise OSError(f"the process {module} answered {said!r} instead of {READY!r}")

    def kill(self) -> int:
        """End the process, unless it has ended. Return its exit code, which is negative after a signal."""
        self._finalizer()
        return self.process.returncode


def _kill(process: subprocess.Popen[bytes], connection: Connection) -> None:
    process.kill()
    process.wait()
    connection.close()


def serve_parent() -> None:
    """Call the functions that the parent sends until it closes the connection, and exit.

    The arguments of the program are the number of the connection, and of `ChildLimits` the processor time and memory.
    """
    number, cpu_seconds, memory_bytes = map(int, sys.argv[1:])
    with Connection(number) as to_parent:
        sys.exit(_answer_all(to_parent, cpu_seconds, memory_bytes))


def stand_back(process: int) -> None:
    """Let the first process of a session stand back behind all others, as far as the system can.

    Where Linux groups processes by session, `nice` only orders those of one session, and each session has a share.
    """
    niceness = max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0))  # a service that stands back itself
    with suppress(OSError):
        os.setpriority(os.PRIO_PGRP, process, niceness)
        Path(f"/proc/{process}/autogroup").write_text(str(niceness))


def _answer_all(connection: Connection, cpu_seconds: int, memory_bytes: int) -> int:
    """Answer requests until the connection is closed. Return the exit code."""
    # Signals to stop are ignored. A service that stops ends this process by closing the connection.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _set_limit(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _set_limit(resource.RLIMIT_CORE, 0)
    try:
        connection.send(READY)
        while True:
            request = connection.recv()
            used = resource.getrusage(resource.RUSAGE_SELF)
            _set_limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + cpu_seconds)
            try:
                answered = request()
            except Exception as error:  # passed to the parent, which tells the operator
                if isinstance(error, MemoryError):
                    raise
                answered = ChildFailed(traceback.format_exc())
            connection.send(answered)
    except MemoryError:
        return OUT_OF_MEMORY
    except (EOFError, ConnectionError):
        return 0


def _set_limit(what: int, most: int) -> None:
    """Set a limit, unless a lower one is set or the system lacks it. Without it, the parent's time limit remains."""
    with suppress(ValueError, OSError):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _address_space() -> int:
    """Return the size of the address space in bytes, or a huge number on systems without /proc."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return sys.maxsize // 2
