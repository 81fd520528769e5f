"""Compare the world after a cause with what is stored, and write the rows that differ.

All statements are made from the declarations in `takmail.store.records`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import takewhile
from typing import Any

from sqlalchemy import bindparam, delete, insert, update
from sqlmodel import Session, col

from takmail.pipeline.process import Conflict
from takmail.store.record import Record, StoredRow
from takmail.store.records import OF_GAME, OF_PLAYER, OF_TOURNAMENT, PENDING, PLAYERS, RECORDS, SEEKS
from takmail.store.statements import run, run_many, select
from takmail.store.tables import OutboxRow
from takmail.world import World


@dataclass(slots=True)
class RowChanges:
    """The rows of one record that differ. `edited` are pairs of the old and the new row."""

    gone: list[StoredRow] = field(default_factory=list)
    edited: list[tuple[StoredRow, StoredRow]] = field(default_factory=list)
    added: list[StoredRow] = field(default_factory=list)


_NUMBERS_OF_LETTERS = select(OutboxRow.id, OutboxRow.message_id).where(
    col(OutboxRow.message_id).in_(bindparam("letters", expanding=True))
)
Difference = Mapping[Record, RowChanges]
"""The rows that differ, by record."""


def difference(world: World) -> Difference:
    """Return the rows in which a world differs from what is stored, as its cause has read it."""
    stored, changes = world.stored, {record: RowChanges() for record in RECORDS}
    for player in world.players.values():
        # What an erased player had goes with all that is stored about them.
        records = (PLAYERS,) if player.is_erased else OF_PLAYER
        _compare_owned(records, player.id, stored.players.get(player.id), player, changes)
    for game in world.games.values():
        _compare_owned(OF_GAME, game.number, stored.games.get(game.number), game, changes)
    for number, tournament in world.tournaments.items():
        _compare_owned(OF_TOURNAMENT, number, stored.tournaments.get(number), tournament, changes)
    for seek_number, seek in world.seeks.items():
        _compare(SEEKS, 0, _present(stored.seeks.get(seek_number)), _present(seek), changes[SEEKS])
    for pending_id, question in world.questions.items():
        _compare(PENDING, 0, _present(stored.questions.get(pending_id)), _present(question), changes[PENDING])
    return changes


def _present(value: Any) -> Sequence[Any]:
    return () if value is None else (value,)


def _compare_owned(
    records: Sequence[Record], number: int, old: Any, new: Any, changes: Mapping[Record, RowChanges]
) -> None:
    """Add the rows that differ between a player or a game and the same one before, None if it is new."""
    if old is new:
        return
    for record in records:
        old_values = () if old is None else record.values(old)
        _compare(record, number, old_values, record.values(new), changes[record])


def _compare(record: Record, owner: int, old: Sequence[Any], new: Sequence[Any], change: RowChanges) -> None:
    """Add the rows that differ between two sequences of values to a change. Most values are the same objects."""
    if old == new:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
    stored = _rows(record, owner, old[same:])
    for key, row in _rows(record, owner, new[same:]).items():
        known = stored.pop(key, None)
        if known is None:
            change.added.append(row)
        elif known != row and not record.is_changed_elsewhere:
            change.edited.append((known, row))
    if not record.is_changed_elsewhere:
        change.gone += stored.values()


def _rows(record: Record, owner: int, values: Iterable[Any]) -> dict[tuple[Any, ...], StoredRow]:
    rows = [record.row(owner, value) for value in values]
    return {tuple([row[name] for name in record.key]): row for row in rows}


def write_rows(session: Session, changes: Difference, now: datetime) -> None:
    """Write the rows that differ, except new ones that name letters of the same cause.

    Raises Conflict if a row that is changed or deleted is gone, or a guard of it has another value, and IntegrityError
    if a new row collides with another.
    """
    for record, change in changes.items():
        # In the order of their keys, so that two processes lock the same rows in the same order.
        for old, new in sorted(change.edited, key=lambda rows: [rows[0][name] for name in record.key]):
            columns = tuple(name for name in new if new[name] != old[name])
            values = {f"new_{name}": new[name] for name in columns}
            _expect_one(session, record, _update(record, columns), old, values)
    for record, change in reversed([*changes.items()]):
        for old in change.gone:
            _expect_one(session, record, _delete(record), old, {})
    for record, change in changes.items():
        if not record.letter:
            insert_rows(session, record, change.added, now)


def insert_rows(session: Session, record: Record, rows: Sequence[StoredRow], now: datetime) -> None:
    """Insert rows of a record at the time of their cause. Raises KeyError if a letter that they name is not stored."""
    if record.stamp:
        rows = [{**row, record.stamp: now} for row in rows]
    if record.letter:
        numbers = _letter_numbers(session, {row[record.letter] for row in rows} - {None})
        rows = [{**row, record.letter: numbers[row[record.letter]]} for row in rows]
        rows = [{name: row[name] for name in row if name not in record.key} for row in rows]
    run_many(session, _insert(record), rows)


def _letter_numbers(session: Session, letters: Collection[str]) -> Mapping[str | None, int | None]:
    """Return the numbers of letters by Message-ID, and None for None. Letters that are not stored are missing."""
    rows = run(session, _NUMBERS_OF_LETTERS, letters=sorted(letters)) if letters else ()
    return {None: None, **{row.message_id: row.id for row in rows}}


def _expect_one(session: Session, record: Record, statement: Any, old: StoredRow, values: StoredRow) -> None:
    """Run a statement that has to change the row `old`. Raise Conflict if there is no such row."""
    where = {f"old_{name}": old[name] for name in (*record.key, *record.guards)}
    if run(session, statement, **where, **values).rowcount != 1:
        raise Conflict(f"{record.table.__tablename__} {[old[name] for name in record.key]}")


@cache
def _update(record: Record, columns: tuple[str, ...]) -> Any:
    return (
        update(record.table)
        .where(*_is_old(record))
        .values({name: bindparam(f"new_{name}") for name in columns})
    )


@cache
def _delete(record: Record) -> Any:
    return delete(record.table).where(*_is_old(record))


@cache
def _insert(record: Record) -> Any:
    return insert(record.table)


def _is_old(record: Record) -> list[Any]:
    is_same = [getattr(record.table, name) == bindparam(f"old_{name}") for name in record.key]
    as_it_was = [
        getattr(record.table, name).is_not_distinct_from(bindparam(f"old_{name}")) for name in record.guards
    ]
    return [*is_same, *as_it_was]
