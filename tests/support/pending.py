"""Make offers for tests."""

from datetime import datetime

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, PendingEnd, PendingId
from takmail.world.pending import OfferEnd, Pending
from takmail.world.waiting import PendingKind


def an_offer(
    version: int,
    seat: Seat,
    kind: PendingKind,
    turn: int,
    asked_at: datetime,
    target: int | None = None,
    board: str = "",
    ended: PendingEnd | None = None,
    ended_version: int | None = None,
    game: int = 1,
    number: int | None = None,
) -> Pending:
    """Return an offer in a game. Its number is its version unless `number` is given."""
    return Pending(
        PendingId(version if number is None else number),
        kind,
        asked_at,
        board,
        GameNumber(game),
        seat,
        version,
        turn,
        target=target,
        end=OfferEnd(ended, ended_version),
    )
