"""Collect all data stored about one player: the newest rows of each kind, and how many older ones there are."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, and_, exists, func, or_, union
from sqlmodel import Session, col

from takmail.commands.kinds import LogWord
from takmail.commands.personal_data import Newest, PersonalData, Row, StoredMail
from takmail.commands.records import PlayerId, Seek, SeekNumber
from takmail.limits.mails import MAX_GLANCE_BYTES
from takmail.store import games
from takmail.store.load import QUESTIONS, question_of
from takmail.store.statements import select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    InboxRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)


def personal_data(session: Session, you: PlayerId, most: int, most_posts: int) -> PersonalData:
    """Return the data stored about player `you`: at most `most` rows of each kind, and `most_posts` mails and letters.

    These are the newest rows, in ascending order.
    """
    stored = _StoredData(session, you)
    found = stored.newest(games.RECORDS, GameRow, stored.is_own_game, (GameRow.id,), most, games.game_record)
    opponents = {one for record in found.rows for one in record.seats if one != you}
    names = session.connection().execute(
        select(PlayerRow.id, PlayerRow.name).where(col(PlayerRow.id).in_(sorted(opponents)))
    )
    return PersonalData(
        games=found,
        opponents={row.id: row.name for row in names},
        turns=stored.of_seats(TurnRow, (TurnRow.game_id, TurnRow.number), most, _turn),
        taken_back=stored.of_seats(TakenBackRow, (TakenBackRow.id,), most, _taken_back),
        chat=stored.of_seats(ChatRow, (ChatRow.said_at, ChatRow.game_id, ChatRow.version), most, _chat),
        offers=stored.of_seats(
            OfferRow, (OfferRow.offered_at, OfferRow.game_id, OfferRow.version), most, _offer
        ),
        boards_shown=stored.of_seats(
            ShownBoardRow, (ShownBoardRow.game_id, ShownBoardRow.seat), most, _shown_board
        ),
        disputes=stored.of_seats(
            DisputeRow, (DisputeRow.opened_at, DisputeRow.game_id, DisputeRow.version), most, _dispute
        ),
        questions_in_games=stored.questions(_is_own_seat(QuestionRow, you), most),
        questions=stored.questions(
            or_(col(QuestionRow.address).in_(_addresses(you)), col(QuestionRow.player_id) == you), most
        ),
        seeks=stored.newest(
            _columns(SeekRow), SeekRow, col(SeekRow.player_id) == you, (SeekRow.id,), most, _seek
        ),
        blocks=stored.blocks(),
        log=stored.newest(
            _columns(OperatorLogRow),
            OperatorLogRow,
            stored.is_own_line,
            (OperatorLogRow.id,),
            most,
            _log_line,
        ),
        mails=stored.mails(most_posts),
        letters=stored.letters(most_posts),
    )


class _StoredData:
    """Queries for the data stored about one player."""

    def __init__(self, session: Session, you: PlayerId) -> None:
        self._session, self._you = session, you
        self.is_own_game = col(GameRow.id).in_(_games_of(you))
        # An action on a game because of the other player is the other player's data.
        of_games = and_(
            col(OperatorLogRow.game_id).in_(_games_of(you)), col(OperatorLogRow.player_id).is_(None)
        )
        self.is_own_line = or_(col(OperatorLogRow.player_id) == you, of_games)

    def newest(
        self, query: Any, table: Any, which: Any, keys: Sequence[Any], most: int, shown: Callable[[Any], Any]
    ) -> Newest[Any]:
        """Return the `most` rows with the highest keys, in ascending order, and the number of other rows."""
        run = self._session.connection().execute
        rows = run(
            query.where(which).order_by(None).order_by(*(key.desc() for key in keys)).limit(most)
        ).all()
        count = run(select(func.count()).select_from(table).where(which)).scalar_one()
        return Newest([shown(row) for row in rows[::-1]], count - len(rows))

    def of_seats(
        self, table: Any, keys: Sequence[Any], most: int, shown: Callable[[Any], Row]
    ) -> Newest[Row]:
        """Return the newest rows about the player's seats."""
        return self.newest(_columns(table), table, _is_own_seat(table, self._you), keys, most, shown)

    def questions(self, which: Any, most: int) -> Newest[Any]:
        """Return the newest questions that fulfil a condition, oldest first."""
        return self.newest(QUESTIONS, QuestionRow, which, (col(QuestionRow.id),), most, question_of)

    def blocks(self) -> Sequence[tuple[str, datetime]]:
        """Return the names of the players whom the player blocks, each with the time of the block."""
        query = (
            select(PlayerRow.name, BlockRow.blocked_at)
            .join(BlockRow, col(BlockRow.blocked_id) == PlayerRow.id)
            .where(col(BlockRow.player_id) == self._you)
            .order_by(col(PlayerRow.id))
        )
        return [(name, since) for name, since in self._session.connection().execute(query)]

    def mails(self, most: int) -> Newest[StoredMail]:
        """Return the newest mails from the player's addresses that are not reduced."""
        is_theirs = col(InboxRow.sender).in_(_addresses(self._you))
        columns = select(InboxRow.received_at, InboxRow.state, _head(InboxRow), InboxRow.size)
        return self.newest(
            columns,
            InboxRow,
            is_theirs,
            (InboxRow.id,),
            most,
            lambda row: StoredMail(row[0], row[1], row[2], size=row[3]),
        )

    def letters(self, most: int) -> Newest[StoredMail]:
        """Return the newest letters to one of the player's addresses or seats."""
        # Two queries, one by address and one by seat, each use an index. A single query would read all letters.
        by_address = select(OutboxRow.id).where(col(OutboxRow.mail_to).in_(_addresses(self._you)))
        same = and_(col(SeatRow.game_id) == OutboxRow.game_id, col(SeatRow.seat) == OutboxRow.seat)
        by_seat = select(OutboxRow.id).join(SeatRow, same).where(col(SeatRow.player_id) == self._you)
        is_theirs = col(OutboxRow.id).in_(union(by_address, by_seat))
        columns = select(OutboxRow.created_at, OutboxRow.state, _head(OutboxRow), OutboxRow.game_id)
        return self.newest(
            columns,
            OutboxRow,
            is_theirs,
            (OutboxRow.id,),
            most,
            lambda row: StoredMail(row[0], row[1], row[2], game=row[3]),
        )


