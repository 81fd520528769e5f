"""Where a password of the settings comes from: config.toml itself, a file, or the environment."""

import os
from pathlib import Path


def password_in(file: Path) -> str:
    """The password that a file holds on its one line; raises ValueError with a sentence."""
    try:
        return one_password(file.read_text(encoding="utf-8").rstrip("\r\n"))
    except OSError as error:
        raise ValueError(f"{file} can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} can't be read: it is not UTF-8") from None


def password_of(variable: str) -> str:
    """The password that a variable of the environment holds; raises ValueError with a sentence."""
    value = os.environ.get(variable)
    if value is None:
        raise ValueError(f"the environment has no variable {variable}")
    return one_password(value)


def one_password(value: str) -> str:
    """The password, unless it can't be one; raises ValueError with a sentence."""
    if not value:
        raise ValueError("the password is empty")
    return one_line(value)


def one_line(value: str) -> str:
    """The value, unless it would break a line of IMAP or SMTP; raises ValueError with a sentence."""
    if any(mark in value for mark in "\0\r\n"):
        raise ValueError("must be on one line")
    return value
