"""Load games in few statements: a summary query says which tables have rows about each game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    String,
    and_,
    bindparam,
    case,
    cast,
    literal,
    literal_column,
    null,
    or_,
    union_all,
)
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.store import games
from takmail.store.replays import Replays
from takmail.store.statements import run, select
from takmail.store.tables import (
    ChatRow,
    DisputeRow,
    OfferRow,
    OperatorLogRow,
    OutboxRow,
    QuestionRow,
    SeekRow,
    ShownBoardRow,
)
from takmail.store.tables.column_types import LARGEST
from takmail.world.corruption import CorruptGameError
from takmail.world.ids import GameNumber, MessageId, PlayerId, QuestionId
from takmail.world.kinds import (
    LetterState,
    LogWord,
    Ruling,
    Standing,
)
from takmail.world.letters import SentLetter, Thread, WaitingChat
from takmail.world.offered_change import readable
from takmail.world.players import Player, Seek
from takmail.world.questions import QUESTION_LIFETIME, Question
from takmail.world.records import Dispute, GameRecord, Offer, ShownBoard, TakenBackTurn
from takmail.world.table import Corrupt, Table

LAST_LETTERS = 6
"""The number of newest letters to a seat whose text is loaded, to recognise it in a mail without quote marks.

Withdrawn letters don't count. Nobody got them, so nobody can quote them.
"""

_OF_GAME: BindParameter[int] = bindparam("game")
_SEATS = tuple(Seat)

OFFER = (
    OfferRow.version,
    OfferRow.seat,
    OfferRow.kind,
    OfferRow.turn,
    OfferRow.offered_at,
    OfferRow.target,
    OfferRow.board,
    OfferRow.ended,
    OfferRow.ended_version,
)
"""The columns of an offer, in the order of `Offer`."""
OFFERS = select(*OFFER).where(col(OfferRow.game_id) == _OF_GAME).order_by(col(OfferRow.version))
DISPUTES = (
    select(
        DisputeRow.version,
        DisputeRow.seat,
        DisputeRow.turn,
        DisputeRow.reason,
        DisputeRow.opened_at,
        DisputeRow.ended_at,
        DisputeRow.ended_version,
    )
    .where(col(DisputeRow.game_id) == _OF_GAME)
    .order_by(col(DisputeRow.version))
)
_BOARDS = select(ShownBoardRow.seat, ShownBoardRow.board, ShownBoardRow.turn, ShownBoardRow.shown_at).where(
    col(ShownBoardRow.game_id) == _OF_GAME
)
_OPERATOR_ACTION = (
    select(OperatorLogRow.what, OperatorLogRow.why)
    .where(
        col(OperatorLogRow.game_id) == _OF_GAME,
        col(OperatorLogRow.what).in_(bindparam("words", expanding=True)),
    )
    .order_by(col(OperatorLogRow.id).desc())
    .limit(1)
)
QUESTIONS = (
    select(
        QuestionRow.id,
        QuestionRow.kind,
        QuestionRow.asked_at,
        QuestionRow.words,
        QuestionRow.game_id,
        QuestionRow.seat,
        QuestionRow.version,
        QuestionRow.turn,
        QuestionRow.address,
        QuestionRow.player_id,
        OutboxRow.message_id,
        QuestionRow.is_replaced,
    )
    .outerjoin(OutboxRow, col(OutboxRow.id) == QuestionRow.letter_id)
    .order_by(col(QuestionRow.id))
)
"""The query for questions with the letters that ask them. `question_of` converts its rows."""
SEEKS = select(
    SeekRow.id,
    SeekRow.player_id,
    SeekRow.kind,
    SeekRow.setup,
    SeekRow.first,
    SeekRow.days,
    SeekRow.is_relay,
    SeekRow.sought_at,
).order_by(col(SeekRow.id))
"""The query for seeks, oldest first. `seek_of` converts its rows."""
_OPEN_QUESTIONS = QUESTIONS.where(
    or_(
        col(QuestionRow.game_id).in_(bindparam("games", expanding=True)),
        col(QuestionRow.address).in_(bindparam("addresses", expanding=True)),
    ),
    col(QuestionRow.asked_at) >= bindparam("then"),
)

# The chat messages that are loaded: those that wait, the newest of each seat that is in a letter, and those in letters
# that may still be cancelled.


def _words_query(what: str) -> Any:
    letter: Any = OutboxRow.message_id if what == "waits" else cast(null(), String)
    columns = (ChatRow.version, ChatRow.seat, ChatRow.words)
    return select(
        literal_column(f"'{what}'").label("what"), *columns, letter.label("letter"), ChatRow.letter_id
    )


def _newest_in_a_letter(seat: int) -> Any:
    return select(
        _words_query("written")
        .where(
            col(ChatRow.game_id) == _OF_GAME, col(ChatRow.seat) == seat, col(ChatRow.letter_id).is_not(None)
        )
        .order_by(col(ChatRow.version).desc())
        .limit(1)
        .subquery()
    )


def words_wait() -> ColumnElement[bool]:
    """Return the condition that a chat message waits: no letter contains it, or only a postponed letter does."""
    is_postponed = and_(col(ChatRow.is_postponed).is_(True), col(OutboxRow.state) == LetterState.POSTPONED)
    return or_(col(ChatRow.letter_id).is_(None), is_postponed)


_ALL_WORDS = union_all(
    _words_query("waits")
    .select_from(ChatRow)
    .outerjoin(OutboxRow, col(OutboxRow.id) == ChatRow.letter_id)
    .where(col(ChatRow.game_id) == _OF_GAME, words_wait()),
    *map(_newest_in_a_letter, range(2)),
    _words_query("in_letter").where(
        col(ChatRow.game_id) == _OF_GAME, col(ChatRow.letter_id).in_(bindparam("letters", expanding=True))
    ),
)

# The letters of a thread, and the letter that a mail answers.

_LETTER: dict[str, Any] = {
    "what": "",
    "seat": OutboxRow.seat,
    "id": OutboxRow.id,
    "message_id": OutboxRow.message_id,
    "game_id": OutboxRow.game_id,
    "version": OutboxRow.version,
    "turn": OutboxRow.turn,
    "reported_turn": OutboxRow.reported_turn,
    "text": OutboxRow.text,
    "html_text": OutboxRow.html_text,
    "is_unclaimed": case(
        (
            col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING))
            & (col(OutboxRow.claimed_by) == ""),
            1,
        ),
        else_=0,
    ),
}
_REPLIES: Any = bindparam("replies", expanding=True)
_ALL_IDS: Any = bindparam("ids", expanding=True)


def _letter_query(what: str, *, with_text: bool) -> Any:
    kept = dict(_LETTER, what=literal_column(f"'{what}'"))
    if not with_text:
        kept |= {"text": literal("", String), "html_text": cast(null(), String)}
    return select(*(column.label(name) for name, column in kept.items()))


def _letters_to_seat(what: str, seat: int, *, newest: bool, most: int) -> Any:
    order = col(OutboxRow.id).desc() if newest else col(OutboxRow.id)
    query = _letter_query(what, with_text=newest).where(
        col(OutboxRow.game_id) == _OF_GAME,
        col(OutboxRow.seat) == seat,
        col(OutboxRow.state) != LetterState.WITHDRAWN,
    )
    return select(query.order_by(order).limit(most).subquery())


_ANSWERED = select(
    _letter_query("answered", with_text=True)
    .where(col(OutboxRow.message_id).in_(_ALL_IDS))
    .order_by(case((col(OutboxRow.message_id).in_(_REPLIES), 0), else_=1), col(OutboxRow.id).desc())
    .limit(1)
    .subquery()
)
_KNOWN = _letter_query("known", with_text=False).where(col(OutboxRow.message_id).in_(_ALL_IDS))
_NAMED_LETTERS = union_all(_ANSWERED, _KNOWN)
_THREADS = tuple(
    arm
    for seat in range(2)
    for arm in (
        _letters_to_seat("newest", seat, newest=True, most=LAST_LETTERS),
        _letters_to_seat("first", seat, newest=False, most=1),
    )
)
_OF_THREADS = union_all(*_THREADS)
_OF_THREADS_AND_ANSWERED = union_all(*_THREADS, _ANSWERED, _KNOWN)


@dataclass(frozen=True, slots=True)
class Summaries:
    """Rows of `games.THESE`: games with flags that say which tables have rows about each."""

    rows: Sequence[Any]

    @property
    def players(self) -> frozenset[int]:
        """The numbers of all players of these games."""
        return frozenset(one for row in self.rows for one in (row.first, row.second))


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


@dataclass(slots=True)
class Threads:
    """Collects the rows of letters to both seats of a game, by seat: the first one, and the newest ones."""

    first: dict[int, Any] = field(default_factory=dict)
    newest: dict[int, list[Any]] = field(default_factory=dict)

    @property
    def unclaimed(self) -> list[int]:
        """The numbers of the newest letters to each seat that report a turn, if no process has claimed them."""
        newest = (max(rows, key=_number) for rows in self.newest.values())
        return [row.id for row in newest if row.reported_turn is not None and row.is_unclaimed]

    def thread(self, seat: int, chat: Mapping[int, Sequence[WaitingChat]]) -> Thread:
        """Return the thread of one seat. `chat` are the chat messages in letters, by the letter's number."""
        first, rows = self.first.get(seat), sorted(self.newest.get(seat, ()), key=_number)
        if first is None or not rows:
            return Thread()
        *before, newest = rows
        return Thread(
            first=MessageId(first.message_id),
            last=MessageId(newest.message_id),
            before=MessageId(before[-1].message_id) if before else None,
            texts=tuple((row.text, row.html_text) for row in reversed(rows)),
            reported_turn=newest.reported_turn,
            is_unclaimed=bool(newest.is_unclaimed),
            chat=tuple(chat.get(newest.id, ())),
        )


