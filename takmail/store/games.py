"""Load the records, seats and turns of games, and keep what was replayed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile
from operator import add, attrgetter
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

from takmail.games.game_rules import GameRules
from takmail.games.interface import Seat, State
from takmail.limits.games import MAX_CACHED_STATES
from takmail.store.records import GAMES, SEATS, TAKEN_BACK, TURNS
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
from takmail.world import (
    Corruption,
    Finished,
    GameEnd,
    GameRecord,
    Invitation,
    Run,
    SeatRecord,
    Standing,
    TakenBackTurn,
    Timing,
    Turn,
    finished,
    or_fault,
    replayed,
    replayed_runs,
    uncounted,
)

First: Any = aliased(SeatRow)
Second: Any = aliased(SeatRow)
_Rematch: Any = aliased(GameRow)
"""`First` and `Second` are the two seats of a game in `RECORDS`, and `_Rematch` is a later game."""


def _of_seat(row: Any, name: str) -> list[Any]:
    """Return the columns of a seat in the order of `SeatRecord`, each with a name of its own in the row of a game."""
    _seat, _player, *others = SeatRecord._fields
    return [
        row.player_id.label(name),
        *(getattr(row, column).label(f"{name}_{column}") for column in others),
    ]


RECORDS: Any = (
    select(
        *GAMES.selected,
        *_of_seat(First, "first"),
        *_of_seat(Second, "second"),
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
_PARTS_OF_DIGEST: Sequence[Any] = (
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
_DIGEST = reduce(add, _PARTS_OF_DIGEST).label("digest")
"""All columns of a turn except its date, as one text, to detect changes.

The number, the seat and the flag are one integer, as SQLite takes most of its time to write integers as text.
"""
_OF_TURNS = select(_DIGEST).where(col(TurnRow.game_id) == _OF_GAME).order_by(col(TurnRow.number)).subquery()
_HASHES = select(
    func.coalesce(func.aggregate_strings(_OF_TURNS.c.digest, ""), "").label("digest"),
    *(cast(null(), one.type).label(one.key) for one in TURNS.selected),
)
_NEW_TURNS = select(_DIGEST, *TURNS.selected).where(
    col(TurnRow.game_id) == _OF_GAME, col(TurnRow.number) > bindparam("after")
)
_HASHES_AND_NEW_TURNS = sqlalchemy.union_all(_HASHES, _NEW_TURNS)
_OF_PLAYER = RECORDS.where(
    col(GameRow.id).in_(select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))),
    col(GameRow.standing).in_(bindparam("standings", expanding=True)),
)
_OF_GAME_ITSELF = len(GAMES.selected)
_FIRST = slice(_OF_GAME_ITSELF, _OF_GAME_ITSELF + len(SEATS.attributes) - 1)
_SECOND = slice(_FIRST.stop, 2 * _FIRST.stop - _FIRST.start)
_INVITATION, _TIMING, _END = map(GAMES.part, ("invitation", "timing", "end"))


def game_record(row: Any) -> GameRecord:
    """Convert a row of `RECORDS` to a GameRecord."""
    resigned, ruling, score, winner, digest, *points = row[_END]
    values = (
        *row[: _INVITATION.start],
        Invitation(*row[_INVITATION]),
        (SeatRecord(Seat.FIRST, *row[_FIRST]), SeatRecord(Seat.SECOND, *row[_SECOND])),
        Timing(*row[_TIMING]),
        GameEnd(resigned, ruling, score, winner, digest, None if None in points else tuple(points)),
        *row[_END.stop : _OF_GAME_ITSELF],
    )
    return GameRecord(*values)


def texts_in_one(numbers: Any) -> Any:
    """Return the query for the turns of the games that the query `numbers` selects.

    The turns of a game are one text, with a line per turn. Games without turns are missing.
    """
    texts = select(TurnRow.game_id, TurnRow.text).where(col(TurnRow.game_id).in_(numbers))
    columns = texts.order_by(col(TurnRow.game_id), col(TurnRow.number)).subquery().c
    return select(columns.game_id, func.aggregate_strings(columns.text, "\n")).group_by(columns.game_id)


def every(session: Session) -> Sequence[GameRecord]:
    """Return all games in the order of their numbers."""
    return [game_record(row) for row in run(session, RECORDS)]


def of_player(session: Session, player: int, standings: Sequence[Standing]) -> Sequence[GameRecord]:
    """Return the games of a player that have one of these standings, in the order of their numbers."""
    return [game_record(row) for row in run(session, _OF_PLAYER, player=player, standings=list(standings))]


def hashes_and_turns(session: Session, number: int, after: int) -> tuple[str, str, tuple[Turn, ...]]:
    """Return the hashes of all turns of a game as one text, and those of the turns above `after` with these turns.

    The database joins the hashes, which is much faster than returning a row for each turn.
    """
    rows: Sequence[Any] = run(session, _HASHES_AND_NEW_TURNS, game=number, after=after)
    (hashes,) = (row.digest for row in rows if row.number is None)
    new = sorted((row for row in rows if row.number is not None), key=attrgetter("number"))
    return hashes, "".join(row.digest for row in new), tuple(Turn(*row[1:]) for row in new)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed game.

    `setup` is all that the replay depends on except the turns. `hashes` are the hashes of the turns as one text.
    `states` are the first state and the state after each turn. For a game without a board, only the first state is
    kept. `runs` are the runs of the turns in `taken_back`.
    """

    setup: tuple[str, str, bool]
    taken_back: Sequence[TakenBackTurn] = ()
    runs: tuple[Run, ...] = ()
    turns: tuple[Turn, ...] = ()
    hashes: str = ""
    states: tuple[State, ...] = ()


