"""Read what is said to a bot, which nobody but takmail reads: a wish for another game, for an idea, to have a rest.

A person would answer it. So it is the command that does what is wished, or a doubt whose answer offers what there is.
"""

from takmail.commands.answers import Refusal
from takmail.commands.command import LineFault, Unclear, is_certain
from takmail.commands.context import Context
from takmail.commands.grammar.invitation_forms import BOT
from takmail.commands.grammar.normalize import bare
from takmail.commands.grammar.signatures import unsigned
from takmail.commands.grammar.spoken import TO_BOTS, courtesy_of, is_addressed, meaning_of
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.commands.grammar.whole_line import order_of
from takmail.commands.grammar.wishes import bot_game
from takmail.games.readonly import replace
from takmail.pipeline.interpret import read, reader_of
from takmail.pipeline.results import perform
from takmail.vocabulary import table, words_of

_AGAIN, _HARDER, _EASIER, _REVIEW, _WHY, _TIRED = "again", "harder", "easier", "review", "why", "tired"
_COMMANDS = {"hint": "hint", "others": "bots", _REVIEW: "review", _AGAIN: "rematch"}
_WISHES = (*_COMMANDS, _HARDER, _EASIER, _WHY, _TIRED)
"""What is said to a bot and wishes for something, by the keys of the vocabulary."""
_AFTER_THE_END = (_REVIEW, _AGAIN)
"""Wishes that the command fulfils once the game is over."""
_OFFERED = {_WHY: ("why", "hint"), _TIRED: ("resign",)}


def plays_bot(context: Context) -> bool:
    """Tell whether a mail is about a game against a bot."""
    return context.game_number is not None and context.game.players[context.you.other].is_bot


def said_to_bot(context: Context, understood: Understood) -> Understood:
    """Return a mail to a bot with what is wished in it as people say it. One that says anything else stays as it is.

    So does one with an order that changes something, such as a move: most mails are that, and need no more reading.
    """
    if any(order.command.changes and not order.is_doubt for order in understood.orders):
        return understood
    text = unsigned("\n".join(part.raw for part in understood.parts), context.game.names[context.you])
    is_kind, meaning = is_addressed(text) and bool(courtesy_of(text)), meaning_of(text, TO_BOTS)
    names_level = not {BOT}.issuperset(table("bots").meanings(words_of(text, is_wish=True)))
    level = bot_game(bare(text), reader_of(context)) if names_level else None
    if not (is_kind or level or meaning in _WISHES):
        return understood
    is_plain = is_certain(order_of(text if is_kind else bare(text), reader_of(context), is_first=True))
    if is_plain or any(order.command.is_answer for order in understood.orders):
        return understood
    if level is not None:
        return of_orders([context.services.commands.order(text, level)])
    if is_kind:
        return of_orders((), text)
    is_over = context.game.record.is_over
    if meaning in _COMMANDS and (is_over or meaning not in _AFTER_THE_END):
        orders = read(context, _COMMANDS[meaning]).orders
        return of_orders(replace(order, line=text) for order in orders)
    if meaning in _AFTER_THE_END and (understood.orders or meaning == _REVIEW):
        return understood
    return of_orders([context.services.commands.order(text, _offering(context, meaning, is_over=is_over))])


def _offering(context: Context, meaning: str, *, is_over: bool) -> Unclear:
    """Return the doubt that offers what can be done about a wish. Its detail names the answer."""
    if meaning in (_HARDER, _EASIER, _AGAIN):
        name, lines = _other_game(context, meaning)
        return Unclear(LineFault.TO_BOT, name, offers=lines, needs_game=True)
    lines = _OFFERED.get(meaning, ())
    possible = tuple(line for line in lines if _is_possible(context, line))
    detail = f"{meaning} over" if meaning == _TIRED and is_over else meaning
    return Unclear(LineFault.TO_BOT, detail, offers=possible, needs_game=True)


def _other_game(context: Context, meaning: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of the answer to a wish for another game, and the lines that begin one."""
    game, services = context.game, context.services
    opponent = game.players[context.you.other].bot_name
    played = game.record.kind, game.rules.rematch_setup(game.record.setup)
    if meaning == _AGAIN:
        plain = services.bots.levels(services.games, *played).get(opponent)
        another = () if plain is None else (plain.line_against(opponent, services.games.default),)
        return meaning, ("propose restart", *another)
    weaker, stronger = services.bots.beside(services.games, *played, opponent)
    level = stronger if meaning == _HARDER else weaker
    if level is None:
        return f"no {meaning}", ()
    name, plain = level
    return meaning, (plain.line_against(name, services.games.default),)


def _is_possible(context: Context, line: str) -> bool:
    orders = read(context, line).orders
    return all(not isinstance(perform(context.supposing(), order), Refusal) for order in orders)
