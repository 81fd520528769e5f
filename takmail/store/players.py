"""People and their addresses."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select, update

from takmail.store.quick import as_stored, run
from takmail.store.remember import forget, remembered
from takmail.store.tables import Address, Block, LetterView, Player

MOST_BOUNCES = 3
"""Letters to an address that come back before it rests."""


_IS_ADDRESS = col(Address.address) == bindparam("address")
_IS_OWNERS = col(Address.player_id) == bindparam("owner")
_BY_ADDRESS = select(Player).join(Address).where(_IS_ADDRESS)
_HEARD = (
    update(Address)
    .where(col(Address.address) == bindparam("writer"))
    .values(bounces=0, heard_at=bindparam("now"))
    .execution_options(synchronize_session=False)
)
_HAS_TO_BE_ASKED = (
    update(Player)
    .where(col(Player.id) == bindparam("player"))
    .values(has_to_be_asked=bindparam("so"))
    .execution_options(synchronize_session=False)
)
_MAILBOXES = select(Address).where(_IS_OWNERS).order_by(col(Address.address))
_ADDRESSES = select(Address.address).where(_IS_OWNERS)
_STOPPED = _ADDRESSES.where(col(Address.stopped_at).is_not(None)).limit(1)
_HAS_WRITTEN = _ADDRESSES.where(col(Address.heard_at).is_not(None)).limit(1)


def by_address(session: Session, address: str) -> Player | None:
    """Whose address this is (in normal form), if anybody's."""
    return session.exec(_BY_ADDRESS, params={"address": address}).one_or_none()


def get(session: Session, player_id: int) -> Player:
    """The player with this number, who is known to exist."""
    return session.get_one(Player, player_id)


def by_skeleton(session: Session, skeleton: str) -> Player | None:
    """Whose name it is that has this skeleton, if anybody's own."""
    return session.exec(select(Player).where(Player.skeleton == skeleton)).one_or_none()


def skeletons(session: Session, beginning: str) -> frozenset[str]:
    """The skeletons of all names that begin so."""
    column = col(Player.skeleton)
    found = session.exec(select(column).where(column.startswith(beginning, autoescape=True)))
    return frozenset(one for one in found if one is not None)


def rename(session: Session, player: Player, name: str, skeleton: str) -> None:
    """Give a player a name of their own.

    Raises IntegrityError if another one has just taken what looks like it.
    """
    player.name, player.skeleton = name, skeleton
    session.add(player)
    session.flush()


def letter_view(session: Session, address: str) -> LetterView | None:
    """What letters to an address (in normal form) are to be made of; None: nobody has said so for it."""
    row = session.get(Address, address)
    said = None if row is None else get(session, row.player_id).letter_view
    return None if said is None else LetterView(said)


def add(
    session: Session, address: str, name: str, now: datetime, *, heard_at: datetime | None = None
) -> Player:
    """Note a new person with their first address, and `heard_at` if they have surely written from it.

    The name is nobody's own yet.
    """
    player = Player(name=name, created_at=now)
    session.add(player)
    session.flush()
    session.add(Address(address=address, player_id=number(player), heard_at=heard_at))
    session.flush()
    forget(session)
    return player


def main_address(session: Session, player_id: int) -> Address:
    """Where letters to this player go: the address that they last surely wrote from."""
    return max(mailboxes(session, player_id), key=_heard)


def _heard(address: Address) -> float:
    return address.heard_at.timestamp() if address.heard_at else 0.0


def came_back(session: Session, address: str) -> int:
    """Note that one more letter to an address has come back; gives how many have since its owner last wrote."""
    row = session.get(Address, address, with_for_update=True)
    if row is None:
        return 0
    row.bounces += 1
    session.add(row)
    session.flush()
    return row.bounces


def heard_from(session: Session, address: str, now: datetime) -> None:
    """Note that the owner of an address has written from it: it is there after all."""
    row = session.get(Address, address)
    if row is not None:
        run(session, _HEARD, writer=address, now=now)
        as_stored(row, bounces=0, heard_at=now)


