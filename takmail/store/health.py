"""Queries for monitoring: the lengths and ages of queues, and the last contact with the mailbox."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, exists, func, or_
from sqlmodel import Session, col, select, update

from takmail.limits.letters import MAX_BOUNCES
from takmail.store.due import SCHEDULED
from takmail.store.outbox import UNSENT
from takmail.store.tables import AddressRow, DueRow, GameRow, InboxRow, OutboxRow, WatermarkRow
from takmail.store.tables.mails import IS_CLAIMED
from takmail.world import UNFINISHED, DeliveryClass, LetterState, MailState

_UNREAD = (MailState.NEW, MailState.SHUNTED)
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


def mails(session: Session) -> Mapping[str, int]:
    """Return the number of waiting mails, and of shunted mails that are not reduced, by state."""
    is_kept = col(InboxRow.is_reduced).is_(False)
    return _counts(session, InboxRow.state, _UNREAD, col(InboxRow.state).in_(_UNREAD) & is_kept)


def oldest_mail(session: Session) -> datetime | None:
    """Return when the oldest waiting mail arrived, or None."""
    return session.exec(select(func.min(InboxRow.received_at)).where(InboxRow.state == MailState.NEW)).one()


def longest_claim(session: Session) -> datetime | None:
    """Return when the oldest current claim on a mail was made, or None."""
    return session.exec(
        select(func.min(InboxRow.claimed_at)).where(InboxRow.state == MailState.NEW, IS_CLAIMED)
    ).one()


def letters(session: Session) -> Mapping[str, int]:
    """Return the number of unsent letters in each state. Failed letters to strangers count as a state of their own."""
    failed = (col(OutboxRow.state) == LetterState.FAILED) & _IS_TO_STRANGER
    state = case((failed, FAILED_TO_STRANGERS), else_=OutboxRow.state).label("state")
    return _counts(session, state, (*UNSENT, FAILED_TO_STRANGERS), col(OutboxRow.state).in_(UNSENT))


def oldest_letter(session: Session) -> datetime | None:
    """Return when the oldest queued letter was written, or None.

    A letter to a stranger that was refused for now does not count, as a forged address may be the reason.
    """
    is_waiting = or_(col(OutboxRow.attempts) == 0, ~_IS_TO_STRANGER)
    return session.exec(
        select(func.min(OutboxRow.created_at)).where(OutboxRow.state == LetterState.QUEUED, is_waiting)
    ).one()


def games(session: Session) -> Mapping[str, int]:
    """Return the number of games that are not over, by standing."""
    return _counts(session, GameRow.standing, UNFINISHED, col(GameRow.standing).in_(UNFINISHED))


def tasks(session: Session) -> int:
    """Return the number of turns, reviews and hints that a process has to think about."""
    return session.exec(select(func.count()).where(col(DueRow.work).not_in(SCHEDULED))).one()


def _counts(
    session: Session, state: Any, states: Sequence[str], which: ColumnElement[bool]
) -> Mapping[str, int]:
    """Return how many of the rows for which `which` is true are in each of these states. `state` is the column."""
    found = dict(session.exec(select(state, func.count()).where(which).group_by(state)).all())
    return {str(name): found.get(name, 0) for name in states}


def size(session: Session) -> int:
    """Return the size of the database in bytes."""
    of_server = "SELECT pg_database_size(current_database())"
    of_file = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    query = of_server if session.get_bind().dialect.name == "postgresql" else of_file
    return int(session.connection().exec_driver_sql(query).scalar_one())


def addresses(session: Session) -> Mapping[str, int]:
    """Return how many addresses have bounced since their owners last wrote, by state.

    `bouncing` are those of owners who have ever provably written, and `resting` those of them to which delivery is
    suspended. `bouncing_strangers` are the others.
    """
    counts = {
        "bouncing": func.count().filter(_HAS_WRITTEN),
        "resting": func.count().filter(_HAS_WRITTEN, col(AddressRow.bounces) >= MAX_BOUNCES),
        "bouncing_strangers": func.count().filter(~_HAS_WRITTEN),
    }
    found = session.execute(select(*counts.values()).where(AddressRow.bounces > 0)).one()
    return dict(zip(counts, found, strict=True))
