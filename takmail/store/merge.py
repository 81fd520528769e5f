"""Merge two players: one of them gets the games, addresses and other rows of both."""

from collections.abc import Sequence

from sqlalchemy import update
from sqlmodel import Session, col, delete, or_, select

from takmail.store.personal_data import SETTINGS, references
from takmail.store.tables import BlockRow, PlayerRow, SeatRow


def shared_games(session: Session, one: int, other: int) -> Sequence[int]:
    """Return the numbers of the games between two players, whatever their standing."""
    theirs = select(SeatRow.game_id).where(SeatRow.player_id == other)
    return session.exec(
        select(SeatRow.game_id)
        .where(SeatRow.player_id == one, col(SeatRow.game_id).in_(theirs))
        .order_by(col(SeatRow.game_id))
    ).all()


def merge(session: Session, source: int, into: int) -> None:
    """Let all rows that refer to player `source` refer to player `into`, and delete `source`.

    Where both players have a setting, that of `into` is kept.
    """
    _move_blocks(session, source, into)
    goes, stays = session.get_one(PlayerRow, source), session.get_one(PlayerRow, into)
    for column in SETTINGS.split():
        setattr(stays, column, getattr(stays, column) or getattr(goes, column))
    session.flush()
    connection = session.connection()
    for table, reference in references():
        connection.execute(update(table).where(reference == source).values({reference.name: into}))
    session.expire_all()
    session.delete(goes)
    session.flush()


def _move_blocks(session: Session, source: int, into: int) -> None:
    """Combine the blocks of both players. Drop blocks between the two, and duplicates."""
    is_theirs = or_(BlockRow.player_id == source, BlockRow.blocked_id == source)
    old = session.exec(select(BlockRow).where(is_theirs)).all()
    pairs = {
        tuple(into if one == source else one for one in (row.player_id, row.blocked_id)): row.blocked_at
        for row in old
    }
    session.exec(delete(BlockRow).where(is_theirs))
    for (player, blocked), since in pairs.items():
        if player != blocked and session.get(BlockRow, (player, blocked)) is None:
            session.add(BlockRow(player_id=player, blocked_id=blocked, blocked_at=since))
