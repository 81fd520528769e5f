"""Let players play against bots, which accept at once, and list the bots."""

from collections.abc import Sequence

from takmail.commands.answers import Events, Refusal, RefusalError, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.bot_names import BOT, bot_in
from takmail.commands.grammar.normalize import joined
from takmail.commands.view import ListedBot
from takmail.games.interface import Game, Refused
from takmail.world import RUNNING, Player, PlayerKind, asks_bid
from takmail.world.bots import Bot, is_bot
from takmail.world.changes import joining

_SIZES = ("5", "6", "4", "7", "3", "8", "")
"""The sizes of boards, the usual ones first. A game with one board takes none of them."""


def list_bots(context: Context) -> Told:
    """List the bots, each with what it plays, and a line that begins a game against it."""
    return told("bots", bots=_listed(context))


def chosen(context: Context, name: str, game: Game, setup: str) -> Bot:
    """Return the bot with a name, or the weakest that can play this, if the name is ''. Raises RefusalError."""
    bots = context.services.bots
    named = bots.named(name)
    if not bots.every:
        raise RefusalError(refused("no_bots"))
    if name and named is None:
        raise RefusalError(refused("bot_unknown", name=name, bots=_listed(context)))
    able = [bot for bot in ([named] if named else bots.every) if _can_play(bot, game, setup)]
    if not able:
        raise RefusalError(refused("bot_plays_other", bots=_listed(context)))
    return able[0]


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
    known = context.player_by_skeleton(bot.skeleton)
    if known is not None:
        return known, ()
    number = context.next_player(after=after)
    new = Player(number, bot.player_name, bot.skeleton, context.now, kind=PlayerKind.ENGINE)
    return new, (joining(new),)


def by_name(context: Context, sought: str) -> Player | None:
    """Return the player that a bot of this name is, None if there is none or it has never played."""
    name = bot_in(sought.lower())
    bot = context.services.bots.named(name) if name else None
    return None if bot is None else context.player_by_skeleton(bot.skeleton)


def _can_play(bot: Bot, game: Game, setup: str) -> bool:
    return not asks_bid(game, setup) and bot.plays(game, setup)


def _listed(context: Context) -> tuple[ListedBot, ...]:
    """Return the bots as a list shows them."""
    plain = _plain_games(context)
    listed = []
    for bot in context.services.bots.every:
        able = [(line, kind, setup) for line, kind, rules, setup in plain if _can_play(bot, rules, setup)]
        if able:
            line = joined(able[0][0], bot.name)
            plays = tuple(sorted({(kind, setup) for _, kind, setup in able}))
            listed.append(ListedBot(bot.name, bot.is_level, line, plays))
    return tuple(listed)


def _plain_games(context: Context) -> Sequence[tuple[str, str, Game, str]]:
    """Return games without variants: the line that begins each against a bot, its kind, rules and set-up."""
    games, plain = context.services.games, []
    for kind, rules in games.by_name.items():
        for size in _SIZES:
            try:
                setup = rules.set_up(tuple(size.split()), context.rng("set-up"))
            except Refused:
                continue
            named = None if kind == games.default else kind
            plain.append((joined("new", named, size, "vs", BOT), kind, rules, setup))
    return plain
