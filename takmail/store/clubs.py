"""Load tournaments, and store whom their steps are to be told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, insert, literal
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.store import due
from takmail.store.clubs_records import ENTRIES, PAIRINGS, STEPS, TOURNAMENTS
from takmail.store.statements import run, select
from takmail.store.tables import (
    AddressRow,
    DueRow,
    EntryRow,
    Moment,
    PairingRow,
    PlayerRow,
    StepRow,
    TournamentRow,
)
from takmail.world import GameNumber, PlayerId, PlayerKind
from takmail.world.clubs.values import SeasonRows, Tournament, TournamentNumber, TournamentStanding
from takmail.world.operations import TOLD

_GOES_ON = col(TournamentRow.standing) != TournamentStanding.OVER
_TOURNAMENT = TOURNAMENTS.query.where(col(TournamentRow.id) == bindparam("number"))


def _since_season(record: Any, table: Any) -> Any:
    """Return the query for the rows of a tournament from a season on."""
    return record.query.where(table.tournament_id == bindparam("number"), table.season >= bindparam("season"))


_PARTS = tuple(
    (record, _since_season(record, table))
    for record, table in ((ENTRIES, EntryRow), (PAIRINGS, PairingRow), (STEPS, StepRow))
)
_OF_SEASON = tuple(
    (
        record,
        record.query.where(table.tournament_id == bindparam("number"), table.season == bindparam("season")),
    )
    for record, table in ((ENTRIES, EntryRow), (PAIRINGS, PairingRow))
)
_NAMED = (
    select(TournamentRow.id)
    .where(col(TournamentRow.skeleton) == bindparam("skeleton"))
    .order_by(_GOES_ON.desc(), col(TournamentRow.id).desc())
    .limit(1)
)
_OF_GAME = select(PairingRow.tournament_id).where(col(PairingRow.game_id) == bindparam("game"))
_SEASON_OF_GAME = select(PairingRow.season).where(
    col(PairingRow.game_id) == bindparam("game"), col(PairingRow.tournament_id) == bindparam("number")
)
_ALL = select(TournamentRow.id).where(_GOES_ON).order_by(col(TournamentRow.id))
_OF_PLAYER = _ALL.where(
    col(TournamentRow.id).in_(
        select(EntryRow.tournament_id).where(col(EntryRow.player_id) == bindparam("player"))
    )
)
_UNTOLD = select(DueRow.work).where(
    col(DueRow.subject) == bindparam("player"), col(DueRow.work).startswith(f"{TOLD} ")
)
_TELL_ALL = insert(DueRow).from_select(
    ["subject", "work", "due_at", "claimed_by", "attempts"],
    select(
        PlayerRow.id,
        bindparam("what"),
        bindparam("at", type_=Moment),
        literal(""),
        literal(0),
    ).where(
        col(PlayerRow.hears_of_tournaments).is_(True),
        col(PlayerRow.is_blocked).is_(False),
        col(PlayerRow.kind) == PlayerKind.PERSON,
        select(AddressRow.address)
        .where(col(AddressRow.player_id) == PlayerRow.id, col(AddressRow.stopped_at).is_(None))
        .exists(),
    ),
)


def tournament(session: Session, number: int) -> Tournament | None:
    """Return a tournament with its last season and its next one, None if there is no such one."""
    found: list[Tournament] = TOURNAMENTS.values_of(run(session, _TOURNAMENT, number=number))
    if not found:
        return None
    key = {"number": number, "season": found[0].season}
    entries, pairings, steps = (
        tuple(record.values_of(run(session, query, **key))) for record, query in _PARTS
    )
    return replace(found[0], entries=entries, pairings=pairings, steps=steps)


def named(session: Session, skeleton: str) -> TournamentNumber | None:
    """Return the tournament with this skeleton that goes on, else the last one, None if there is none."""
    number = run(session, _NAMED, skeleton=skeleton).scalar()
    return None if number is None else TournamentNumber(number)


def of_game(session: Session, game: GameNumber) -> TournamentNumber | None:
    """Return the tournament that has drawn a game, None if there is none."""
    number = run(session, _OF_GAME, game=game).scalar()
    return None if number is None else TournamentNumber(number)


def season_of_game(session: Session, number: TournamentNumber, game: GameNumber) -> int | None:
    """Return the season of a tournament that has drawn a game, None if none has."""
    season: int | None = run(session, _SEASON_OF_GAME, number=number, game=game).scalar()
    return season


def past_season(session: Session, number: TournamentNumber, season: int) -> SeasonRows:
    """Return what is stored of a season."""
    key = {"number": number, "season": season}
    entries, pairings = (tuple(record.values_of(run(session, query, **key))) for record, query in _OF_SEASON)
    return SeasonRows(entries, pairings)


def going_on(session: Session, player: PlayerId | None) -> Sequence[TournamentNumber]:
    """Return the tournaments that go on: all, or those that a player has entered at any time."""
    rows = run(session, _ALL) if player is None else run(session, _OF_PLAYER, player=player)
    return [TournamentNumber(number) for number in rows.scalars()]


def tell_step(session: Session, work: str, players: Sequence[PlayerId] | None, now: datetime) -> None:
    """Store that these players are to be told a step, or all who asked for news if `players` is None."""
    if players is None:
        run(session, _TELL_ALL, what=work, at=now)
        return
    for player in players:
        due.set_due_by(session, player, work, now)


def move_steps(session: Session, source: int, into: int, now: datetime) -> None:
    """Let another player be told what a player was to be told, who is merged into them."""
    for work in run(session, _UNTOLD, player=source).scalars():
        due.done(session, source, work)
        due.set_due_by(session, into, work, now)


class SharedSeason(NamedTuple):
    """A season in which two players both are. `has_begun`: its table needs both."""

    tournament: TournamentNumber
    name: str
    season: int
    has_begun: bool


def shared_seasons(session: Session, one: PlayerId, other: PlayerId) -> list[SharedSeason]:
    """Return the seasons in which both players are or were, those that have begun first."""
    others = aliased(EntryRow)
    rows = run(
        session,
        select(
            EntryRow.tournament_id,
            TournamentRow.name,
            EntryRow.season,
            col(TournamentRow.season).label("last"),
        )
        .join(TournamentRow, col(TournamentRow.id) == EntryRow.tournament_id)
        .join(
            others,
            and_(
                col(others.tournament_id) == EntryRow.tournament_id,
                col(others.season) == EntryRow.season,
                col(others.player_id) == other,
            ),
        )
        .where(col(EntryRow.player_id) == one)
        .order_by(col(EntryRow.tournament_id), col(EntryRow.season)),
    )
    shared = (SharedSeason(TournamentNumber(row[0]), row[1], row[2], row[2] <= row[3]) for row in rows)
    return sorted(shared, key=lambda season: not season.has_begun)