def summaries(session: Session, numbers: Collection[int]) -> Summaries:
    """Return the summaries of the games with these numbers. Games that don't exist are missing."""
    known = [one for one in numbers if one <= LARGEST]
    return Summaries(run(session, games.THESE, games=known).all() if known else ())


def questions(
    session: Session, now: datetime, numbers: Collection[int], addresses: Collection[str]
) -> Sequence[Question]:
    """Return the questions in these games or to these addresses that have not expired at `now`, oldest first."""
    if not numbers and not addresses:
        return ()
    asked = {"games": list(numbers), "addresses": sorted(addresses), "then": now - QUESTION_LIFETIME}
    return [question_of(row) for row in run(session, _OPEN_QUESTIONS, **asked)]


def question_of(row: Any) -> Question:
    """Convert a row of `QUESTIONS` to a Question."""
    return Question(
        QuestionId(row.id),
        row.kind,
        row.asked_at,
        row.words,
        None if row.game_id is None else GameNumber(row.game_id),
        row.seat,
        row.version,
        row.turn,
        row.address,
        None if row.player_id is None else PlayerId(row.player_id),
        None if row.message_id is None else MessageId(row.message_id),
        row.is_replaced,
    )


def offer_of(row: Any) -> Offer:
    """Convert a row of `OFFERS` to an Offer. Invalid values are kept, to be detected later."""
    return Offer(*row)


