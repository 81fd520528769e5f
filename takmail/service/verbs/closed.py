"""Games in which nothing can be done just now, and how that is said."""

from typing import assert_never

from takmail.service.case import Report, failed
from takmail.store.tables import BEGUN, GameRow, Standing


def not_open(game: GameRow) -> Report | None:
    """Why nothing that changes a game can be done in it; None: it can."""
    standing = Standing(game.standing)
    match standing:
        case Standing.OPEN:
            return None
        case Standing.INVITED:
            return failed("not_begun")
        case Standing.DECLINED:
            return failed("was_declined")
        case Standing.ADJOURNED:
            return failed("adjourned")
        case Standing.OVER:
            return failed("over")
        case _:
            assert_never(standing)


def not_begun(game: GameRow) -> Report | None:
    """Why there is no board yet, or never will be; None: there is one, be the game over or not."""
    return None if game.standing in BEGUN else not_open(game)
