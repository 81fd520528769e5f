"""Load games in few statements: a summary query says which tables have rows about each game."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    bindparam,
    or_,
)
from sqlmodel import Session, col

from takmail.games.interface import Seat, State
from takmail.letters.services import Services
from takmail.store import games
from takmail.store.records import BOARDS, DISPUTES, PENDING, TAKEN_BACK, Record
from takmail.store.replays import Replays
from takmail.store.statements import run, select
from takmail.store.tables import (
    OperatorLogRow,
    OutboxRow,
    PendingRow,
)
from takmail.store.tables.column_types import LARGEST
from takmail.store.threads import (
    NAMED_LETTERS,
    NO_CHAT,
    OF_THREADS,
    OF_THREADS_AND_ANSWERED,
    SENT_LETTER,
    Letters,
    load_chat,
)
from takmail.world import (
    CorruptGame,
    Corruption,
    Dispute,
    GameNumber,
    GameRecord,
    LogWord,
    MessageId,
    Pending,
    Player,
    PlayerId,
    Ruling,
    SentLetter,
    ShownBoard,
    Standing,
    Table,
    check_offers,
)

_OF_GAME: BindParameter[int] = bindparam("game")
_SEATS = tuple(Seat)

_OPERATOR_ACTION = (
    select(OperatorLogRow.what, OperatorLogRow.why)
    .where(
        col(OperatorLogRow.game_id) == _OF_GAME,
        col(OperatorLogRow.what).in_(bindparam("words", expanding=True)),
    )
    .order_by(col(OperatorLogRow.id).desc())
    .limit(1)
)
ALL_PENDING = (
    select(*(OutboxRow.message_id if column.key == "letter_id" else column for column in PENDING.selected))
    .outerjoin(OutboxRow, col(OutboxRow.id) == PendingRow.letter_id)
    .order_by(col(PendingRow.id))
)
"""The query for what waits for a word, with the Message-IDs of the letters that ask."""
_OF_GAMES_OR_ADDRESSES = ALL_PENDING.where(
    or_(
        col(PendingRow.game_id).in_(bindparam("games", expanding=True)),
        col(PendingRow.address).in_(bindparam("addresses", expanding=True)),
    )
)


@dataclass(frozen=True, slots=True)
class Answering:
    """The Message-IDs in a mail's In-Reply-To (`replies`) and References.

    `references` matter only if none of `replies` is the Message-ID of a letter.
    """

    replies: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def values(self) -> Mapping[str, object]:
        """The query parameters. Message-IDs are in lower case, as mail programs may change the case."""
        replies = [one.lower() for one in self.replies]
        return {"replies": replies, "ids": list({*replies, *(one.lower() for one in self.references)})}


def summaries(session: Session, numbers: Collection[int]) -> Sequence[Any]:
    """Return the rows of `games.THESE` for these numbers. Games that don't exist are missing."""
    known = [one for one in numbers if one <= LARGEST]
    return run(session, games.THESE, games=known) if known else ()


def pending(
    session: Session, now: datetime, numbers: Collection[int], addresses: Collection[str]
) -> Sequence[Pending]:
    """Return what waits for a word in these games or from these addresses, oldest first. Some may have expired."""
    if not numbers and not addresses:
        return ()
    rows = run(session, _OF_GAMES_OR_ADDRESSES, games=list(numbers), addresses=sorted(addresses))
    return [item.at(now) for item in PENDING.values_of(rows)]


