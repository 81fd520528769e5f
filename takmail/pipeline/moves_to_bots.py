"""Read a move to a bot as people describe it: "flat c2", "ps b2 and now I win".

Between people such a line is asked about, as a move counts. Against a bot it is played, as in a lesson: `undo` takes it
back.
"""

from takmail.commands.answers import Refusal
from takmail.commands.command import LineFault, Order, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.descriptions import PLACE
from takmail.commands.grammar.parts import OrderOrWords
from takmail.commands.grammar.spoken import in_full, without_mood, without_questions
from takmail.commands.grammar.understood import Understood
from takmail.games.kit.naming import may_name_place
from takmail.games.readonly import replace
from takmail.pipeline.interpret import read
from takmail.pipeline.results import perform
from takmail.vocabulary import table, words_of

_NO_OTHER_TURN = "reads ptn"
_DOUBTED = ("turning", "telling", "conditions", "past", "denials")
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
    order = None if turn is None or not _is_plain(context, line, turn) else _order(context, turn)
    if order is None or isinstance(perform(context.supposing(), order), Refusal):
        return understood
    played = OrderOrWords(part.raw, replace(order, line=part.raw))
    return Understood(tuple(played if other is part else other for other in understood.parts))


def _described(context: Context, raw: str, doubt: object) -> str | None:
    """Return the turn that a doubt about a line means, None if it may mean several.

    Of the turns that place something on one place, it is the likeliest. One with words behind it begins the line.
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
    return turns[0] if len(turns) == 1 or is_placed else None


def _is_plain(context: Context, raw: str, turn: str) -> bool:
    """Tell whether a line tells a turn of its writer, and neither asks nor doubts nor tells of another one."""
    text = in_full(raw)
    if _described_in(context, without_questions(text)) != turn:
        return False
    places = list(PLACE.finditer(text))
    before, behind = (text[: places[-1].start()], text[places[-1].end() :]) if places else (text, "")
    words = words_of(before)
    is_of_others = table("persons").meanings(words)[-1:] == ("others",) or table("opponent").within(before)
    is_doubted = table(*_DOUBTED).matches(words) or table("turning").matches(words_of(behind))
    is_told_of = table("predicates").meaning(words_of(behind)[:1])
    return not (is_of_others or is_doubted or is_told_of)


def _described_in(context: Context, text: str) -> str | None:
    """Return the turn that a text alone is or describes."""
    for order in read(context, text).orders:
        if isinstance(order.arguments, Play):
            return order.arguments.text
        return _described(context, text, order.arguments)
    return None


def _order(context: Context, turn: str) -> Order | None:
    return next((order for order in read(context, turn).orders if isinstance(order.arguments, Play)), None)