def _games_of(you: int) -> Any:
    return select(SeatRow.game_id).where(col(SeatRow.player_id) == you)


def _addresses(you: int) -> Any:
    return select(AddressRow.address).where(col(AddressRow.player_id) == you)


def _is_own_seat(table: Any, you: int) -> Any:
    same = (col(SeatRow.game_id) == table.game_id, col(SeatRow.seat) == table.seat)
    # The condition on the game lets the database use an index. With that on the seat alone it would read every row.
    return and_(table.game_id.in_(_games_of(you)), exists().where(*same, col(SeatRow.player_id) == you))


def _columns(table: Any) -> Any:
    return select(table.__table__)


def _head(table: Any) -> Any:
    return func.substr(table.raw, 1, MAX_GLANCE_BYTES, type_=LargeBinary())


# The functions below convert rows to mappings from the shown name of a column to its value. Times are UTC-aware.


def _turn(row: Any) -> Row:
    return {"game": row.game_id, "turn": row.number, "at": row.played_at, "you_wrote": row.written}


def _taken_back(row: Any) -> Row:
    return {
        "game": row.game_id,
        "turn": row.number,
        "at": row.played_at,
        "taken_back": row.taken_back_at,
        "given_up_by": row.how,
        "you_wrote": row.written,
    }


def _chat(row: Any) -> Row:
    return {
        "game": row.game_id,
        "at": row.said_at,
        "passed_on": row.letter_id is not None,
        "words": row.words,
    }


def _offer(row: Any) -> Row:
    return {
        "game": row.game_id,
        "offer": row.kind,
        "after_turn": row.turn,
        "back_to_turn": row.target,
        "board": row.board,
        "at": row.offered_at,
        "ended": row.ended,
    }


def _shown_board(row: Any) -> Row:
    return {"game": row.game_id, "after_turn": row.turn, "at": row.shown_at, "you_wrote": row.board}


def _dispute(row: Any) -> Row:
    return {
        "game": row.game_id,
        "turn": row.turn,
        "at": row.opened_at,
        "ended": row.ended_at,
        "reason": row.reason,
    }


def _log_line(row: Any) -> Row:
    # The reason for freezing a game is left out, as it may quote the opponent.
    why = "" if row.what == LogWord.FROZEN else row.why
    return {"game": row.game_id, "at": row.at, "done": row.what, "why": why}


def _seek(row: Any) -> Seek:
    return Seek(
        SeekNumber(row.id),
        PlayerId(row.player_id),
        row.kind,
        row.setup,
        row.first,
        row.days,
        row.is_relay,
        row.sought_at,
    )