@dataclass(slots=True)
class Loader:
    """Loads games with all their rows. The letters that the mail names are loaded together with the first game.

    `answered` is the newest letter of takmail's that the mail answers, or None. `known` are the Message-IDs in the
    mail that belong to letters of takmail's.
    """

    session: Session
    services: Services
    replays: Replays
    now: datetime
    answering: Answering = Answering()
    answered: SentLetter | None = None
    known: set[MessageId] = field(default_factory=set)
    _has_letters: bool = False

    def tables(self, found: Sequence[Any], players: Mapping[PlayerId, Player]) -> Mapping[GameNumber, Table]:
        """Load the games of these summaries, whose players (`players`) are loaded already."""
        waiting = pending(self.session, self.now, [row.id for row in found if row.has_pending], ())
        return {
            GameNumber(row.id): self._table(row, players, [item for item in waiting if item.game == row.id])
            for row in found
        }

    def find_letters(self) -> None:
        """Load the letters of takmail's that the mail names, unless they were loaded together with a game."""
        if not self._has_letters and self.answering.values["ids"]:
            self._note_letters(run(self.session, NAMED_LETTERS, **self.answering.values))
        self._has_letters = True

    def _note_letters(self, rows: Iterable[Any]) -> None:
        for row in rows:
            if row.what in ("answered", "known"):
                self.known.add(MessageId(row.message_id))
            if row.what == "answered":
                self.answered = SentLetter(*row[: len(SENT_LETTER)])

    def _table(self, row: Any, players: Mapping[PlayerId, Player], waiting: Sequence[Pending]) -> Table:
        session, record = self.session, games.game_record(row)
        rules = self.services.games.rules(record.kind, is_relay=record.is_relay)
        first, second = record.seats
        pair = (players[first], players[second])
        letters = self._letters(record.number)
        chat = load_chat(session, record.number, letters.unclaimed) if row.has_chat else NO_CHAT
        both = (letters.thread(Seat.FIRST, chat), letters.thread(Seat.SECOND, chat))
        taken_back = _rows(session, TAKEN_BACK, row)
        offers = [item for item in waiting if not item.is_question and item.is_open]
        states: tuple[State, ...] | Corruption
        try:
            played = self.replays.replay(session, record, rules, taken_back)
            check_offers(record, rules, played.states, len(played.turns), offers)
            turns, states, runs = played.turns, played.states, played.runs
        except CorruptGame as corrupt:
            turns, states, runs = tuple(games.turns(session, record.number)), corrupt.fault, ()
        disputes = _rows(session, DISPUTES, row)
        boards = {board.seat: ShownBoard(*board[1:]) for board in _rows(session, BOARDS, row)}

        def is_open(dispute: Dispute) -> bool:
            return (
                dispute.ended_at is None
                and dispute.turn in range(1, len(turns) + 1)
                and dispute.seat in _SEATS
            )

        return Table(
            record,
            rules,
            pair,
            turns,
            states,
            pending=tuple(waiting),
            taken_back=runs,
            disputes=tuple(one for one in disputes if is_open(one)),
            ended_disputes=tuple(one for one in disputes if not is_open(one)),
            waiting_chat=chat.waiting,
            last_chat=(chat.last_written.get(Seat.FIRST), chat.last_written.get(Seat.SECOND)),
            threads=both,
            shown_boards=(boards.get(0), boards.get(1)),
            why=_operators_reason(session, record),
            has_rematch=row.has_rematch,
        )

    def _letters(self, number: int) -> Letters:
        """Return the letters of a game's threads. Those that the mail names are loaded in the same statement."""
        if self._has_letters or not self.answering.values["ids"]:
            return Letters(run(self.session, OF_THREADS, game=number))
        rows = run(self.session, OF_THREADS_AND_ANSWERED, game=number, **self.answering.values)
        self._note_letters(rows)
        self._has_letters = True
        return Letters(rows)


def _rows(session: Session, record: Record, row: Any) -> Sequence[Any]:
    """Return the values of a record that belong to the game of a row of `games.THESE`."""
    return record.load(session, row.id) if getattr(row, f"has_{record.table.__tablename__}") else ()


def _operators_reason(session: Session, record: GameRecord) -> str:
    """Return the reason of the operator's last action that explains the game's standing, or ''."""
    if record.standing == Standing.ADJOURNED:
        words: tuple[LogWord, ...] = (LogWord.ADJOURNED, LogWord.FROZEN)
    elif record.ruling not in (None, Ruling.AGREED):
        words = (LogWord.ENDED,)
    else:
        return ""
    row = run(session, _OPERATOR_ACTION, game=record.number, words=words).first()
    return "" if row is None or row.what == LogWord.FROZEN else row.why
