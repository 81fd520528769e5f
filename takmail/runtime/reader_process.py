"""Read expensive mails in a child process with limits on time and memory.

The first expensive mail starts the process, which then reads one mail after the other. The operating system enforces
the limits (`setrlimit`), so that the process ends even if its parent has ended.
"""

import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from threading import Lock

from takmail.limits.mails import MAX_READER_MEMORY_BYTES
from takmail.mail.message import Message
from takmail.mail.reader import MailToRead
from takmail.runtime.reader_child import OUT_OF_MEMORY, READY

CPU_SECONDS = 5
"""The maximum CPU time for one mail, in seconds."""


STARTING_SECONDS = 60
"""The maximum time that a process takes to start, in seconds."""

WATCHED_SECONDS = 60
"""The maximum time that the parent waits for one mail, in seconds. It suffices on a busy machine."""

_ENDING_SECONDS = 5
"""The maximum time that a process takes to end after closing its connection, in seconds."""

_MAX_PROCESSES = 2
"""The number of processes that are started for one mail if they die for an unknown reason, such as lack of memory."""


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """The result of reading a mail that exceeds a limit. `reason` is for the operator."""

    reason: str


class ReaderFailed(Exception):  # noqa: N818  (the name says what happened)
    """Reading a mail failed with an exception, which is a bug. The message is the traceback, and may quote the mail."""


class Closed(OSError):  # noqa: N818
    """The reader process was ended by `ReaderProcess.close` while it was reading."""


class ReaderProcess:
    """Reads mails in a child process."""

    def __init__(self, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MAX_READER_MEMORY_BYTES) -> None:
        self._bounds = (str(cpu_seconds), str(memory_bytes))
        self._cpu_seconds = cpu_seconds
        self._child: _Child | None = None
        self._is_closed = False
        self._lock = Lock()

    def read(self, mail: MailToRead) -> Message | LimitExceeded:
        """Read a mail, or return the limit that it exceeds. Blocks until then.

        Raises ReaderFailed, and OSError if no process can be started.
        """
        with self._lock:
            for _ in range(_MAX_PROCESSES):
                outcome = self._try_once(mail)
                if outcome is not None:
                    return outcome
        return LimitExceeded(f"{_MAX_PROCESSES} processes that read it were killed")

    def close(self) -> None:
        """End the process, even while it reads a mail. A running `read` then raises Closed."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()

    def _try_once(self, mail: MailToRead) -> Message | LimitExceeded | None:
        """Read a mail. Return None if the process died for an unknown reason."""
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
        """End a process, unless it has ended. Return its exit code, which is negative after a signal."""
        self._child = None
        return child.kill()


def read_once(mail: MailToRead) -> Message | str:
    """Read one mail in a new process. Return the message, or the reason why it can't be read, for the operator."""
    process = ReaderProcess()
    try:
        read = process.read(mail)
    except (ReaderFailed, OSError) as error:
        return f"reading it failed with {str(error).strip().splitlines()[-1]}"
    finally:
        process.close()
    return read.reason if isinstance(read, LimitExceeded) else read


class _Child:
    """The child process and the connection to it."""

    def __init__(self, bounds: tuple[str, str]) -> None:
        """Start the process. Raises OSError if it doesn't start or ends before it is ready."""
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "takmail.runtime.reader_child", str(theirs.fileno()), *bounds],
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
            raise OSError(f"the process that reads mails answered {said!r} instead of {READY!r}")

    def kill(self) -> int:
        """End the process, unless it has ended. Return its exit code, which is negative after a signal."""
        self._finalizer()
        return self.process.returncode


def _kill(process: subprocess.Popen[bytes], connection: Connection) -> None:
    process.kill()
    process.wait()
    connection.close()
