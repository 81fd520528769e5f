"""Store the parts of a mail about several games, and what its answer tells of each.

A row of work (`due`) stands for each mail with a part of which no letter has told. Whoever handles the last part
answers all at once, or else the scheduler does.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, false, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.limits.mails import PARTS_ANSWERED_AFTER
from takmail.mail.reader import read_id_and_sender
from takmail.mail.tokens import SeatKey
from takmail.store import due, inbox
from takmail.store.inbox import NewMail
from takmail.store.statements import run, select
from takmail.store.tables import InboxRow, OutboxRow
from takmail.store.threads import SENT_LETTER
from takmail.world import GameNumber, LetterState, MailState, MessageId, SentLetter
from takmail.world.operations import SplitMail
from takmail.world.split_mails import HandledPart, Piece, WaitingPart

_OF_MAIL = (
    select(
        InboxRow.id,
        InboxRow.part,
        InboxRow.state,
        InboxRow.game_id,
        InboxRow.piece,
        InboxRow.is_told,
    )
    .where(col(InboxRow.part_of) == bindparam("mail"))
    .order_by(col(InboxRow.part))
)
_WHOLE = select(
    InboxRow.raw,
    InboxRow.sender,
    InboxRow.fingerprint,
    InboxRow.left_out,
    InboxRow.claimed_at,
    InboxRow.received_at,
    InboxRow.is_told,
).where(col(InboxRow.id) == bindparam("mail"))
_SET_PIECE = (
    update(InboxRow)
    .where(col(InboxRow.id) == bindparam("number"))
    .values(piece=bindparam("told"), is_told=False)
)
_SET_LEFT_OUT = (
    update(InboxRow).where(col(InboxRow.id) == bindparam("number")).values(left_out=bindparam("games"))
)
_SET_ANSWERED = update(InboxRow).where(col(InboxRow.id) == bindparam("number")).values(is_told=True)
_SET_TOLD = (
    update(InboxRow)
    .where(
        col(InboxRow.id).in_(bindparam("numbers", expanding=True)),
        col(InboxRow.is_told).is_(False),
        col(InboxRow.state) != MailState.NEW,
    )
    .values(is_told=True, piece="")
)
_LETTERS_TO_SEAT: Any = (
    select(*(getattr(OutboxRow, name) for name in SENT_LETTER))
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        col(OutboxRow.state) != LetterState.WITHDRAWN,
    )
    .order_by(col(OutboxRow.id).desc())
    .limit(20)  # so that one mail never has a whole thread of questions read
)
_ANSWERED = aliased(OutboxRow)
_IS_ANSWERED = col(_ANSWERED.message_id) == bindparam("answered")
# The answer to the parts of a mail, and its pieces, which the parts led to.
_ITS_PARTS = select(InboxRow.id).where(
    col(InboxRow.part_of) == select(_ANSWERED.mail_id).where(_IS_ANSWERED).scalar_subquery()
)
_IS_PIECE = and_(
    col(OutboxRow.state) == LetterState.PIECE,
    col(OutboxRow.mail_id).in_(_ITS_PARTS),
)
_UNTIL_LETTER = _LETTERS_TO_SEAT.where(
    col(OutboxRow.id) <= select(_ANSWERED.id).where(_IS_ANSWERED).scalar_subquery()
).add_columns(_IS_PIECE)
_UNTIL_TIME = _LETTERS_TO_SEAT.where(col(OutboxRow.created_at) <= bindparam("until")).add_columns(false())


@dataclass(frozen=True, slots=True)
class Parts:
    """A mail whose parts are to be told: its sender, its Message-ID, and its parts.

    `numbers` are those of the handled parts as mails. `told` is how many parts letters have told, and `is_later`
    whether there was a letter. `answered_at` is when the answer leaves at the latest.
    """

    sender: str
    message_id: str | None
    fingerprint: str
    handled: tuple[HandledPart, ...]
    waiting: tuple[WaitingPart, ...]
    left_out: tuple[GameNumber | None, ...]
    numbers: tuple[int, ...]
    told: int
    is_later: bool
    answered_at: datetime


def store(session: Session, splitting: SplitMail, now: datetime) -> None:
    """Store the parts of a mail as mails that have come when it came. They are told in ten minutes at the latest."""
    whole = session.get_one(InboxRow, splitting.mail)
    for part in splitting.parts:
        mail = NewMail(
            fingerprint=f"{whole.fingerprint} part {part.number}",
            received_at=whole.received_at,
            arrived_at=whole.arrived_at,
            raw=part.raw,
            size=len(part.raw),
            sender=whole.sender,
            queue=part.queue or None,
        )
        inbox.record_part(session, mail, splitting.mail, part.number, part.game)
    if splitting.left_out:
        games = ",".join(str(game or 0) for game in splitting.left_out)
        run(session, _SET_LEFT_OUT, number=splitting.mail, games=games)
    due.set_due(session, splitting.mail, due.PARTS, now + PARTS_ANSWERED_AFTER)


def ended(session: Session, part: int, part_of: int, piece: Piece | None, now: datetime) -> None:
    """Store what is told of a part that was handled, None if it waits for the operator. All may be answered now."""
    run(session, _SET_PIECE, number=part, told="" if piece is None else json.dumps(asdict(piece)))
    due.set_due(session, part_of, due.PARTS, now)


def to_tell(session: Session, mail: int) -> Parts | None:
    """Return the parts of a mail, None if letters have told all of them. Nobody else can tell them meanwhile."""
    if not due.lock(session, mail, due.PARTS):
        return None
    whole = run(session, _WHOLE, mail=mail).first()
    rows: Sequence[Any] = run(session, _OF_MAIL, mail=mail)
    handled = [row for row in rows if row.state != MailState.NEW and not row.is_told]
    return Parts(
        sender=whole.sender or "",
        message_id=read_id_and_sender(whole.raw)[0] if whole.raw else None,
        fingerprint=whole.fingerprint,
        handled=tuple(HandledPart(row.part, row.game_id, _piece(row.piece)) for row in handled),
        waiting=tuple(WaitingPart(row.part, row.game_id) for row in rows if row.state == MailState.NEW),
        left_out=tuple(_game(game) for game in whole.left_out.split(",") if game),
        numbers=tuple(row.id for row in handled),
        told=sum(row.is_told for row in rows),
        is_later=whole.is_told,
        answered_at=(whole.claimed_at or whole.received_at) + PARTS_ANSWERED_AFTER,
    )


def _game(number: str) -> GameNumber | None:
    return GameNumber(int(number)) if int(number) else None


def told(session: Session, mail: int, numbers: Sequence[int]) -> bool:
    """Store that a letter tells these parts of a mail. Return False if another one has told some of them."""
    due.done(session, mail, due.PARTS)
    run(session, _SET_ANSWERED, number=mail)
    return run(session, _SET_TOLD, numbers=list(numbers)).rowcount == len(numbers)


def _piece(stored: str) -> Piece | None:
    return Piece(**json.loads(stored)) if stored else None


def letter_shown(
    session: Session,
    key: SeatKey,
    game: GameNumber,
    seat: Seat,
    answered: MessageId | None,
    until: datetime,
) -> SentLetter | None:
    """Return the letter to a seat that the writer of a mail for several games has seen (`Queries.letter_to_seat`)."""
    query, limit = (
        (_UNTIL_TIME, {"until": until}) if answered is None else (_UNTIL_LETTER, {"answered": answered})
    )
    letters = run(session, query, game=game, whose=seat, **limit)
    found = (SentLetter(*row) for *row, is_piece in letters if is_piece or not key.asks(row[0]))
    return next(found, None)
