"""The health of takmail in numbers: what waits and since when, and when the mailbox was last heard from."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select, update

from takmail.commands.kinds import RUNNING, LetterState, MailState, Standing
from takmail.commands.records import MOST_BOUNCES
from takmail.store.outbox import UNSENT
from takmail.store.tables import AddressRow, GameRow, IntakeRow, OutboxRow, WatermarkRow
from takmail.store.tables.mails import IN_HAND

_UNREAD = (MailState.NEW, MailState.SHUNTED)
_NOT_OVER = (Standing.INVITED, *RUNNING)


def in_touch(session: Session, mailbox: str, now: datetime) -> None:
    """Note that a mailbox, which has its watermark, was heard from."""
    session.exec(update(WatermarkRow).where(col(WatermarkRow.mailbox) == mailbox).values(in_touch_at=now))


def last_contact(session: Session, mailbox: str) -> datetime | None:
    """When a mailbox was last heard from, None if that never was."""
    return session.exec(select(WatermarkRow.in_touch_at).where(WatermarkRow.mailbox == mailbox)).first()


def mails(session: Session) -> Mapping[MailState, int]:
    """How many mails wait, and how many are kept for the operator, who lets go of one by reducing it."""
    is_kept = col(IntakeRow.is_reduced).is_(False)
    query = select(IntakeRow.state, func.count()).where(col(IntakeRow.state).in_(_UNREAD), is_kept)
    found = dict(session.exec(query.group_by(IntakeRow.state)).all())
    return {state: found.get(state, 0) for state in _UNREAD}


def oldest_mail(session: Session) -> datetime | None:
    """When the first of the mails that wait came in."""
    return session.exec(select(func.min(IntakeRow.received_at)).where(IntakeRow.state == MailState.NEW)).one()


def longest_in_hand(session: Session) -> datetime | None:
    """When the mail was claimed that a process has had in hand for longest."""
    query = select(func.min(IntakeRow.claimed_at)).where(IntakeRow.state == MailState.NEW, IN_HAND)
    return session.exec(query).one()


def letters(session: Session) -> Mapping[LetterState, int]:
    """How many letters have not left, by what keeps them."""
    query = select(OutboxRow.state, func.count()).where(col(OutboxRow.state).in_(UNSENT))
    found = dict(session.exec(query.group_by(OutboxRow.state)).all())
    return {state: found.get(state, 0) for state in UNSENT}


def oldest_letter(session: Session) -> datetime | None:
    """When the first of the letters that should have left was written."""
    query = select(func.min(OutboxRow.created_at)).where(OutboxRow.state == LetterState.QUEUED)
    return session.exec(query).one()


def games(session: Session) -> Mapping[Standing, int]:
    """How many games are not over, by standing."""
    query = select(GameRow.standing, func.count()).where(col(GameRow.standing).in_(_NOT_OVER))
    found = dict(session.exec(query.group_by(GameRow.standing)).all())
    return {standing: found.get(standing, 0) for standing in _NOT_OVER}


def bouncing(session: Session) -> tuple[int, int]:
    """How many addresses letters came back from since their owners wrote; how many of them rest for that."""
    of_all = select(func.count()).select_from(AddressRow)
    came_back = session.exec(of_all.where(AddressRow.bounces > 0)).one()
    return came_back, session.exec(of_all.where(AddressRow.bounces >= MOST_BOUNCES)).one()
