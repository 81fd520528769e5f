"""Make what a new game begins with: its set-up, its record, who plays first, its first state, or a bot."""

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import islice

from takmail.blocks import message
from takmail.commands import profile
from takmail.commands.answers import (
    Events,
    Refusal,
    RefusalError,
    Told,
    refuse_if,
    refused,
    refused_beyond,
    refused_by,
    told,
)
from takmail.commands.context import Context, events_for
from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.commands.redaction import repeats_no_text
from takmail.commands.series import refuse_terms, series_of_new
from takmail.games.bots import THINKS_LONG, Bot, BotName, Bots
from takmail.games.game_rules import GameRules
from takmail.games.interface import Refused, Seat
from takmail.games.registry import OfKind
from takmail.limits.games import MAX_RUNNING_GAMES
from takmail.world import (
    NO_TIMING,
    RUNNING,
    First,
    Game,
    GameRecord,
    Invitation,
    Player,
    PlayerKind,
    Queries,
    Seek,
    Standing,
    asks_bid,
    bot_skeleton,
    events,
    seated,
    title_of,
    with_zones,
)

Terms = SeekGame | Seek | GameRecord
"""What a new game has its terms from: a command, a seek, or an earlier game."""
_WINS_SEEN = 10
"""Among how many of their newest wins the bot is looked for that a player has beaten last."""


def set_up(context: Context, command: SeekGame) -> str:
    """Return the set-up that a command describes. Raises RefusalError if it is invalid."""
    rules = context.services.games.rules_of(command)
    try:
        setup = rules.set_up(command.setup, context.rng("set-up"))
    except Refused as why:
        refusal = replace(refused_by(rules, why.reason), is_for_all=repeats_no_text(why.reason))
        raise RefusalError(refusal) from why
    if command.first is not None and asks_bid(rules, setup):
        raise RefusalError(refused("first_with_bids", first=command.first))
    refuse_if(refuse_terms(command.length, rules, setup))
    return setup


def new_record(
    context: Context,
    terms: Terms,
    setup: str,
    players: tuple[Player, Player],
    host_seat: Seat,
    length: str | None = None,
) -> GameRecord:
    """Return the record of a new game of these `players`, a host and a guest. Nothing is sent yet.

    `length` is that of the match that it begins, if the terms say nothing about that.
    """
    host, number = players[0], context.next_game()
    before = terms if isinstance(terms, GameRecord) else None
    length = terms.length if isinstance(terms, SeekGame) else length
    series = series_of_new(context.world, number, length, before)
    first, second = players if host_seat == Seat.FIRST else reversed(players)
    return GameRecord(
        number=number,
        version=0,
        kind=terms.kind,
        setup=setup,
        subject=subject_of(context, terms, setup, (first.name, second.name)),
        standing=Standing.INVITED,
        invitation=Invitation(host.id, is_unrated=terms.is_unrated, series=series),
        seats=seated(first.id, second.id),
        created_at=context.now,
        is_relay=terms.is_relay,
        timing=terms.timing.agreed,
    )


def subject_of(context: Context, terms: OfKind, setup: str, names: tuple[str, str]) -> str:
    """Return the Subject of letters about a game."""
    title = title_of(context.services.games.rules_of(terms), setup)
    first, second = names
    subject = message("subject_of_game", first=first, second=second, title=title)
    return context.services.templates.said(subject)


def new_game(context: Context, record: GameRecord, players: Sequence[Player]) -> Game:
    """Return a new game of these two players, in its first state."""
    rules = context.services.games.rules_of(record)
    seated = {player.id: player for player in players}
    first, second = record.players
    return Game(record, rules, (seated[first], seated[second]), (), (rules.start(record.setup),))


def setup_to_begin(context: Context, rules: GameRules, setup: str) -> str | None:
    """Return the final set-up of a game that both players have accepted, None if they bid before it begins.

    Only now do the rules draw what is random in it.
    """
    return None if asks_bid(rules, setup) else rules.complete(setup, context.rng("complete"))


def begun_at_once(
    context: Context,
    new: GameRecord,
    players: tuple[Player, Player],
    joined: Events,
    seek: Seek | None = None,
) -> Events:
    """Return what creates a game that waits for no acceptance: of a seek that the sender joins, or against a bot.

    `players` are the other one and the sender, whom `joined` registers. If they bid for the first turn, they are asked
    for their bids.
    """
    rules = context.services.games.rules_of(new)
    begun = events.SeekJoined(
        game=new.number,
        new_game=opened(context, new, setup_to_begin(context, rules, new.setup), players),
        seek=None if seek is None else seek.number,
        seat=new.seat_of(players[1].id),
        has_own_letter=context.game_number is not None
        and (seek is not None or bool(events_for(context.opponent, context.so_far.happened, context.game))),
    )
    return (*joined, begun)


def opened(context: Context, new: GameRecord, setup: str | None, players: tuple[Player, Player]) -> Game:
    """Return a new game that is accepted already. `setup` is final, or None if the players bid for the first turn."""
    new = replace(new, invitation=replace(new.invitation, written_at=context.now))
    if setup is None:
        record = replace(new, standing=Standing.BIDDING)
    else:
        timing = new.timing.with_clock(context.now)
        record = replace(new, setup=setup, standing=Standing.OPEN, timing=timing)
    return with_zones(new_game(context, record, players))


