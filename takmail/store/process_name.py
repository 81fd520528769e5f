"""Unique names of processes.

A process writes its name into the rows that it claims, where other processes on the same database see it.
"""

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def new_name() -> str:
    """Return a unique name for this process."""
    return f"{_place()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_gone(name: str) -> bool:
    """Return whether the process with this name is known to have ended. Other machines' processes can't be checked."""
    place, _, number = name.rpartition("/")[0].rpartition("/")
    if place != _place() or not number.isdigit():
        return False
    # Callers ask about other processes only, so a name with this process's ID belongs to an earlier process.
    return int(number) == os.getpid() or not _runs(int(number))


def boot_id() -> str:
    """Return the random id that the machine has until it starts anew, or its host name."""
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return socket.gethostname()


def _place() -> str:
    """Return what identifies the machine or container whose processes this process can see, until the next boot.

    It includes the boot ID, as cloned machines have the same host name and the same number of the PID namespace.
    """
    with suppress(OSError):  # without /proc there are no containers, and the host name is enough
        return f"{socket.gethostname()}/{_BOOT.read_text().strip()}/{os.stat('/proc/self/ns/pid').st_ino}"
    return socket.gethostname()


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # the process exists, but belongs to another user
    return True
