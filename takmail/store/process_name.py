"""The unique name of this process.

Other processes on the same database see it on the rows that this one has claimed.
"""

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def new_name() -> str:
    """Return a name that no process on any machine has ever had."""
    return f"{_place()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_gone(name: str) -> bool:
    """Return whether the process of this name is known to have ended. Only local processes can be checked."""
    place, _, number = name.rpartition("/")[0].rpartition("/")
    if place != _place() or not number.isdigit():
        return False
    # A process has one name only, so another name with this process ID belongs to an earlier process.
    return int(number) == os.getpid() or not _runs(int(number))


def _place() -> str:
    """Return the machine since its last boot, or the container, whose processes are visible from here.

    Cloned machines share a host name, and outside of containers the number of a namespace. The boot ID tells them
    apart.
    """
    with suppress(OSError):  # without /proc there are no containers either
        return f"{socket.gethostname()}/{_BOOT.read_text().strip()}/{os.stat('/proc/self/ns/pid').st_ino}"
    return socket.gethostname()


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it belongs to another user
    return True
