"""Read expensive mails in a child process with limits on time and memory.

The first such mail starts the process, which then reads one mail after the other. The system enforces the limits
(`setrlimit`), so that the process ends even if its parent has ended.
"""

import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from threading import Lock

from takmail.mail.message import Message
from takmail.mail.reader import MailToRead
from takmail.runtime.reader_child import OUT_OF_MEMORY, READY

CPU_SECONDS = 5
"""CPU time for one mail."""

MEMORY_BYTES = 256 * 1024 * 1024
"""Memory that the process may allocate beyond what it has at its start."""

STARTING_SECONDS = 60
"""How long a process may take to start."""

WATCHED_SECONDS = 60
"""How long its parent waits for one mail, also on a busy machine."""

_ENDING_SECONDS = 5
"""How long a process may take to end once it has closed its connection."""

_MAX_PROCESSES = 2
"""How many processes may die on one mail for an unknown reason, such as a machine short of memory."""


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """A mail that exceeds a limit while it is read. `reason` is for the operator."""

    reason: str


class ReaderFailed(Exception):  # noqa: N818  (it says what happened)
    """Reading a mail raised, which is a bug. The traceback may quote the mail."""


class Closed(OSError):  # noqa: N818
    """The process was ended while it was reading."""


class ReaderProcess:
    """Reads mails in a child process. Every call blocks until the mail is read."""

    def __init__(self, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._bounds = (str(cpu_seconds), str(memory_bytes))
        self._cpu_seconds = cpu_seconds
        self._child: _Child | None = None
        self._is_closed = False
        self._lock = Lock()

    def read(self, mail: MailToRead) -> Message | LimitExceeded:
        """Read a mail, or return the limit that it exceeds.

        Raises ReaderFailed, and OSError if no process can be started.
        """
        with self._lock:
            for _ in range(_MAX_PROCESSES):
                outcome = self._try_once(mail)
                if outcome is not None:
                    return outcome
        return LimitExceeded(f"{_MAX_PROCESSES} processes that read it were killed")

    def close(self) -> None:
        """End the process, even while it reads. `read` then raises Closed."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()

    def _try_once(self, mail: MailToRead) -> Message | LimitExceeded | None:
        """Read a mail in one process. Return None if that process died for an unknown reason."""
        child = self._start()
        try:
            child.connection.send(mail)
            if not child.connection.poll(WATCHED_SECONDS):
                self._end(child)
                return LimitExceeded(f"it took more than {WATCHED_SECONDS} seconds to read")
            answer = child.connection.recv()
        except (EOFError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(_ENDING_SECONDS)
            code = self._end(child)
            if self._is_closed:
                raise Closed("the reader process ended while it read a mail") from None
            if code == -signal.SIGXCPU:
                return LimitExceeded(
                    f"it took more than {self._cpu_seconds} seconds of processor time to read"
                )
            return LimitExceeded("it took too much memory to read") if code == OUT_OF_MEMORY else None
        if isinstance(answer, Message):
            return answer
        raise ReaderFailed(answer)

    def _start(self) -> "_Child":
        if self._is_closed:
            raise Closed("the reader process is closed")
        if self._child is None:
            self._child = _Child(self._bounds)
        return self._child

    def _end(self, child: "_Child") -> int:
        """End a process that may have ended already. Return its exit code, negative for a signal."""
        self._child = None
        return child.kill()


def read_once(mail: MailToRead) -> Message | str:
    """Read one mail in a new process. Return the message, or why it can't be read."""
    process = ReaderProcess()
    try:
        read = process.read(mail)
    except (ReaderFailed, OSError) as error:
        return f"reading it raised {str(error).strip().splitlines()[-1]}"
    finally:
        process.close()
    return read.reason if isinstance(read, LimitExceeded) else read


class _Child:
    """The child process and the connection to it."""

    def __init__(self, bounds: tuple[str, str]) -> None:
        """Start it. Raises OSError if that fails, or if it ends before it is ready."""
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "takmail.runtime.reader_child", str(theirs.fileno()), *bounds],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # Ctrl-C on the terminal reaches the parent only.
                start_new_session=True,
            )
        self._finalizer = weakref.finalize(self, _kill, self.process, self.connection)
        try:
            said = self.connection.recv() if self.connection.poll(STARTING_SECONDS) else "nothing"
        except (EOFError, ConnectionError):
            said = "nothing"
        if said != READY:
            self.kill()
            raise OSError(f"the process that reads mails answered {said!r} instead of {READY!r}")

    def kill(self) -> int:
        """End the process, if it still runs. Return its exit code, negative for a signal."""
        self._finalizer()
        return self.process.returncode


def _kill(process: subprocess.Popen[bytes], connection: Connection) -> None:
    process.kill()
    process.wait()
    connection.close()
