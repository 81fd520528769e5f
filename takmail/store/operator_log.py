"""The operator's log: who did what to games and players, and why."""

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from takmail.store.tables import OperatorLogRow
from takmail.world import GameNumber, LogWord


def of_game(session: Session, number: int, *words: LogWord) -> Sequence[OperatorLogRow]:
    """Return the log of a game, oldest first. If words are given, return only the actions with one of them."""
    return _lines(session, col(OperatorLogRow.game_id) == number, words)


def of_player(session: Session, number: int, *words: LogWord) -> Sequence[OperatorLogRow]:
    """Return the log of a player as `of_game` does, including actions on games because of the player."""
    return _lines(session, col(OperatorLogRow.player_id) == number, words)


def _lines(
    session: Session, which: ColumnElement[bool], words: Collection[LogWord]
) -> Sequence[OperatorLogRow]:
    query = select(OperatorLogRow).where(which).order_by(col(OperatorLogRow.id))
    return session.exec(query.where(col(OperatorLogRow.what).in_(words)) if words else query).all()


def adjourned_for_a_block(session: Session, games: Collection[GameNumber]) -> frozenset[GameNumber]:
    """Return those of these games that the operator suspended by blocking one of their players."""
    logs = {number: of_game(session, number, LogWord.ADJOURNED, LogWord.FROZEN) for number in games}
    return frozenset(number for number, lines in logs.items() if lines and lines[-1].player_id is not None)
