"""How many letters of each kind have been written of late: nobody gets more than the limits say."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from takmail.store.quick import run
from takmail.store.tables import Address, Answers, LetterState, OutboxRow

_ANSWERS = select(func.count()).where(
    col(OutboxRow.answers).in_(bindparam("kinds", expanding=True)),
    # What a clock that was set back since calls the future is no reason to keep silent until then.
    col(OutboxRow.created_at) <= bindparam("now"),
    col(OutboxRow.created_at) > bindparam("then"),
)
_TO_ADDRESS = _ANSWERS.where(col(OutboxRow.mail_to) == bindparam("address"))
_OF_GAME = _TO_ADDRESS.where(col(OutboxRow.game_id) == bindparam("game"))
_NEWEST_BUT = (
    select(OutboxRow.created_at)
    .where(
        col(OutboxRow.mail_to) == bindparam("address"),
        col(OutboxRow.answers) == bindparam("kind"),
        col(OutboxRow.created_at) <= bindparam("now"),
        col(OutboxRow.state) != LetterState.WITHDRAWN,
    )
    .order_by(col(OutboxRow.created_at).desc())
    .offset(bindparam("but"))
    .limit(1)
)
_TO_PLAYER = _ANSWERS.where(
    col(OutboxRow.mail_to).in_(select(Address.address).where(col(Address.player_id) == bindparam("player")))
)


_COUNTING = 7_827_107
"""The first half of the numbers of PostgreSQL's locks for which those wait who count the answers to one person."""
_LOCK = select(func.pg_advisory_xact_lock(_COUNTING, func.hashtext(bindparam("whose"))))


def alone(session: Session, whose: str) -> None:
    """Let nobody else count, until the end of the transaction, the answers to an address, or to a player's number.

    Else two processes would both count what there was before either, and each write the last answer. SQLite has one
    writer at a time. Whoever takes this lock has the game locked that the mail's headers name, then takes the
    writer's and last the reader's. So two are in each other's way for good only where a game is found late, by
    a mail's words, or a mail tells several people something: PostgreSQL ends one of them, and it is done anew.
    """
    if session.get_bind().dialect.name == "postgresql":
        run(session, _LOCK, whose=whose)


def to_address(
    session: Session, address: str, kinds: Sequence[Answers], now: datetime, within: timedelta
) -> int:
    """How many letters of these kinds have been written to an address of late."""
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


def of_game(session: Session, address: str, game: int, kind: Answers, now: datetime, since: datetime) -> int:
    """How many letters of a kind about one game have been written to an address since a moment."""
    span = {"then": since, "now": now}
    found: int = run(session, _OF_GAME, address=address, game=game, kinds=(kind,), **span).scalar_one()
    return found


def newest_but(session: Session, address: str, kind: Answers, but: int, now: datetime) -> datetime | None:
    """When the newest letter of a kind to an address was written but for so many newer ones; None: there is none."""
    found: datetime | None = run(
        session, _NEWEST_BUT, address=address, kind=kind, but=but, now=now
    ).scalar_one_or_none()
    return found
