"""Build offers for tests of offers and turns."""

from datetime import datetime

from takmail.commands.answers import Answer, Events, Refusal
from takmail.games.interface import Seat
from takmail.world.kinds import OfferEnd, OfferKind
from takmail.world.records import Offer
from tests.commands.build import NOW, game

TWO = ("ps a1", "ps e5")
THREE = (*TWO, "ps c3")
GAME = game().number


def reason(answer: object) -> str:
    """Return the reason why a command was refused."""
    assert isinstance(answer, Refusal), answer
    return answer.reason


def given(answer: Answer) -> Events:
    """Return the events that a command returned."""
    assert isinstance(answer, tuple), answer
    return answer


def offered(
    kind: OfferKind,
    seat: Seat,
    version: int = 20,
    turn: int = 3,
    *,
    target: int | None = None,
    board: str | None = None,
    ended: OfferEnd | None = None,
    gone: int | None = None,
    at: datetime = NOW,
) -> Offer:
    """Return an offer, made after turn 3 by default. `gone` is the version at which it ended."""
    return Offer(version, seat, kind, turn, at, target, board, ended, gone)
