"""The boards that players have shown, of each seat the last one, and who has asked for one."""

from datetime import datetime

from sqlmodel import Session

from takmail.store.tables import SeatRow, ShownBoard


def show(session: Session, game_id: int, seat: int, board: str, turn: int, now: datetime) -> None:
    """Keep the board that the player of a seat has shown after turn `turn`, in the place of the one before."""
    session.merge(ShownBoard(game_id=game_id, seat=seat, board=board, turn=turn, shown_at=now))
    session.flush()


def shown(session: Session, game_id: int, seat: int) -> ShownBoard | None:
    """The board that the player of a seat has shown last, if any."""
    return session.get(ShownBoard, (game_id, seat))


def ask(session: Session, game_id: int, seat: int, *, asks: bool = True) -> None:
    """Note that the player of a seat has asked for the other one's board, or that the other one has written since."""
    row = session.get_one(SeatRow, (game_id, seat))
    row.asks_board = asks
    session.add(row)
    session.flush()


def is_asked(session: Session, game_id: int, seat: int) -> bool:
    """Whether the player of a seat has asked for a board, and the other one has not written since."""
    return session.get_one(SeatRow, (game_id, seat)).asks_board
