"""What all tables have: how they are called, and the types of their columns."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from sqlalchemy import DateTime, Dialect, Integer, LargeBinary, String, Text
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import SQLModel

from takmail.games.interface import Seat
from takmail.world import TimeOff

LARGEST = 2**31 - 1
"""The largest value of an integer column. PostgreSQL refuses a query for a larger one."""

WORD = String(16)
NAME = String(255)
HASH = String(64)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Column types with a maximum length. MySQL requires one for keys, and for columns of large mails."""


_UTC = "+00:00"


class TableRow(SQLModel):
    """A row of a table. The table is called as its class, such as `taken_back` for `TakenBackRow`."""

    # Nothing validates rows, so pydantic need not prepare for it.
    model_config = {"defer_build": True}

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805 - SQLAlchemy calls it with the class
        """Return the name of the table."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


class Moment(TypeDecorator[datetime]):
    """A column of UTC-aware datetimes. SQLite returns naive ones, PostgreSQL those of the session's time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert to UTC before storing. Raises ValueError for a naive datetime."""
        return None if value is None else _in_utc(value)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert what the database returns to a UTC-aware datetime."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)

    # SQLite has text. SQLAlchemy would make a datetime without a time zone of it first, and the other way round.

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """Return the function that converts a datetime to what the database stores."""
        return _sqlite_text if dialect.name == "sqlite" else super().bind_processor(dialect)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return the function that converts what the database has stored."""
        return _from_sqlite_text if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


def _in_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a datetime needs a time zone")
    return value.astimezone(UTC)


def _sqlite_text(value: datetime | None) -> str | None:
    """Return a datetime as SQLAlchemy stores it in SQLite. Raises ValueError for a naive datetime."""
    return None if value is None else _in_utc(value).isoformat(" ", "microseconds")[: -len(_UTC)]


def _from_sqlite_text(text: str | None) -> datetime | None:
    """Return a datetime that was stored in SQLite. Until November 2026, some were stored with their time zone."""
    if text is None:
        return None
    return datetime.fromisoformat(text if text.endswith(_UTC) else f"{text}{_UTC}")


class TimesOff(TypeDecorator[tuple[TimeOff, ...]]):
    """A column of intervals, as words of three parts: begin and end in ISO 8601, and whether it is automatic."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[TimeOff, ...] | None, dialect: Dialect) -> str:  # noqa: ARG002
        """Return the intervals as text."""
        return " ".join(
            f"{off.began_at.isoformat()}/{off.ended_at.isoformat()}/{int(off.is_automatic)}"
            for off in value or ()
        )

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[TimeOff, ...]:  # noqa: ARG002
        """Return the intervals that a text stands for."""
        parts = (word.split("/") for word in (value or "").split())
        return tuple(
            TimeOff(datetime.fromisoformat(began), datetime.fromisoformat(ended), is_automatic == "1")
            for began, ended, is_automatic in parts
        )


class _Members(dict[Any, Any]):
    """The members of an enum by their values. A value that the enum lacks is its own."""

    def __missing__(self, stored: Any) -> Any:
        return stored


class OneOf(TypeDecorator[Any]):
    """A column of the values of an enum. A stored value that the enum lacks is returned as it is, to be detected later.

    A word is stored if no other column type is given.
    """

    impl: Any = String
    cache_ok = True

    def __init__(self, enum: type[Enum], impl: TypeEngine[Any] = WORD) -> None:
        super().__init__()
        self.enum, self.impl = enum, impl

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: ARG002
        """Return the function that converts a stored value."""
        return _Members({member.value: member for member in self.enum}).__getitem__


SEAT = OneOf(Seat, Integer())


class Note(TypeDecorator[str]):
    """A column of text from outside, such as a server's answer. Characters that can't be stored become `?`.

    PostgreSQL can't store a NUL, and UTF-8 can't encode half a surrogate pair.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Replace each character that can't be stored with `?`."""
        return None if value is None else value.replace("\0", "?").encode(errors="replace").decode()
