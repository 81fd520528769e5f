"""Define the players that bots are. Such a player has no address, so no letter goes to it."""

from takmail.games.bots import Bot
from takmail.games.interface import Seat
from takmail.world.players import Player
from takmail.world.table import Table

_SKELETON = "#bot "
"""What the skeleton of a bot's player begins with. No name of a person has a skeleton that begins so."""


def skeleton_of(bot: Bot) -> str:
    """Return the skeleton of a bot's player, which is nobody's name."""
    return _SKELETON + bot.name


def bot_name(player: Player) -> str:
    """Return the name of the bot that a player is, even if the operator no longer offers it."""
    return (player.skeleton or "").removeprefix(_SKELETON)


def waits_for_bot(game: Table) -> bool:
    """Return whether it is the turn of a bot. It does not move while its opponent wants no mail."""
    return any(
        game.waits_for(seat) and game.players[seat].is_bot and not game.players[seat.other].wants_no_mail
        for seat in Seat
    )
