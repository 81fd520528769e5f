"""People and their addresses."""

from datetime import datetime

from sqlmodel import Session, select

from takmail.store.tables import Address, Player


def by_address(session: Session, address: str) -> Player | None:
    """Whose address this is (in normal form), if anybody's."""
    return session.exec(select(Player).join(Address).where(Address.address == address)).one_or_none()


def get(session: Session, player_id: int) -> Player:
    """The player with this number, who is known to exist."""
    return session.get_one(Player, player_id)


def add(session: Session, address: str, name: str, now: datetime) -> Player:
    """Note a new person with their first address."""
    player = Player(name=name, created_at=now)
    session.add(player)
    session.flush()
    session.add(Address(address=address, player_id=number(player)))
    session.flush()
    return player


def main_address(session: Session, player_id: int) -> str:
    """Where letters to this player go."""
    return session.exec(select(Address.address).where(Address.player_id == player_id).limit(1)).one()


def number(player: Player) -> int:
    """The number of a player that has been stored."""
    assert player.id is not None
    return player.id
