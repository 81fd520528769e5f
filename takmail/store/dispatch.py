"""Claim letters of the outbox for delivery by class, in order for each recipient, and store the results."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, and_, bindparam, func, not_, or_, union_all
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, update

from takmail.limits.letters import LONGEST_POSTPONEMENT, UNLIMITED, SendingLimits
from takmail.pipeline.returned import AGAIN_AFTER
from takmail.store.outbox import reduce_letter
from takmail.store.people import lock_count
from takmail.store.statements import insert, run, run_many, select
from takmail.store.tables import OutboxRow
from takmail.world import DeliveryClass, LetterState

LEASE = timedelta(minutes=10)
"""How long a claim on a letter lasts. After that, any process may claim and send the letter."""

SERVICE = "serve"
"""The default name of the process that sends."""

_CLASSES = tuple(int(delivery_class) for delivery_class in DeliveryClass)

LONGEST_DELAY = timedelta(hours=3)
"""The longest possible delay of a queued letter. A letter that is due later was queued before the clock was set back.
"""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter that this process has claimed at `claimed_at`.

    `held_before` is the process that last claimed it before, or ''.
    """

    id: int
    mail_from: str
    mail_to: str
    message_id: str
    raw: bytes
    drawings: str
    game_id: int | None
    reported_turn: int | None
    attempts: int
    delivery_class: int
    held_before: str
    claimed_at: datetime


def _no_earlier_letter(*states: LetterState) -> ColumnElement[bool]:
    """Return the condition that no earlier letter in one of these states holds up a letter to the same recipient.

    Letters of the last class hold up only each other, as anybody can cause many of them to one player. A class that
    may not leave holds up nothing. The subquery finds the first letter through the index. PostgreSQL would turn
    `NOT EXISTS` into a join, which is quadratic in the number of letters to one recipient.
    """
    other = aliased(OutboxRow)
    first = (
        select(func.min(other.id))
        .where(
            col(other.mail_to) == OutboxRow.mail_to,
            col(other.state).in_(states),
            _holds_up(other),
            or_(
                col(OutboxRow.delivery_class) == DeliveryClass.OTHERS,
                and_(
                    col(other.delivery_class) < DeliveryClass.OTHERS,
                    col(other.delivery_class) <= bindparam("last_class"),
                ),
            ),
        )
        .scalar_subquery()
    )
    return func.coalesce(first, OutboxRow.id) >= OutboxRow.id


def _holds_up(letter: type[OutboxRow]) -> ColumnElement[bool]:
    """Return the condition that later letters to the same recipient wait for this one.

    It is due, or was queued and tried: in transit, or refused for now. Any other that waits may be overtaken.
    """
    is_tried = or_(col(letter.claimed_by) != "", col(letter.error) != "")
    return or_(
        col(letter.due_at) <= bindparam("now"), and_(col(letter.state) == LetterState.QUEUED, is_tried)
    )


