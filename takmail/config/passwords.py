"""Read and check the passwords that config.toml contains or names: in the file itself, a file, or the environment."""

import os
from pathlib import Path


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
