"""The boards that players have shown: of each seat the last one."""

from datetime import datetime

from sqlmodel import Session

from takmail.store.tables import ShownBoard


def show(session: Session, game_id: int, seat: int, board: str, turn: int, now: datetime) -> None:
    """Keep the board that the player of a seat has shown after turn `turn`, in the place of the one before."""
    session.merge(ShownBoard(game_id=game_id, seat=seat, board=board, turn=turn, shown_at=now))
    session.flush()


def shown(session: Session, game_id: int, seat: int) -> ShownBoard | None:
    """The board that the player of a seat has shown last, if any."""
    return session.get(ShownBoard, (game_id, seat))
