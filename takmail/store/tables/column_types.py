"""What the columns hold: moments, words, names, notes and mails."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, LargeBinary, String, Text
from sqlalchemy.types import TypeDecorator

LARGEST = 2**31 - 1
"""The largest number that a row has on any of the databases; they raise where they are asked for another one."""

WORD = String(16)
NAME = String(255)
HASH = String(64)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Kinds of column; some databases need to know how long a key or a mail can get."""


class Moment(TypeDecorator[datetime]):
    """A UTC-aware datetime; SQLite keeps no zone, so it is put back on reading, and PostgreSQL gives the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To UTC on the way in; a naive datetime is an error in the program."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """UTC-aware on the way out."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Note(TypeDecorator[str]):
    """A text that tells why, in anybody's words: what no database can hold of it is stored as `?`.

    PostgreSQL holds no NUL, and half a surrogate pair can't be written in UTF-8.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """To what can be stored on the way in."""
        return None if value is None else value.replace("\0", "?").encode(errors="replace").decode()