def has_enough_games(context: Context) -> Refusal | None:
    """Return a refusal if the sender has as many running games as anybody may have, otherwise None."""
    running = () if context.player is None else context.world.games_of(context.player.id, *RUNNING)
    return refused_beyond("many_games", len(running), MAX_RUNNING_GAMES)


def choose_seat(context: Context, kind: str, host: Player, guest: Player, first: First | None) -> Seat:
    """Return the host's seat as `first` chooses it.

    If `first` is None, the seats alternate with the last game of the two players. If there is no such game, the seat is
    random, but the host begins against a bot.
    """
    if first in (First.ME, First.THEM):
        return Seat.FIRST if first == First.ME else Seat.SECOND
    games = context.world.begun_between(host.id, guest.id) if first is None else ()
    last = next((game for game in reversed(games) if game.kind == kind), None)
    if last is None and first is None and guest.is_bot:
        return Seat.FIRST
    if last is None:
        return context.rng("seats").choice(list(Seat))
    return Seat.SECOND if last.first == host.id else Seat.FIRST


# Games against bots, which accept at once.


def list_bots(context: Context) -> Told:
    """List the bots, each with what to expect, and a line that begins a game against it."""
    return told("bots", bots=context.services.bots)


def play_bot(context: Context, command: New, name: str) -> Events:
    """Begin a game against the bot with a name, or against any if the name is ''. A bot accepts at once."""
    refuse_if(None if command.timing == NO_TIMING else refused("no_clock_against_bots"))
    rules = context.services.games.rules_of(command)
    setup = set_up(context, command)
    bot = chosen_bot(context, name, rules, setup)
    refuse_if(has_enough_bot_games(context) or has_enough_games(context))
    host, joined = profile.enrol(context)
    guest, guest_joined = _enrolled_bot(context, bot)
    host_seat = choose_seat(context, command.kind, host, guest, command.first)
    new = new_record(context, command, setup, (host, guest), host_seat)
    return begun_at_once(context, new, (guest, host), (*joined, *guest_joined))


def chosen_bot(context: Context, name: str, game: GameRules, setup: str) -> Bot:
    """Return the bot with a name, or if that is '', the one that the sender has beaten last, or else the weakest.

    Raises RefusalError if it can't play this.

    The one that thinks for long plays only those who have played a turn, so that nobody takes its time with mails alone
    that begin games.
    """
    bots = context.services.bots
    if not bots.every:
        raise RefusalError(refused("no_bots"))
    able = {bot.name: bot for bot in bots.every if bot.plays(game, setup)}
    if able and name in ("", *able):
        bot = able[name or _beaten_last(context, able, game.name) or next(iter(able))]
        others = tuple(other for other in able.values() if other is not bot)
        if bot.name == THINKS_LONG and others and not _has_played(context):
            raise RefusalError(refused("bot_too_slow", name=bot.name, bots=Bots(others)))
        return bot
    if name and bots.named(name) is None:
        raise RefusalError(refused("bot_unknown", name=name, bots=bots))
    raise RefusalError(refused("bot_plays_other", able=tuple(able), bots=bots))


def _beaten_last(context: Context, able: Container[str], kind: str) -> str | None:
    """Return the name of the bot that can play this and that the sender has beaten last, None if there is none."""
    if context.player is None:
        return None
    you = context.player.id
    games = (game for game in reversed(context.world.games_of(you, Standing.OVER)) if game.kind == kind)
    won = (game for game in games if game.end.winner is not None and game.players[game.end.winner] == you)
    others = (context.world.player(game.players[game.seat_of(you).other]) for game in islice(won, _WINS_SEEN))
    return next((other.bot_name for other in others if other.is_bot and other.bot_name in able), None)


def _has_played(context: Context) -> bool:
    """Return whether the sender has played a turn before this mail."""
    return context.player is not None and context.world.ask(Queries.has_played, context.player.id)


def has_enough_bot_games(context: Context) -> Refusal | None:
    """Return a refusal if the sender has as many running games against bots as anybody may have, otherwise None."""
    if context.player is None:
        return None
    you, most = context.player.id, context.services.bots.games_a_player
    games = context.world.games_of(you, *RUNNING)
    opponents = (context.world.player(game.players[game.seat_of(you).other]) for game in games)
    count = sum(opponent.is_bot for opponent in opponents)
    return refused_beyond("many_bot_games", count, most)


def _enrolled_bot(context: Context, bot: Bot) -> tuple[Player, Events]:
    """Return the player that a bot is, and what registers it for its first game."""
    known = context.world.named(bot_skeleton(bot.name))
    if known is not None:
        return known, ()
    number, name = context.next_player(), BotName.of(bot.name)
    new = Player(number, name, bot_skeleton(bot.name), context.now, kind=PlayerKind.ENGINE)
    return new, (events.PlayerJoined(player=new),)
