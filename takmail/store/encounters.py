"""The games between players: whom somebody has played, and what two have played so far."""

from collections.abc import Sequence

from sqlalchemy import or_
from sqlmodel import Session, col, select

from takmail.store.tables import BEGUN, GameRow, Ruling, SeatRow, Standing


def opponents(session: Session, player_id: int) -> Sequence[tuple[str, int]]:
    """Whom a player has begun games with, and of which kind; each once, longest known first."""
    mine = select(SeatRow.game_id).where(SeatRow.player_id == player_id)
    query = (
        select(GameRow.kind, SeatRow.player_id)
        .join(SeatRow)
        .where(
            col(GameRow.id).in_(mine),
            SeatRow.player_id != player_id,
            col(GameRow.standing).in_(BEGUN),
        )
        .order_by(col(GameRow.id))
    )
    return list(dict.fromkeys((kind, other) for kind, other in session.exec(query)))


def finished_between(session: Session, kind: str, one: int, other: int) -> Sequence[tuple[GameRow, int]]:
    """The games of a kind that two players have finished, by number, each with the player of its first seat.

    What the operator has made void is none of them.
    """
    theirs = select(SeatRow.game_id).where(SeatRow.player_id == other)
    ours = select(SeatRow.game_id).where(SeatRow.player_id == one, col(SeatRow.game_id).in_(theirs))
    query = (
        select(GameRow, SeatRow.player_id)
        .join(SeatRow)
        .where(
            SeatRow.seat == 0,
            col(GameRow.id).in_(ours),
            GameRow.kind == kind,
            GameRow.standing == Standing.OVER,
            or_(col(GameRow.ruling).is_(None), col(GameRow.ruling) != Ruling.VOID),
        )
        .order_by(col(GameRow.id))
    )
    return [(row, first) for row, first in session.exec(query)]


def last_beginner(session: Session, kind: str, one: int, other: int) -> int | None:
    """Who had the first seat in the newest game of a kind that two players have begun; None: there is none."""
    theirs = select(SeatRow.game_id).where(SeatRow.player_id == other)
    ours = select(SeatRow.game_id).where(SeatRow.player_id == one, col(SeatRow.game_id).in_(theirs))
    query = (
        select(SeatRow.player_id)
        .join(GameRow)
        .where(
            SeatRow.seat == 0,
            col(GameRow.id).in_(ours),
            GameRow.kind == kind,
            col(GameRow.standing).in_(BEGUN),
        )
        .order_by(col(GameRow.id).desc())
    )
    return session.exec(query.limit(1)).first()
