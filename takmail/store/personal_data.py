"""All that is held about one player: of each kind the newest rows, and how many older ones there are."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, and_, exists, func, or_, union
from sqlmodel import Session, col

from takmail.commands.kinds import LogWord
from takmail.commands.personal_data import Newest, PersonalData, Row, StoredMail
from takmail.commands.records import PlayerId, Seek, SeekNumber
from takmail.mail.address import the_sender
from takmail.mail.headers import first_headers
from takmail.mail.limits import Limits
from takmail.store import games
from takmail.store.load import QUESTIONS, question_of
from takmail.store.statements import select
from takmail.store.tables import (
    AddressRow,
    BlockRow,
    ChatRow,
    DisputeRow,
    GameRow,
    IntakeRow,
    LogRow,
    OfferRow,
    OutboxRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
    SeekRow,
    ShownBoardRow,
    TakenBackRow,
    TurnRow,
)

_HEAD_BYTES = 8_192
"""How much of a mail or letter is read for its Subject."""
_MOST_LETTERS = 10_000
"""Letters to a player, the newest, that are looked through for older names of theirs."""


def personal_data(session: Session, you: PlayerId, most: int, most_posts: int) -> PersonalData:
    """All that is held about a player: of each kind the newest rows, oldest first."""
    held = _Held(session, you)
    found = held.newest(games.RECORDS, GameRow, held.is_own_game, (GameRow.id,), most, games.record_of)
    opponents = {one for record in found.rows for one in record.seats if one != you}
    names = session.connection().execute(
        select(PlayerRow.id, PlayerRow.name).where(col(PlayerRow.id).in_(sorted(opponents)))
    )
    return PersonalData(
        games=found,
        opponents={row.id: row.name for row in names},
        turns=held.of_seats(TurnRow, (TurnRow.game_id, TurnRow.number), most, _turn),
        taken_back=held.of_seats(TakenBackRow, (TakenBackRow.id,), most, _taken_back),
        chat=held.of_seats(ChatRow, (ChatRow.said_at, ChatRow.game_id, ChatRow.version), most, _chat),
        offers=held.of_seats(
            OfferRow, (OfferRow.offered_at, OfferRow.game_id, OfferRow.version), most, _offer
        ),
        boards_shown=held.of_seats(
            ShownBoardRow, (ShownBoardRow.game_id, ShownBoardRow.seat), most, _shown_board
        ),
        disputes=held.of_seats(
            DisputeRow, (DisputeRow.opened_at, DisputeRow.game_id, DisputeRow.version), most, _dispute
        ),
        questions_in_games=held.questions(_is_own_seat(QuestionRow, you), most),
        questions=held.questions(
            or_(col(QuestionRow.address).in_(_addresses(you)), col(QuestionRow.player_id) == you), most
        ),
        seeks=held.newest(
            _columns(SeekRow), SeekRow, col(SeekRow.player_id) == you, (SeekRow.id,), most, _seek
        ),
        blocks=held.blocks(),
        log=held.newest(_columns(LogRow), LogRow, held.is_own_line, (LogRow.id,), most, _log_line),
        mails=held.mails(most_posts),
        letters=held.letters(most_posts),
    )


def former_names(session: Session, you: PlayerId, limits: Limits) -> Sequence[str]:
    """The names that letters to a player about their games went to, each once, the oldest first."""
    names: dict[str, None] = {}
    for post in _Held(session, you).letters(_MOST_LETTERS).rows:
        if post.game is not None and post.head:
            headers, _ = first_headers(post.head, limits)
            names[the_sender(headers.all("to"), limits)[1]] = None
    return [one for one in names if one]


class _Held:
    """All that is held about one player."""

    def __init__(self, session: Session, you: PlayerId) -> None:
        self._session, self._you = session, you
        self.is_own_game = col(GameRow.id).in_(_games_of(you))
        # What was done to a game for another player's sake is theirs.
        of_games = and_(col(LogRow.game_id).in_(_games_of(you)), col(LogRow.player_id).is_(None))
        self.is_own_line = or_(col(LogRow.player_id) == you, of_games)

    def newest(
        self, query: Any, table: Any, which: Any, keys: Sequence[Any], most: int, shown: Callable[[Any], Any]
    ) -> Newest[Any]:
        """The rows with the highest keys, which are in the order in which they came."""
        run = self._session.connection().execute
        rows = run(
            query.where(which).order_by(None).order_by(*(key.desc() for key in keys)).limit(most)
        ).all()
        count = run(select(func.count()).select_from(table).where(which)).scalar_one()
        return Newest([shown(row) for row in rows[::-1]], count - len(rows))

    def of_seats(
        self, table: Any, keys: Sequence[Any], most: int, shown: Callable[[Any], Row]
    ) -> Newest[Row]:
        """What hangs on a player's own seats."""
        return self.newest(_columns(table), table, _is_own_seat(table, self._you), keys, most, shown)

    def questions(self, which: Any, most: int) -> Newest[Any]:
        """What was asked of a player, oldest first."""
        return self.newest(QUESTIONS, QuestionRow, which, (col(QuestionRow.id),), most, question_of)

    def blocks(self) -> Sequence[tuple[str, datetime]]:
        """Of whom a player wants to hear nothing, by name, and since when."""
        query = (
            select(PlayerRow.name, BlockRow.since)
            .join(BlockRow, col(BlockRow.blocked_id) == PlayerRow.id)
            .where(col(BlockRow.player_id) == self._you)
            .order_by(col(PlayerRow.id))
        )
        return [(name, since) for name, since in self._session.connection().execute(query)]

    def mails(self, most: int) -> Newest[StoredMail]:
        """The mails that have come from a player's addresses, for as long as their senders are kept."""
        is_theirs = col(IntakeRow.sender).in_(_addresses(self._you))
        columns = select(IntakeRow.received_at, IntakeRow.state, _head(IntakeRow), IntakeRow.size)
        return self.newest(
            columns,
            IntakeRow,
            is_theirs,
            (IntakeRow.id,),
            most,
            lambda row: StoredMail(row[0], row[1], row[2], size=row[3]),
        )

    def letters(self, most: int) -> Newest[StoredMail]:
        """The letters to a player, be it for an address or for a seat of theirs."""
        # Each of the two finds its letters by an index; both in one condition, and all letters would be read.
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
    # The games come first, as they have an index; with the seats alone every row of the table would be looked at.
    return and_(table.game_id.in_(_games_of(you)), exists().where(*same, col(SeatRow.player_id) == you))


def _columns(table: Any) -> Any:
    return select(table.__table__)


def _head(table: Any) -> Any:
    return func.substr(table.raw, 1, _HEAD_BYTES, type_=LargeBinary())


# Rows of plain columns, by the names under which they are shown; moments are UTC-aware.


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
    # Of a frozen game it is for the operator alone: the opponent's words may be in it.
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
