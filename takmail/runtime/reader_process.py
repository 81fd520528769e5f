"""A process of its own that reads dear mails: no mail can take more time or memory than it is given.

It is started when the first mail needs it, and reads one mail after the other. What it may cost is bound by the system
(`setrlimit`), so that it ends even where nobody watches it.
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
from takmail.mail.reader import ToRead
from takmail.runtime.reader_child import OUT_OF_MEMORY, READY

CPU_SECONDS = 5
"""How long the processor may work on one mail."""

MEMORY_BYTES = 256 * 1024 * 1024
"""How much memory it may ask for beyond what the process has at its start."""

STARTING_SECONDS = 60
"""How long a process may take until it can read mails."""

WATCHED_SECONDS = 60
"""How long its parent waits for one mail, on a busy machine, too."""

_ENDING_SECONDS = 5
"""How long a process may take to end once it has hung up."""

_LIVES = 2
"""How many processes may end on one mail for no reason that it gives, such as a machine without memory."""


@dataclass(frozen=True, slots=True)
class Overrun:
    """A mail that takes too much to read; `reason` is for the operator."""

    reason: str


class ReaderFailed(Exception):  # noqa: N818  (it says what happened)
    """Reading a mail raised, which it never should; the traceback may quote the mail."""


class Closed(OSError):  # noqa: N818
    """The process was ended while it was reading."""


class ReaderProcess:
    """Reads mails in a child process; every call blocks until the mail is read."""

    def __init__(self, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._bounds = (str(cpu_seconds), str(memory_bytes))
        self._cpu_seconds = cpu_seconds
        self._child: _Child | None = None
        self._is_closed = False
        self._alone = Lock()

    def read(self, mail: ToRead) -> Message | Overrun:
        """The mail as it is read, or what it took too much of.

        Raises ReaderFailed, and OSError where no process can be started.
        """
        with self._alone:
            for _ in range(_LIVES):
                outcome = self._tried(mail)
                if outcome is not None:
                    return outcome
        return Overrun(f"{_LIVES} processes that read it were killed")

    def close(self) -> None:
        """End the process, whatever it is at; `read` raises Closed then."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()

    def _tried(self, mail: ToRead) -> Message | Overrun | None:
        """What comes of one process's work on a mail; None: it ended for no reason that the mail gives."""
        child = self._started()
        try:
            child.connection.send(mail)
            if not child.connection.poll(WATCHED_SECONDS):
                self._end(child)
                return Overrun(f"it took more than {WATCHED_SECONDS} seconds to read")
            answer = child.connection.recv()
        except (EOFError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(_ENDING_SECONDS)
            code = self._end(child)
            if self._is_closed:
                raise Closed("ended while it was reading a mail") from None
            if code == -signal.SIGXCPU:
                return Overrun(f"it took more than {self._cpu_seconds} seconds of the processor to read")
            return Overrun("it took too much memory to read") if code == OUT_OF_MEMORY else None
        if isinstance(answer, Message):
            return answer
        raise ReaderFailed(answer)

    def _started(self) -> "_Child":
        if self._is_closed:
            raise Closed("no mails are read any more")
        if self._child is None:
            self._child = _Child(self._bounds)
        return self._child

    def _end(self, child: "_Child") -> int:
        """End a process that may have ended; gives its exit code, negative for a signal."""
        self._child = None
        return child.kill()


def read_once(mail: ToRead) -> Message | str:
    """The mail as a process of its own reads it, or why it can't be read."""
    process = ReaderProcess()
    try:
        read = process.read(mail)
    except (ReaderFailed, OSError) as error:
        return f"reading it raised {str(error).strip().splitlines()[-1]}"
    finally:
        process.close()
    return read.reason if isinstance(read, Overrun) else read


class _Child:
    """The process, and the connection to it."""

    def __init__(self, bounds: tuple[str, str]) -> None:
        """Start it; raises OSError where it can't be started, or ends before it has read a mail."""
        self.connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "takmail.runtime.reader_child", str(theirs.fileno()), *bounds],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # A Ctrl-C on the terminal is for its parent.
                start_new_session=True,
            )
        self._finalizer = weakref.finalize(self, _kill, self.process, self.connection)
        try:
            said = self.connection.recv() if self.connection.poll(STARTING_SECONDS) else "nothing"
        except (EOFError, ConnectionError):
            said = "nothing"
        if said != READY:
            self.kill()
            raise OSError(f"a process that is to read mails has said {said!r} and not {READY!r}")

    def kill(self) -> int:
        """End it, if it hasn't ended yet; gives its exit code, negative for a signal."""
        self._finalizer()
        return self.process.returncode


def _kill(process: subprocess.Popen[bytes], connection: Connection) -> None:
    process.kill()
    process.wait()
    connection.close()
