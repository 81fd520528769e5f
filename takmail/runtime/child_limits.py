"""Call functions in a child process, with limits on time and memory. `child_process` starts it."""

import os
import resource
import signal
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from takmail import __version__

READY = f"takmail {__version__} is ready"
"""The child's first message. It contains the version, as an update may have been installed since the parent's start."""

OUT_OF_MEMORY = 3
"""The exit code of the child if a request exceeds the memory limit."""


NICENESS = 10
"""How far a process that thinks stands back behind those that handle mails."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The answer to a request that failed with an exception."""

    traceback: str


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
    with suppress(OSError):
        os.setpriority(os.PRIO_PGRP, process, NICENESS)
        Path(f"/proc/{process}/autogroup").write_text(str(NICENESS))


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
                answered = Failure(traceback.format_exc())
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
