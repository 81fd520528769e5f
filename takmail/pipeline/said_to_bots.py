"""Read what is said to a bot, which nobody but takmail reads: a wish for another game, for an idea, to have a rest.

A person would answer it. So it is the command that does what is wished, or a doubt whose answer offers what there is.
"""

from takmail.commands.answers import Refusal
from takmail.commands.command import LineFault, Unclear, is_certain
from takmail.commands.context import Context
from takmail.commands.grammar.normalize import bare
from takmail.commands.grammar.spoken import TO_BOTS, courtesy_of, is_addressed, meaning_of
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.commands.grammar.whole_line import order_of
from takmail.games.readonly import replace
from takmail.pipeline.interpret import read, reader_of
from takmail.pipeline.results import perform

_AGAIN, _HARDER, _EASIER, _HINT, _WHY, _TIRED = "again", "harder", "easier", "hint", "why", "tired"
"""What is said to a bot and wishes for something, by the keys of the vocabulary."""
_WISHES = (_AGAIN, _HARDER, _EASIER, _HINT, _WHY, _TIRED)
_OFFERED = {_WHY: ("why", "hint"), _TIRED: ("resign",)}


def plays_bot(context: Context) -> bool:
    """Tell whether a mail is about a game against a bot."""
    return context.game_number is not None and context.game.players[context.you.other].is_bot


def said_to_bot(context: Context, understood: Understood) -> Understood:
    """Return a mail to a bot with what is wished in it as people say it. One that says anything else stays as it is."""
    text = "\n".join(part.raw for part in understood.parts).strip()
    is_kind, meaning = is_addressed(text) and bool(courtesy_of(text)), meaning_of(text, TO_BOTS)
    if not (is_kind or meaning in _WISHES) or any(order.command.is_answer for order in understood.orders):
        return understood
    if is_certain(order_of(text if is_kind else bare(text), reader_of(context))):
        return understood
    if is_kind:
        return of_orders((), text)
    is_over = context.game.record.is_over
    if meaning == _HINT or (meaning == _AGAIN and is_over):
        orders = read(context, "hint" if meaning == _HINT else "rematch").orders
        return of_orders(replace(order, line=text) for order in orders)
    if meaning == _AGAIN and understood.orders:
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
    levels = services.bots.levels(services.games, *played)
    weaker, stronger = services.bots.beside(services.games, *played, opponent)
    level = {_HARDER: stronger, _EASIER: weaker, _AGAIN: opponent}[meaning]
    plain = None if level is None else levels.get(level)
    line = () if level is None or plain is None else (plain.line_against(level, services.games.default),)
    if meaning == _AGAIN:
        return meaning, ("propose restart", *line)
    return (meaning if line else f"no {meaning}"), line


def _is_possible(context: Context, line: str) -> bool:
    orders = read(context, line).orders
    return all(not isinstance(perform(context.supposing(), order), Refusal) for order in orders)
