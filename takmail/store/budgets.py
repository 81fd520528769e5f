"""Count the letters of each kind that were written to addresses recently, and those to all strangers."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Integer,
    String,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    null,
    or_,
    union_all,
)
from sqlmodel import Session, col

from takmail.store.statements import run, select
from takmail.store.tables import AddressRow, GameRow, Moment, OutboxRow, PendingRow
from takmail.world import (
    Budget,
    ChatLetter,
    GameNumber,
    LetterPurpose,
    LetterState,
    PendingKind,
    StrangerBudget,
)

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_TO_ADDRESSES = (
    col(OutboxRow.mail_to).in_(bindparam("addresses", expanding=True)),
    # All purposes are listed, because the index has the purpose before the time.
    col(OutboxRow.purpose).in_(tuple(LetterPurpose)),
)
# After the clock was set back, letters from the future must not count against the budget.
_PAST = col(OutboxRow.created_at) <= bindparam("now")
_SINCE_DAY = col(OutboxRow.created_at) > bindparam("day")
_SINCE_HOUR = col(OutboxRow.created_at) > bindparam("hour")
_SINCE_VERIFIED = or_(
    col(AddressRow.verified_at).is_(None), col(OutboxRow.created_at) > col(AddressRow.verified_at)
)
_NONE: Any = cast(null(), Integer)
_NO_MOMENT: Any = cast(null(), Moment)
_NO_LETTER: Any = cast(null(), String)
# The groups are in the order of the index, so that nothing is sorted.
_WRITTEN = (
    select(
        literal_column("'written'").label("what"),
        OutboxRow.mail_to,
        OutboxRow.purpose,
        _NONE.label("game_id"),
        func.count().label("day"),
        func.sum(case((_SINCE_HOUR, 1), else_=0)).label("hour"),
        _NO_MOMENT.label("at"),
        _NO_LETTER.label("letter"),
    )
    .where(*_TO_ADDRESSES, _SINCE_DAY, _PAST)
    .group_by(OutboxRow.mail_to, OutboxRow.purpose)
)
_KEY = (OutboxRow.mail_to, OutboxRow.purpose, OutboxRow.game_id)
_NEWS = (
    select(literal_column("'news'"), *_KEY, func.count(), _NONE, _NO_MOMENT, _NO_LETTER)
    .select_from(OutboxRow)
    .outerjoin(AddressRow, col(AddressRow.address) == OutboxRow.mail_to)
    .where(
        _TO_ADDRESSES[0],
        col(OutboxRow.purpose) == LetterPurpose.NEWS,
        col(OutboxRow.game_id).is_not(None),
        _SINCE_DAY,
        _SINCE_VERIFIED,
        _PAST,
    )
    .group_by(*_KEY)
)
# The groups begin with the game. If they were in the order of the index on purposes, SQLite would choose that one, and
# read all letters to an address for the few that are postponed.
_POSTPONED = (
    select(literal_column("'postponed'"), *_KEY, func.count(), _NONE, _NO_MOMENT, _NO_LETTER)
    .where(_TO_ADDRESSES[0], col(OutboxRow.state) == LetterState.POSTPONED)
    .group_by(*reversed(_KEY))
)
_CHATS = select(
    literal_column("'chat'"), *_KEY, _NONE, _NONE, OutboxRow.created_at, OutboxRow.message_id
).where(
    _TO_ADDRESSES[0],
    col(OutboxRow.purpose) == LetterPurpose.CHAT,
    _SINCE_HOUR,
    _PAST,
    col(OutboxRow.state) != LetterState.WITHDRAWN,
)
# The player is the host of the invitation, or who adds the address.
_PLAYER = func.coalesce(GameRow.invited_by, PendingRow.player_id)
_COUNTED: Any = (
    select(OutboxRow.id, OutboxRow.mail_to, OutboxRow.due_at, OutboxRow.claimed_by, _PLAYER.label("player"))
    .outerjoin(GameRow, col(GameRow.id) == OutboxRow.game_id)
    .outerjoin(
        PendingRow,
        and_(
            col(PendingRow.address) == OutboxRow.mail_to,
            col(PendingRow.kind) == PendingKind.ADDRESS,
            col(PendingRow.letter_id) == OutboxRow.id,
        ),
    )
    .where(col(OutboxRow.budget) == bindparam("budget"), col(OutboxRow.due_at) > bindparam("day"), _PAST)
)
_ALL = union_all(_WRITTEN, _NEWS, _POSTPONED, _CHATS)


def budgets(session: Session, addresses: Collection[str], now: datetime) -> Mapping[str, Budget]:
    """Return the budgets of addresses by address. Addresses without recent or postponed letters are missing.

    `now` is UTC-aware.
    """
    if not addresses:
        return {}
    moments = {"now": now, "day": now - _DAY, "hour": now - _HOUR}
    found: dict[str, list[Any]] = {}
    for row in run(session, _ALL, addresses=sorted(addresses), **moments):
        found.setdefault(row.mail_to, []).append(row)
    return {address: _budget(rows) for address, rows in found.items()}


def _budget(rows: Sequence[Any]) -> Budget:
    """Return the budget of an address from its rows of `_ALL`."""
    written = [row for row in rows if row.what == "written"]
    postponed = Counter[tuple[LetterPurpose, GameNumber | None]]()
    for row in rows:
        if row.what == "postponed":
            postponed[row.purpose, row.game_id if row.purpose == LetterPurpose.NEWS else None] += row.day
    chats = (ChatLetter(row.letter, row.at) for row in rows if row.what == "chat")
    return Budget(
        {row.purpose: row.hour for row in written if row.hour},
        {row.purpose: row.day for row in written},
        {row.game_id: row.day for row in rows if row.what == "news"},
        dict(postponed),
        tuple(sorted(chats, key=attrgetter("written_at"), reverse=True)),
    )


def counted(session: Session, budget: StrangerBudget, now: datetime) -> Sequence[Any]:
    """Return the letters that count in a budget and have left within a day or are to leave, each with its player."""
    return run(session, _COUNTED, budget=budget, day=now - _DAY, now=now)