class Replays:
    """Replays games from the first turn that differs from the cached ones.

    Each call compares the cached turns with the stored ones, as the transaction sees them. Therefore the result equals
    a replay from the start, even if another process has changed a row or a transaction was rolled back.
    """

    def __init__(self, most: int = MAX_CACHED_STATES) -> None:
        self._most = most
        self._cache: dict[int, Replay] = {}
        self._finished: dict[int, tuple[int, str, Finished]] = {}
        self.states = 0

    def replay(
        self, session: Session, record: GameRecord, rules: GameRules, taken_back: Sequence[TakenBackTurn]
    ) -> Replay:
        """Return the stored game with its runs. Raises the CorruptGame of `replayed`.

        A game without a board is returned with its first state only.
        """
        setup, number = (record.kind, record.setup, record.is_relay), record.number
        kept = self._cache.get(number)
        if kept is None or kept.setup != setup:
            kept = Replay(setup)
        last = kept.turns[-1].number if kept.turns else -LARGEST
        stored, new_hashes, new = hashes_and_turns(session, number, last)
        turns, hashes = (*kept.turns, *new), kept.hashes + new_hashes
        states = kept.states
        if hashes != stored:  # a turn was taken back or changed
            _, hashes, turns = hashes_and_turns(session, number, -LARGEST)
            states = states[: _equal_at_first(kept.turns, turns) + 1]
        states = replayed(record, rules, turns if rules.keeps_board else (), states)
        runs = _runs(kept, record, rules, states, taken_back)
        return self._cache_game(number, Replay(setup, taken_back, runs, turns, hashes, states))

    def finished(self, session: Session, record: GameRecord, rules: GameRules, digest: str) -> Finished:
        """Return a finished game as a match counts it. It is replayed if its version or `digest` has changed."""
        known = self._finished.get(record.number)
        if known is None or known[:2] != (record.version, digest):
            known = record.version, digest, _finished(session, record, rules)
            self._finished[record.number] = known
        return replace(known[2], first=record.players[0])

    def _cache_game(self, number: int, game: Replay) -> Replay:
        """Cache a game as the newest one. Drop the oldest games if there are too many states."""
        self._drop(number)
        self._cache[number] = game
        self.states += _size(game)
        while self.states > self._most and len(self._cache) > 1:
            self._drop(next(iter(self._cache)))
        return game

    def _drop(self, number: int) -> None:
        dropped = self._cache.pop(number, None)
        self.states -= _size(dropped) if dropped else 0


def _finished(session: Session, record: GameRecord, rules: GameRules) -> Finished:
    def counted() -> Finished:
        turns = TURNS.load(session, record.number) if rules.keeps_board else ()
        states = replayed(record, rules, turns)
        runs = replayed_runs(record, rules, states, TAKEN_BACK.load(session, record.number))
        return finished(record, rules, states[-1], runs)

    found = or_fault(counted)
    return uncounted(record) if isinstance(found, Corruption) else found


def _runs(
    kept: Replay,
    record: GameRecord,
    rules: GameRules,
    states: Sequence[State],
    taken_back: Sequence[TakenBackTurn],
) -> tuple[Run, ...]:
    """Return the runs that were taken back. Replay them if they or the turns before them have changed."""
    if kept.runs and taken_back == kept.taken_back:
        # Older runs start from the newest one, or from a turn before it.
        before = kept.runs[-1].first
        if states[:before] == kept.states[:before]:
            return kept.runs
    return replayed_runs(record, rules, states, taken_back)


def _equal_at_first(kept: Sequence[Turn], stored: Sequence[Turn]) -> int:
    """Return how many turns are equal, before the first one that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(kept, stored, strict=False)))


def _size(game: Replay) -> int:
    return len(game.states) + sum(len(run.states) for run in game.runs)
