"""What the sections of config.toml share: how they are checked, and the error that tells all that is wrong."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationInfo


class ConfigError(ValueError):
    """The configuration can't be used; `problems` holds one sentence for each thing to mend."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """What all sections share: unknown keys are refused, defaults are checked too, and nothing changes later.

    What hangs on two keys is checked with the later one: a check of the whole section would wait for all keys to
    be right, and then tell its own complaint in a second round.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True)


def anchored(path: Path, info: ValidationInfo) -> Path:
    """A path as seen from the folder of the config file, where there is one."""
    return path if info.context is None else Path(info.context) / path
