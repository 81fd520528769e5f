"""All that is held about one player: of each kind the newest rows, and how many older ones there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import LargeBinary, and_, exists, func, inspect, or_, union
from sqlmodel import Session, col, select

from takmail.store import players
from takmail.store.tables import (
    Block,
    Chat,
    Confirmation,
    Dispute,
    GameRow,
    IntakeRow,
    LogRow,
    Offer,
    OutboxRow,
    Player,
    Question,
    SeatRow,
    Seek,
    ShownBoard,
    TakenBack,
    TurnRow,
)

_HEAD_BYTES = 8_192
"""How much of a mail or letter is read for its Subject."""

One = TypeVar("One")
OfSeat = TypeVar("OfSeat", TurnRow, TakenBack, Chat, Question, Offer, ShownBoard, Dispute)


@dataclass(frozen=True, slots=True)
class Newest(Generic[One]):
    """The newest of some rows, oldest first; `older` is how many more there are."""

    rows: Sequence[One]
    older: int


@dataclass(frozen=True, slots=True)
class Post:
    """A mail or a letter: `head` are its first bytes, none where they are no longer kept.

    `size` is that of a mail in bytes, `game_id` that of a letter about a game.
    """

    at: datetime
    state: str
    head: bytes
    size: int | None = None
    game_id: int | None = None


def games(session: Session, you: int, most: int) -> Newest[GameRow]:
    """The games that a player sits in, whatever became of them."""
    return _newest(session, GameRow, col(GameRow.id).in_(_games_of(you)), most)


def of_seats(session: Session, table: type[OfSeat], you: int, most: int) -> Newest[OfSeat]:
    """What hangs on a player's own seats: turns, words, questions, offers or boards that they have shown."""
    return _newest(session, table, _is_own_seat(table, you), most)


def seeks(session: Session, you: int, most: int) -> Newest[Seek]:
    """The games for which a player seeks anybody."""
    return _newest(session, Seek, col(Seek.player_id) == you, most)


def log_lines(session: Session, you: int, most: int) -> Newest[LogRow]:
    """What was done to a player, and to games of theirs unless it was for another player's sake."""
    of_games = and_(col(LogRow.game_id).in_(_games_of(you)), col(LogRow.player_id).is_(None))
    return _newest(session, LogRow, or_(col(LogRow.player_id) == you, of_games), most)


def questions(session: Session, you: int, most: int) -> Newest[Confirmation]:
    """What was asked of a player's addresses outside any game, or of another address for their sake."""
    own = col(Confirmation.address).in_(players.addresses(session, you))
    return _newest(session, Confirmation, or_(own, col(Confirmation.player_id) == you), most)


def blocks(session: Session, you: int) -> Sequence[tuple[str, datetime]]:
    """Of whom a player wants to hear nothing, by name, and since when."""
    query = select(Player.name, Block.since).join(Block, col(Block.blocked_id) == Player.id)
    return session.exec(query.where(Block.player_id == you).order_by(col(Player.id))).all()


def mails(session: Session, you: int, most: int) -> Newest[Post]:
    """The mails that have come from a player's addresses, for as long as their senders are kept."""
    is_theirs = col(IntakeRow.sender).in_(players.addresses(session, you))
    columns = (IntakeRow.received_at, IntakeRow.state, _head(IntakeRow), IntakeRow.size)
    found = _newest_of(session, columns, IntakeRow, is_theirs, most)
    return Newest(
        [Post(at, str(state), head, size=size) for at, state, head, size in found.rows], found.older
    )


def letters(session: Session, you: int, most: int) -> Newest[Post]:
    """The letters to a player, be it for an address or for a seat of theirs."""
    # Each of the two finds its letters by an index; both in one condition, and all letters would be read.
    by_address = select(OutboxRow.id).where(col(OutboxRow.mail_to).in_(players.addresses(session, you)))
    same = (col(SeatRow.game_id) == OutboxRow.game_id, col(SeatRow.seat) == OutboxRow.seat)
    by_seat = select(OutboxRow.id).join(SeatRow, and_(*same)).where(SeatRow.player_id == you)
    is_theirs = col(OutboxRow.id).in_(union(by_address, by_seat))
    columns = (OutboxRow.created_at, OutboxRow.state, _head(OutboxRow), OutboxRow.game_id)
    found = _newest_of(session, columns, OutboxRow, is_theirs, most)
    return Newest(
        [Post(at, str(state), head, game_id=game) for at, state, head, game in found.rows], found.older
    )


def _games_of(you: int) -> Any:
    return select(SeatRow.game_id).where(SeatRow.player_id == you)


def _is_own_seat(table: Any, you: int) -> Any:
    same = (col(SeatRow.game_id) == table.game_id, col(SeatRow.seat) == table.seat)
    # The games come first, as they have an index; with the seats alone every row of the table would be looked at.
    return and_(table.game_id.in_(_games_of(you)), exists().where(*same, col(SeatRow.player_id) == you))


def _head(table: Any) -> Any:
    return func.substr(table.raw, 1, _HEAD_BYTES, type_=LargeBinary())


def _newest(session: Session, table: type[One], which: Any, most: int) -> Newest[One]:
    found = _newest_of(session, (table,), table, which, most)
    return Newest([row for (row,) in found.rows], found.older)


def _newest_of(session: Session, columns: Any, table: Any, which: Any, most: int) -> Newest[Any]:
    """The rows with the highest keys; games, mails and what hangs on them are numbered as they come."""
    keys = [key.desc() for key in inspect(table).primary_key]
    found = session.execute(select(*columns).where(which).order_by(*keys).limit(most)).all()
    count = session.execute(select(func.count()).select_from(table).where(which)).scalar_one()
    return Newest(found[::-1], count - len(found))
