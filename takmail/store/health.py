"""Queries for monitoring: the lengths and ages of queues, and the last contact with the mailbox."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import case, exists, func, or_
from sqlmodel import Session, col, select, update

from takmail.commands.kinds import RUNNING, DeliveryClass, LetterState, MailState, Standing
from takmail.limits.letters import MAX_BOUNCES
from takmail.store.outbox import UNSENT
from takmail.store.tables import AddressRow, GameRow, InboxRow, OutboxRow, WatermarkRow
from takmail.store.tables.mails import IS_CLAIMED

_UNREAD = (MailState.NEW, MailState.SHUNTED)
_NOT_OVER = (Standing.INVITED, *RUNNING)
FAILED_TO_STRANGERS = "failed_to_strangers"
"""The state of failed letters to strangers, which forged mails cause."""
_HAS_WRITTEN = col(AddressRow.verified_at).is_not(None)
_IS_TO_STRANGER = (col(OutboxRow.delivery_class) == DeliveryClass.OTHERS) & ~exists().where(
    col(AddressRow.address) == OutboxRow.mail_to, _HAS_WRITTEN
)
"""The condition that a letter goes to an address from which nobody has ever provably written."""


def note_contact(session: Session, mailbox: str, now: datetime) -> None:
    """Store `now` as the time of the last contact with a mailbox, if the mailbox has a watermark."""
    session.exec(update(WatermarkRow).where(col(WatermarkRow.mailbox) == mailbox).values(last_contact_at=now))


def last_contact(session: Session, mailbox: str) -> datetime | None:
    """Return when a mailbox's server last answered, or None."""
    return session.exec(select(WatermarkRow.last_contact_at).where(WatermarkRow.mailbox == mailbox)).first()


def mails(session: Session) -> Mapping[MailState, int]:
    """Return the number of waiting mails, and of shunted mails that are not reduced, by state."""
    is_kept = col(InboxRow.is_reduced).is_(False)
    query = select(InboxRow.state, func.count()).where(col(InboxRow.state).in_(_UNREAD), is_kept)
    found = dict(session.exec(query.group_by(InboxRow.state)).all())
    return {state: found.get(state, 0) for state in _UNREAD}


def oldest_mail(session: Session) -> datetime | None:
    """Return when the oldest waiting mail arrived, or None."""
    return session.exec(select(func.min(InboxRow.received_at)).where(InboxRow.state == MailState.NEW)).one()


def longest_claim(session: Session) -> datetime | None:
    """Return when the oldest current claim on a mail was made, or None."""
    query = select(func.min(InboxRow.claimed_at)).where(InboxRow.state == MailState.NEW, IS_CLAIMED)
    return session.exec(query).one()


def letters(session: Session) -> Mapping[str, int]:
    """Return the number of unsent letters in each state. Failed letters to strangers count as a state of their own."""
    failed = (col(OutboxRow.state) == LetterState.FAILED) & _IS_TO_STRANGER
    state = case((failed, FAILED_TO_STRANGERS), else_=OutboxRow.state).label("state")
    query = select(state, func.count()).where(col(OutboxRow.state).in_(UNSENT)).group_by(state)
    found = dict(session.exec(query).all())
    return {state: found.get(state, 0) for state in (*UNSENT, FAILED_TO_STRANGERS)}


def oldest_letter(session: Session) -> datetime | None:
    """Return when the oldest queued letter was written, or None.

    A letter to a stranger that was refused for now does not count, as a forged address may be the reason.
    """
    is_waiting = or_(col(OutboxRow.attempts) == 0, ~_IS_TO_STRANGER)
    query = select(func.min(OutboxRow.created_at)).where(OutboxRow.state == LetterState.QUEUED, is_waiting)
    return session.exec(query).one()


def games(session: Session) -> Mapping[Standing, int]:
    """Return the number of games that are not over, by standing."""
    query = select(GameRow.standing, func.count()).where(col(GameRow.standing).in_(_NOT_OVER))
    found = dict(session.exec(query.group_by(GameRow.standing)).all())
    return {standing: found.get(standing, 0) for standing in _NOT_OVER}


def size(session: Session) -> int:
    """Return the size of the database in bytes."""
    of_server = "SELECT pg_database_size(current_database())"
    of_file = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    query = of_server if session.get_bind().dialect.name == "postgresql" else of_file
    return int(session.connection().exec_driver_sql(query).scalar_one())


def bouncing(session: Session) -> tuple[int, int, int]:
    """Return how many addresses have bounced since their owners last wrote, and for how many delivery is suspended.

    Both are of those who have ever provably written. The third number is that of the other addresses that have bounced.
    """
    of_all = select(func.count()).select_from(AddressRow).where(AddressRow.bounces > 0)
    writers = of_all.where(_HAS_WRITTEN)
    resting = writers.where(AddressRow.bounces >= MAX_BOUNCES)
    others = of_all.where(~_HAS_WRITTEN)
    return session.exec(writers).one(), session.exec(resting).one(), session.exec(others).one()
