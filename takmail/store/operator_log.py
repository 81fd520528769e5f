"""The operator's log: who did what to games and players, and why."""

from collections.abc import Collection, Sequence

from sqlmodel import Session, col, select

from takmail.store.tables import OperatorLogRow
from takmail.world import GameNumber, LogWord


def add(session: Session, row: OperatorLogRow) -> None:
    """Add a line to the log."""
    session.add(row)
    session.flush()


def of_game(session: Session, game_id: int) -> Sequence[OperatorLogRow]:
    """Return the log of a game, oldest first."""
    return session.exec(
        select(OperatorLogRow).where(OperatorLogRow.game_id == game_id).order_by(col(OperatorLogRow.id))
    ).all()


def of_player(session: Session, player_id: int) -> Sequence[OperatorLogRow]:
    """Return the log lines that name a player, including actions on games because of the player, oldest first."""
    return session.exec(
        select(OperatorLogRow).where(OperatorLogRow.player_id == player_id).order_by(col(OperatorLogRow.id))
    ).all()


def last_of_game(session: Session, game_id: int, *deeds: LogWord) -> OperatorLogRow | None:
    """Return the newest log line of a game with one of these actions, or None."""
    return session.exec(
        select(OperatorLogRow)
        .where(OperatorLogRow.game_id == game_id, col(OperatorLogRow.what).in_(deeds))
        .order_by(col(OperatorLogRow.id).desc())
        .limit(1)
    ).first()


def last_of_player(session: Session, player_id: int, deed: LogWord) -> OperatorLogRow | None:
    """Return the newest log line of a player with this action, or None."""
    return session.exec(
        select(OperatorLogRow)
        .where(OperatorLogRow.player_id == player_id, OperatorLogRow.what == deed)
        .order_by(col(OperatorLogRow.id).desc())
        .limit(1)
    ).first()


def adjourned_for_a_block(session: Session, games: Collection[GameNumber]) -> frozenset[GameNumber]:
    """Return those of these games that the operator suspended by blocking one of their players."""
    deeds = {one: last_of_game(session, one, LogWord.ADJOURNED, LogWord.FROZEN) for one in games}
    return frozenset(one for one, deed in deeds.items() if deed is not None and deed.player_id is not None)
