"""Compare what is stored before and after a mail, row by row."""

from collections.abc import Collection

from sqlmodel import SQLModel, select

from takmail.store.database import Store
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
    with store.transaction() as session:
        return {
            (
                table.__name__,
                *(
                    (name, getattr(row, name))
                    for name in sorted(table.model_fields)
                    if name not in (*without, *_noted_of(row, surely))
                ),
            )
            for table in tables
            for row in session.exec(select(table)).all()
        }


def _noted_of(row: SQLModel, surely: str) -> Collection[str]:
    if isinstance(row, AddressRow) and row.address == surely:
        return _NOTED
    return ("letter_id",) if isinstance(row, ChatRow) and surely else ()
