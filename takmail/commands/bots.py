"""Let players play against bots, which accept at once, and list the bots."""

from takmail.commands.answers import Events, Refusal, RefusalError, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.bot_names import bot_in
from takmail.games.bots import Bot
from takmail.games.interface import Game
from takmail.world import RUNNING, Player, PlayerKind
from takmail.world.bots import is_bot, skeleton_of
from takmail.world.changes import joining


def list_bots(context: Context) -> Told:
    """List the bots, each with what to expect, and a line that begins a game against it."""
    return told("bots", bots=context.services.bots)


def chosen(context: Context, name: str, game: Game, setup: str) -> Bot:
    """Return the bot with a name, or the weakest that can play this, if the name is ''. Raises RefusalError."""
    bots = context.services.bots
    able = bots.weakest(game, setup, name)
    if able is not None:
        return able
    if not bots.every:
        raise RefusalError(refused("no_bots"))
    is_known = not name or bots.named(name) is not None
    raise RefusalError(refused("bot_plays_other" if is_known else "bot_unknown", name=name, bots=bots))


def has_enough_games(context: Context) -> Refusal | None:
    """Return a refusal if the sender has as many running games against bots as anybody may have, otherwise None."""
    if context.player is None:
        return None
    you, most = context.player.id, context.services.bots.games_a_player
    games = context.games_of(you, *RUNNING)
    opponents = context.find_players([game.seats[game.seat_of(you).other] for game in games])
    return refused("many_bot_games", most=most) if sum(map(is_bot, opponents)) >= most else None


def enrolled(context: Context, bot: Bot, after: Player) -> tuple[Player, Events]:
    """Return the player that a bot is, with the change that registers it for its first game.

    `after` is its opponent, who may be new, too.
    """
    known = context.player_by_skeleton(skeleton_of(bot))
    if known is not None:
        return known, ()
    number, name = context.next_player(after=after), f"Bot {bot.name}"
    new = Player(number, name, skeleton_of(bot), context.now, kind=PlayerKind.ENGINE)
    return new, (joining(new),)


def by_name(context: Context, sought: str) -> Player | None:
    """Return the player that a bot of this name is, None if there is none or it has never played."""
    bot = context.services.bots.named(bot_in(sought.lower()) or "")
    return None if bot is None else context.player_by_skeleton(skeleton_of(bot))
