"""The last letter of a game that people have ended and that is broken: how it ended, and no board."""

from collections.abc import Iterable

from takmail.games.game import Result, Seat
from takmail.games.registry import GAMES
from takmail.service.case import Case
from takmail.service.game.table import decided
from takmail.service.letters.post import write_without_board


def tell_unseen(case: Case, seats: Iterable[Seat], *, why: str | None = None) -> list[int]:
    """Tell the players of these seats how the case's game has ended; gives the letters' numbers.

    `why` is the operator's reason, None: a player has left for good.
    """
    assert case.chair is not None
    game = case.chair.game
    result = decided(game, GAMES[game.kind])
    for seat in seats:
        write_without_board(case, "ended", seat, outcome=_outcome(result, seat), why=why)
    return case.letters


def _outcome(result: Result | None, seat: Seat) -> str:
    """What it is to the player of a seat: void, draw, won or lost."""
    if result is None:
        return "void"
    if result.winner is None:
        return "draw"
    return "won" if result.winner == seat else "lost"