_BOUNCED_OR_POSTPONED = (LetterState.BOUNCED, LetterState.POSTPONED)
_IS_QUEUED = col(OutboxRow.state) == LetterState.QUEUED
_IS_DUE = col(OutboxRow.due_at) <= bindparam("now")
_NO_EARLIER_QUEUED = _no_earlier_letter(LetterState.QUEUED)
"""The condition that keeps letters to one recipient in order. Bounced and postponed letters may be overtaken."""
_CLAIMED_COLUMNS = (
    OutboxRow.id,
    OutboxRow.mail_from,
    OutboxRow.mail_to,
    OutboxRow.message_id,
    OutboxRow.raw,
    OutboxRow.drawings,
    OutboxRow.game_id,
    OutboxRow.reported_turn,
    OutboxRow.attempts,
    OutboxRow.delivery_class,
    OutboxRow.claimed_by,
)
_OF_NEW_LETTER = (
    "mail_from",
    "mail_to",
    "message_id",
    "raw",
    "drawings",
    "game_id",
    "reported_turn",
    "delivery_class",
)
"""The columns of a new letter that `Claimed` has, too."""
_NEW_LETTER = sqlalchemy.insert(OutboxRow)
_HELD_UP = select(OutboxRow.mail_to).where(
    col(OutboxRow.mail_to).in_(bindparam("readers", expanding=True)),
    _IS_QUEUED,
    _holds_up(OutboxRow),
    col(OutboxRow.delivery_class) < DeliveryClass.OTHERS,
)
"""The recipients whose next letter, if it is not of the last class, has to wait for an earlier one."""
_THESE = col(OutboxRow.id).in_(bindparam("numbers", expanding=True))
_UNSETTLED = col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.RESTING))
# The classes are listed, because the index has the class before the time.
_IN_CLASSES = col(OutboxRow.delivery_class).in_(bindparam("classes", expanding=True))
_DUE = (
    select(*_CLAIMED_COLUMNS)
    .where(_IS_QUEUED, _IS_DUE, _NO_EARLIER_QUEUED, col(OutboxRow.delivery_class) <= bindparam("last_class"))
    # In the order of the index, so that the database can stop at the limit.
    .order_by(col(OutboxRow.delivery_class), col(OutboxRow.due_at), col(OutboxRow.id))
    .limit(bindparam("most"))
    # Skip rows that another process is claiming now. SQLite has only one writer at a time.
    .with_for_update(skip_locked=True)
)
_DUE_AGAIN = (
    select(*_CLAIMED_COLUMNS)
    .where(
        _NO_EARLIER_QUEUED,
        _IN_CLASSES,
        or_(
            # Only the first due one of a recipient, as two processes that each send one could change the order.
            and_(
                col(OutboxRow.state).in_(_BOUNCED_OR_POSTPONED),
                _IS_DUE,
                _no_earlier_letter(*_BOUNCED_OR_POSTPONED),
            ),
            and_(_IS_QUEUED, col(OutboxRow.due_at) > bindparam("too_late")),
            and_(
                col(OutboxRow.state) == LetterState.POSTPONED,
                col(OutboxRow.due_at) > bindparam("postponed_too_late"),
            ),
        ),
    )
    .order_by(col(OutboxRow.delivery_class), col(OutboxRow.id))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    update(OutboxRow)
    .where(_THESE)
    .values(state=LetterState.QUEUED, due_at=bindparam("lease_ends"), claimed_by=bindparam("by"), error="")
)
_SENT = update(OutboxRow).where(_THESE, _UNSETTLED).values(state=LetterState.SENT, error="")
_PURGED_AFTER_SEND = select(OutboxRow.id).where(
    _THESE,
    col(OutboxRow.purge_after_send).is_(True),
    col(OutboxRow.state).in_((LetterState.SENT, LetterState.FAILED)),
)
_BY_CLASS = (
    select(OutboxRow.delivery_class, func.count()).where(_IN_CLASSES).group_by(OutboxRow.delivery_class)
)
# After the clock was set back, letters from the future must not count.
_LEFT = union_all(
    _BY_CLASS.where(
        # A letter that failed has mostly left, too, and came back.
        col(OutboxRow.state).in_((LetterState.SENT, LetterState.FAILED)),
        col(OutboxRow.due_at) > bindparam("since"),
        col(OutboxRow.due_at) <= bindparam("lease_ends"),
    ),
    _BY_CLASS.where(
        col(OutboxRow.state) == LetterState.BOUNCED,
        col(OutboxRow.due_at) > bindparam("bounced_since"),
        col(OutboxRow.due_at) <= bindparam("bounced_now"),
    ),
    _BY_CLASS.where(
        _IS_QUEUED,
        col(OutboxRow.claimed_by) != "",
        col(OutboxRow.error) == "",
        col(OutboxRow.due_at) > bindparam("now"),
    ),
)
"""The letters that left within a period, those that came back and are sent again, and those in transit."""


