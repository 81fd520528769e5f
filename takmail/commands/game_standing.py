"""Refuse commands in games whose standing does not allow them."""

from takmail.commands.answers import GAME_OVER, Refusal, refused
from takmail.commands.kinds import Standing
from takmail.commands.records import GameRecord

_WHY_NOT_OPEN = {
    Standing.OPEN: None,
    Standing.INVITED: refused("not_begun"),
    Standing.DECLINED: refused("was_declined"),
    Standing.ADJOURNED: refused("adjourned"),
    Standing.OVER: GAME_OVER,
}


def not_open(game: GameRecord) -> Refusal | None:
    """Return the reason why nothing can be changed in a game, None if the game is open."""
    return _WHY_NOT_OPEN[game.standing]
