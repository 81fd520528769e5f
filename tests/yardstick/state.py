"""Read the final state of an episode from the tables of this version of the service.

Everything that has an effect on players is read, including dates, because the clock is fixed. Mails and letters are
named by their places, players by an address, and games by their numbers. These are left out, because players notice
them only through their effects on letters:

- versions, and the turn that the author of held words had seen
- `GameRow.score_digest`, a digest of the data from which points are computed, and the value of `PlayerRow.skeleton`
- everything about mails and letters that `Service.mails` and `Service.outbox` do not return
- leases, watermarks, and the progress of erasures
- expired questions and seeks, and those that newer ones have replaced

A proposal that is older than a week counts as lapsed, even if that is not stored yet.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Boolean
from sqlmodel import Session, SQLModel

from takmail.commands.seek import SOUGHT_FOR
from takmail.store.queries import SqlQueries
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    Moment,
    OperatorLogRow,
    PendingRow,
    PlayerRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.world.kinds import BEGUN, PendingEnd, PlayerId
from takmail.world.match import match_of
from takmail.world.pending import LIFETIME
from takmail.world.waiting import BOARD_PROPOSALS, CONSENTS

State = dict[str, Any]

_PLAYER = "name letter_view wants_no_receipts is_blocked invitations_wait data_sent_at created_at"
_GAME = "kind setup subject standing is_relay pace is_strict rematch_of invited_by guest_label invited_at created_at"
_RESULT = "resigned ruling score winner first_points second_points"
_ADDRESS = "address bounces verified_at stopped_at"
_BLOCK = "blocked_id blocked_at"
_LOG = "player_id at who what why"
_OF_GAME: dict[str, tuple[type[SQLModel], str]] = {
    "seats": (SeatRow, "player_id asks_board"),
    "turns": (TurnRow, "number seat text written is_agreed checksum played_at mail_id"),
    "taken back": (TakenBackRow, "branch how number seat text written is_agreed played_at taken_back_at"),
    "disputes": (DisputeRow, "seat turn reason opened_at ended_at"),
    "boards shown": (ShownBoardRow, "seat board turn shown_at"),
    "words": (ChatRow, "seat words said_at letter_id is_postponed"),
    "log": (OperatorLogRow, _LOG),
}
_SEEK = "id player_id kind setup first pace is_strict is_relay sought_at"
_NAMES = {
    "player_id": "player",
    "blocked_id": "blocked",
    "letter_id": "letter",
    "game_id": "game",
    "mail_id": "mail",
    # The reference was recorded with these names.
    "blocked_at": "since",
    "invited_at": "asked_at",
    "invitations_wait": "has_to_be_asked",
    "is_postponed": "is_put_off",
    "verified_at": "heard_at",
}


def _kind(column: object) -> Callable[[Any], Any]:
    """Return the function that converts the driver's value of a column."""
    if isinstance(column, Boolean):
        return bool
    if isinstance(column, Moment):
        return lambda value: datetime.fromisoformat(value).replace(tzinfo=UTC)
    return lambda value: value