def rests(session: Session, address: str) -> bool:
    """Whether nothing more is sent to an address before its owner writes: letters came back, or they want none."""
    row = session.get(Address, address)
    return row is not None and (row.bounces >= MOST_BOUNCES or row.stopped_at is not None)


def stop(session: Session, player_id: int, now: datetime) -> None:
    """Note that a player wants no more mail, at none of their addresses."""
    session.exec(update(Address).where(col(Address.player_id) == player_id).values(stopped_at=now))
    session.expire_all()


def go_on(session: Session, player_id: int) -> bool:
    """Note that a player plays after all; whether they had wanted no more mail."""
    if not wants_no_mail(session, player_id):
        return False
    session.exec(update(Address).where(col(Address.player_id) == player_id).values(stopped_at=None))
    session.expire_all()
    return True


def wants_no_mail(session: Session, player_id: int) -> bool:
    """Whether a player has asked for no more mail."""
    return run(session, _STOPPED, owner=player_id).first() is not None


def has_written(session: Session, player_id: int) -> bool:
    """Whether a player has ever surely written."""
    return run(session, _HAS_WRITTEN, owner=player_id).first() is not None


def heard_at(session: Session, address: str) -> datetime | None:
    """When the owner of an address has last surely written from it; None: never."""
    row = session.get(Address, address)
    return None if row is None else row.heard_at


def has_to_be_asked(session: Session, player: Player, so: bool) -> None:
    """Note whether an invitation to a player has to wait, whatever was said of that when they were read."""
    run(session, _HAS_TO_BE_ASKED, player=player.id, so=so)
    as_stored(player, has_to_be_asked=so)


def lock(session: Session, player: Player) -> None:
    """Read a player anew, whom no other process changes meanwhile."""
    session.refresh(player, with_for_update=True)


def blocks(session: Session, player_id: int, other: int) -> bool:
    """Whether a player wants to hear nothing of another one."""
    return session.get(Block, (player_id, other)) is not None


def block(session: Session, player_id: int, other: int, now: datetime) -> None:
    """Note that a player wants to hear nothing more of another one."""
    if not blocks(session, player_id, other):
        session.add(Block(player_id=player_id, blocked_id=other, since=now))
        session.flush()


def unblock(session: Session, player_id: int, other: int) -> bool:
    """Note that a player hears of another one again; whether they had not wanted to."""
    found = session.get(Block, (player_id, other))
    if found is None:
        return False
    session.delete(found)
    session.flush()
    return True


def add_address(session: Session, address: str, player_id: int, now: datetime) -> None:
    """Give a player one more address, whose owner has just written."""
    session.add(Address(address=address, player_id=player_id, heard_at=now))
    session.flush()
    forget(session)


def remove_address(session: Session, address: str) -> None:
    """Let an address be nobody's."""
    session.delete(session.get_one(Address, address))
    session.flush()
    forget(session)


def addresses(session: Session, player_id: int) -> Sequence[str]:
    """All addresses of a player."""
    return session.exec(_ADDRESSES, params={"owner": player_id}).all()


def every(session: Session) -> Sequence[Player]:
    """All players, by number."""
    return session.exec(select(Player).order_by(col(Player.id))).all()


def is_anybody_known(session: Session) -> bool:
    """Whether there is any player yet."""
    return session.exec(select(Player.id).limit(1)).first() is not None


def mailboxes(session: Session, player_id: int) -> Sequence[Address]:
    """The addresses of a player with all that is known of them."""
    return remembered(
        session, (Address, player_id), lambda: session.exec(_MAILBOXES, params={"owner": player_id}).all()
    )


def remember(session: Session, player_id: int, mailboxes: Sequence[Address]) -> None:
    """Note all addresses of a player, which have just been read with something else."""
    remembered(session, (Address, player_id), lambda: mailboxes)


def blocked_by(session: Session, player_id: int) -> Sequence[Player]:
    """Of whom a player wants to hear nothing more."""
    query = select(Player).join(Block, col(Block.blocked_id) == Player.id).where(Block.player_id == player_id)
    return session.exec(query.order_by(col(Player.id))).all()


def number(player: Player) -> int:
    """The number of a player that has been stored."""
    assert player.id is not None
    return player.id
