"""Column types: times, words, names, notes and mails."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, LargeBinary, String, Text
from sqlalchemy.types import TypeDecorator

LARGEST = 2**31 - 1
"""The largest number of a row in any of the databases. A query for a larger one raises."""

WORD = String(16)
NAME = String(255)
HASH = String(64)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Column types with maximum lengths, which some databases need for keys and mails."""


class Moment(TypeDecorator[datetime]):
    """A UTC-aware datetime. SQLite stores no zone, so reading adds it. PostgreSQL returns the session's zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert to UTC. A naive datetime is a bug in the program."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return a UTC-aware datetime."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Note(TypeDecorator[str]):
    """A text of any origin. Characters that a database can't store become `?`.

    PostgreSQL stores no NUL, and UTF-8 can't encode half a surrogate pair.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Replace what can't be stored."""
        return None if value is None else value.replace("\0", "?").encode(errors="replace").decode()
