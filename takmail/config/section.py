"""Define the base class of config.toml's sections, and the error with all problems of the file."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo


class ConfigError(ValueError):
    """The configuration is invalid. `problems` has one sentence for each problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """A section of config.toml. Unknown keys are refused, defaults are checked like given values, and all are frozen.

    A check that depends on two keys belongs to the later one. A check of the whole section would run only after all
    keys are valid. The operator would then see its problem only in a second attempt.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True)


def anchored(path: Path, info: ValidationInfo) -> Path:
    """Return a path, relative to the folder of the config file if the settings were read from a file."""
    return path if info.context is None else Path(info.context) / path


def program_here(value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """Return a command with the path of its program, which `anchored` or PATH leads to."""
    name, *arguments = value or ("",)
    program = shutil.which(str(anchored(Path(name), info)) if os.sep in name else name)
    if program is None:
        raise ValueError(f"there is no program {name!r} that takmail can run")
    return program, *arguments


def must(holds: Callable[[str], object], sentence: str) -> AfterValidator:
    """Return the check of a key that refuses a value with a sentence unless `holds` is true for it.

    `{}` in the sentence stands for the value.
    """

    def check(value: str) -> str:
        if not holds(value):
            raise ValueError(sentence.format(value))
        return value

    return AfterValidator(check)


PathHere = Annotated[Path, AfterValidator(anchored)]
"""The type of a path that starts at the folder of the config file."""

Port = Annotated[int, Field(ge=1, le=65535, strict=True)]
"""The type of a TCP port."""
