"""The name of this process, by which others on the same database know what it has in hand."""

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def new_name() -> str:
    """A name that no other process has, on any machine, and none will have."""
    return f"{_place()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_gone(name: str) -> bool:
    """Whether the process of this name is known to be gone: it ran where this one runs, and runs no more."""
    place, _, number = name.rpartition("/")[0].rpartition("/")
    if place != _place() or not number.isdigit():
        return False
    # Under the number of this process there was another one before, as a process has but one name.
    return int(number) == os.getpid() or not _runs(int(number))


def _place() -> str:
    """The machine since its last start, or the container on it, whose processes can be seen from here.

    Machines that are copies of one have one name, and outside of containers the same number of a namespace.
    """
    with suppress(OSError):  # a system without /proc has no containers either
        return f"{socket.gethostname()}/{_BOOT.read_text().strip()}/{os.stat('/proc/self/ns/pid').st_ino}"
    return socket.gethostname()


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True
