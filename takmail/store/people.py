"""Load players with their mailboxes and the mailboxes' budgets: how many letters of each kind they got recently."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Integer,
    String,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal_column,
    null,
    or_,
    union_all,
)
from sqlmodel import Session, col

from takmail.games.bots import BotName
from takmail.games.readonly import replace
from takmail.mail.address import domains_of
from takmail.mail.tokens import SeatKey
from takmail.store.records import MAILBOXES, PLAYERS
from takmail.store.statements import run, select
from takmail.store.tables import (
    AddressRow,
    BlockedDomainRow,
    BlockRow,
    GameRow,
    Moment,
    OutboxRow,
    PendingRow,
    PlayerRow,
    RememberedAddressRow,
    SeatRow,
)
from takmail.world import (
    BEGUN,
    Budget,
    ChatLetter,
    GameNumber,
    LastText,
    LetterPurpose,
    LetterState,
    Mailbox,
    Player,
    PlayerId,
    Preferences,
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
_BUDGETS = union_all(_WRITTEN, _NEWS, _POSTPONED, _CHATS)


def budgets(session: Session, addresses: Collection[str], now: datetime) -> Mapping[str, Budget]:
    """Return the budgets of addresses by address. Addresses without recent or postponed letters are missing.

    `now` is UTC-aware.
    """
    if not addresses:
        return {}
    moments = {"now": now, "day": now - _DAY, "hour": now - _HOUR}
    found: dict[str, list[Any]] = {}
    for row in run(session, _BUDGETS, addresses=sorted(addresses), **moments):
        found.setdefault(row.mail_to, []).append(row)
    return {address: _budget(rows) for address, rows in found.items()}


def _budget(rows: Sequence[Any]) -> Budget:
    """Return the budget of an address from its rows of `_BUDGETS`."""
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


_TWO_BEGUN = (
    select(SeatRow.game_id)
    .join(GameRow, col(GameRow.id) == SeatRow.game_id)
    .where(col(SeatRow.player_id) == PlayerRow.id, col(GameRow.standing).in_(BEGUN))
    .limit(2)
    .correlate(PlayerRow)
    .subquery()
)
_BEGUN_GAMES = select(func.count()).select_from(_TWO_BEGUN).scalar_subquery()
_BLOCKED = (
    select(func.aggregate_strings(cast(BlockRow.blocked_id, String), " "))
    .where(col(BlockRow.player_id) == PlayerRow.id)
    .correlate(PlayerRow)
    .scalar_subquery()
)
_COLUMNS = (
    *PLAYERS.selected,
    *MAILBOXES.selected,
    exists().where(col(PendingRow.address) == AddressRow.address).correlate(AddressRow).label("is_asked"),
    _BEGUN_GAMES.label("begun_games"),
    _BLOCKED.label("blocked"),
)
_PREFERENCES = PLAYERS.part("preferences")
_OF_PLAYER = len(PLAYERS.selected)
_OF_BOTH = _OF_PLAYER + len(MAILBOXES.selected)
_ALL: Any = (
    select(*_COLUMNS)
    .select_from(PlayerRow)
    .outerjoin(AddressRow, col(AddressRow.player_id) == PlayerRow.id)
    .order_by(col(PlayerRow.id), col(AddressRow.address))
)
_OWNER = select(AddressRow.player_id).where(col(AddressRow.address) == bindparam("address")).scalar_subquery()
_DOMAIN_BLOCK = (
    select(BlockedDomainRow.why)
    .where(col(BlockedDomainRow.domain).in_(bindparam("domains", expanding=True)))
    .limit(1)
)
_THESE = _ALL.add_columns(_DOMAIN_BLOCK.scalar_subquery().label("block_reason")).where(
    or_(
        col(PlayerRow.id).in_(bindparam("players", expanding=True)),
        col(PlayerRow.id) == _OWNER,
        col(PlayerRow.skeleton) == bindparam("skeleton"),
    )
)


_ANY_PLAYER = select(PlayerRow.id).limit(1)
_REMEMBERED: Any = select(
    RememberedAddressRow.digest,
    RememberedAddressRow.verified_at,
    RememberedAddressRow.left_at,
    RememberedAddressRow.last_text,
    RememberedAddressRow.last_frame,
    RememberedAddressRow.similar_texts,
    RememberedAddressRow.texts_in_a_row,
).where(col(RememberedAddressRow.digest).in_(bindparam("marks", expanding=True)))
_OWNED = select(AddressRow.address).where(col(AddressRow.address).in_(bindparam("addresses", expanding=True)))


@dataclass(frozen=True, slots=True)
class People:
    """Players by number. `asked` are the addresses of these players to which there are open questions.

    If they were loaded with an address, `block_reason` is why its domain is blocked, or None.
    """

    players: Mapping[PlayerId, Player]
    asked: frozenset[str]
    block_reason: str | None = None

    def owner(self, address: str) -> Player | None:
        """Return the owner of an address, or None if no loaded player owns it."""
        return next((one for one in self.players.values() if one.mailbox(address) is not None), None)


def load(
    session: Session, players: Collection[int] = (), address: str = "", skeleton: str | None = None
) -> People:
    """Load these players, the owner of an address and the player whose name has a skeleton, without budgets."""
    if not players and not address and skeleton is None:
        return People({}, frozenset())
    keys = {"players": sorted(players), "address": address, "skeleton": skeleton}
    rows = run(session, _THESE, **keys, domains=domains_of(address))
    return replace(_people(rows), block_reason=rows[0].block_reason if rows else None)


def every(session: Session) -> Sequence[Player]:
    """Load all players in the order of their numbers, without budgets."""
    return list(_people(run(session, _ALL)).players.values())


def is_anybody_known(session: Session) -> bool:
    """Return whether there is any player."""
    return run(session, _ANY_PLAYER).first() is not None


def with_budgets(session: Session, people: People, now: datetime) -> People:
    """Return players with the budgets of their mailboxes."""
    addresses = {address for player in people.players.values() for address in player.addresses}
    found = budgets(session, addresses, now)
    players = {
        number: replace(
            player,
            mailboxes=tuple(
                replace(box, budget=found.get(box.address, box.budget)) for box in player.mailboxes
            ),
        )
        for number, player in people.players.items()
    }
    return replace(people, players=players)


def _people(rows: Sequence[Any]) -> People:
    players = {}
    for number, group in groupby(rows, key=attrgetter("id")):
        of_player = list(group)
        row = of_player[0]
        mailboxes = [each[_OF_PLAYER:_OF_BOTH] for each in of_player if each.address is not None]
        blocked = frozenset(PlayerId(int(blocked)) for blocked in (row.blocked or "").split())
        own = tuple(MAILBOXES.values_of(mailboxes))
        preferences = Preferences(*row[_PREFERENCES])
        before, after = row[: _PREFERENCES.start], row[_PREFERENCES.stop : _OF_PLAYER]
        player = Player(*(*before, preferences, *after, row.begun_games, blocked, own))
        players[number] = replace(player, name=BotName(player.name)) if player.is_bot else player
    return People(players, frozenset(row.address for row in rows if row.is_asked))


def mailbox_of(session: Session, key: SeatKey, address: str, people: People, now: datetime) -> Mailbox:
    """Return the mailbox of an address, which need not belong to a player, with its budget.

    It tells whether its domain is blocked, and what is remembered of its address if no player has verifiably written
    from it. `people` were loaded with the address, and have budgets.
    """
    owner = people.owner(address)
    mailbox = None if owner is None else owner.mailbox(address)
    if mailbox is None:
        mailbox = Mailbox(address, budget=budgets(session, [address], now).get(address, Budget()))
    # The usual mail comes from a player, and needs no statement of its own for that.
    reason = (
        people.block_reason
        if people.players
        else run(session, _DOMAIN_BLOCK, domains=domains_of(address)).scalar()
    )
    mailbox = mailbox if reason is None else replace(mailbox, block_reason=reason)
    if mailbox.verified_at is not None:
        return mailbox
    found = run(session, _REMEMBERED, marks=key.marks(address)).first()
    if found is None:
        return mailbox
    return replace(
        mailbox,
        verified_at=found.verified_at,
        stopped_at=mailbox.stopped_at or found.left_at,
        last_text=LastText(found.last_text, found.last_frame, found.similar_texts, found.texts_in_a_row),
        has_left=found.left_at is not None,
    )


def known_addresses(session: Session, key: SeatKey, addresses: Collection[str]) -> frozenset[str]:
    """Return those of these addresses that belong to a player, or from which a proven mail came and is remembered."""
    owned = run(session, _OWNED, addresses=sorted(addresses)).scalars()
    marks = {digest: one for one in addresses for digest in key.marks(one)}
    remembered = run(session, _REMEMBERED, marks=sorted(marks))
    return frozenset((*owned, *(marks[one.digest] for one in remembered if one.verified_at is not None)))


_COUNT_LOCK = 7_827_107
"""The first key of the PostgreSQL advisory locks of `lock_count`."""
_LOCK = select(func.pg_advisory_xact_lock(_COUNT_LOCK, func.hashtext(bindparam("whose"))))


def lock_count(session: Session, whose: str) -> None:
    """Lock a count until the transaction ends. `whose` is an address or a player's number, or another name for it.

    Without the lock, two processes could both count letters and then each write or send the last one that is allowed.
    SQLite has one writer at a time and needs no lock.
    """
    if session.get_bind().dialect.name == "postgresql":
        run(session, _LOCK, whose=whose)
