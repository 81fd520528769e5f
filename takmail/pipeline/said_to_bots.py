"""Read what is said to a bot, which nobody but takmail reads: a wish for another game, for an idea, to have a rest.

A person would answer it. So it is the command that does what is wished, or a doubt whose answer tells what is asked or
offers what there is.
"""

from takmail.commands.answers import Refusal
from takmail.commands.command import LineFault, Order, Unclear, is_certain
from takmail.commands.context import Context
from takmail.commands.grammar.answers import YesOrNo, read_answer
from takmail.commands.grammar.normalize import bare, plain
from takmail.commands.grammar.signatures import unsigned
from takmail.commands.grammar.spoken import (
    TO_BOTS,
    as_question,
    asks_what,
    courtesy_of,
    in_full,
    is_addressed,
    meaning_of,
)
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.commands.grammar.whole_line import order_of
from takmail.games.kit.naming import WAYS
from takmail.games.readonly import replace
from takmail.games.teaching import ALL_RULES
from takmail.pipeline.games_wished import (
    BIGGER,
    EASIER,
    HARDER,
    SMALLER,
    game_wished,
    level_beside,
    line_of_level,
    other_sizes,
    same_game,
)
from takmail.pipeline.interpret import read, reader_of
from takmail.pipeline.moves_to_bots import only_excludes, with_move
from takmail.pipeline.results import perform
from takmail.vocabulary import words_of

_AGAIN, _REVIEW, _WHY, _TIRED = "again", "review", "why", "tired"
_TURN, _SIZE, _FRIEND, _SIMPLY, _WATCHED = "turn", "size", "friend", "simply", "watched"
_UNDO, _NO_MOVE = "undo", "no move"
"""What wishes to take a move back, and the name of the answer to who says only what not to play."""
_BEGINNER = {"first": "them", "starts": "me"}
"""The wishes for another one to begin the next game, with whom `new` names for each."""
_MORE = "more"
"""The name of the answer to a yes after the end, where nothing was asked."""
_COMMANDS = {
    "hint": "hint",
    "others": "bots",
    _TURN: "turn",
    _REVIEW: "review",
    _AGAIN: "rematch",
    _WATCHED: "log",
}
_WISHES = (
    *_COMMANDS,
    HARDER,
    EASIER,
    BIGGER,
    SMALLER,
    _WHY,
    _TIRED,
    _SIZE,
    *_BEGINNER,
    _FRIEND,
    _SIMPLY,
    _UNDO,
)
"""What is said to a bot and wishes for something, by the keys of the vocabulary."""
_OFFERED = {_WHY: ("why", "hint"), _TIRED: ("resign",)}
_MOVING = frozenset(("move", "any"))
"""What the words of a game stand for with which a move is told."""
_EXPLAINING = ("rules", "help")
"""The keywords of commands that explain at length what a bot's player is told in short."""


def plays_bot(context: Context) -> bool:
    """Tell whether a mail is about a game against a bot."""
    return context.game_number is not None and context.game.players[context.you.other].is_bot


def said_to_bot(context: Context, understood: Understood, whole: str) -> Understood:
    """Return a mail to a bot with what is wished in it as people say it. One that says anything else stays as it is.

    So does one with an order that changes something, such as a move: most mails are that, and need no more reading.
    `whole` is its text. If nothing stands above the line that ends the reading, `quit`, that line is read.
    """
    orders, is_over = understood.orders, context.game.record.is_over
    is_rematch = [order.command.keyword for order in orders] == [_COMMANDS[_AGAIN]]
    if any(order.command.changes and not order.is_doubt for order in orders) and not is_rematch:
        return understood
    moved = with_move(context, understood)
    if moved is not understood:
        return moved
    ending = next(filter(str.strip, whole.splitlines()), "")
    said = "\n".join(part.raw for part in understood.parts if not part.is_beside_order) or ending
    typed = unsigned(said, context.game.names[context.you])
    text = in_full(typed)
    is_kind = (is_rematch or is_addressed(text)) and bool(courtesy_of(text))  # "thanks again"
    meaning = meaning_of(text, TO_BOTS)
    level = game_wished(context, text)
    if is_rematch and not is_over:
        return _doubting(context, typed, _offering(context, _AGAIN))
    is_plain = is_certain(order_of(typed if is_kind else bare(typed), reader_of(context), is_first=True))
    is_meant = is_kind or level or (meaning in _WISHES and (meaning != _UNDO or _is_possible(context, _UNDO)))
    if (is_plain and not (meaning and _only_explains(orders))) or any(
        order.command.is_answer for order in orders
    ):
        return understood
    if only_excludes(context, text):
        return _doubting(context, typed, Unclear(LineFault.TO_BOT, _NO_MOVE, needs_game=True))
    if level is not None:
        return _doubting(context, typed, level)
    if is_kind:
        return of_orders((), text)
    if is_meant:
        return _wished(context, typed, meaning)
    return _asked(context, understood, typed, text)