def dispute_of(row: Any) -> Dispute:
    """Convert a row of `DISPUTES` to a Dispute. Invalid values are kept, to be detected later."""
    return Dispute(*row)


def seek_of(row: Any) -> Seek:
    """Convert a row of `SEEKS` to a Seek."""
    return Seek(*row)


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

    def tables(
        self, found: Summaries, players: Mapping[PlayerId, Player]
    ) -> Mapping[GameNumber, Table | Corrupt]:
        """Load the games of these summaries, whose players (`players`) are loaded already."""
        asked = [row.id for row in found.rows if row.has_questions]
        open_now = questions(self.session, self.now, asked, ())
        return {
            GameNumber(row.id): self._table(row, players, [one for one in open_now if one.game == row.id])
            for row in found.rows
        }

    def find_letters(self) -> None:
        """Load the letters of takmail's that the mail names, unless they were loaded together with a game."""
        if not self._has_letters and self.answering.values["ids"]:
            for row in run(self.session, _NAMED_LETTERS, **self.answering.values):
                self._note_letter(row)
        self._has_letters = True

    def _note_letter(self, row: Any) -> None:
        self.known.add(MessageId(row.message_id))
        if row.what == "answered":
            self.answered = sent(row)

    def _table(
        self, row: Any, players: Mapping[PlayerId, Player], asked: Sequence[Question]
    ) -> Table | Corrupt:
        session, record = self.session, games.game_record(row)
        rules = self.services.games.rules(record.kind, is_relay=record.is_relay)
        first, second = record.seats
        pair = (players[first], players[second])
        threads = self._threads(record.number)
        said = self._load_words(row, threads)
        both = (
            threads.thread(0, said.in_unclaimed_letters),
            threads.thread(1, said.in_unclaimed_letters),
        )
        taken_back = _taken_back(session, row)
        try:
            replay = self.replays.replay(session, record, rules, taken_back)
            turns, states = replay.turns, replay.states
            every_offer = self._offers(row)
            open_offers = [
                one for one in every_offer if one.ended is None and not Table.is_overdue(one, self.now)
            ]
            offers = readable(record, rules, states, len(turns), open_offers)
        except CorruptGameError as broken:
            last = max((one.number for one in games.turns(session, record.number)), default=0)
            return Corrupt(record, rules, pair, broken.fault, last, both)
        what, why = _operator_action(session, record)
        disputes = _disputes(session, row)

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
            offers=offers,
            taken_back=replay.runs,
            ended_offers=tuple(one for one in every_offer if one not in open_offers),
            disputes=tuple(one for one in disputes if is_open(one)),
            ended_disputes=tuple(one for one in disputes if not is_open(one)),
            waiting_chat=said.waiting,
            questions=tuple(asked),
            last_chat=(said.last_written.get(0), said.last_written.get(1)),
            threads=both,
            shown_boards=_boards(session, row),
            why="" if what == LogWord.FROZEN else why,
            is_frozen=what == LogWord.FROZEN,
            has_rematch=row.has_rematch,
        )

    def _threads(self, number: int) -> Threads:
        if self._has_letters or not self.answering.values["ids"]:
            rows = run(self.session, _OF_THREADS, game=number)
        else:
            rows = run(self.session, _OF_THREADS_AND_ANSWERED, game=number, **self.answering.values)
            self._has_letters = True
        found = Threads()
        for row in rows:
            match row.what:
                case "first":
                    found.first[row.seat] = row
                case "newest":
                    found.newest.setdefault(row.seat, []).append(row)
                case _:
                    self._note_letter(row)
        return found

    def _load_words(self, row: Any, threads: Threads) -> "_Chat":
        if not row.has_words:
            return _Chat((), {}, {})
        waiting, last_written, in_letters = [], {}, dict[int, list[WaitingChat]]()
        for one in run(self.session, _ALL_WORDS, game=row.id, letters=threads.unclaimed):
            if one.what == "written":
                last_written[one.seat] = one.words
                continue
            letter = None if one.letter is None else MessageId(one.letter)
            words = WaitingChat(one.version, one.seat, one.words, letter)
            if one.what == "waits":
                waiting.append(words)
            else:
                in_letters.setdefault(one.letter_id, []).append(words)
        return _Chat(
            tuple(_by_version(waiting)),
            last_written,
            {letter: _by_version(some) for letter, some in in_letters.items()},
        )

    def _offers(self, row: Any) -> Sequence[Offer]:
        """Return all offers of the game."""
        return [offer_of(one) for one in run(self.session, OFFERS, game=row.id)] if row.has_offers else ()