def insert_letters(
    session: Session, letters: Sequence[Mapping[str, Any]], by: str | None, now: datetime
) -> tuple[Claimed, ...]:
    """Store new letters in order, each given by all its columns. Return those that process `by` has claimed thereby.

    A letter is stored unclaimed if `by` is None, if it is not due or of the last class, or if it has to wait for an
    earlier one to its recipient.
    """
    if by is None:
        run_many(session, _NEW_LETTER, letters)
        return ()
    readers = sorted({letter["mail_to"] for letter in letters})
    held_up = {row.mail_to for row in run(session, _HELD_UP, readers=readers, now=now)} if readers else set()
    claimed = []
    for letter in letters:
        is_due = letter["state"] == LetterState.QUEUED and letter["due_at"] <= now
        may_leave = is_due and letter["delivery_class"] < DeliveryClass.OTHERS
        if may_leave and letter["mail_to"] not in held_up:
            claim = {"claimed_by": by, "due_at": now + LEASE}
            number = insert(session, _NEW_LETTER, {**letter, **claim})
            assert number is not None
            columns = {name: letter[name] for name in _OF_NEW_LETTER}
            claimed.append(Claimed(id=number, **columns, attempts=0, held_before="", claimed_at=now))
            held_up.add(letter["mail_to"])
        else:
            run(session, _NEW_LETTER, **letter)
    return tuple(claimed)


def claim(
    session: Session,
    now: datetime,
    by: str = SERVICE,
    most: int = 1,
    most_others: int | None = None,
    limits: SendingLimits = UNLIMITED,
    avoided: Collection[str] = (),
) -> list[Claimed]:
    """Claim up to `most` due letters for process `by`, at most one for each recipient, and keep to `limits`.

    The letters of the first class come first, and of a class those that are due longest. If `most_others` is given, at
    most so many are of the last class. None goes to a domain in `avoided`, or to one below it.
    """
    others = most if most_others is None else most_others
    most, not_games = _room(session, limits, now, most)
    # The classes that are not about games, each with the most letters of it and the classes after it.
    mosts = {DeliveryClass.PLAYERS: not_games, DeliveryClass.OTHERS: min(others, not_games)}
    last_class = max(
        [DeliveryClass.GAMES, *(delivery_class for delivery_class, count in mosts.items() if count > 0)]
    )
    values = {"now": now, "last_class": int(last_class), "most": most}
    again = {
        "too_late": now + LONGEST_DELAY,
        "postponed_too_late": now + LONGEST_POSTPONEMENT,
        "classes": _CLASSES[: last_class + 1],
    }
    rows = [
        *_elsewhere(session, _DUE_AGAIN, avoided, **values, **again),
        *_elsewhere(session, _DUE, avoided, **values),
    ]
    found = sorted((Claimed(*(*row, now)) for row in rows), key=lambda letter: letter.delivery_class)[:most]
    spare = {
        number
        for lowest, count in mosts.items()
        for number in [letter.id for letter in found if letter.delivery_class >= lowest][count:]
    }
    firsts: dict[str, Claimed] = {}
    for letter in sorted(found, key=lambda letter: (letter.delivery_class, letter.id)):
        if letter.id not in spare:
            firsts.setdefault(letter.mail_to, letter)
    letters = list(firsts.values())
    if letters:
        numbers = [letter.id for letter in letters]
        run(session, _CLAIM, numbers=numbers, lease_ends=now + LEASE, by=by)
    return letters


def _room(session: Session, limits: SendingLimits, now: datetime, most: int) -> tuple[int, int]:
    """Return how many letters may leave now, up to `most`: in all, and of those that are not about games.

    If there are limits, no other process claims letters before the transaction ends.
    """
    if limits == UNLIMITED:
        return most, most
    lock_count(session, "letters that leave")
    not_games = most
    if limits.per_minute is not None:
        most = min(most, limits.per_minute - sent_within(session, timedelta(minutes=1), now).total())
    if limits.per_day is not None:
        left = sent_within(session, timedelta(days=1), now)
        most = min(most, limits.per_day - left.total())
        not_games = limits.per_day // 2 - left.total() + left[DeliveryClass.GAMES]
    return max(most, 0), min(most, not_games)


