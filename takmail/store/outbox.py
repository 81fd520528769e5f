"""The queue of outgoing letters: finished bytes that leave after the commit, as `leaving` tells."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import and_, bindparam, func, or_, union
from sqlalchemy import select as rows
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select, update

from takmail.store.quick import insert, run
from takmail.store.tables import Address, Answers, LetterState, NewLetter, OutboxRow

LAST_LETTERS = 6
"""How many letters to a seat a player may still have in a thread that they quote with no marks."""

LEAVING = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
"""The letters that leave when they are due; of these only the queued ones hold back those behind them."""

_TO_SEAT = (col(OutboxRow.game_id) == bindparam("game"), col(OutboxRow.seat) == bindparam("seat"))
_RAW: Any = col(OutboxRow.raw)
_NEWEST_FIRST = col(OutboxRow.id).desc()
_BY_MESSAGE_ID = (
    select(OutboxRow)
    .where(col(OutboxRow.message_id).in_(bindparam("ids", expanding=True)))
    .order_by(_NEWEST_FIRST)
    .limit(1)
    .options(defer(_RAW))  # pictures make it long, and it is not looked at
)
_IN_THREAD = select(OutboxRow.id, OutboxRow.message_id).where(
    *_TO_SEAT, col(OutboxRow.state) != LetterState.WITHDRAWN
)
_ENDS = (_IN_THREAD.order_by(col(OutboxRow.id)).limit(1), _IN_THREAD.order_by(_NEWEST_FIRST).limit(1))
_THREAD = union(*(rows(end.subquery()) for end in _ENDS)).order_by("id")
_LAST_TEXTS = (
    select(OutboxRow.text, OutboxRow.html_text)
    .where(*_TO_SEAT)
    .order_by(_NEWEST_FIRST)
    .limit(bindparam("most"))
)
_WAITS_FOR_READER = select(OutboxRow.id).where(
    col(OutboxRow.mail_to) == bindparam("reader"),
    col(OutboxRow.state).in_((LetterState.RESTING, LetterState.BOUNCED)),
)
_PUT_OFF = (
    select(OutboxRow.id)
    .where(
        col(OutboxRow.mail_to).in_(
            select(Address.address).where(col(Address.player_id) == bindparam("player"))
        ),
        col(OutboxRow.state) == LetterState.POSTPONED,
    )
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
)
_WAKE = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(_WAITS_FOR_READER.union_all(rows(_PUT_OFF.subquery()))))
    .values(state=LetterState.QUEUED, due_at=bindparam("now"))
    .execution_options(synchronize_session=False)
)
_NEW = sqlalchemy.insert(OutboxRow)
_NEWEST = select(func.max(OutboxRow.id))


def add(session: Session, letter: NewLetter) -> int:
    """Put a letter into the queue; gives its number."""
    return insert(session, _NEW, letter)


def get(session: Session, number: int) -> OutboxRow:
    """The letter with this number, which is known to exist."""
    return session.get_one(OutboxRow, number)


def by_message_id(session: Session, message_ids: Sequence[str]) -> OutboxRow | None:
    """The newest of our letters that has one of these Message-IDs (case is not trusted on the way)."""
    if not message_ids:
        return None
    return session.exec(_BY_MESSAGE_ID, params={"ids": [one.lower() for one in message_ids]}).first()


def thread(session: Session, game_id: int, seat: int) -> list[str]:
    """The Message-IDs of the first and the last letter to a seat, which hold its thread together."""
    return [one.message_id for one in run(session, _THREAD, game=game_id, seat=seat)]


def last_sent(session: Session, game_id: int, seat: int) -> OutboxRow | None:
    """The newest letter to a seat that the server has taken."""
    query = select(OutboxRow).where(
        OutboxRow.game_id == game_id, OutboxRow.seat == seat, OutboxRow.state == LetterState.SENT
    )
    return session.exec(query.order_by(col(OutboxRow.id).desc()).limit(1)).first()


def last_texts(session: Session, game_id: int, seat: int, most: int) -> Sequence[tuple[str, str | None]]:
    """What the last letters to a seat say, newest first: the text, and what the HTML side reads as."""
    found = run(session, _LAST_TEXTS, game=game_id, seat=seat, most=most)
    return [(one.text, one.html_text) for one in found]


def last_to_seat(session: Session, game_id: int, seat: int) -> Sequence[int | None]:
    """The numbers of the last letters to a seat."""
    query = select(OutboxRow.id).where(OutboxRow.game_id == game_id, OutboxRow.seat == seat)
    return session.exec(query.order_by(col(OutboxRow.id).desc()).limit(LAST_LETTERS)).all()


def unsent(session: Session, game_id: int) -> Sequence[OutboxRow]:
    """The letters about a game that wait, have failed or came back, oldest first."""
    kept = (LetterState.SENT, LetterState.WITHDRAWN)
    query = select(OutboxRow).where(OutboxRow.game_id == game_id, col(OutboxRow.state).not_in(kept))
    return session.exec(query.order_by(col(OutboxRow.id))).all()


def unsay(session: Session, game_id: int, seat: int, turn: int) -> int | None:
    """Keep the letter that tells of a turn from leaving, and give its number.

    None: it may be on its way, as somebody has had it in hand, it is not the last to that seat, or it tells of more.
    """
    letters = (OutboxRow.game_id == game_id, OutboxRow.seat == seat, OutboxRow.state != LetterState.WITHDRAWN)
    newest = session.exec(
        select(OutboxRow).where(*letters).order_by(col(OutboxRow.id).desc()).limit(1)
    ).first()
    if newest is None or newest.turn != turn:
        return None
    waits = (LetterState.QUEUED, LetterState.POSTPONED, LetterState.RESTING)
    untouched = (col(OutboxRow.state).in_(waits), col(OutboxRow.claimed_by) == "")
    # One statement: a sender who claims it at the same moment comes before or after.
    done = session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id) == newest.id, *untouched)
        .values(state=LetterState.WITHDRAWN)
    )
    return newest.id if done.rowcount else None


def postponed(session: Session, address: str, kind: Answers, game: int | None) -> int:
    """How many letters of a kind to an address have been put off, of news those about one game."""
    query = select(func.count()).where(
        OutboxRow.mail_to == address, OutboxRow.state == LetterState.POSTPONED, OutboxRow.answers == kind
    )
    if kind == Answers.NEWS:
        query = query.where(OutboxRow.game_id == game)
    return session.exec(query).one()


def is_put_off(session: Session, number: int) -> bool:
    """Whether a letter has been put off, and has not left since."""
    return session.exec(select(OutboxRow.state).where(OutboxRow.id == number)).one() == LetterState.POSTPONED


def withdraw_put_off(session: Session, number: int) -> bool:
    """Withdraw a letter that was put off; False: it has left."""
    put_off = (col(OutboxRow.id) == number, col(OutboxRow.state) == LetterState.POSTPONED)
    done = session.exec(update(OutboxRow).where(*put_off).values(state=LetterState.WITHDRAWN))
    return bool(done.rowcount)


def following(session: Session, intake_id: int | None) -> Sequence[OutboxRow]:
    """The letters that followed from a mail, in order."""
    query = select(OutboxRow).where(OutboxRow.intake_id == intake_id)
    return session.exec(query.order_by(col(OutboxRow.id))).all()


def newest(session: Session) -> int:
    """The number of the newest letter, 0 where there is none."""
    return run(session, _NEWEST).scalar_one() or 0


def newest_of_game(session: Session, game_id: int, most: int) -> Sequence[OutboxRow]:
    """The letters about a game, the newest first."""
    query = select(OutboxRow).where(OutboxRow.game_id == game_id).order_by(col(OutboxRow.id).desc())
    return session.exec(query.limit(most)).all()


def that_told_of(session: Session, game_id: int, turn: int) -> OutboxRow | None:
    """The newest letter that tells of a turn of this number, and of nothing else but words."""
    told = (OutboxRow.game_id == game_id, OutboxRow.turn == turn, OutboxRow.state != LetterState.WITHDRAWN)
    return session.exec(select(OutboxRow).where(*told).order_by(col(OutboxRow.id).desc()).limit(1)).first()


def is_fleeting(session: Session, number: int) -> None:
    """Keep nothing of a letter once it has left."""
    letter = session.get_one(OutboxRow, number)
    letter.is_fleeting = True
    session.add(letter)
    session.flush()


def after(session: Session, number: int) -> Sequence[OutboxRow]:
    """The letters that were written after the one with this number, in order."""
    return session.exec(select(OutboxRow).where(col(OutboxRow.id) > number).order_by(col(OutboxRow.id))).all()


def came_back(session: Session, letter: OutboxRow, reason: str, again: datetime) -> None:
    """Note that a letter has come back, and when to send it once more."""
    letter.state, letter.error, letter.due_at = LetterState.BOUNCED, reason, again
    session.add(letter)
    session.flush()


def gave_up(session: Session, letter: OutboxRow, reason: str) -> None:
    """Note that a letter has come back and stays away."""
    letter.state, letter.error = LetterState.FAILED, reason
    session.add(letter)
    session.flush()


def rest(session: Session, address: str) -> None:
    """Let the letters that wait for an address, or came back from it, wait until its owner writes."""
    session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.mail_to) == address, col(OutboxRow.state).in_(LEAVING))
        .values(state=LetterState.RESTING)
    )


def wake(session: Session, address: str, player_id: int, most: int, now: datetime) -> None:
    """Send what rested at an address, and what came back from it; and what was put off for its owner.

    Of that no more than `most`, the oldest first: who has let very many pile up is not flooded when they write.
    """
    run(session, _WAKE, reader=address, player=player_id, most=most, now=now)


def withdraw(session: Session, game_id: int, seat: int) -> None:
    """Send no letter to a seat that has not left yet, nor any once more; one that is on its way arrives."""
    waits = or_(
        col(OutboxRow.state).in_((LetterState.BOUNCED, LetterState.RESTING, LetterState.POSTPONED)),
        and_(col(OutboxRow.state) == LetterState.QUEUED, col(OutboxRow.claimed_by) == ""),
    )
    session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.game_id) == game_id, col(OutboxRow.seat) == seat, waits)
        .values(state=LetterState.WITHDRAWN)
    )


def reduce_letter(letter: OutboxRow) -> None:
    """Keep the hash of a letter in the place of its bytes."""
    if letter.sha256 is None:
        letter.raw, letter.sha256 = b"", hashlib.sha256(letter.raw).hexdigest()
