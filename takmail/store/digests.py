"""Find the letters that are held for digests, and store when these are due."""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col

from takmail.letters.letter import Letter
from takmail.pipeline.process import Conflict
from takmail.store import due, people
from takmail.store.statements import run, select
from takmail.store.tables import AddressRow, OutboxRow, PlayerRow, SeatRow
from takmail.world import (
    QUIET_DIGEST,
    UNTHREADED,
    Digest,
    GameNumber,
    HeldLetter,
    LetterPurpose,
    LetterState,
    MessageId,
    Player,
    PlayerKind,
    tzinfo_of,
)

_OF_PLAYER: Any = bindparam("player")
_SEAT_OF_LETTER = and_(col(SeatRow.game_id) == OutboxRow.game_id, col(SeatRow.seat) == OutboxRow.seat)
_HELD = (
    select(OutboxRow.message_id, OutboxRow.game_id)
    .join(SeatRow, _SEAT_OF_LETTER)
    .where(col(OutboxRow.state) == LetterState.HELD, col(SeatRow.player_id) == _OF_PLAYER)
    .order_by(col(OutboxRow.id))
)
_LAST_HEARD = (
    select(func.max(AddressRow.verified_at)).where(col(AddressRow.player_id) == _OF_PLAYER).scalar_subquery()
)
_other_seat: Any = aliased(SeatRow)
_BOTS_TURN: Any = (
    select(_other_seat.game_id)
    .join(PlayerRow, col(PlayerRow.id) == _other_seat.player_id)
    .where(_other_seat.game_id == OutboxRow.game_id, col(PlayerRow.kind) == PlayerKind.ENGINE)
    .exists()
)
# A digest is about no one game.
_NEWS_SINCE_HEARD = (
    select(OutboxRow.id)
    .where(
        col(OutboxRow.mail_to).in_(select(AddressRow.address).where(col(AddressRow.player_id) == _OF_PLAYER)),
        col(OutboxRow.purpose) == LetterPurpose.NEWS,
        col(OutboxRow.created_at) > _LAST_HEARD,
        col(OutboxRow.state).not_in(UNTHREADED),
        col(OutboxRow.game_id).is_(None) | (col(OutboxRow.reported_turn).is_not(None) & ~_BOTS_TURN),
    )
    .limit(1)
)


_TOLD_BY = (
    update(OutboxRow)
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        col(OutboxRow.state) == LetterState.GATHERED,
        col(OutboxRow.turn) == bindparam("number"),
        col(OutboxRow.told_by).is_(None),
    )
    .values(
        told_by=select(col(OutboxRow.id).label("digest"))
        .where(col(OutboxRow.message_id) == bindparam("digest"))
        .scalar_subquery()
    )
)


def note_digest(session: Session, letter: Letter) -> None:
    """Store of the letters about the turns in a digest that it tells them, so that it counts if it comes back."""
    for about in letter.gathered:
        run(
            session,
            _TOLD_BY,
            game=about.game,
            whose=about.seat,
            number=about.turn,
            digest=letter.message_id,
        )


def held_letters(session: Session, player: int) -> list[HeldLetter]:
    """Return the letters to a player that are held, oldest first."""
    rows = run(session, _HELD, player=player)
    return [HeldLetter(MessageId(row.message_id), GameNumber(row.game_id)) for row in rows]


def has_news(session: Session, player: int) -> bool:
    """Tell whether a letter was written to a player since they last wrote that brings a person's turn, or a digest."""
    return run(session, _NEWS_SINCE_HEARD, player=player).first() is not None


def set_due_by(session: Session, player: Player, at: datetime) -> None:
    """Store that a letter is held until a time at the latest.

    Raises Conflict if the player gets the first turn at once, and has written since it was decided to hold one.
    """
    if player.preferences.digest == QUIET_DIGEST:
        _lock(session, player.id)
        if not has_news(session, player.id):
            raise Conflict(f"player {player.id} has written")
    due.set_due_by(session, player.id, due.DIGEST, at)


def reschedule_digest(
    session: Session, player: int, choice: str | None, zone: str | None, now: datetime
) -> None:
    """Let what is held leave when the player wants it: at the next time of their choice, or now."""
    digest = None if choice is None else Digest.read(choice)
    is_now = digest is None or digest.at is None
    at = now if digest is None or is_now else digest.next_after(now, tzinfo_of(zone))
    _lock(session, player)
    due.put_off(session, player, due.DIGEST, at)


def move_digest(session: Session, source: int, into: int, now: datetime) -> None:
    """Let a digest of one player be that of another, who takes over their games."""
    if due.put_off(session, source, due.DIGEST, now):
        due.done(session, source, due.DIGEST)
        due.set_due_by(session, into, due.DIGEST, now)


def _lock(session: Session, player: int) -> None:
    """Lock the digest of a player until the end of the transaction, also if nothing is held yet.

    Whoever holds a letter, and a mail of its reader at the same time, each see what the other has stored.
    """
    people.lock_count(session, f"digest {player}")
