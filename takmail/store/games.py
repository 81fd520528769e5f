"""Load the records, seats and turns of games, without chat, offers and questions."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

import sqlalchemy
from sqlalchemy import (
    BindParameter,
    String,
    bindparam,
    case,
    cast,
    exists,
    func,
    null,
)
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.store.records import GAMES, TURNS
from takmail.store.statements import run, select
from takmail.store.tables import (
    ChatRow,
    DisputeRow,
    GameRow,
    PendingRow,
    SeatRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)
from takmail.store.tables.column_types import LARGEST
from takmail.world import GameRecord, Standing, Turn

First: Any = aliased(SeatRow)
Second: Any = aliased(SeatRow)
_Rematch: Any = aliased(GameRow)
"""`First` and `Second` are the two seats of a game in `RECORDS`, and `_Rematch` is a later game."""
RECORDS: Any = (
    select(
        *GAMES.selected,
        First.player_id.label("first"),
        Second.player_id.label("second"),
        First.asks_board.label("first_asks"),
        Second.asks_board.label("second_asks"),
        First.token_number.label("first_token"),
        Second.token_number.label("second_token"),
    )
    .select_from(GameRow)
    .join(First, (First.game_id == GameRow.id) & (First.seat == 0))
    .join(Second, (Second.game_id == GameRow.id) & (Second.seat == 1))
    .order_by(col(GameRow.id))
)
"""The query for games with the players of both seats. `game_record` converts its rows."""


_RARE: Any = (TakenBackRow, DisputeRow, ChatRow, ShownBoardRow, PendingRow)
THESE = RECORDS.add_columns(
    *(
        exists()
        .where(table.game_id == GameRow.id)
        .correlate(GameRow, First, Second)
        .label(f"has_{table.__tablename__}")
        for table in _RARE
    ),
    exists()
    .where(_Rematch.rematch_of == GameRow.id, _Rematch.standing != Standing.DECLINED)
    .correlate(GameRow, First, Second)
    .label("has_rematch"),
).where(col(GameRow.id).in_(bindparam("games", expanding=True)))
"""The query for games by number, with flags that say which other tables have rows about each game.

Usually no table has any, so that nothing more is read.
"""

_OF_GAME: BindParameter[int] = bindparam("game")
_DIGEST: Sequence[Any] = (
    cast(
        4 * col(TurnRow.number) + 2 * col(TurnRow.seat) + case((col(TurnRow.is_agreed), 1), else_=0), String
    ),
    " ",
    func.coalesce(TurnRow.checksum, "?"),
    " ",
    cast(TurnRow.version, String),
    " ",
    func.coalesce(cast(TurnRow.mail_id, String), "?"),
    ": ",
    TurnRow.text,
    " / ",
    TurnRow.written,
    "\n",
)
"""The parts of the SQL expression that gives the same text as `digest` for a turn.

The number, the seat and the flag are one integer, as SQLite takes most of its time to write integers as text.
"""
_OF_TURNS = (
    select(reduce(add, _DIGEST).label("of_turn"))
    .where(col(TurnRow.game_id) == _OF_GAME)
    .order_by(col(TurnRow.number))
    .subquery()
)
_DIGESTS = select(
    func.coalesce(func.aggregate_strings(_OF_TURNS.c.of_turn, ""), "").label("digests"),
    *(cast(null(), one.type).label(one.key) for one in TURNS.selected),
)
_NEW_TURNS = select(cast(null(), String), *TURNS.selected).where(
    col(TurnRow.game_id) == _OF_GAME, col(TurnRow.number) > bindparam("after")
)
_DIGESTS_AND_NEW_TURNS = sqlalchemy.union_all(_DIGESTS, _NEW_TURNS)
_TEXTS = (
    select(TurnRow.game_id, TurnRow.text)
    .where(col(TurnRow.game_id).in_(bindparam("games", expanding=True)))
    .order_by(col(TurnRow.game_id), col(TurnRow.number))
)
_OF_GAMES: Any = _TEXTS.subquery().c
_TEXTS_IN_ONE = select(_OF_GAMES.game_id, func.aggregate_strings(_OF_GAMES.text, "\n")).group_by(
    _OF_GAMES.game_id
)
_SEATS = select(SeatRow.player_id).where(col(SeatRow.game_id) == _OF_GAME).order_by(col(SeatRow.seat))
_OF_PLAYER = RECORDS.where(
    col(GameRow.id).in_(select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))),
    col(GameRow.standing).in_(bindparam("standings", expanding=True)),
)
_ATTRIBUTES = tuple(GAMES.attributes.values())[:-2]
_GAMES_AT_ONCE = 500
"""The maximum number of games in one query, as databases limit the number of parameters."""


def game_record(row: Any) -> GameRecord:
    """Convert a row of `RECORDS` to a GameRecord."""
    points = (row.first_points, row.second_points)
    return GameRecord(
        # The points are the last two columns.
        **dict(zip(_ATTRIBUTES, row, strict=False)),
        seats=(row.first, row.second),
        asks_board=(row.first_asks, row.second_asks),
        token_numbers=(row.first_token, row.second_token),
        points=None if None in points else points,
    )


def get(session: Session, number: int) -> GameRecord | None:
    """Return the game with this number, or None."""
    if number > LARGEST:
        return None
    row = session.connection().execute(RECORDS.where(col(GameRow.id) == number)).one_or_none()
    return None if row is None else game_record(row)


def every(session: Session) -> Sequence[GameRecord]:
    """Return all games in the order of their numbers."""
    return [game_record(row) for row in session.connection().execute(RECORDS)]


def of_player(session: Session, player: int, standings: Sequence[Standing]) -> Sequence[GameRecord]:
    """Return the games of a player that have one of these standings, in the order of their numbers."""
    return [game_record(row) for row in run(session, _OF_PLAYER, player=player, standings=list(standings))]


def seats(session: Session, number: int) -> tuple[int, int]:
    """Return the numbers of a game's two players, first seat first."""
    first, second = run(session, _SEATS, game=number).scalars()
    return first, second


def turns(session: Session, number: int) -> Sequence[Turn]:
    """Return the turns of a game in order."""
    return TURNS.load(session, number)


def digests_and_turns(session: Session, number: int, after: int = -LARGEST) -> tuple[str, Sequence[Turn]]:
    """Return the digests of all turns of a game as one text, and the turns with numbers above `after`.

    The database joins the digests, which is much faster than returning a row for each turn.
    """
    rows: Iterable[Any] = run(session, _DIGESTS_AND_NEW_TURNS, game=number, after=after)
    digests, new = "", []
    for row in rows:
        if row.digests is not None:
            digests = row.digests
        else:
            new.append(Turn(*row[1:]))
    return digests, sorted(new)


def digest(turn: Turn) -> str:
    """Return all columns of a turn except its date, as one text, to detect changes."""
    place = 4 * turn.number + 2 * turn.seat + turn.is_agreed
    checksum = "?" if turn.checksum is None else turn.checksum
    mail = "?" if turn.mail is None else turn.mail
    head = f"{place} {checksum} {turn.version} {mail}"
    return f"{head}: {turn.text} / {turn.written}\n"


def texts_in_one(session: Session, numbers: Sequence[int]) -> Mapping[int, str]:
    """Return the turns of each game as one text with a line per turn, by game. Games without turns are missing."""
    found: dict[int, str] = {}
    for start in range(0, len(numbers), _GAMES_AT_ONCE):
        rows: Iterable[Any] = run(session, _TEXTS_IN_ONE, games=numbers[start : start + _GAMES_AT_ONCE])
        found.update((number, text) for number, text in rows)
    return found
