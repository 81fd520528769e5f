"""The child process that reads expensive mails. `reader_process` starts it."""

import resource
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from takmail import __version__
from takmail.mail.message import Message
from takmail.mail.reader import MailToRead

READY = f"takmail {__version__} is ready"
"""The child's first message. It contains the version, as an update may have been installed since the parent's start."""

OUT_OF_MEMORY = 3
"""The exit code of the child if reading a mail exceeds the memory limit."""


def main(connection: Connection, cpu_seconds: int, memory_bytes: int) -> int:
    """Read mails from the connection and send back messages, until it is closed. Return the exit code."""
    # Signals to stop are ignored. A service that stops ends this process by closing the connection.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _set_limit(resource.RLIMIT_AS, _address_space() + memory_bytes)
    _set_limit(resource.RLIMIT_CORE, 0)
    try:
        connection.send(READY)
        while True:
            mail: MailToRead = connection.recv()
            used = resource.getrusage(resource.RUSAGE_SELF)
            _set_limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + cpu_seconds)
            answer: Message | str
            try:
                answer = mail.read()
            except Exception as error:  # passed to the parent, which stores it with the mail
                if isinstance(error, MemoryError):
                    raise
                answer = traceback.format_exc()
            connection.send(answer)
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


if __name__ == "__main__":
    with Connection(int(sys.argv[1])) as to_parent:
        sys.exit(main(to_parent, int(sys.argv[2]), int(sys.argv[3])))
