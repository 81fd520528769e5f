"""Load the letters to the seats of a game, and the chat messages that wait or stand in these letters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BindParameter,
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
from takmail.limits.letters import WAIT_FOR_THOUGHT
from takmail.store.records import CHAT
from takmail.store.statements import run, select
from takmail.store.tables import ChatRow, OutboxRow
from takmail.world import UNTHREADED, LetterState, MessageId, Thread, WaitingChat

LAST_LETTERS = 6
"""The number of newest letters to a seat whose text is loaded, to recognise it in a mail without quote marks.

Withdrawn, held and gathered letters and pieces don't count. Nobody got them, so nobody can quote them.
"""

_OF_GAME: BindParameter[int] = bindparam("game")

# The chat messages that are loaded: those that wait, the newest of each seat that is in a letter, and those in letters
# that may still be cancelled.


def _words_query(what: str) -> Any:
    letter: Any = OutboxRow.message_id if what == "waits" else cast(null(), String)
    what_it_is: Any = literal_column(f"'{what}'").label("what")
    return select(*CHAT.selected, letter.label("letter"), what_it_is, ChatRow.letter_id)


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


_IS_POSTPONED = and_(
    col(ChatRow.is_postponed).is_(True), col(OutboxRow.state).in_((LetterState.POSTPONED, LetterState.HELD))
)
# A chat message waits if no letter contains it, or only a postponed or held letter does.
_ALL_WORDS = union_all(
    _words_query("waits")
    .select_from(ChatRow)
    .outerjoin(OutboxRow, col(OutboxRow.id) == ChatRow.letter_id)
    .where(col(ChatRow.game_id) == _OF_GAME, or_(col(ChatRow.letter_id).is_(None), _IS_POSTPONED)),
    *map(_newest_in_a_letter, range(2)),
    _words_query("in_letter").where(
        col(ChatRow.game_id) == _OF_GAME, col(ChatRow.letter_id).in_(bindparam("letters", expanding=True))
    ),
)

# The letters of a thread, and the letter that a mail answers.

SENT_LETTER = ("message_id", "game_id", "seat", "version", "turn", "text", "html_text")
"""The columns of a letter, in the order of `SentLetter`."""
_LETTER: dict[str, Any] = {
    **{
        name: getattr(OutboxRow, name)
        for name in (*SENT_LETTER, "id", "reported_turn", "state", "due_at", "created_at")
    },
    "what": "",
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
        col(OutboxRow.state).not_in(UNTHREADED),
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
NAMED_LETTERS = union_all(_ANSWERED, _KNOWN)
_THREADS = tuple(
    arm
    for seat in range(2)
    for arm in (
        _letters_to_seat("newest", seat, newest=True, most=LAST_LETTERS),
        _letters_to_seat("first", seat, newest=False, most=1),
    )
)
OF_THREADS = union_all(*_THREADS, _ANSWERED, _KNOWN)
"""The query for the letters of a game's threads, together with those that a mail names, if any."""


@dataclass(frozen=True, slots=True)
class Chat:
    """Chat messages of a game, in order.

    `waiting` are the messages that wait, and `in_letters` those in unclaimed letters by the letter's number.
    `last_written` is the newest message of each seat that is in a letter, and the game's version after it.
    """

    waiting: tuple[WaitingChat, ...] = ()
    in_letters: tuple[tuple[int, WaitingChat], ...] = ()
    last_written: Mapping[int, tuple[str | None, int]] = field(default_factory=dict)


NO_CHAT = Chat()


def load_chat(session: Session, game: int, letters: Sequence[int]) -> Chat:
    """Return the chat messages of a game. `letters` are the numbers of its unclaimed letters (`Letters.unclaimed`)."""
    rows = sorted(run(session, _ALL_WORDS, game=game, letters=letters), key=attrgetter("version"))
    return Chat(
        tuple(WaitingChat(*row[:4]) for row in rows if row.what == "waits"),
        tuple((row.letter_id, WaitingChat(*row[:4])) for row in rows if row.what == "in_letter"),
        {row.seat: (row.words, row.version) for row in rows if row.what == "written"},
    )


@dataclass(frozen=True, slots=True)
class Letters:
    """Rows of `OF_THREADS`: the first letter to each seat of a game, and the newest ones."""

    rows: Sequence[Any]

    def _to(self, seat: Seat, what: str) -> Sequence[Any]:
        found = [row for row in self.rows if row.what == what and row.seat == seat]
        return sorted(found, key=attrgetter("id"))

    @property
    def unclaimed(self) -> list[int]:
        """The numbers of the newest letters to each seat that report a turn, if no process has claimed them."""
        newest = (letter for seat in Seat for letter in self._to(seat, "newest")[-1:])
        return [row.id for row in newest if row.reported_turn is not None and row.is_unclaimed]

    def thread(self, seat: Seat, chat: Chat) -> Thread:
        """Return the thread of one seat, with the chat messages in its last letter."""
        letters = self._to(seat, "newest")
        if not letters:
            return Thread()
        (first,), newest = self._to(seat, "first"), letters[-1]
        return Thread(
            MessageId(first.message_id),
            MessageId(newest.message_id),
            MessageId(letters[-2].message_id) if letters[1:] else None,
            tuple((row.text, row.html_text) for row in reversed(letters)),
            newest.reported_turn,
            bool(newest.is_unclaimed),
            tuple(words for letter, words in chat.in_letters if letter == newest.id),
            next((MessageId(row.message_id) for row in reversed(letters) if _waits_for_thought(row)), None),
        )


def _waits_for_thought(letter: Any) -> bool:
    is_due_then: bool = letter.due_at == letter.created_at + WAIT_FOR_THOUGHT
    return is_due_then and letter.state == LetterState.QUEUED and bool(letter.is_unclaimed)