def _elsewhere(session: Session, statement: Any, avoided: Collection[str], **values: object) -> Any:
    """Run a query for letters, without those to domains in `avoided` and below them."""
    if not avoided:
        return run(session, statement, **values)
    elsewhere = (
        not_(col(OutboxRow.mail_to).endswith(f"{sign}{domain}", autoescape=True))
        for domain in avoided
        for sign in "@."
    )
    return session.execute(statement.where(*elsewhere), values)


def unclaim(session: Session, letters: Iterable[Claimed], now: datetime, by: str) -> None:
    """Release letters that process `by` claimed but did not hand to the mail server. It may have lost the claim."""
    for letter in letters:
        still_mine = (col(OutboxRow.id) == letter.id, col(OutboxRow.claimed_by) == by, _UNSETTLED)
        session.exec(update(OutboxRow).where(*still_mine).values(due_at=now, claimed_by=letter.held_before))


def sent_within(session: Session, period: timedelta, now: datetime) -> Counter[int]:
    """Return how many letters of each delivery class left within a period before `now`. `total()` is all of them.

    A letter counts from when it was claimed, or from when it came back if it is to be sent again.
    """
    left: Counter[int] = Counter()
    for delivery_class, count in run(
        session,
        _LEFT,
        classes=_CLASSES,
        now=now,
        since=now - period + LEASE,
        lease_ends=now + LEASE,
        bounced_since=now - period + AGAIN_AFTER,
        bounced_now=now + AGAIN_AFTER,
    ):
        left[delivery_class] += count
    return left


def sent(session: Session, numbers: Sequence[int]) -> bool:
    """Mark letters as sent, and delete the content of those that name an erased player. Return whether any did."""
    if not numbers:
        return False
    run(session, _SENT, numbers=numbers)
    return _purge(session, numbers)


def failed(session: Session, number: int, error: str) -> bool:
    """Mark a letter as failed for good, and delete its content if it names an erased player. Return whether it did."""
    _store_result(session, number, state=LetterState.FAILED, error=error)
    return _purge(session, [number])


def later(
    session: Session, number: int, due: datetime, attempts: int, error: str, *, held_before: str | None = None
) -> None:
    """Store when to retry a letter, how often the server has refused it, and the last error.

    If the letter surely did not leave, `held_before` is the process that last claimed it before this claim, or ''.
    """
    claim = {} if held_before is None else {"claimed_by": held_before}
    _store_result(session, number, due_at=due, attempts=attempts, error=error, **claim)


def release(session: Session, now: datetime, by: str = SERVICE) -> None:
    """Release the letters that process `by` had claimed when it ended. Scheduled retries keep their time."""
    session.exec(
        update(OutboxRow)
        .where(
            col(OutboxRow.state) == LetterState.QUEUED,
            col(OutboxRow.error) == "",
            col(OutboxRow.claimed_by) == by,
        )
        .values(due_at=now)
    )


def fail_copied(session: Session, why: str) -> int:
    """Let the letters fail that a process had claimed when this copy of the database was made. Return how many."""
    copied = (
        col(OutboxRow.state) == LetterState.QUEUED,
        col(OutboxRow.error) == "",
        col(OutboxRow.claimed_by) != "",
    )
    result = session.exec(update(OutboxRow).where(*copied).values(state=LetterState.FAILED, error=why))
    return int(result.rowcount)


def _store_result(session: Session, number: int, **values: object) -> None:
    """Store the result of an attempt, unless the letter is settled already, for example by a bounce."""
    session.exec(update(OutboxRow).where(col(OutboxRow.id) == number, _UNSETTLED).values(**values))


def _purge(session: Session, numbers: Sequence[int]) -> bool:
    """Delete the content of those letters that name an erased player. Return whether there were any."""
    purged = run(session, _PURGED_AFTER_SEND, numbers=numbers).scalars()
    for number in purged:
        letter = session.get_one(OutboxRow, number, populate_existing=True)
        reduce_letter(letter)
        letter.text, letter.html_text, letter.mail_to, letter.error = "", None, "", ""
    return bool(purged)
