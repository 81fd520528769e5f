"""Read the parts of a mail beside each other, after each was read by itself.

An order is not undone by less than an order. It is held only if a line below it takes it back, or is nearly another
order for the same turn. Then neither is done, and both are offered, the one that was named last first.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from takmail.commands.command import Arguments, Confirmation, LineFault, Order, Unclear
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.descriptions import names_turn, words_that_take_back
from takmail.commands.grammar.half_described import describes_turn
from takmail.commands.grammar.line_reader import LOOK_ALIKES, LineReader
from takmail.commands.grammar.normalize import (
    bare,
    command_form,
    has_ended,
    is_wrapped,
    plain,
    words_of_names,
)
from takmail.commands.grammar.parts import OrderOrWords
from takmail.commands.grammar.plans import Setting, is_intention, is_plan, names_place
from takmail.commands.grammar.whole_line import as_arguments
from takmail.games.interface import NearMiss
from takmail.games.kit.naming import PLACE
from takmail.limits.words import MAX_CAREFUL_LINES, MAX_NAMED_TURNS, MAX_OFFERED_LINES
from takmail.vocabulary import table, words_of

_SIGNED = 2
"""The maximum number of words of a name below a farewell."""


def read_as_whole(
    parts: tuple[OrderOrWords, ...], reader: LineReader, names: Collection[str]
) -> tuple[OrderOrWords, ...]:
    """Return the parts of a mail as they are meant beside each other.

    `names` are those of the players and of the sender. A name is no slip of a command, a plan is no order, and what the
    mail takes back is not done.
    """
    if len(parts) == 1 and parts[0].is_certain:
        return parts  # the usual case
    if reader.is_to_move and all(part.order is None for part in parts):
        parts = _with_description(parts, reader)
    filled = [place for place, part in enumerate(parts) if part.raw or part.order]
    end = filled[MAX_CAREFUL_LINES] if len(filled) > MAX_CAREFUL_LINES else len(parts)
    parts, unread = parts[:end], parts[end:]
    turns = tuple([arguments.text for part in parts if isinstance(arguments := _arguments(part), Play)])
    named = _with_names(parts, names) if any(part.is_asked for part in parts) else parts
    setting = Setting(reader.is_to_move, tuple(reader.played), turns, reader.is_place)
    parts = _with_what_is_taken_back(_with_plans(tuple(named), reader, setting), reader)
    return (*_with_intentions(parts, reader, setting), *unread)


def _with_description(parts: tuple[OrderOrWords, ...], reader: LineReader) -> tuple[OrderOrWords, ...]:
    """Return the parts of a mail of words alone. The first line that describes a turn is a doubt.

    It offers for each place that it names the likeliest turn that ends there.
    """
    filled = [place for place, part in enumerate(parts) if part.raw][:MAX_CAREFUL_LINES]
    place = next((place for place in filled if describes_turn(plain(parts[place].raw), reader)), None)
    if place is None:
        return parts
    raw = parts[place].raw.strip()
    named = dict.fromkeys(PLACE.findall(raw.lower().translate(LOOK_ALIKES)))
    offers = _lines_to(tuple(named)[:MAX_NAMED_TURNS], reader)
    doubt = Unclear(LineFault.DESCRIBED, offers=offers, needs_game=True)
    asked = OrderOrWords(raw, reader.commands.order(command_form(raw), doubt))
    return (*parts[:place], asked, *parts[place + 1 :])


def names_whole_turn(line: str, reader: LineReader) -> bool:
    """Tell whether a line in command form has a whole turn in it, or nearly is one."""
    return bool(reader.turns_in(line)) or _reads_as_turn(line, reader)


def _with_names(parts: Sequence[OrderOrWords], names: Collection[str]) -> Iterator[OrderOrWords]:
    """Yield the parts. A doubt about a name is words: one of `names`, or one with which the mail is signed."""
    people = words_of_names(names)
    last = max((place for place, part in enumerate(parts) if part.raw), default=0)
    is_farewell = False
    for place, part in enumerate(parts):
        words = words_of(part.raw)
        is_doubt = part.order is not None and part.order.is_doubt and not part.is_unclear
        is_signed = place == last and is_farewell and len(words) <= _SIGNED and part.raw[:1].isupper()
        is_name = is_signed or (bool(words) and people.issuperset(words))
        yield OrderOrWords(part.raw) if is_doubt and is_name else part
        is_farewell = not table("farewells", "polite").others(words) if words else is_farewell


def _with_plans(
    parts: tuple[OrderOrWords, ...], reader: LineReader, setting: Setting
) -> tuple[OrderOrWords, ...]:
    """Return the parts. Each line is a plan by itself, or together with those into which a mail program has cut it."""
    read = [_with_plan(part, reader, setting) for part in parts]
    if not setting.is_about_later or not any(map(_is_plan, read)):
        return tuple(read)  # the usual case
    whole = read[:1]
    for part in read[1:]:
        above = whole[-1]
        if _goes_on(above, part):
            line = f"{command_form(above.raw)} {command_form(part.raw)}"
            whole[-1] = OrderOrWords(f"{above.raw}\n{part.raw}", _doubt(line, reader, LineFault.PLAN))
        else:
            whole.append(part)
    return tuple(whole)


def _goes_on(above: OrderOrWords, below: OrderOrWords) -> bool:
    """Tell whether two lines are the sentence of one plan, which a mail program has cut.

    The line beside the plan names a place, or stands below it while its sentence has not ended.
    """
    if _is_plan(above) == _is_plan(below):
        return False  # each is a plan by itself, or none is
    beside, line = (below if _is_plan(above) else above), above.raw.rpartition("\n")[2]
    if beside.is_certain or beside.is_unclear or not is_wrapped(line, below.raw):
        return False
    return names_place(beside.raw) or (beside is below and not has_ended(line))


def _is_plan(part: OrderOrWords) -> bool:
    doubt = _arguments(part)
    return isinstance(doubt, Unclear) and doubt.fault is LineFault.PLAN


def _with_plan(part: OrderOrWords, reader: LineReader, setting: Setting) -> OrderOrWords:
    """Return the part. What the sender plans to do later, or if something happens, is a doubt that offers nothing.

    A plan is for takmail alone until the sender says it to the opponent, who could act on it.
    """
    if part.is_certain or part.is_unclear:
        return part
    doubt = _arguments(part)
    is_described = not setting.is_about_later and isinstance(doubt, Unclear) and bool(doubt.offers)
    if not is_plan(part.raw, setting, is_turn=True):
        may_be_plan = not is_described and is_plan(part.raw, setting, is_turn=False)
        if not may_be_plan or (names_place(part.raw) and _reads_as_turn(part.raw, reader)):
            return part
    return OrderOrWords(part.raw.strip(), _doubt(command_form(part.raw), reader, LineFault.PLAN))


def _reads_as_turn(raw: str, reader: LineReader) -> bool:
    """Tell whether a whole line is one turn, as `a5-a4` in some games, or nearly so."""
    return as_arguments(reader.read_turn(bare(command_form(raw)))) is not None


def _doubt(line: str, reader: LineReader, fault: LineFault) -> Order:
    """Return the doubt that a line is a plan or an intention."""
    return reader.commands.order(line, Unclear(fault, needs_game=True))


def _with_what_is_taken_back(parts: tuple[OrderOrWords, ...], reader: LineReader) -> tuple[OrderOrWords, ...]:
    """Return the parts. Orders that the mail takes back, or turns beside one that is nearly right, become one doubt.

    It stands in the place of the line that takes them back, and offers all that is named, the last first.
    """
    orders = [place for place, part in enumerate(parts) if _may_be_held(part)]
    if not orders:
        return parts
    turns = [place for place in orders if isinstance(_arguments(parts[place]), Play)]
    near = [place for place, part in enumerate(parts) if turns[:1] < [place] and _is_near_miss(part, reader)]
    below = range(orders[0] + 1, len(parts))
    taken_back = [place for place in below if _takes_back(parts[place], reader, parts[:place])]
    turning = next(iter((*taken_back, *near)), None)
    if turning is None:
        return parts
    above = [place for place in orders if place < turning]
    is_of_turns = any(place in turns for place in above)
    held = sorted({*above, *(turns if is_of_turns else ())})
    named = [
        place for place in range(turning, len(parts)) if is_of_turns and _is_doubt_about_turn(parts[place])
    ]
    joined = sorted({*held, *named, turning})
    lines = [_lines_of(parts[place], reader) for place in reversed(joined)]
    likeliest = [line for named_here in lines for line in named_here[:1]]
    offers = dict.fromkeys((*likeliest, *(line for named_here in lines for line in named_here[1:])))
    doubt = Unclear(LineFault.TAKEN_BACK, is_turn=is_of_turns, needs_game=True)
    if not taken_back and isinstance(wrong := _arguments(parts[turning]), Unclear):
        doubt = wrong
    most = max(MAX_NAMED_TURNS, len(likeliest))
    doubt = replace(doubt, offers=tuple(offers)[:most], is_rejected=True)
    raw = [parts[place].raw for place in joined]
    written = " / ".join(command_form(line) for line in raw)
    asked = [parts[place].raw for place in joined if place not in held]
    whole = OrderOrWords("\n".join(asked), reader.commands.order(written, doubt))
    rest = [part for place, part in enumerate(parts) if place > turning and place not in joined]
    return (*(part for place, part in enumerate(parts[:turning]) if place not in joined), whole, *rest)


def _with_intentions(
    parts: tuple[OrderOrWords, ...], reader: LineReader, setting: Setting
) -> tuple[OrderOrWords, ...]:
    """Return the parts. Where the writer means to move later is a doubt, too, as the opponent could act on it.

    As nothing is offered for it, all such lines are one doubt. So are plans of which there are more than anybody
    prepares in words: as many stand in a quote that is not known as one.
    """
    plans = [place for place, part in enumerate(parts) if _is_plan(part)]
    told = plans if len(plans) > MAX_OFFERED_LINES else []
    places = sorted({*told, *(place for place, part in enumerate(parts) if _says_intention(part, setting))})
    if not places:
        return parts  # the usual case
    lines = [parts[place].raw.strip() for place in places]
    doubt = _doubt(" / ".join(map(command_form, lines)), reader, LineFault.INTENTION)
    whole = {places[0]: OrderOrWords("\n".join(lines), doubt)}
    return tuple(
        whole.get(place, part) for place, part in enumerate(parts) if place in whole or place not in places
    )


def _says_intention(part: OrderOrWords, setting: Setting) -> bool:
    """Tell whether a part that would be told says where its writer means to move later.

    Beside a turn, so would a doubt about another turn. Its line may name the place as only the game reads it: "c 4".
    """
    doubt = _arguments(part)
    if part.is_certain or part.is_unclear:
        return False
    if not isinstance(doubt, Unclear):
        return is_intention(part.raw, setting)
    # A turn with a fault is meant as one, and the answer mends it.
    is_order = doubt.fault is LineFault.TURN and bool(doubt.offers)
    if not setting.is_beside_turn or doubt.is_rejected or not doubt.is_turn or is_order:
        return False
    offered = PLACE.findall(" ".join(doubt.offers[:1]))
    squeezed = "".join(words_of(part.raw))
    named = [place for place in offered if place in squeezed]  # "my corner" is talk
    return is_intention(" ".join((part.raw, *named)), setting)


def _arguments(part: OrderOrWords) -> Arguments | None:
    return None if part.order is None else part.order.arguments


def _may_be_held(part: OrderOrWords) -> bool:
    """Tell whether a part is an order that changes something at once."""
    if part.order is None or not part.is_certain or part.is_unclear:
        return False
    command = part.order.command
    return command.changes and command.confirmation is Confirmation.UNPROVEN


def _takes_back(part: OrderOrWords, reader: LineReader, above: Sequence[OrderOrWords]) -> bool:
    """Tell whether a part begins by taking back what is above it, and names a turn, or says nothing else.

    Without a mark behind these words it has to be a doubt about a turn: "No rush" and "Better than mine" are words. A
    line that names the same turn may have such words anywhere, as "Never ps b4!", and so may one that prefers another.
    """
    if part.is_certain or part.is_unclear or part.is_beside_order or _is_plan(part):
        return False
    if part.raw.isascii() and not table("recanting", "turning").matches(words_of(part.raw)):
        return False  # the usual case
    line = command_form(part.raw)
    turns = {arguments.text for part in above if isinstance(arguments := _arguments(part), Play)}
    named = set(reader.turns_in(line))
    is_same = not turns.isdisjoint(named) and bool(table("recanting", "turning").matches(words_of(line)))
    if is_same or (turns and _prefers_another(part, named - turns)):
        return True
    begun = words_that_take_back(line)
    if begun is None:
        return False
    if begun.meaning in ("alone", "small"):
        return begun.meaning == "alone" or bool(turns)
    is_about_turn = names_turn(begun.rest, reader) if begun.is_marked else _is_doubt_about_turn(part)
    return is_about_turn or (begun.meaning == "marked" and begun.is_marked and not begun.rest)


def _prefers_another(part: OrderOrWords, named: Collection[str]) -> bool:
    """Tell whether a part names another turn, and has a word such as "instead" anywhere."""
    matches = table("recanting").matches(words_of(part.raw))
    is_preferred = any(match.meaning == "anywhere" for match in matches)
    return is_preferred and (bool(named) or _is_doubt_about_turn(part))


def _is_near_miss(part: OrderOrWords, reader: LineReader) -> bool:
    """Tell whether a whole line is a turn but for a fault."""
    arguments = _arguments(part)
    if not isinstance(arguments, Unclear) or arguments.fault is not LineFault.TURN:
        return False
    return isinstance(reader.read_turn(bare(command_form(part.raw))), NearMiss)


def _is_doubt_about_turn(part: OrderOrWords) -> bool:
    arguments = _arguments(part)
    return isinstance(arguments, Unclear) and arguments.is_turn


def _lines_of(part: OrderOrWords, reader: LineReader) -> Sequence[str]:
    """Return the lines that a part names, the likeliest first."""
    if part.order is None:
        line = command_form(part.raw)
        return tuple(reader.turns_in(line)) or _lines_to(PLACE.findall(line.translate(LOOK_ALIKES)), reader)
    if isinstance(part.order.arguments, Unclear):
        return part.order.arguments.offers
    return (part.order.canonical(reader.games) or part.order.line,)


def _lines_to(places: Sequence[str], reader: LineReader) -> tuple[str, ...]:
    """Return the likeliest turn to each of these places."""
    likeliest = [(place, meant.lines[:1]) for place in places if (meant := reader.meant(place)) is not None]
    return tuple(line for place, lines in likeliest for line in lines if line.endswith(place.lower()))