def _wished(context: Context, typed: str, meaning: str) -> Understood:
    """Return the command that fulfils a wish, or the doubt that offers what can be done about it."""
    is_over = context.game.record.is_over
    if meaning == _REVIEW and not is_over:
        meaning = _TURN
    if meaning in _COMMANDS and (is_over or meaning != _AGAIN):
        return _commanded(context, typed, _COMMANDS[meaning])
    return _doubting(context, typed, _offering(context, meaning))


def _asked(context: Context, understood: Understood, typed: str, text: str) -> Understood:
    """Return what answers a question in short, or the same mail if it asks nothing that takmail can tell.

    A question without its mark is read as if it had it.
    """
    question = as_question(text)
    agrees = not (understood.orders or courtesy_of(text)) and read_answer(plain(text)) is YesOrNo.YES
    if agrees and context.game.record.is_over:
        return _doubting(context, typed, _offering(context, _MORE))
    if not understood.orders and _tells_way(context, text):
        return _doubting(context, typed, Unclear(LineFault.DESCRIBED, needs_game=True))
    if not asks_what(question) or not _only_explains(understood.orders):
        return understood
    teacher = context.services.games.teacher(context.game.record.kind)
    if teacher is not None and (topic := teacher.topic(question, is_asked=True)):
        return _doubting(context, typed, Unclear(LineFault.EXPLAINED, topic, needs_game=True))
    if understood.orders or question == typed or not read(context, question).orders:
        return understood
    return _commanded(context, typed, question)


def _tells_way(context: Context, text: str) -> bool:
    """Tell whether a text without a place says that something moves, and where: "move it right"."""
    words = words_of(text)
    named = {part for own in reader_of(context).words for part in own.meanings(words)}
    return context.game.record.is_open and not (WAYS.isdisjoint(named) or _MOVING.isdisjoint(named))


def _only_explains(orders: tuple[Order, ...]) -> bool:
    """Tell whether orders only ask what takmail explains, or offer nothing else."""
    lines = (
        order.arguments.offers if isinstance(order.arguments, Unclear) else (order.command.keyword,)
        for order in orders
    )
    return all(line.startswith(_EXPLAINING) for offered in lines for line in offered)


def _commanded(context: Context, typed: str, line: str) -> Understood:
    return of_orders(replace(order, line=typed) for order in read(context, line).orders)


def _doubting(context: Context, typed: str, doubt: Unclear) -> Understood:
    return of_orders([context.services.commands.order(typed, doubt)])


def _offering(context: Context, meaning: str) -> Unclear:
    """Return the doubt that offers what can be done about a wish. Its detail names the answer."""
    if meaning == _UNDO:
        return Unclear(LineFault.MEANT, offers=(_UNDO,), needs_game=True)
    if meaning == _SIMPLY:
        return Unclear(LineFault.EXPLAINED, ALL_RULES, needs_game=True)
    is_over = context.game.record.is_over
    detail = f"{meaning} over" if meaning == _TIRED and is_over else meaning
    lines = tuple(line for line in _OFFERED.get(meaning, ()) if _is_possible(context, line))
    if meaning in (HARDER, EASIER, BIGGER, SMALLER, _MORE, _AGAIN, _SIZE, *_BEGINNER):
        detail, lines = _other_game(context, meaning)
    return Unclear(LineFault.TO_BOT, detail, offers=lines, needs_game=True)


def _other_game(context: Context, meaning: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of the answer to a wish for another game, and the lines that begin one."""
    if meaning in (HARDER, EASIER):
        level = level_beside(context, meaning)
        return (f"no {meaning}", ()) if level is None else (meaning, (line_of_level(context, level),))
    if meaning in (BIGGER, SMALLER, _SIZE):
        return _SIZE, other_sizes(context, meaning)
    line = same_game(context)
    if meaning == _MORE:
        levels = filter(None, (level_beside(context, change) for change in (HARDER, EASIER)))
        return meaning, ("rematch", *(line_of_level(context, level) for level in levels))
    if meaning == _AGAIN:
        return meaning, ("propose restart", *filter(None, (line,)))
    return meaning, () if line is None else (f"{line} first={_BEGINNER[meaning]}",)


def _is_possible(context: Context, line: str) -> bool:
    orders = read(context, line).orders
    return all(not isinstance(perform(context.supposing(), order), Refusal) for order in orders)
