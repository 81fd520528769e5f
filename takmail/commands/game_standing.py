"""Refuse commands in games whose standing does not allow them."""

from typing import assert_never

from takmail.commands.answers import GameOver, Refusal, refused
from takmail.commands.kinds import BEGUN, Standing
from takmail.commands.records import GameRecord


def not_open(game: GameRecord) -> Refusal | None:
    """Return the reason why nothing can be changed in a game, None if the game is open."""
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
            return GameOver()
        case _ as never:
            assert_never(never)


def not_begun(game: GameRecord) -> Refusal | None:
    """Return the reason why a game has no board yet, None if it has one. Finished games have one, too."""
    return None if game.standing in BEGUN else not_open(game)
