"""Compute ratings from all finished games that count, store them, and find those that somebody may see."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, insert, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.games.rated import Rated
from takmail.games.registry import Games
from takmail.letters.services import Services
from takmail.store import due
from takmail.store.statements import run, run_many, select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    FirstTurnRow,
    GameRow,
    PlayerRow,
    RatingRow,
    SeatRow,
    TurnRow,
)
from takmail.world import BEGUN, DAY, PlayerId, PlayerKind, Ruling, Standing, bot_skeleton
from takmail.world.ratings import (
    LEAST_GAMES,
    LEAST_PLAYERS,
    LEAST_TURNS,
    FirstTurn,
    ListedRating,
    OwnResults,
    Pool,
    RatedGame,
    Rating,
    Results,
    pool_of,
    ratings,
    strengths_in,
)

RATINGS = "ratings"
"""The work of computing all ratings (`takmail.store.due`). It is about no one game."""
RATED_WITHIN = timedelta(minutes=15)
"""How long after the end of a game ratings are computed. All games that end meanwhile count in it."""
_OF_NOBODY = 0
_MOST_LISTED = 1_000
_first: Any = aliased(SeatRow)
_second: Any = aliased(SeatRow)
_LAST_TURN_AT = (
    select(TurnRow.played_at)
    .where(col(TurnRow.game_id) == GameRow.id)
    .order_by(col(TurnRow.number).desc())
    .limit(1)
    .scalar_subquery()
)
_COUNTED = (
    select(
        GameRow.kind,
        GameRow.setup,
        GameRow.winner,
        _first.player_id.label("first"),
        _second.player_id.label("second"),
        _LAST_TURN_AT.label("ended_at"),
    )
    .join(_first, and_(_first.game_id == GameRow.id, _first.seat == int(Seat.FIRST)))
    .join(_second, and_(_second.game_id == GameRow.id, _second.seat == int(Seat.SECOND)))
    .where(
        col(GameRow.standing) == Standing.OVER,
        ~col(GameRow.is_relay),
        ~col(GameRow.is_unrated),
        # A corrupt game has no points.
        col(GameRow.first_points).is_not(None),
        or_(col(GameRow.ruling).is_(None), col(GameRow.ruling) != Ruling.VOID),
        exists().where(col(TurnRow.game_id) == GameRow.id, col(TurnRow.number) == LEAST_TURNS),
    )
)
_OF_PLAYER = _COUNTED.where(
    or_(_first.player_id == bindparam("player"), _second.player_id == bindparam("player"))
)
_BOTS = select(PlayerRow.id, PlayerRow.skeleton).where(col(PlayerRow.kind) == PlayerKind.ENGINE)
_FORGET = delete(RatingRow).where(col(RatingRow.player_id) == bindparam("player"))
_NO_RATINGS, _NO_FIRST_TURNS = delete(RatingRow), delete(FirstTurnRow)
_COLUMNS = ("player_id", "kind", "board", "points", "deviation", "games")
_ADD_RATING = insert(RatingRow).from_select(
    _COLUMNS,
    # Who has left since, or was merged, has none.
    select(
        PlayerRow.id, *(bindparam(name, type_=getattr(RatingRow, name).type) for name in _COLUMNS[1:])
    ).where(col(PlayerRow.id) == bindparam("player"), col(PlayerRow.kind) == PlayerKind.PERSON),
)
_ADD_FIRST_TURN = insert(FirstTurnRow)
_FIRST_TURNS = select(FirstTurnRow).order_by(FirstTurnRow.kind, FirstTurnRow.board, FirstTurnRow.komi)

_YOU: Any = bindparam("you")
_yours: Any = aliased(SeatRow)
_IS_OPPONENT = exists(
    select(SeatRow.game_id)
    .join(_yours, and_(_yours.game_id == SeatRow.game_id, _yours.player_id == _YOU))
    .join(GameRow, col(GameRow.id) == SeatRow.game_id)
    .where(col(SeatRow.player_id) == PlayerRow.id, col(GameRow.standing).in_(BEGUN))
)
_MAY_BE_WRITTEN_TO = exists().where(
    col(AddressRow.player_id) == PlayerRow.id, col(AddressRow.stopped_at).is_(None)
)
_BLOCKED = exists().where(
    or_(
        and_(col(BlockRow.player_id) == PlayerRow.id, col(BlockRow.blocked_id) == _YOU),
        and_(col(BlockRow.player_id) == _YOU, col(BlockRow.blocked_id) == PlayerRow.id),
    )
)
_SHOWN = (
    select(*(getattr(RatingRow, name) for name in _COLUMNS), PlayerRow.name)
    .join(PlayerRow, col(PlayerRow.id) == RatingRow.player_id)
    .where(
        or_(
            col(PlayerRow.id) == _YOU,
            and_(
                col(RatingRow.games) >= LEAST_GAMES,
                col(PlayerRow.kind) == PlayerKind.PERSON,
                ~col(PlayerRow.is_blocked),
                or_(
                    col(PlayerRow.rating_seen_by) == "all",
                    and_(col(PlayerRow.rating_seen_by).is_(None), _IS_OPPONENT),
                ),
                _MAY_BE_WRITTEN_TO,
                ~_BLOCKED,
            ),
        )
    )
    .order_by(
        # However many there are, one's own are among them.
        col(PlayerRow.id) != _YOU,
        RatingRow.kind,
        RatingRow.board,
        col(RatingRow.points).desc(),
        RatingRow.player_id,
    )
    .limit(_MOST_LISTED)
)


class _Counted(NamedTuple):
    """A finished game that counts. `points` are those of the first player."""

    pool: Pool
    komi: float
    first: int
    second: int
    points: float
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Computed:
    """What was computed of all games: rows of `RatingRow`, with the player as `player`, and of `FirstTurnRow`."""

    ratings: Sequence[Mapping[str, object]]
    first_turns: Sequence[Mapping[str, object]]


def computed(session: Session, games: Games, now: datetime) -> Computed:
    """Compute all ratings from the finished games that count."""
    of_pools: dict[Pool, list[_Counted]] = defaultdict(list)
    for counted in _counted(games, run(session, _COUNTED)):
        of_pools[counted.pool].append(counted)
    bots = {row.skeleton: row.id for row in run(session, _BOTS)}
    rows: list[Mapping[str, object]] = []
    for pool, played in sorted(of_pools.items()):
        anchors = {
            bots[bot_skeleton(level)]: float(points)
            for level, points in strengths_in(games, pool).items()
            if bot_skeleton(level) in bots
        }
        rated = (
            RatedGame(game.first, game.second, game.points, game.komi, (now - game.ended_at) // DAY)
            for game in played
        )
        rows += (
            {
                "player": player,
                **pool._asdict(),
                "points": round(rating.points),
                "deviation": round(rating.deviation),
                "games": rating.games,
            }
            for player, rating in ratings(rated, anchors).of.items()
        )
    first_turns = [*_first_turns(of_pools, frozenset(bots.values()))]
    return Computed(rows, first_turns)


def set_due(session: Session, now: datetime) -> None:
    """Store that the ratings are to be computed soon."""
    due.set_due_by(session, _OF_NOBODY, RATINGS, now + RATED_WITHIN)


def forget(session: Session, player: int) -> None:
    """Delete the ratings of a player who is merged with another. Those of both are computed anew."""
    run(session, _FORGET, player=player)


def store(session: Session, found: Computed) -> None:
    """Store what was computed in place of what was there."""
    run(session, _NO_RATINGS)
    run(session, _NO_FIRST_TURNS)
    run_many(session, _ADD_RATING, found.ratings)
    run_many(session, _ADD_FIRST_TURN, found.first_turns)


class RatingQueries:
    """The queries for ratings that a cause can run in its transaction."""

    session: Session
    services: Services

    def ratings(self, you: PlayerId | None) -> Sequence[ListedRating]:
        """Return the ratings that a player, or a stranger, may see, the strongest of each pool first."""
        listed = (
            ListedRating(
                Pool(row.kind, row.board),
                PlayerId(row.player_id),
                row.name,
                Rating(row.points, row.deviation, row.games),
            )
            for row in run(self.session, _SHOWN, you=0 if you is None else you)
        )
        return sorted(listed, key=lambda shown: (shown.pool, -shown.rating.points, shown.player))

    def first_turns(self) -> Sequence[FirstTurn]:
        """Return how often first players win."""
        return [
            FirstTurn(Pool(row.kind, row.board), row.komi, Results(row.games, row.won, row.drawn))
            for row in run(self.session, _FIRST_TURNS)
        ]

    def results_of(self, player: PlayerId) -> Sequence[OwnResults]:
        """Return how a player has fared in the games that count, by pool."""
        found: dict[Pool, list[Results]] = defaultdict(lambda: [Results(), Results()])
        for game in _counted(self.services.games, run(self.session, _OF_PLAYER, player=player)):
            seat = Seat.FIRST if game.first == player else Seat.SECOND
            points = game.points if seat is Seat.FIRST else 1 - game.points
            found[game.pool][seat] = found[game.pool][seat].with_points(points)
        return [OwnResults(pool, *both) for pool, both in sorted(found.items())]


def _counted(games: Games, rows: Sequence[Any]) -> Iterator[_Counted]:
    """Return the games of these rows that their rules let count."""
    for row in rows:
        rules = games.by_name.get(row.kind)
        if rules is None or row.first == row.second:
            continue
        pool = pool_of(games, row)
        if pool is not None:
            points = 0.5 if row.winner is None else float(row.winner == Seat.FIRST)
            komi = rules.komi(row.setup) if isinstance(rules, Rated) else 0.0
            yield _Counted(pool, komi, row.first, row.second, points, row.ended_at)


def _first_turns(
    of_pools: Mapping[Pool, Sequence[_Counted]], bots: frozenset[int]
) -> Iterator[Mapping[str, object]]:
    """Count how often first players win, where enough people have played."""
    people: dict[tuple[Pool, str], set[int]] = defaultdict(set)
    results: dict[tuple[Pool, str], Results] = defaultdict(Results)
    for pool, played in of_pools.items():
        for game in played:
            key = pool, f"{game.komi:g}"
            people[key] |= {game.first, game.second} - bots
            results[key] = results[key].with_points(game.points)
    for (pool, komi), counted in sorted(results.items()):
        if len(people[pool, komi]) >= LEAST_PLAYERS:
            yield {**pool._asdict(), "komi": komi, **counted._asdict()}
