"""Define how the values of one kind are stored: a `Record` declares it, and loads and writes by it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col

from takmail.store.held import Held
from takmail.store.statements import run, select
from takmail.store.tables import OutboxRow

StoredRow = Mapping[str, Any]
"""The columns of a row by name."""


@dataclass(frozen=True, eq=False)
class Record:
    """How the values of one kind are stored, a row each.

    * `held` is its table, with what is personal in it
    * `values` returns the values that belong to an owner: a player or a game. A seek, and a question to an address,
      belong to nothing else.
    * `key` are the columns that identify a row, and `owner` is the one with the owner's number, '' if there is none
    * `guards` are columns whose old value an update requires, so that no change by another process is overwritten
    * `columns` are the attributes of a value by column, as one word if both names are equal, in the order in which
      `make` takes them to make a value, if it does
    * `stamp` is a column that gets the time of the cause when the row is inserted, '' if there is none
    * `is_changed_elsewhere`: only operations change and delete rows, as they also reach rows that were not read
    * `letter` is the column with the number of a letter, which a value names by its Message-ID. As the letter may be of
      the same cause, a row is inserted after the letters. Its key comes from the database.
    """

    held: Held
    values: Callable[[Any], Sequence[Any]]
    key: tuple[str, ...]
    columns: str
    make: Callable[..., Any] | None = None
    owner: str = ""
    guards: tuple[str, ...] = ()
    stamp: str = ""
    is_changed_elsewhere: bool = False
    letter: str = ""

    @property
    def table(self) -> Any:
        """The table of the rows."""
        return self.held.table

    @cached_property
    def attributes(self) -> Mapping[str, str]:
        """The attributes of a value by column."""
        pairs = (one.partition("=")[::2] for one in self.columns.split())
        return {column: attribute or column for column, attribute in pairs}

    def part(self, value: str) -> slice:
        """Return where the columns of a value within the value stand. They are declared next to each other."""
        places = [
            place for place, path in enumerate(self.attributes.values()) if path.startswith(f"{value}.")
        ]
        return slice(places[0], places[-1] + 1)

    @cached_property
    def _getters(self) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
        return tuple((column, attrgetter(attribute)) for column, attribute in self.attributes.items())

    @cached_property
    def selected(self) -> tuple[Any, ...]:
        """The columns in their order, with the Message-ID in place of a letter's number."""
        columns = {column: getattr(self.table, column) for column in self.attributes}
        if self.letter:
            is_it = col(OutboxRow.id) == columns[self.letter]
            columns[self.letter] = (
                select(OutboxRow.message_id).where(is_it).scalar_subquery().label(self.letter)
            )
        return tuple(columns.values())

    @cached_property
    def query(self) -> Any:
        """The query for all rows in the order of their keys."""
        return select(*self.selected).order_by(
            *(getattr(self.table, name) for name in self.key if name != self.owner)
        )

    @cached_property
    def _of_owner(self) -> Any:
        return self.query.where(getattr(self.table, self.owner) == bindparam("owner"))

    def load(self, session: Session, owner: int) -> list[Any]:
        """Return the values of an owner in the order of their keys. Invalid columns are kept, to be detected later."""
        return self.values_of(run(session, self._of_owner, owner=owner))

    def values_of(self, rows: Iterable[Any]) -> list[Any]:
        """Convert rows of the selected columns to values."""
        make = self.make
        assert make is not None
        return [make(*row) for row in rows]

    def row(self, owner: int, value: Any) -> StoredRow:
        """Return the columns of a value that belongs to an owner."""
        row = {column: get(value) for column, get in self._getters}
        return {**row, self.owner: owner} if self.owner else row
