"""Compare what is stored before and after a mail, row by row."""

from collections.abc import Collection
from functools import cache
from typing import Any

import sqlalchemy
from sqlmodel import SQLModel

from takmail.store.database import Store
from takmail.store.statements import run
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    GameRow,
    OperatorLogRow,
    PendingRow,
    PlayerRow,
    SeatRow,
    SeekRow,
    TakenBackRow,
    TurnRow,
)

Row = tuple[object, ...]
TABLES: tuple[type[SQLModel], ...] = (
    PlayerRow,
    AddressRow,
    BlockRow,
    SeekRow,
    GameRow,
    SeatRow,
    TurnRow,
    TakenBackRow,
    ChatRow,
    OperatorLogRow,
)
"""All that a mail can change, except letters and what waits for a word."""
_NOTED = ("verified_at", "last_text", "last_frame", "similar_texts", "texts_in_a_row")
"""What is noted of an address whose owner has verifiably written."""


def kept(store: Store, surely: str = "") -> set[Row]:
    """Return all that a mail can change, except letters and what waits for a word.

    Leave out what is noted when the owner of address `surely` writes and gets chat.
    """
    return rows_of(store, TABLES, surely)


def asked(store: Store) -> set[Row]:
    """Return all that waits for a word. Whether it was replaced is left out, as it can be answered anyway."""
    return rows_of(store, [PendingRow], without=["is_replaced"])


def rows_of(
    store: Store, tables: Collection[type[SQLModel]], surely: str = "", without: Collection[str] = ()
) -> set[Row]:
    """Return the rows of tables, without some columns. `surely` is as in `kept`."""
    kept = set()
    with store.transaction() as session:
        for table in tables:
            names, statement = _query(table, surely != "", tuple(without))
            for values in run(session, statement):
                row = tuple(zip(names, values, strict=True))
                if table is AddressRow and surely and ("address", surely) in row:
                    row = tuple(one for one in row if one[0] not in _NOTED)
                kept.add((table.__name__, *row))
    return kept


@cache
def _query(
    table: type[SQLModel], is_by_owner: bool, without: tuple[str, ...]
) -> tuple[list[str], sqlalchemy.Select[Any]]:
    """Return the columns to compare, and the statement that reads them."""
    if table is ChatRow and is_by_owner:
        without = (*without, "letter_id")
    names = [name for name in sorted(table.model_fields) if name not in without]
    return names, sqlalchemy.select(*(getattr(table, name) for name in names))
