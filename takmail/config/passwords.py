"""Read and check the secrets that config.toml contains or names: in the file itself, a file, or the environment.

Three keys of a section can give the same secret, such as `password`, `password_file` and `password_env`.
"""

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

from takmail.config.section import ConfigError, PathHere, Section


def secret_keys(name: str) -> tuple[str, str, str]:
    """Return the keys of config.toml that can give the secret `name`."""
    return name, f"{name}_file", f"{name}_env"


def secret_key(section: Section, name: str) -> str:
    """Return the key that gives the secret `name`. It is `name` if none does."""
    return next((key for key in secret_keys(name) if getattr(section, key) is not None), name)


def secret_of(section: Section, name: str, where: str) -> str | None:
    """Return the secret `name` of a section, or None if none of its keys is set.

    Raises `ConfigError`, which names the section `where`, if the secret's source can no longer be read.
    """
    direct, file, variable = (getattr(section, key) for key in secret_keys(name))
    try:
        if file is not None:
            return password_in(file)
        if variable is not None:
            return password_of(variable)
    except ValueError as error:
        raise ConfigError([f"[{where}]: {error}"]) from None
    return None if direct is None else str(direct)


def has_secret(name: str, info: ValidationInfo) -> bool:
    """Return whether a key before this one gives the secret. A rejected key is missing in `data`, and counts."""
    keys = (key for key in secret_keys(name) if key != info.field_name)
    return any(info.data.get(key, "refused") is not None for key in keys)


def password_in(file: Path) -> str:
    """Return the password in a file that has only this line. Raises ValueError with a sentence for the operator."""
    try:
        return one_password(file.read_text(encoding="utf-8").rstrip("\r\n"))
    except OSError as error:
        raise ValueError(f"{file} can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} can't be read: it is not UTF-8") from None


def password_of(variable: str) -> str:
    """Return the password in an environment variable. Raises ValueError with a sentence for the operator."""
    value = os.environ.get(variable)
    if value is None:
        raise ValueError(f"the environment variable {variable} is not set")
    return one_password(value)


def one_password(value: str) -> str:
    """Return the password if it is one line and not empty. Raises ValueError with a sentence otherwise."""
    if not value:
        raise ValueError("the password is empty")
    return one_line(value)


def one_line(value: str) -> str:
    """Return the value if it is one line. Raises ValueError otherwise, as a line break would break IMAP or SMTP."""
    if any(mark in value for mark in "\0\r\n"):
        raise ValueError("must be on one line")
    return value


def _a_file(file: Path, info: ValidationInfo) -> Path:
    _first_key(info, "_file")
    password_in(file)
    return file


def _a_variable(value: str, info: ValidationInfo) -> str:
    _first_key(info, "_env")
    password_of(value)
    return value


def _first_key(info: ValidationInfo, suffix: str) -> None:
    """Raise ValueError if a key before this one gives the same secret. A rejected key counts."""
    keys = secret_keys(str(info.field_name).removesuffix(suffix))
    before = keys[: keys.index(str(info.field_name))]
    if any(info.data.get(key, "refused") is not None for key in before):
        raise ValueError(f"give only one of {keys[0]}, {keys[1]} and {keys[2]}")


Secret = Annotated[Annotated[str, Field(min_length=1), AfterValidator(one_line)] | None, Field(repr=False)]
"""The type of the key with a secret itself. The two others follow it in their section."""

SecretFile = Annotated[PathHere, AfterValidator(_a_file)] | None
"""The type of the key that names a file with the secret."""

SecretVariable = Annotated[str, AfterValidator(_a_variable)] | None
"""The type of the key that names an environment variable with the secret."""
