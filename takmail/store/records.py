"""Declare how the values of the world are stored: one declaration a record, by which it is loaded and written.

What of it is personal is part of the declaration. `HELD` has this for all tables.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col

from takmail.store import personal_data
from takmail.store.held import Held
from takmail.store.statements import run, select
from takmail.store.tables import (
    OutboxRow,
)
from takmail.world import (
    Block,
    Dispute,
    LastText,
    Mailbox,
    OfferEnd,
    Pending,
    SeatRecord,
    Seek,
    ShownBoard,
    TakenBackTurn,
    Turn,
)

Row = Mapping[str, Any]
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

    def row(self, owner: int, value: Any) -> Row:
        """Return the columns of a value that belongs to an owner."""
        row = {column: get(value) for column, get in self._getters}
        return {**row, self.owner: owner} if self.owner else row


_PLAYER = """
id name skeleton created_at kind is_blocked
language=preferences.language letter_view=preferences.letter_view wants_no_receipts=preferences.wants_no_receipts
reads_ptn=preferences.reads_ptn zone=preferences.zone wants_no_reminders=preferences.wants_no_reminders
announces_holidays=preferences.announces_holidays digest=preferences.digest
time_off invitations_wait data_sent_at
"""
_MAILBOX = """
address bounces verified_at stopped_at token_number
last_text=last_text.whole last_frame=last_text.frame similar_texts=last_text.similar texts_in_a_row=last_text.in_a_row
is_unsigned added_at
"""
_GAME = """
id=number version kind setup subject standing created_at
invited_by=invitation.host guest_label=invitation.guest_label invited_at=invitation.written_at
pace=timing.pace is_strict=timing.is_strict clock_from=timing.clock_from turn_since=timing.turn_since
alarmed_until=timing.alarmed_until rested_at=timing.rested_at
resigned=end.resigned ruling=end.ruling score=end.score winner=end.winner score_digest=end.score_digest
first_points=end.first_points second_points=end.second_points
is_relay hints rematch_of in_advance_version series
"""
_TAKEN_BACK = """
number=turn.number seat=turn.seat text=turn.text written=turn.written version=turn.version
played_at=turn.played_at is_agreed=turn.is_agreed branch how taken_back_at ended_version
"""
_PENDING = """
id kind asked_at words game_id=game seat version turn address player_id=player letter_id=letter is_replaced target
ended=end.how ended_version=end.version
"""


def _mailbox(*row: Any) -> Mailbox:
    return Mailbox(*(*row[:5], LastText(*row[5:9]), *row[9:]))


def _pending(*row: Any) -> Pending:
    return Pending(*(*row[:-2], OfferEnd(*row[-2:])))


def _taken_back(*row: Any) -> TakenBackTurn:
    return TakenBackTurn(Turn(*row[:7]), *row[7:])


PLAYERS = Record(
    personal_data.PLAYER,
    lambda player: [player],
    ("id",),
    _PLAYER,
    guards=("kind", "time_off"),
)
MAILBOXES = Record(
    personal_data.ADDRESS,
    attrgetter("mailboxes"),
    ("address",),
    _MAILBOX,
    _mailbox,
    "player_id",
    ("player_id", "bounces", "stopped_at", "token_number"),
)
BLOCKS = Record(
    personal_data.BLOCK,
    attrgetter("blocks"),
    ("player_id", "blocked_id"),
    "blocked_id",
    Block,
    "player_id",
    stamp="blocked_at",
)
GAMES = Record(
    personal_data.GAME,
    lambda game: [game.record],
    ("id",),
    _GAME,
    guards=("version", "in_advance_version"),
)
SEATS = Record(
    personal_data.SEAT,
    attrgetter("record.seats"),
    ("game_id", "seat"),
    "seat player_id=player asks_board token_number bid gift zone in_advance",
    SeatRecord,
    "game_id",
)
TURNS = Record(
    personal_data.TURN,
    attrgetter("turns"),
    ("game_id", "number"),
    "number seat text written version played_at is_agreed checksum mail_id=mail spent",
    Turn,
    "game_id",
)
TAKEN_BACK = Record(
    personal_data.TAKEN_BACK,
    attrgetter("taken_back_turns"),
    ("game_id", "branch", "number"),
    _TAKEN_BACK,
    _taken_back,
    "game_id",
)
DISPUTES = Record(
    personal_data.DISPUTE,
    attrgetter("every_dispute"),
    ("game_id", "version"),
    "version seat turn reason opened_at ended_at ended_version",
    Dispute,
    "game_id",
)
CHAT = Record(
    personal_data.CHAT,
    attrgetter("correspondence.chat"),
    ("game_id", "version"),
    "version seat words",
    owner="game_id",
    stamp="said_at",
    is_changed_elsewhere=True,
)
BOARDS = Record(
    personal_data.SHOWN_BOARD,
    lambda game: [board for board in game.correspondence.shown_boards if board is not None],
    ("game_id", "seat"),
    "seat board turn shown_at",
    ShownBoard,
    "game_id",
)
SEEKS = Record(
    personal_data.SEEK,
    lambda seek: [seek],
    ("id",),
    "id=number player_id=player kind setup first pace is_strict is_relay sought_at",
    Seek,
)
PENDING = Record(
    personal_data.PENDING, attrgetter("pending"), ("id",), _PENDING, _pending, letter="letter_id"
)
OF_PLAYER = (PLAYERS, MAILBOXES, BLOCKS)
OF_GAME = (GAMES, SEATS, TURNS, TAKEN_BACK, CHAT, BOARDS, DISPUTES, PENDING)
RECORDS = (
    PLAYERS,
    MAILBOXES,
    GAMES,
    SEATS,
    TURNS,
    TAKEN_BACK,
    CHAT,
    BOARDS,
    DISPUTES,
    PENDING,
    SEEKS,
    BLOCKS,
)
"""All records. Those to which others refer stand before them."""
HELD = (*(record.held for record in RECORDS), *personal_data.OF_OTHER_TABLES)
"""What all tables hold about players. Those by which the rows of others are found stand first, and are erased last."""
