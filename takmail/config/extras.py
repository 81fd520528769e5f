"""Say what to type for what a part of takmail needs beside the rest.

takmail itself is on no package index, so nobody is told to install it by its name.
"""

import sys
from pathlib import Path
from typing import Literal

_PACKAGES = {"demo": "pymap", "postgres": "psycopg[binary]"}
_TARGETS = {"demo": "install", "postgres": "install EXTRAS=postgres"}


def how_to_install(extra: Literal["demo", "postgres"]) -> str:
    """Return the command that installs an extra: in a checkout its target of make, elsewhere the package by pip."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "Makefile").is_file():
        return f"make -C {checkout} {_TARGETS[extra]}"
    return f"{sys.executable} -m pip install '{_PACKAGES[extra]}'"
