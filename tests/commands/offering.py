"""Build offers for tests of offers and turns."""

from datetime import datetime

from takmail.commands.answers import Refusal
from takmail.games.interface import Seat
from takmail.world.game import Game
from takmail.world.game_changes import without_turns
from takmail.world.kinds import PendingEnd, TakenBackBy
from takmail.world.pending import Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import NOW, game
from tests.support.pending import an_offer

TWO = ("ps a1", "ps e5")
THREE = (*TWO, "ps c3")
GAME = game().number


def reason(answer: object) -> str:
    """Return the reason why a command was refused."""
    assert isinstance(answer, Refusal), answer
    return answer.reason


def taken_back(table: Game, after: int, how: TakenBackBy = TakenBackBy.UNDO) -> Game:
    """Return a game after the turns behind turn `after` were taken back."""
    return without_turns(table, after, how, NOW)


def ends(table: Game) -> dict[int, PendingEnd | None]:
    """Return how each offer has ended, by its version. An open one has not."""
    return {one.version: one.end.how for one in table.every_offer}


def offered(
    kind: PendingKind,
    seat: Seat,
    version: int = 20,
    turn: int = 3,
    *,
    target: int | None = None,
    board: str = "",
    ended: PendingEnd | None = None,
    gone: int | None = None,
    at: datetime = NOW,
) -> Pending:
    """Return an offer, made after turn 3 by default. `gone` is the version at which it ended."""
    return an_offer(version, seat, kind, turn, at, target, board, ended, gone)
