"""How many answers have been written of late: nobody gets more than the limits say."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from takmail.store.quick import run
from takmail.store.tables import Address, Answers, OutboxRow

_ANSWERS = select(func.count()).where(
    col(OutboxRow.answers).in_(bindparam("kinds", expanding=True)),
    # What a clock that was set back since calls the future is no reason to keep silent until then.
    col(OutboxRow.created_at) <= bindparam("now"),
    col(OutboxRow.created_at) > bindparam("then"),
)
_TO_ADDRESS = _ANSWERS.where(col(OutboxRow.mail_to) == bindparam("address"))
_TO_PLAYER = _ANSWERS.where(
    col(OutboxRow.mail_to).in_(select(Address.address).where(col(Address.player_id) == bindparam("player")))
)


def to_address(
    session: Session, address: str, kinds: Sequence[Answers], now: datetime, within: timedelta
) -> int:
    """How many answers of these kinds have been written to an address of late."""
    span = {"then": now - within, "now": now}
    found: int = run(session, _TO_ADDRESS, address=address, kinds=kinds, **span).scalar_one()
    return found


def to_player(
    session: Session, player_id: int, kinds: Sequence[Answers], now: datetime, within: timedelta
) -> int:
    """How many of them have been written to all addresses of a player."""
    span = {"then": now - within, "now": now}
    found: int = run(session, _TO_PLAYER, player=player_id, kinds=kinds, **span).scalar_one()
    return found
