"""Make events for tests, with what a test doesn't care about filled in."""

from datetime import UTC, datetime
from typing import Any

from takmail.games.interface import Seat
from takmail.world import events
from takmail.world.consequences import OfferedChange
from takmail.world.game import NamedTurn
from takmail.world.kinds import GameNumber, TakenBackBy
from takmail.world.waiting import PendingKind
from tests.support.pending import an_offer

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GAME = GameNumber(1)


def turn_played(turn: NamedTurn, **values: Any) -> events.TurnPlayed:
    """Return that a turn is played."""
    return events.TurnPlayed(**{"game": GAME, "turn": turn, "written": turn.text, "played_at": NOW} | values)


def turn_forwarded(turn: NamedTurn, **values: Any) -> events.TurnForwarded:
    """Return that a turn is forwarded."""
    values = {"game": GAME, "turn": turn, "written": turn.text, "played_at": NOW} | values
    return events.TurnForwarded(**values)


def last_taken_back(turn: NamedTurn, **values: Any) -> events.LastTurnTakenBack:
    """Return that the last turn of a game is taken back."""
    taken = {"last": turn.number - 1, "how": TakenBackBy.UNDO, "taken_back_at": NOW}
    return events.LastTurnTakenBack(**{"game": GAME, "turn": turn} | taken | values)


DRAW = an_offer(0, Seat.SECOND, PendingKind.DRAW, 0, NOW)


def refused(wish: OfferedChange, **values: Any) -> events.OfferRefused:
    """Return that the first player refuses an offer."""
    return events.OfferRefused(**{"game": GAME, "seat": Seat.FIRST, "offer": DRAW, "wish": wish} | values)


def withdrawn(wish: OfferedChange, **values: Any) -> events.OfferWithdrawn:
    """Return that the first player withdraws an offer."""
    closed = {"game": GAME, "seat": Seat.FIRST, "offer": DRAW, "wish": wish, "known_to_opponent": wish}
    return events.OfferWithdrawn(**closed | values)


def agreed(wish: OfferedChange, **values: Any) -> events.OfferAgreed:
    """Return that the first player agrees to an offer."""
    closed = {"game": GAME, "seat": Seat.FIRST, "offer": DRAW, "wish": wish, "agreed_at": NOW}
    return events.OfferAgreed(**closed | values)
