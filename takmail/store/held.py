"""Define how to declare what a table holds about a player."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import false


@cache
def references(table: Any) -> tuple[str, ...]:
    """Return the columns of a table that refer to players."""
    return tuple(
        column.name
        for column in table.__table__.columns
        if any(key.target_fullname == "player.id" for key in column.foreign_keys)
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """Rows that `mydata` shows under `kind`.

    * `which` is the condition for the rows
    * `columns` are the shown columns in order, each as `shown name=column`, or as one word if both names are equal
    * `since` is the column that tells which rows are newest. Among equals, or if it is '', the primary key tells.
    * `computed` has expressions by shown name, for which there is no column
    """

    kind: str
    which: Any
    columns: str
    since: str = ""
    computed: Mapping[str, Any] = field(default_factory=dict)

    def expressions(self, table: Any) -> Mapping[str, Any]:
        """Return the shown names with their columns or expressions."""
        named = (one.partition("=")[::2] for one in self.columns.split())
        return {name: self.computed.get(name, getattr(table, column or name, None)) for name, column in named}


@dataclass(frozen=True, slots=True)
class Held:
    """What a table holds about a player. Every column is in `becomes`, `shown`, `in_state` or `plain`.

    * `rows` is the condition for the rows that an erasure changes
    * `becomes` are the columns that it changes and their new values, None if it deletes the rows
    * `shown` and `also_shown` are the rows and columns that `mydata` shows
    * `in_state` are columns that `mydata` takes from the state, as the mail that asks may have changed them
    * `plain` are the others: they are nothing personal, or stand in rows that are deleted and say nothing more there
    """

    table: Any
    rows: Any = field(default_factory=false)
    becomes: Mapping[str, Any] | None = field(default_factory=dict)
    shown: Shown | None = None
    also_shown: tuple[Shown, ...] = ()
    in_state: str = ""
    plain: str = ""
