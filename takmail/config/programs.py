"""Check the programs that config.toml names. They are started without a shell."""

import os
import shutil
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from takmail.config.section import anchored


def _a_program(value: tuple[str, ...] | None, info: ValidationInfo) -> tuple[str, ...] | None:
    """Return the command with the path of its program. A name without "/" is looked for in PATH."""
    if value is None:
        return None
    name, *arguments = value or ("",)
    program = shutil.which(str(anchored(Path(name), info)) if os.sep in name else name)
    if program is None:
        raise ValueError(f"there is no program {name!r} that takmail can run")
    return program, *arguments


Program = Annotated[tuple[str, ...] | None, AfterValidator(_a_program)]
"""The type of a key with a program and its arguments. The program exists."""
