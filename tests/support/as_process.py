"""Commands of the command line as processes of their own, with little memory."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.cost import PATIENCE

MIB = 1024 * 1024
_ROOT = str(Path(__file__).parents[2])
_PROGRAM = (
    "import resource; resource.setrlimit(resource.RLIMIT_DATA, ({bytes}, {bytes}));"
    "from takmail.cli import main; main()"
)


def run(
    *words: str | bytes, text: bytes = b"", out: int = subprocess.PIPE, memory: int = 160 * MIB
) -> subprocess.CompletedProcess[bytes]:
    """Run a command on this input, which has to be UTF-8 wherever it is decoded. Return what it has printed."""
    environment = {**os.environ, "PYTHONPATH": _ROOT, "PYTHONIOENCODING": "utf-8:strict"}
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(bytes=memory), *words],
        input=text,
        stdout=out,
        stderr=subprocess.PIPE,
        env=environment,
        timeout=2 * PATIENCE,
        check=False,
    )
