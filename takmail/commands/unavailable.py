"""Games in which nothing can be done just now, and how that is said."""

from typing import assert_never

from takmail.commands.answers import Refusal, refused
from takmail.commands.kinds import BEGUN, Standing
from takmail.commands.records import GameRecord


def not_open(game: GameRecord) -> Refusal | None:
    """Why nothing that changes a game can be done in it; None: it can."""
    match game.standing:
        case Standing.OPEN:
            return None
        case Standing.INVITED:
            return refused("not_begun")
        case Standing.DECLINED:
            return refused("was_declined")
        case Standing.ADJOURNED:
            return refused("adjourned")
        case Standing.OVER:
            return refused("over")
        case _ as never:
            assert_never(never)


def not_begun(game: GameRecord) -> Refusal | None:
    """Why there is no board yet, or never will be; None: there is one, be the game over or not."""
    return None if game.standing in BEGUN else not_open(game)
