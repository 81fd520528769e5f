"""Read what is said to a bot, which nobody but takmail reads: a wish for another game, for an idea, to have a rest.

A person would answer it. So it is the command that does what is wished, or a doubt whose answer tells what is asked or
offers what there is.
"""

from collections.abc import Callable

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

_Reply = str | Unclear | None
"""What answers a wish: the line of a command, a doubt that offers something, None if nothing does now."""
_EXPLAINING = ("rules", "help")
"""The keywords of commands that explain at length what a bot's player is told in short."""
_MOVING = frozenset(("move", "any"))
"""What the words of a game stand for with which a move is told."""


def plays_bot(context: Context) -> bool:
    """Tell whether a mail is about a game against a bot."""
    return context.game_number is not None and context.game.players[context.you.other].is_bot


def said_to_bot(context: Context, understood: Understood, whole: str) -> Understood:
    """Return a mail to a bot with what is wished in it as people say it. One that says anything else stays as it is.

    So does one with an order that changes something, such as a move: most mails are that, and need no more reading.
    `whole` is its text. If nothing stands above the line that ends the reading, `quit`, that line is read.
    """
    orders, is_over = understood.orders, context.game.record.is_over
    is_rematch = [order.command.keyword for order in orders] == [_REMATCH]
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
        return _answered(context, typed, _again(context, ""))
    is_plain = is_certain(order_of(typed if is_kind else bare(typed), reader_of(context), is_first=True))
    if (is_plain and not (meaning and _only_explains(orders))) or any(
        order.command.is_answer for order in orders
    ):
        return understood
    if only_excludes(context, text):
        return _answered(context, typed, _told("no move"))
    if level is not None:
        return _answered(context, typed, level)
    if is_kind:
        return of_orders((), text)
    answer = _WISHES[meaning](context, meaning) if meaning in _WISHES else None
    return _asked(context, understood, typed, text) if answer is None else _answered(context, typed, answer)


def _asked(context: Context, understood: Understood, typed: str, text: str) -> Understood:
    """Return what answers a question in short, or the same mail if it asks nothing that takmail can tell.

    A question without its mark is read as if it had it.
    """
    question = as_question(text)
    agrees = not (understood.orders or courtesy_of(text)) and read_answer(plain(text)) is YesOrNo.YES
    if agrees and context.game.record.is_over:
        return _answered(context, typed, _more(context))
    if not understood.orders and _tells_way(context, text):
        return _answered(context, typed, Unclear(LineFault.DESCRIBED, needs_game=True))
    if not asks_what(question) or not _only_explains(understood.orders):
        return understood
    teacher = context.services.games.teacher(context.game.record.kind)
    if teacher is not None and (topic := teacher.topic(question, is_asked=True)):
        return _answered(context, typed, _explained(topic))
    if understood.orders or question == typed or not read(context, question).orders:
        return understood
    return _answered(context, typed, question)


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


def _answered(context: Context, typed: str, answer: str | Unclear) -> Understood:
    """Return what was typed as the command that answers it, or as a doubt."""
    if isinstance(answer, str):
        return of_orders(replace(order, line=typed) for order in read(context, answer).orders)
    return of_orders([context.services.commands.order(typed, answer)])


def _told(detail: str, *lines: str) -> Unclear:
    """Return the doubt whose answer is of this name, and offers these lines."""
    return Unclear(LineFault.TO_BOT, detail, offers=lines, needs_game=True)


def _explained(topic: str) -> Unclear:
    return Unclear(LineFault.EXPLAINED, topic, needs_game=True)


def _command(line: str) -> Callable[[Context, str], _Reply]:
    return lambda _context, _meaning: line


def _offer(*lines: str) -> Callable[[Context, str], _Reply]:
    """Return the function that offers those of these lines which are possible."""
    return lambda context, meaning: _told(meaning, *(line for line in lines if _is_possible(context, line)))


def _review(context: Context, _meaning: str) -> _Reply:
    return "review" if context.game.record.is_over else "turn"


def _again(context: Context, _meaning: str) -> str | Unclear:
    if context.game.record.is_over:
        return _REMATCH
    return _told("again", "propose restart", *filter(None, (same_game(context),)))


def _rest(context: Context, meaning: str) -> _Reply:
    return _told(f"{meaning} over") if context.game.record.is_over else _offer("resign")(context, meaning)


def _undo(context: Context, _meaning: str) -> _Reply:
    is_possible = _is_possible(context, "undo")
    return Unclear(LineFault.MEANT, offers=("undo",), needs_game=True) if is_possible else None


def _other_level(context: Context, meaning: str) -> _Reply:
    level = level_beside(context, meaning)
    return _told(f"no {meaning}") if level is None else _told(meaning, line_of_level(context, level))


def _other_size(context: Context, meaning: str) -> _Reply:
    return _told("size", *other_sizes(context, meaning))


def _begun_by(first: str) -> Callable[[Context, str], _Reply]:
    """Return the function that offers a game like this one, in which the other one begins."""

    def offer(context: Context, meaning: str) -> _Reply:
        line = same_game(context)
        return _told(meaning) if line is None else _told(meaning, f"{line} first={first}")

    return offer


def _more(context: Context) -> Unclear:
    """Return the answer to a yes after the end, where nothing was asked."""
    levels = filter(None, (level_beside(context, change) for change in (HARDER, EASIER)))
    return _told("more", _REMATCH, *(line_of_level(context, level) for level in levels))


def _is_possible(context: Context, line: str) -> bool:
    orders = read(context, line).orders
    return all(not isinstance(perform(context.supposing(), order), Refusal) for order in orders)


_REMATCH = "rematch"
_WISHES: dict[str, Callable[[Context, str], _Reply]] = {
    "hint": _command("hint"),
    "others": _command("bots"),
    "turn": _command("turn"),
    "watched": _command("log"),
    "review": _review,
    "again": _again,
    "why": _offer("why", "hint"),
    "tired": _rest,
    "friend": _offer(),
    "simply": lambda _context, _meaning: _explained(ALL_RULES),
    "undo": _undo,
    HARDER: _other_level,
    EASIER: _other_level,
    BIGGER: _other_size,
    SMALLER: _other_size,
    "size": _other_size,
    "first": _begun_by("them"),
    "starts": _begun_by("me"),
}
"""What is said to a bot and wishes for something, by the keys of the vocabulary, and what answers it."""
