"""Read a move to a bot as people describe it: "flat c2", "ps b2 and now I win".

Between people such a line is asked about, as a move counts. Against a bot it is played, as in a lesson, if it says
nothing else: `undo` takes it back. Nothing does if it ends the game, so that it is asked about then, unless it wins.
"""

from takmail.commands.answers import Refusal
from takmail.commands.command import LineFault, Order, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.descriptions import consists_of, only_looks
from takmail.commands.grammar.normalize import is_question
from takmail.commands.grammar.parts import OrderOrWords
from takmail.commands.grammar.spoken import TO_BOTS, in_full, told_and_asked, without_mood
from takmail.commands.grammar.understood import Understood
from takmail.games.kit.naming import PLACE, may_name_place, without_excluded
from takmail.games.readonly import replace
from takmail.pipeline.interpret import read, reader_of
from takmail.pipeline.results import perform
from takmail.vocabulary import table, words_of

_NO_OTHER_TURN = "reads ptn"
_SMALL = ("beside moves", "greetings", "polite", "praise")
"""The tables of words that change nothing beside a move."""
_GLAD = ("kind", "bot", "won")
"""What such words of the section `to bots` stand for."""
_LEADING = ("leading", "moving")
"""What the words of the table `asides` stand for that only lead to a move: "next turn" behind it tells of another."""
_TAKING_BACK = ("recanting", "objections", "turning", "conditions")
"""The tables of words of which one may take a move back, wherever it stands in a mail."""
_PAST = ("telling", "past")
"""The tables of words before a place of which one may tell of another move."""


def with_move(context: Context, understood: Understood) -> Understood:
    """Return a mail to a bot with its only doubt as the turn that this describes, the same mail if none is clear."""
    asked = [part for part in understood.parts if part.order is not None]
    parts = asked or [part for part in understood.parts if may_name_place(part.raw)]
    if len(parts) != 1 or parts[0].is_unclear or not context.game.record.is_open:
        return understood
    (part,) = parts
    line = part.raw if asked else without_mood(part.raw)
    turn = _described_in(context, line)
    is_only = not any(_may_change(other.raw) for other in understood.parts if other is not part)
    order = _order(context, turn) if turn is not None and is_only else None
    if turn is None or order is None or isinstance(perform(context.supposing(), order), Refusal):
        return understood
    if not _is_plain(context, part.raw, turn) or _ends_unasked(context, line, turn):
        return understood
    played = OrderOrWords(part.raw, replace(order, line=part.raw))
    return Understood(tuple(played if other is part else other for other in understood.parts))


def only_excludes(context: Context, text: str) -> bool:
    """Tell whether a text only says where not to play: "not c3", "put nothing on c3"."""
    if not context.game.record.is_open or not PLACE.search(text) or PLACE.search(without_excluded(text)):
        return False
    tables = (table(*_SMALL, "excluding", "recanting", "asides", "fillers"), *reader_of(context).words)
    return not is_question(text) and consists_of(words_of(text, is_wish=True), *tables)


def _may_change(line: str) -> bool:
    """Tell whether a line beside a move may change it: it names a place, too, or takes something back."""
    return bool(PLACE.search(line) or table(*_TAKING_BACK).matches(words_of(line)))


def _described(context: Context, raw: str, doubt: object) -> str | None:
    """Return the turn that a doubt about a line means, None if it may mean several.

    Of the turns that place something on one place, it is the likeliest. One with words behind it begins the line. A
    bare place moves nothing, as its writer may not see that it is taken.
    """
    if not isinstance(doubt, Unclear) or not doubt.is_turn or doubt.is_rejected:
        return None
    turns = [offer for offer in doubt.offers if offer != _NO_OTHER_TURN]
    if doubt.fault is LineFault.TURN:
        return next((turn for turn in turns if raw.lower().startswith(turn)), None)
    if doubt.fault is not LineFault.MEANT or not turns:
        return None
    (place, *others) = dict.fromkeys(turn.rpartition(" ")[2] for turn in turns)
    touch = context.game.state.touches().get(place)
    is_placed = touch is not None and not (touch.is_move or others)
    is_told = len(turns) == 1 and not _is_bare_place(context, raw)
    return turns[0] if is_placed or is_told else None


def _is_bare_place(context: Context, text: str) -> bool:
    """Tell whether a text names one place, and neither a piece nor a way."""
    is_named = any(own.matches(words_of(text)) for own in reader_of(context).words)
    return len(PLACE.findall(text)) == 1 and not is_named


def _is_plain(context: Context, raw: str, turn: str) -> bool:
    """Tell whether a line tells a turn of its writer, and neither asks nor doubts nor tells anything else."""
    text = in_full(raw)
    told, asked = told_and_asked(text)
    is_told = turn in (_described_in(context, told), _described_in(context, without_mood(told)))
    if not is_told or table(*_TAKING_BACK).matches(words_of(text)):
        return False
    reader, state = reader_of(context), context.game.state
    places = [*PLACE.finditer(told)]
    before, behind = (told[: places[-1].start()], told[places[-1].end() :]) if places else (told, "")
    is_small = _is_small(context, before, leads=True) and _is_small(context, behind, leads=False)
    is_of_past = bool(table(*_PAST).matches(words_of(before)))
    is_order = not all(only_looks(line, reader) for line in table("commands").meanings(words_of(asked)))
    is_elsewhere = not {place[0].lower() for place in places} <= {one.place for one in state.touched(turn)}
    return is_small and not (is_of_past or is_order or is_elsewhere)


def _ends_unasked(context: Context, line: str, turn: str) -> bool:
    """Tell whether a turn ends the game, does not win it, and does not begin the line, as takmail writes it."""
    result = context.game.state.play(turn).result
    return result is not None and result.winner is not context.you and not line.lower().startswith(turn)


def _is_small(context: Context, text: str, *, leads: bool) -> bool:
    """Tell whether a text has nothing but words of the game, and those that change nothing beside a move.

    If it `leads` to the move, it may have words that say so.
    """
    words = words_of(text, is_wish=True)
    asides = [match for match in table("asides").matches(words) if leads or match.meaning not in _LEADING]
    known = table(*_SMALL).places(words) | table(TO_BOTS).places(words, *_GLAD)
    known |= {place for match in asides for place in range(match.start, match.end)}
    others = tuple(word for place, word in enumerate(words) if place not in known)
    return consists_of(others, *reader_of(context).words)


def _described_in(context: Context, text: str) -> str | None:
    """Return the turn that a text alone is or describes."""
    for order in read(context, text).orders:
        if isinstance(order.arguments, Play):
            return order.arguments.text
        return _described(context, text, order.arguments)
    return None


def _order(context: Context, turn: str) -> Order | None:
    return next((order for order in read(context, turn).orders if isinstance(order.arguments, Play)), None)
