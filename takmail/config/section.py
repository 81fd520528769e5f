"""The common base of config.toml's sections, and the error with all problems."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationInfo


class ConfigError(ValueError):
    """The configuration is invalid. `problems` has one sentence for each problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Section(BaseModel):
    """A section. Unknown keys are refused, defaults are checked, too, and the values are frozen.

    What depends on two keys is checked with the later one. A check of the whole section would run only after all keys
    are valid, and so report its problem in a second round.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True)


def anchored(path: Path, info: ValidationInfo) -> Path:
    """Return a path relative to the folder of the config file, if there is one."""
    return path if info.context is None else Path(info.context) / path