class StateReader:
    """Reads the state of a database at the time of `queries`, in a session that is rolled back afterwards."""

    def __init__(self, session: Session, queries: SqlQueries) -> None:
        self._session = session
        self._queries = queries
        self._now = queries.now
        self._read: dict[type[SQLModel], list[Any]] = {}
        cursor = session.connection().connection.cursor()
        letters = [row[0] for row in cursor.execute("SELECT id FROM outbox ORDER BY id").fetchall()]
        self._letters = {number: place for place, number in enumerate(letters, 1)}
        self._people = {row.id: self._name(row) for row in self._rows(PlayerRow)}

    def read(self) -> State:
        """Return the whole state. Points are computed first, as the service does when they are needed."""
        matches = list(self._matches())
        return {
            "players": [self._player(row) for row in self._rows(PlayerRow)],
            "games": {f"game {row.id}": self._game(row) for row in self._rows(GameRow)},
            "matches": matches,
            "questions": sorted(self._questions(), key=lambda one: list(map(str, one.values()))),
            "seeks": [
                self._its(row, _SEEK)
                for row in self._rows(SeekRow)
                if self._now - row.sought_at <= SOUGHT_FOR
            ],
            "to be forgotten": [],  # the recorded service searched for erased players, one a line
            "log without a game": self._all(OperatorLogRow, _LOG, game_id=None),
        }

    def _player(self, row: Any) -> State:
        return {
            **self._its(row, _PLAYER),
            "has the name alone": row.skeleton is not None,
            "addresses": self._all(AddressRow, _ADDRESS, player_id=row.id),
            "blocks": self._all(BlockRow, _BLOCK, player_id=row.id),
        }

    def _game(self, row: Any) -> State:
        return {
            **self._its(row, _GAME),
            "result": self._its(row, _RESULT),
            **{name: self._all(table, fields, game_id=row.id) for name, (table, fields) in _OF_GAME.items()},
            "offers": [
                self._offer(one)
                for one in self._rows(PendingRow)
                if one.game_id == row.id and one.kind in CONSENTS
            ],
        }

    def _offer(self, row: Any) -> State:
        """Return an offer as it was recorded, when the table of offers had other names."""
        has_lapsed = (
            row.ended is None and row.kind in BOARD_PROPOSALS and self._now - row.asked_at >= LIFETIME
        )
        return {
            "seat": row.seat,
            "kind": row.kind,
            "turn": row.turn,
            "target": row.target,
            "board": row.words or None,
            "offered_at": row.asked_at.isoformat(),
            "ended": PendingEnd.LAPSED if has_lapsed else row.ended,
        }

    def _questions(self) -> Iterator[State]:
        """Yield the questions that a `yes` can answer, without those that newer questions have replaced."""
        for row in self._rows(PendingRow):
            if row.kind in CONSENTS or row.is_replaced or self._now - row.asked_at > LIFETIME:
                continue
            is_seat = row.address is None
            yield {
                "asked_at": row.asked_at.isoformat(),
                "of": f"seat {row.game_id}.{row.seat}" if is_seat else row.address,
                "kind": row.kind,
                "words": row.words,
                "player": self._plain("player_id", row.player_id),
                "letter": self._plain("letter_id", row.letter_id),
            }

    def _matches(self) -> Iterator[State]:
        names = {PlayerId(row.id): row.name for row in self._rows(PlayerRow)}
        for you in names:
            begun = self._queries.games_of(you, BEGUN)
            played = ((game.kind, game.players[game.seat_of(you).other]) for game in begun)
            for kind, other in dict.fromkeys(played):
                if you < other:
                    games = self._queries.finished(kind, you, other)
                    one = match_of(kind, (names[you], names[other]), you, games)
                    points = one.points or (0, 0)
                    yield {
                        "kind": kind,
                        "players": f"{self._people[you]} and {self._people[other]}",
                        "points": f"{points[0]} : {points[1]}",
                        "won": f"{one.won[0]} : {one.won[1]}",
                        "draws": one.draws,
                        "broken": one.broken,
                        "last": one.last,
                    }

    def _all(self, table: type[SQLModel], fields: str, **where: Any) -> list[State]:
        rows = (
            row for row in self._rows(table) if all(getattr(row, key) == one for key, one in where.items())
        )
        return [self._its(row, fields) for row in rows]

    def _rows(self, table: type[SQLModel]) -> list[Any]:
        """All rows of a table by their keys, read once and by the driver alone, which costs far less."""
        if table not in self._read:
            its = table.__table__  # type: ignore[attr-defined]
            columns = ", ".join(one.name for one in its.columns)
            keys = ", ".join(one.name for one in its.primary_key)
            driver = self._session.connection().connection
            cursor = driver.cursor()
            cursor.execute(f'SELECT {columns} FROM "{its.name}" ORDER BY {keys}')
            kinds = [(one.name, _kind(one.type)) for one in its.columns]
            self._read[table] = [
                SimpleNamespace(
                    **{
                        name: value if value is None else kind(value)
                        for (name, kind), value in zip(kinds, row, strict=True)
                    }
                )
                for row in cursor.fetchall()
            ]
            cursor.close()
        return self._read[table]

    def _name(self, row: Any) -> str:
        own = [one.address for one in self._rows(AddressRow) if one.player_id == row.id]
        return own[0] if own else f"nobody's address any more: {row.name}"

    def _its(self, row: Any, fields: str) -> State:
        return {_NAMES.get(one, one): self._plain(one, getattr(row, one)) for one in fields.split()}

    def _plain(self, field: str, value: Any) -> Any:
        """A value as text or a number, with places and addresses for the numbers of rows."""
        if value is None:
            return None
        match field:
            case "player_id" | "invited_by" | "blocked_id":
                return self._people[value]
            case "letter_id":
                return f"letter {self._letters.get(value, 'that is gone')}"
            case "game_id" | "mail_id":
                return f"{_NAMES[field]} {value}"
        return value.isoformat() if isinstance(value, datetime) else value