@dataclass(frozen=True, slots=True)
class _Chat:
    """The chat messages of a game.

    `waiting` are the messages that wait. `last_written` is the newest message of each seat that is in a letter.
    `in_unclaimed_letters` are the messages in the letters of `Threads.unclaimed`, by the letter's number.
    """

    waiting: tuple[WaitingChat, ...]
    last_written: Mapping[int, str]
    in_unclaimed_letters: Mapping[int, Sequence[WaitingChat]]


_number = attrgetter("id")


def _by_version(words: Sequence[WaitingChat]) -> Sequence[WaitingChat]:
    return sorted(words, key=lambda one: one.version)


def sent(row: Any) -> SentLetter:
    """Convert a row of a letter, such as one of `_NAMED_LETTERS`, to a SentLetter."""
    return SentLetter(
        MessageId(row.message_id),
        None if row.game_id is None else GameNumber(row.game_id),
        row.seat,
        row.version,
        row.turn,
        row.text,
        row.html_text,
    )


def _taken_back(session: Session, row: Any) -> Sequence[TakenBackTurn]:
    return games.taken_back(session, row.id) if row.has_taken_back else ()


def _disputes(session: Session, row: Any) -> Sequence[Dispute]:
    """Return all disputes of the game."""
    return [dispute_of(one) for one in run(session, DISPUTES, game=row.id)] if row.has_disputes else ()


def _boards(session: Session, row: Any) -> tuple[ShownBoard | None, ShownBoard | None]:
    if not row.has_boards:
        return None, None
    found = {
        one.seat: ShownBoard(one.board, one.turn, one.shown_at) for one in run(session, _BOARDS, game=row.id)
    }
    return found.get(0), found.get(1)


def _operator_action(session: Session, record: GameRecord) -> tuple[str, str]:
    """Return the operator's last action that explains the game's standing, and its reason, or two empty strings."""
    if record.standing == Standing.ADJOURNED:
        words: tuple[LogWord, ...] = (LogWord.ADJOURNED, LogWord.FROZEN)
    elif record.ruling not in (None, Ruling.AGREED):
        words = (LogWord.ENDED,)
    else:
        return "", ""
    row = run(session, _OPERATOR_ACTION, game=record.number, words=words).first()
    return ("", "") if row is None else (row.what, row.why)
