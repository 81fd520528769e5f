"""Let players play against bots, which accept at once, and list the bots."""

from takmail.commands import beginnings, profile
from takmail.commands.answers import Effects, Refusal, RefusalError, Told, refuse_if, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.invitation_forms import New
from takmail.games.bots import Bot
from takmail.games.interface import Game
from takmail.world import RUNNING, Player, PlayerKind
from takmail.world.bots import is_bot, skeleton_of
from takmail.world.changes import joining


def list_bots(context: Context) -> Told:
    """List the bots, each with what to expect, and a line that begins a game against it."""
    return told("bots", bots=context.services.bots)


def play(context: Context, command: New, name: str) -> Effects:
    """Begin a game against the bot with a name, or against any if the name is ''. A bot accepts at once."""
    refuse_if(None if command.pace is None else refused("no_clock_against_bots"))
    rules = context.services.games.rules(command.kind, is_relay=command.is_relay)
    setup = beginnings.set_up(context, command)
    bot = chosen(context, name, rules, setup)
    refuse_if(has_enough_games(context) or beginnings.has_enough_games(context))
    host, joined = profile.enrol(context)
    guest, guest_joined = _enrolled(context, bot, host)
    host_seat = beginnings.choose_seat(context, command.kind, host, guest, command.first)
    new = beginnings.new_game(context, command, setup, (host, guest), host_seat)
    return beginnings.begun_at_once(context, new, (guest, host), (*joined, *guest_joined))


def chosen(context: Context, name: str, game: Game, setup: str) -> Bot:
    """Return the bot with a name, or the weakest that can play this, if the name is ''. Raises RefusalError."""
    bots = context.services.bots
    if not bots.every:
        raise RefusalError(refused("no_bots"))
    able = {bot.name: bot for bot in bots.every if bot.plays(game, setup)}
    if able and name in ("", *able):
        return able[name or next(iter(able))]
    if name and bots.named(name) is None:
        raise RefusalError(refused("bot_unknown", name=name, bots=bots))
    raise RefusalError(refused("bot_plays_other", able=tuple(able), bots=bots))


def has_enough_games(context: Context) -> Refusal | None:
    """Return a refusal if the sender has as many running games against bots as anybody may have, otherwise None."""
    if context.player is None:
        return None
    you, most = context.player.id, context.services.bots.games_a_player
    games = context.games_of(you, *RUNNING)
    opponents = context.find_players([game.seats[game.seat_of(you).other] for game in games])
    return refused("many_bot_games", most=most) if sum(map(is_bot, opponents)) >= most else None


def _enrolled(context: Context, bot: Bot, after: Player) -> tuple[Player, Effects]:
    """Return the player that a bot is, with the change that registers it for its first game.

    `after` is its opponent, who may be new, too.
    """
    known = context.player_by_skeleton(skeleton_of(bot))
    if known is not None:
        return known, ()
    number, name = context.next_player(after=after), f"Bot {bot.name}"
    new = Player(number, name, skeleton_of(bot), context.now, kind=PlayerKind.ENGINE)
    return new, (joining(new),)
