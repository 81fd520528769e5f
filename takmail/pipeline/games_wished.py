"""Find the lines that begin another game against a bot: of another strength, or on a board of another size."""

from collections.abc import Collection

from takmail.commands.command import LineFault, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.invitation_forms import BOT
from takmail.commands.grammar.spoken import TO_BOTS
from takmail.commands.grammar.wishes import only_wishes_for_game
from takmail.games.bots import Level, PlainGame
from takmail.vocabulary import table, words_of

HARDER, EASIER, BIGGER, SMALLER = "harder", "easier", "bigger", "smaller"
"""What is said to a bot of strengths and boards, by the keys of the vocabulary."""


def game_wished(context: Context, text: str) -> Unclear | None:
    """Return the doubt about a wish for a game of a strength, and of a size if it names one: "harder, on 5x5".

    Otherwise it is on the board of this game. A wish only for the next strength or size is none here.
    """
    words = words_of(text, is_wish=True)
    said = set(table(TO_BOTS).meanings(words))
    named = [name for name in table("bots").meanings(words) if name != BOT]
    size = next((word[0] for word in words if word[0].isdigit()), "")
    change = next((meaning for meaning in (HARDER, EASIER) if meaning in said), "")
    is_sized = bool(size) or not said.isdisjoint((BIGGER, SMALLER))
    if not (is_sized if change else named) or not only_wishes_for_game(words, is_wish=bool(change)):
        return None
    beside = level_beside(context, change) if change else None
    level = beside[0] if beside is not None else next(iter(named), _opponent(context))
    games = _plain_games(context, level)
    plain = _plain(context)
    if is_sized and not size:
        sizes = () if plain is None else _next_sizes(games, plain, said)
    else:
        sizes = (size or ("" if plain is None else plain.size),)
    lines = [_line(context, game, level) for game in games if not any(sizes) or game.size in sizes]
    return Unclear(LineFault.OTHER_WORDS, offers=tuple(lines[:1]), needs_game=True) if lines else None


def level_beside(context: Context, meaning: str) -> Level | None:
    """Return the level next above this bot, or next below it, with this game; None if there is none."""
    services = context.services
    weaker, stronger = services.bots.beside(services.games, *_played(context), _opponent(context))
    return stronger if meaning == HARDER else weaker


def line_of_level(context: Context, level: Level) -> str:
    """Return the line that begins a game against a level."""
    name, plain = level
    return _line(context, plain, name)


def same_game(context: Context) -> str | None:
    """Return the line that begins another game like this one, None if `new` would have to name variants."""
    plain = _plain(context)
    return None if plain is None else _line(context, plain, _opponent(context))


def other_sizes(context: Context, meaning: str) -> tuple[str, ...]:
    """Return the lines that begin such a game on boards of the next sizes, or of the next bigger or smaller one."""
    opponent, plain = _opponent(context), _plain(context)
    games = _plain_games(context, opponent)
    sizes = () if plain is None else _next_sizes(games, plain, (meaning,))
    return tuple(_line(context, game, opponent) for game in games if game.size in sizes)


def _next_sizes(games: tuple[PlainGame, ...], plain: PlainGame, said: Collection[str]) -> tuple[str, ...]:
    """Return the next sizes of boards that are wished for: the smaller, the bigger, or both if none is said."""
    sizes = [game.size for game in games if game.size and plain.size]
    smaller = max((size for size in sizes if size < plain.size), default="")
    bigger = min((size for size in sizes if size > plain.size), default="")
    wished = [size for meaning, size in ((SMALLER, smaller), (BIGGER, bigger)) if meaning in said]
    return tuple(filter(None, wished or (smaller, bigger)))


def _plain_games(context: Context, level: str) -> tuple[PlainGame, ...]:
    """Return the games of the kind of this one that a bot plays, by the sizes of their boards."""
    bot = context.services.bots.named(level)
    games = () if bot is None else bot.plain_games(context.services.games)
    kind = context.game.record.kind
    return tuple(sorted((game for game in games if game.kind == kind), key=lambda game: game.size))


def _plain(context: Context) -> PlainGame | None:
    """Return this game if it has no variants."""
    services = context.services
    return services.bots.playing(services.games, *_played(context)).get(_opponent(context))


def _line(context: Context, game: PlainGame, level: str) -> str:
    return game.line_against(level, context.services.games.default)


def _opponent(context: Context) -> str:
    return context.game.players[context.you.other].bot_name


def _played(context: Context) -> tuple[str, str]:
    """Return the kind of the mail's game, and its set-up."""
    return context.game.record.kind, context.game.rules.rematch_setup(context.game.record.setup)
