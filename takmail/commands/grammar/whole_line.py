"""Read a whole line as an order, and tell what kind of order it is."""

from collections.abc import Iterable
from dataclasses import replace

from takmail.commands.command import Confirmation, LineFault, Order, Unclear, is_certain
from takmail.commands.grammar.arguments import Name, Play
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import QUESTION_MARKS, bare
from takmail.games.interface import MAX_MEANT, NearMiss, Reading, ReadTurn
from takmail.limits.words import MAX_OFFERED_LINES
from takmail.vocabulary import table


def order_of(line: str, reader: LineReader, is_first: bool = False) -> Order | None:
    """Return the order that a whole line is, None if it is none."""
    if order := reader.parse(reader.in_full(line), is_first=is_first):
        return replace(order, line=line)
    turn = as_arguments(reader.exact(line))
    return reader.commands.order(line, turn) if turn is not None else None


def as_arguments(reading: Reading) -> Play | Unclear | None:
    """Return the arguments of the order that a reading of a turn is, None if it is none."""
    match reading:
        case ReadTurn(text, number):
            return Play(text, number)
        case NearMiss(reason, fixes):
            return Unclear(LineFault.TURN, offers=fixes, reason=reason, is_turn=True)
        case None:
            return None


def looks(order: Order | None) -> bool:
    """Tell whether an order only looks at something."""
    return is_certain(order) and not order.command.needs_proof


def is_everyday(text: str) -> bool:
    """Tell whether a command is a word that people say to each other, such as "Why?" or "Match!"."""
    return table("everyday").meaning(text.lower()) is not None


def plays(order: Order | None) -> bool:
    """Tell whether an order plays a turn."""
    return order is not None and isinstance(order.arguments, Play)


def has_free_text(order: Order | None) -> bool:
    """Tell whether polite words at the ends of a line belong to its free text. They are hardly part of a name."""
    if order is None or order.arguments is None:
        return False
    return order.arguments.is_free_text and not isinstance(order.arguments, Name)


def asks_first(order: Order, reader: LineReader) -> bool:
    """Tell whether an order asks its sender or the other player before it does anything."""
    return asks_for_rematch(order, reader) or order.command.confirmation is Confirmation.WITHIN


def asks_for_rematch(order: Order, reader: LineReader) -> bool:
    """Tell whether an order asks the other player for another game, which that player may decline."""
    return reader.is_over and order.command.keyword == "rematch"


def only_order(texts: Iterable[str], reader: LineReader, is_first: bool = False) -> Order | None:
    """Return the order that one of these texts is, None if none or several are."""
    orders = [order for text in texts if is_certain(order := order_of(text, reader, is_first))]
    return orders[0] if len(orders) == 1 else None


def meant_lines(*lines: str, is_turn: bool = False) -> Unclear:
    """Return the doubt that offers lines. `is_turn`: they are the turns that are in the doubtful line."""
    most = MAX_MEANT if is_turn else MAX_OFFERED_LINES
    return Unclear(LineFault.MEANT, offers=lines[:most], is_turn=is_turn)


def whole_order(line: str, core: str, reader: LineReader, is_first: bool) -> Order | None:
    """Return the order or doubt that a whole line is, as it stands, without what is polite, or as a question.

    A question such as `rs?` is an order. One that would change something, as `draw?`, is asked about.
    """
    whole = order_of(line, reader, is_first)
    if has_free_text(whole):
        return whole  # Polite words at the ends belong to the free text.
    text = bare(core.rstrip(QUESTION_MARKS + " "))
    asked = None if text == core else order_of(text, reader)
    if is_certain(asked) and not is_everyday(text):
        doubt = meant_lines(asked.canonical(reader.games) or text, is_turn=plays(asked))
        is_done = looks(asked) or asks_for_rematch(asked, reader)
        return asked if is_done else reader.commands.order(line, doubt)
    inner = whole if core == line else order_of(core, reader, is_first)
    return inner if is_certain(inner) else whole
