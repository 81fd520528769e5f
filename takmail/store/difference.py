"""Compare the world before and after a cause, and write the rows that differ.

Each record declares how its values are stored. All statements are made from these declarations.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from itertools import takewhile
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam, delete, insert, update
from sqlmodel import Session

from takmail.pipeline.process import Conflict
from takmail.store.statements import run, run_many
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    OfferRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.world.table import Corrupt, Table
from takmail.world.world import World

Row = Mapping[str, Any]
"""The columns of a row by name."""


@dataclass(frozen=True, eq=False)
class Record:
    """How the values of one kind are stored, a row each.

    * `values` returns the values that belong to an owner: the world, a game or a player
    * `key` are the columns that identify a row, and `owner` is the one with the owner's number, '' if there is none
    * `guards` are columns whose old value an update requires, so that no change by another process is overwritten
    * `columns` are the attributes of a value by column, as one word if both names are equal
    * `stamp` is a column that gets the time of the cause when the row is inserted, '' if there is none
    * `is_dropped_elsewhere`: an operation deletes rows, under conditions that only the stored rows can meet
    * `names_letter`: a row names a letter of the same cause, so that it is inserted after the letters
    """

    table: Any
    values: Callable[[Any], Sequence[Any]]
    key: tuple[str, ...]
    columns: str
    owner: str = ""
    guards: tuple[str, ...] = ()
    stamp: str = ""
    is_dropped_elsewhere: bool = False
    names_letter: bool = False

    @cached_property
    def attributes(self) -> Mapping[str, str]:
        """The attributes of a value by column."""
        pairs = (one.partition("=")[::2] for one in self.columns.split())
        return {column: attribute or column for column, attribute in pairs}

    @cached_property
    def references(self) -> tuple[str, ...]:
        """The columns that refer to players."""
        return tuple(
            column.name
            for column in self.table.__table__.columns
            if any(key.target_fullname == "player.id" for key in column.foreign_keys)
        )

    @cached_property
    def _getters(self) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
        return tuple((column, attrgetter(attribute)) for column, attribute in self.attributes.items())

    def row(self, owner: int, value: Any) -> Row:
        """Return the columns of a value that belongs to an owner."""
        row = {column: get(value) for column, get in self._getters}
        return {**row, self.owner: owner} if self.owner else row


def _of_table(name: str) -> Callable[[Table | Corrupt], Sequence[Any]]:
    """Return the function that returns an attribute of a game. The board of a corrupt game has nothing to store."""

    def values(game: Table | Corrupt) -> Sequence[Any]:
        return getattr(game, name) if isinstance(game, Table) else ()

    return values


_PLAYER = """
id kind name skeleton is_blocked letter_view wants_no_receipts reads_ptn invitations_wait data_sent_at created_at
"""
_MAILBOX = """
address bounces verified_at stopped_at token_number is_unsigned added_at
last_text=last_text.whole last_frame=last_text.frame similar_texts=last_text.similar texts_in_a_row=last_text.in_a_row
"""
_GAME = """
id=number version kind setup subject standing invited_by resigned ruling score days rematch_of guest_label is_relay
invited_at score_digest winner first_points second_points created_at
"""
_TAKEN_BACK = """
number=turn.number seat=turn.seat text=turn.text written=turn.written is_agreed=turn.is_agreed
played_at=turn.played_at version=turn.version branch how taken_back_at ended_version
"""
_QUESTION = """
id kind game_id=game seat version turn address player_id=player words letter_id=letter asked_at is_replaced
"""

PLAYERS = Record(PlayerRow, lambda world: [*world.players.values()], ("id",), _PLAYER, guards=("kind",))
GAMES = Record(
    GameRow, lambda world: [game.record for game in world.games.values()], ("id",), _GAME, guards=("version",)
)
SEEKS = Record(
    SeekRow,
    lambda world: [*world.seeks.values()],
    ("id",),
    "id=number player_id=player kind setup first days is_relay sought_at",
)
QUESTIONS = Record(QuestionRow, attrgetter("questions"), ("id",), _QUESTION, names_letter=True)
OF_WORLD = (PLAYERS, GAMES, SEEKS, QUESTIONS)
OF_PLAYER = (
    Record(
        AddressRow, attrgetter("mailboxes"), ("address",), _MAILBOX, "player_id", ("player_id", "bounces")
    ),
    Record(
        BlockRow,
        attrgetter("blocks"),
        ("player_id", "blocked_id"),
        "blocked_id",
        "player_id",
        stamp="blocked_at",
    ),
)
OF_GAME = (
    Record(
        SeatRow,
        attrgetter("record.seat_records"),
        ("game_id", "seat"),
        "seat player_id asks_board token_number",
        "game_id",
    ),
    Record(
        TurnRow,
        _of_table("turns"),
        ("game_id", "number"),
        "number version seat text written is_agreed checksum played_at mail_id=mail",
        "game_id",
    ),
    Record(
        TakenBackRow,
        _of_table("taken_back_turns"),
        ("game_id", "branch", "number"),
        _TAKEN_BACK,
        "game_id",
    ),
    Record(
        OfferRow,
        _of_table("every_offer"),
        ("game_id", "version"),
        "version seat kind turn target board offered_at ended ended_version",
        "game_id",
    ),
    Record(
        DisputeRow,
        _of_table("every_dispute"),
        ("game_id", "version"),
        "version seat turn reason opened_at ended_at ended_version",
        "game_id",
    ),
    Record(
        ChatRow,
        _of_table("chat"),
        ("game_id", "version"),
        "version seat words",
        "game_id",
        stamp="said_at",
        is_dropped_elsewhere=True,
    ),
    Record(
        ShownBoardRow, _of_table("board_records"), ("game_id", "seat"), "seat board turn shown_at", "game_id"
    ),
)
RECORDS = (PLAYERS, *OF_PLAYER, GAMES, *OF_GAME, SEEKS, QUESTIONS)
"""All records. Those to which others refer stand before them."""


@dataclass(slots=True)
class Change:
    """The rows of one record that differ. `edited` are pairs of the old and the new row."""

    gone: list[Row] = field(default_factory=list)
    edited: list[tuple[Row, Row]] = field(default_factory=list)
    added: list[Row] = field(default_factory=list)


Difference = Mapping[Record, Change]
"""The rows that differ, by record."""


def difference(before: World, after: World) -> Difference:
    """Return the rows in which two worlds differ. All players and games of the first one are in the second one, too."""
    changes = {record: Change() for record in RECORDS}
    for record in OF_WORLD:
        _compare(record, 0, record.values(before), record.values(after), changes[record])
    for player in after.players.values():
        # What an erased player had goes with all that is stored about them.
        if not player.is_erased:
            _compare_owned(OF_PLAYER, player.id, before.players.get(player.id), player, changes)
    for game in after.games.values():
        _compare_owned(OF_GAME, game.number, before.games.get(game.number), game, changes)
    return changes


def _compare_owned(
    records: Sequence[Record], number: int, old: Any, new: Any, changes: Mapping[Record, Change]
) -> None:
    """Add the rows that differ between a player or a game and the same one before, None if it is new."""
    if old is new:
        return
    for record in records:
        old_values = () if old is None else record.values(old)
        _compare(record, number, old_values, record.values(new), changes[record])


def _compare(record: Record, owner: int, old: Sequence[Any], new: Sequence[Any], change: Change) -> None:
    """Add the rows that differ between two sequences of values to a change. Most values are the same objects."""
    if old is new:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
    stored = _rows(record, owner, old[same:])
    for key, row in _rows(record, owner, new[same:]).items():
        known = stored.pop(key, None)
        if known is None:
            change.added.append(row)
        elif known != row:
            change.edited.append((known, row))
    if not record.is_dropped_elsewhere:
        change.gone += stored.values()


def _rows(record: Record, owner: int, values: Iterable[Any]) -> dict[tuple[Any, ...], Row]:
    rows = [record.row(owner, value) for value in values]
    return {tuple([row[name] for name in record.key]): row for row in rows}


def write_rows(session: Session, changes: Difference, now: datetime) -> None:
    """Write the rows that differ, except new ones that name letters of the same cause.

    Raises Conflict if a row that is changed or deleted is not as it was, and IntegrityError if a new one collides.
    """
    for record, change in changes.items():
        for old, new in change.edited:
            columns = tuple(name for name in new if new[name] != old[name])
            values = {f"new_{name}": new[name] for name in columns}
            _expect_one(session, record, _update(record, columns), old, values)
    for record, change in reversed([*changes.items()]):
        for old in change.gone:
            _expect_one(session, record, _delete(record), old, {})
    for record, change in changes.items():
        if not record.names_letter:
            insert_rows(session, record, change.added, now)


def insert_rows(session: Session, record: Record, rows: Sequence[Row], now: datetime) -> None:
    """Insert rows of a record at the time of their cause."""
    stamped = [{**row, record.stamp: now} for row in rows] if record.stamp else rows
    run_many(session, _insert(record), stamped)


def _expect_one(session: Session, record: Record, statement: Any, old: Row, values: Row) -> None:
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
    return [getattr(record.table, name) == bindparam(f"old_{name}") for name in (*record.key, *record.guards)]
