"""Declare how the values of the world are stored: one declaration a record, by which it is loaded and written.

`Held` declares what of a table is personal (`takmail.store.personal_data`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam, false
from sqlmodel import Session, col

from takmail.store.statements import run, select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.world import (
    Block,
    Dispute,
    LastText,
    Mailbox,
    Pending,
    Player,
    SeatRecord,
    Seek,
    ShownBoard,
    TakenBackTurn,
    Turn,
)

Row = Mapping[str, Any]
"""The columns of a row by name."""


@cache
def references(table: Any) -> tuple[str, ...]:
    """Return the columns of a table that refer to players."""
    return tuple(
        column.name
        for column in table.__table__.columns
        if any(key.target_fullname == "player.id" for key in column.foreign_keys)
    )


@dataclass(frozen=True, eq=False)
class Record:
    """How the values of one kind are stored, a row each.

    * `values` returns the values that belong to an owner: the world, a game or a player
    * `key` are the columns that identify a row, and `owner` is the one with the owner's number, '' if there is none
    * `guards` are columns whose old value an update requires, so that no change by another process is overwritten
    * `columns` are the attributes of a value by column, as one word if both names are equal, in the order in which
      `make` takes them to make a value, if it does
    * `stamp` is a column that gets the time of the cause when the row is inserted, '' if there is none
    * `is_changed_elsewhere`: only operations change and delete rows, as they also reach rows that are not loaded
    * `letter` is the column with the number of a letter, which a value names by its Message-ID. As the letter may be of
      the same cause, a row is inserted after the letters. Its key comes from the database.
    """

    table: Any
    values: Callable[[Any], Sequence[Any]]
    key: tuple[str, ...]
    columns: str
    make: Callable[..., Any] | None = None
    owner: str = ""
    guards: tuple[str, ...] = ()
    stamp: str = ""
    is_changed_elsewhere: bool = False
    letter: str = ""

    @cached_property
    def attributes(self) -> Mapping[str, str]:
        """The attributes of a value by column."""
        pairs = (one.partition("=")[::2] for one in self.columns.split())
        return {column: attribute or column for column, attribute in pairs}

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

    def row(self, owner: int, value: Any) -> Row:
        """Return the columns of a value that belongs to an owner."""
        row = {column: get(value) for column, get in self._getters}
        return {**row, self.owner: owner} if self.owner else row


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


_PLAYER = """
id name skeleton created_at kind is_blocked language letter_view wants_no_receipts reads_ptn zone wants_no_reminders
announces_holidays time_off invitations_wait data_sent_at
"""
_MAILBOX = """
address bounces verified_at stopped_at token_number
last_text=last_text.whole last_frame=last_text.frame similar_texts=last_text.similar texts_in_a_row=last_text.in_a_row
is_unsigned added_at
"""
_GAME = """
id=number version kind setup subject standing invited_by created_at is_relay pace is_strict clock_from turn_since
alarmed_until rested_at hints rematch_of guest_label invited_at resigned ruling score winner score_digest first_points
second_points
"""
_TAKEN_BACK = """
number=turn.number seat=turn.seat text=turn.text written=turn.written version=turn.version
played_at=turn.played_at is_agreed=turn.is_agreed branch how taken_back_at ended_version
"""
_PENDING = """
id kind asked_at words game_id=game seat version turn address player_id=player letter_id=letter is_replaced target
ended ended_version
"""


def _mailbox(*row: Any) -> Mailbox:
    return Mailbox(*(*row[:5], LastText(*row[5:9]), *row[9:]))


def _taken_back(*row: Any) -> TakenBackTurn:
    return TakenBackTurn(Turn(*row[:7]), *row[7:])


PLAYERS = Record(
    PlayerRow, lambda world: [*world.players.values()], ("id",), _PLAYER, Player, guards=("kind", "time_off")
)
MAILBOXES = Record(
    AddressRow,
    attrgetter("mailboxes"),
    ("address",),
    _MAILBOX,
    _mailbox,
    "player_id",
    ("player_id", "bounces", "stopped_at", "token_number"),
)
BLOCKS = Record(
    BlockRow,
    attrgetter("blocks"),
    ("player_id", "blocked_id"),
    "blocked_id",
    Block,
    "player_id",
    stamp="blocked_at",
)
GAMES = Record(
    GameRow, lambda world: [game.record for game in world.games.values()], ("id",), _GAME, guards=("version",)
)
SEATS = Record(
    SeatRow,
    attrgetter("record.seat_records"),
    ("game_id", "seat"),
    "seat player_id asks_board token_number bid gift",
    SeatRecord,
    "game_id",
)
TURNS = Record(
    TurnRow,
    attrgetter("turns"),
    ("game_id", "number"),
    "number seat text written version played_at is_agreed checksum mail_id=mail spent",
    Turn,
    "game_id",
)
TAKEN_BACK = Record(
    TakenBackRow,
    attrgetter("taken_back_turns"),
    ("game_id", "branch", "number"),
    _TAKEN_BACK,
    _taken_back,
    "game_id",
)
DISPUTES = Record(
    DisputeRow,
    attrgetter("every_dispute"),
    ("game_id", "version"),
    "version seat turn reason opened_at ended_at ended_version",
    Dispute,
    "game_id",
)
CHAT = Record(
    ChatRow,
    attrgetter("chat"),
    ("game_id", "version"),
    "version seat words",
    owner="game_id",
    stamp="said_at",
    is_changed_elsewhere=True,
)
BOARDS = Record(
    ShownBoardRow,
    lambda game: [board for board in game.shown_boards if board is not None],
    ("game_id", "seat"),
    "seat board turn shown_at",
    ShownBoard,
    "game_id",
)
SEEKS = Record(
    SeekRow,
    lambda world: [*world.seeks.values()],
    ("id",),
    "id=number player_id=player kind setup first pace is_strict is_relay sought_at",
    Seek,
)
PENDING = Record(PendingRow, attrgetter("all_pending"), ("id",), _PENDING, Pending, letter="letter_id")
OF_WORLD = (PLAYERS, GAMES, SEEKS, PENDING)
OF_PLAYER = (MAILBOXES, BLOCKS)
OF_GAME = (SEATS, TURNS, TAKEN_BACK, DISPUTES, CHAT, BOARDS)
RECORDS = (PLAYERS, *OF_PLAYER, GAMES, *OF_GAME, SEEKS, PENDING)
"""All records. Those to which others refer stand before them."""
