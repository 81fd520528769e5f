"""People and their addresses."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, delete, select, update

from takmail.store.tables import Address, Block, Player, Seek

MOST_BOUNCES = 3
"""Letters to an address that come back before it rests."""


def by_address(session: Session, address: str) -> Player | None:
    """Whose address this is (in normal form), if anybody's."""
    return session.exec(select(Player).join(Address).where(Address.address == address)).one_or_none()


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


def add(session: Session, address: str, name: str, now: datetime) -> Player:
    """Note a new person with their first address; the name is nobody's own yet."""
    player = Player(name=name, created_at=now)
    session.add(player)
    session.flush()
    session.add(Address(address=address, player_id=number(player)))
    session.flush()
    return player


def main_address(session: Session, player_id: int) -> str:
    """Where letters to this player go."""
    found = select(Address.address).where(Address.player_id == player_id).order_by(col(Address.address))
    return session.exec(found.limit(1)).one()


def came_back(session: Session, address: str) -> int:
    """Note that one more letter to an address has come back; gives how many have since its owner last wrote."""
    row = session.get(Address, address, with_for_update=True)
    if row is None:
        return 0
    row.bounces += 1
    session.add(row)
    session.flush()
    return row.bounces


def heard_from(session: Session, address: str) -> None:
    """Note that the owner of an address has written from it: it is there after all."""
    session.exec(update(Address).where(col(Address.address) == address).values(bounces=0))


def rests(session: Session, address: str) -> bool:
    """Whether so many letters to an address have come back that no more are sent before its owner writes."""
    row = session.get(Address, address)
    return row is not None and row.bounces >= MOST_BOUNCES


def addresses(session: Session, player_id: int) -> Sequence[str]:
    """All addresses of a player."""
    return session.exec(select(Address.address).where(Address.player_id == player_id)).all()


def every(session: Session) -> Sequence[Player]:
    """All players, by number."""
    return session.exec(select(Player).order_by(col(Player.id))).all()


def mailboxes(session: Session, player_id: int) -> Sequence[Address]:
    """The addresses of a player with all that is known of them."""
    query = select(Address).where(Address.player_id == player_id)
    return session.exec(query.order_by(col(Address.address))).all()


def seeks(session: Session, player_id: int) -> Sequence[Seek]:
    """The games for which a player seeks anybody."""
    return session.exec(select(Seek).where(Seek.player_id == player_id).order_by(col(Seek.id))).all()


def drop_seeks(session: Session, player_id: int) -> None:
    """Seek nobody for a player any more."""
    session.exec(delete(Seek).where(col(Seek.player_id) == player_id))


def blocked_by(session: Session, player_id: int) -> Sequence[Player]:
    """Of whom a player wants to hear nothing more."""
    query = select(Player).join(Block, col(Block.blocked_id) == Player.id).where(Block.player_id == player_id)
    return session.exec(query.order_by(col(Player.id))).all()


def number(player: Player) -> int:
    """The number of a player that has been stored."""
    assert player.id is not None
    return player.id
