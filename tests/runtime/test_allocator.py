"""Memory that is freed goes back to the machine."""

import ctypes
import subprocess
import sys

import pytest

KEPT = """
from pathlib import Path
from takmail.runtime.allocator import give_memory_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])

if {gives_back}:
    give_memory_back()
bytearray(2_000_000)  # from now on glibc keeps blocks of this size
before = resident()
large, small = map(list, zip(*((bytearray(300_000), bytearray(2_000)) for _ in range(200))))
del large
print(resident() - before)
"""


def pages_kept(*, gives_back: bool) -> int:
    script = KEPT.format(gives_back=gives_back)
    return int(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library has no mallopt")
def test_blocks_between_others_go_back() -> None:
    assert pages_kept(gives_back=True) < 2_000 < 10_000 < pages_kept(gives_back=False)
