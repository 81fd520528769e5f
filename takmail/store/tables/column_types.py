"""Column types of the tables."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, LargeBinary, String, Text
from sqlalchemy.types import TypeDecorator

LARGEST = 2**31 - 1
"""The largest value of an integer column. PostgreSQL refuses a query for a larger one."""

WORD = String(16)
NAME = String(255)
HASH = String(64)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Column types with a maximum length. MySQL requires one for keys, and for columns of large mails."""


class Moment(TypeDecorator[datetime]):
    """A column of UTC-aware datetimes. SQLite returns naive ones, PostgreSQL those of the session's time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert to UTC before storing. Raises ValueError for a naive datetime."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert what the database returns to a UTC-aware datetime."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Note(TypeDecorator[str]):
    """A column of text from outside, such as a server's answer. Characters that can't be stored become `?`.

    PostgreSQL can't store a NUL, and UTF-8 can't encode half a surrogate pair.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Replace each character that can't be stored with `?`."""
        return None if value is None else value.replace("\0", "?").encode(errors="replace").decode()
