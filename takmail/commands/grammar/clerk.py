"""Decide whether a line is an order, probably an order, or words.

A careful clerk reads the mails: does what is plainly ordered, asks where an order is probably meant, and passes on only
what is plainly said to the other player.

1. An *order* is a whole line, but for what is polite around it. A turn, or a command that only looks, may also be the
   beginning of a line, with a mark and harmless words behind it.
2. *Probably an order* is a line with a whole turn somewhere in it, or one that has only words of the vocabulary, among
   them a command's, or places and pieces of the game.
3. All else is *words*.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from takmail.commands.command import Confirmation, LineFault, Order, Unclear, is_certain
from takmail.commands.grammar.about_prepared import about_prepared
from takmail.commands.grammar.arguments import Play, none_yet
from takmail.commands.grammar.asides import without_asides
from takmail.commands.grammar.described_parts import described_part
from takmail.commands.grammar.descriptions import (
    CELLS,
    VOCABULARY,
    consists_of,
    description,
    wish_to_play,
)
from takmail.commands.grammar.line_reader import KEYBOARD, LOOK_ALIKES, LineReader, mended
from takmail.commands.grammar.normalize import (
    QUESTION_MARKS,
    bare,
    behind_greeting,
    clauses_of,
    is_question,
    without_manners,
    without_polite_asides,
    words_of_names,
)
from takmail.commands.grammar.spoken import greets_bot
from takmail.commands.grammar.whole_line import (
    as_arguments,
    asks_first,
    has_free_text,
    is_everyday,
    looks,
    meant_lines,
    only_order,
    order_of,
    plays,
    whole_order,
)
from takmail.commands.grammar.wishes import (
    bot_game,
    match_wished,
    may_be_wish,
    only_denies,
    wish,
    with_what_is_named,
)
from takmail.games.kit.naming import may_name_place, without_excluded
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import IDEOGRAPHS, table, words_of
from takmail.vocabulary.taught import in_english

_MAX_MARKS = 6
"""The maximum number of marks of a line behind which words are looked for."""
_MARK = re.compile(r" ?[,.;:!]+(?: |(?=[^\W\d_]))| ?\(| -+ ")
_SENTENCES = re.compile(rf"(?<=[.!?]) +|(?<=[。！？])|(?<=[.!?])(?=[{IDEOGRAPHS}])")
_CLAUSES = re.compile(rf"(?<=[.!?,;]) +|(?<=[。！？，；])|(?<=[.!?,;])(?=[{IDEOGRAPHS}])")
"""The ends of sentences and of clauses. Behind Chinese ones, which the plain form makes Latin, stands no space."""
_NUMBER = re.compile(r"^(?:\d{1,9}(?:\.+ ?|\) ?)|#\d{1,9} ?|(ptn) ?: ?)(?=\S)", re.IGNORECASE)
"""The number of a list item, of a turn of a record or of a game before a turn."""
_GLUED = re.compile(r"(?<=[^\W\d_])[-=@](?=[a-i][1-9])", re.IGNORECASE)
"""A mark between a word and a place, as in `ps-b4`."""
_DATA = re.compile(r'\W*"\w+": ')
"""The beginning of a line of the data that `mydata` sends."""
_ROW = re.compile(r"\w(?: \w){2,}")
"""Single characters, as the row of a board in any notation: "x A 3"."""
_LABELLED = re.compile(rf"[^:]*(?:\w\W?: |[{IDEOGRAPHS}]:)")
"""The beginning of a line that says what its end is, as "You wrote: resign" in letters. In Chinese no space follows."""
_LONGEST_CODE = 3
"""The maximum number of letters of what may be a code of a language, and another word as well."""
_DECISIVE = ("resign", "undo")
"""Commands that people hardly say to each other, so that any words may stand beside them."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What a line is.

    * `order` is its order or doubt, None if the line is only words. Its own line is without what is polite around it.
    * `words` are the line's words for the other player
    """

    order: Order | None
    words: str = ""


def read_line(
    line: str, reader: LineReader, *, is_first: bool, names: Collection[str] = (), is_careful: bool = True
) -> ReadLine:
    """Return what a line in command form is. `is_first`: only greetings are above it. `names` are the players'.

    If it is not `is_careful`, it is an order in its exact form, or words. Behind a mark, a faulty order is one, too.
    """
    if not is_careful:
        word = line.removeprefix("/").partition(" ")[0].lower()
        is_likely = word in reader.commands.words or reader.turns_in(line)
        exact = order_of(line, reader, is_first) if is_likely else None
        return ReadLine(exact if is_certain(exact) or line.startswith("/") else None)
    core = bare(line)
    order = whole_order(line, core, reader, is_first)
    if "@" in line and not (order and (has_free_text(order) or order.canonical(reader.games))):
        # A wish in other words is no set-up: "new game with ben@example.org".
        wish = wish_to_play(line, reader, is_first=is_first)
        order = reader.commands.order(line, wish) if wish else order
    if is_certain(order) and _begins_with_mark(line) and order.command.changes and not plays(order):
        # A letter has such words, too, at the beginning of a line.
        order = reader.commands.order(line, meant_lines(order.line))
    if is_certain(order):
        return ReadLine(order)
    if before := _order_before_words(line, reader):
        return before
    if order is None:
        beside = _turn_among_asides(line, core, reader) or _order_beside_words(line, reader, names)
        if beside is not None:
            return beside
    doubt = _doubt(line, core, reader, is_first=is_first, names=names) if order is None else order.arguments
    return ReadLine(_doubted(line, doubt, reader) if isinstance(doubt, Unclear) else None)


def _doubted(line: str, doubt: Unclear, reader: LineReader) -> Order:
    """Return the order for a doubt about a line, with what follows from the line and from what is offered.

    It needs a game if it is about a turn, or if a command that it offers needs one. If other words can only mean one
    command, and this only looks, can be undone by a line, or asks before it does anything, it is done at once.
    """
    offered = [order for text in doubt.offers if (order := order_of(text, reader, is_first=True))]
    is_letters = _begins_with_mark(line) or _is_label(words_of(line))
    if doubt.fault is LineFault.OTHER_WORDS and len(offered) == 1 and not is_letters:
        (meant,) = offered
        is_asked = asks_first(meant, reader) or meant.command.confirmation is Confirmation.ALWAYS
        if meant.command.is_harmless or is_asked:
            return replace(meant, line=line)
    needs_game = doubt.is_turn or any(order.needs_game for order in offered)
    return reader.commands.order(line, replace(doubt, needs_game=needs_game))


def _is_label(words: tuple[str, ...]) -> bool:
    """Tell whether words are what links are called in letters, and nothing else."""
    return bool(words) and not table("labels").others(words)


def _begins_with_mark(line: str) -> bool:
    return not (line[0].isalnum() or line[0] == "/")


def _order_before_words(line: str, reader: LineReader) -> ReadLine | None:
    """Return the order at the beginning of a line, and the harmless words behind the mark that follows it."""
    marks = list(_MARK.finditer(line))[:_MAX_MARKS]
    for mark in reversed(marks):
        head, behind = bare(line[: mark.start()]), line[mark.end() :].rstrip(")" if "(" in mark[0] else "")
        order = order_of(head, reader)
        is_look = looks(order) and ":" not in mark[0] and not is_everyday(head)
        is_ordered = plays(order) or is_look
        whole = order_of(f"{head} {bare(behind)}", reader) if is_ordered else None
        if plays(whole):
            return ReadLine(whole)  # A call of tak stands behind the mark.
        if is_ordered and _is_harmless(behind, reader):
            return ReadLine(order, behind)
    return None


def _turn_among_asides(line: str, core: str, reader: LineReader) -> ReadLine | None:
    """Return the turn of a line that has nothing but asides beside it, and those that are for the other player.

    It is a whole turn, or the only one that is possible on the place that the line names. What may be the row of a
    board is none.
    """
    if is_question(line) or not may_name_place(core) or line.endswith(":") or _begins_with_mark(core):
        return None
    if _ROW.fullmatch(core):
        return None
    text, words = without_asides(core)
    turn = as_arguments(reader.read_turn(text))
    if not isinstance(turn, Play):
        meant = reader.meant(text)
        turn = Play(meant.lines[0], None) if meant is not None and meant.is_only else None
    if turn is None or turn.text in reader.played:
        return None
    return ReadLine(reader.commands.order(line, turn), words)


def _order_beside_words(line: str, reader: LineReader, names: Collection[str]) -> ReadLine | None:
    """Return a command that changes something and is the first or the last part of a line: "Resign. You win."

    It is asked about, or done at once if it asks first, or if a line undoes it and only polite words stand beside it.
    The other words have to be of the vocabulary, but for a command that people hardly say to each other, which may be
    any part: "Stop! That was a great move" is praise.
    """
    if _LABELLED.match(line):
        return None
    parts = [part for part in map(bare, clauses_of(line)) if without_manners(part, names)]
    for part in dict.fromkeys((*parts[:1], *parts[-1:], *parts[1:-1][:_MAX_MARKS])):
        is_inner = part not in (parts[0], parts[-1])
        words, behind = words_of(part), line[line.rfind(part) + len(part) :].lstrip()
        order = only_order((part, *mended(part, reader)), reader)
        if order is None and (doubt := description(part, reader)):
            order = only_order(doubt.offers, reader)
        if order is None or not order.command.changes or plays(order) or is_everyday(part):
            continue
        if is_inner and order.command.keyword not in _DECISIVE:
            continue
        is_question = behind[:1] in tuple(QUESTION_MARKS)
        is_decisive = order.command.keyword in _DECISIVE and any(table("changing").matches(words))
        others = tuple(word for word in words_of(line) if word not in words)
        unnamed = tuple(word for word in others if word not in words_of_names(names))
        is_answered = is_question and any(table("denials").matches(others))  # "Resign? Never!"
        is_meant = is_question or is_decisive or consists_of(unnamed, table(*VOCABULARY))
        if not (others and is_meant) or is_answered or reader.turns_in(line):
            continue
        is_plain = not (_begins_with_mark(line) or any(table("turning").matches(words_of(line))))
        if is_plain and asks_first(order, reader):
            return ReadLine(order, line.removeprefix(part).lstrip(f" ,.;:!-({QUESTION_MARKS}"))
        if (
            is_plain
            and order.command.is_harmless
            and not is_question
            and consists_of(unnamed, table("polite", "greetings"))
        ):
            return ReadLine(replace(order, line=line))
        meant = order.canonical(reader.games) or order.command.keyword
        return ReadLine(_doubted(line, meant_lines(meant), reader))
    return None


def _is_harmless(text: str, reader: LineReader) -> bool:
    """Tell whether words behind an order leave it as it is: no other turn, place or command, and no "no, wait"."""
    words = words_of(text)
    telling = table("greetings", "polite", "farewells").others(words)
    if not words or words[0][0].isdigit() or any(map(reader.games.is_place, words)):
        return False
    if table("predicates").meaning(words[0]) or any(table("turning", "changing").matches(telling)):
        return False
    return not reader.turns_in(text) and description(text, reader) is None


def _doubt(
    line: str, core: str, reader: LineReader, *, is_first: bool, names: Collection[str]
) -> Unclear | None:
    """Return what a line that is no order probably means, None if it is words."""
    words = words_of(core)
    is_others = _is_label(words) and not any(table("commands").matches(words))
    if is_others or greets_bot(core) or CELLS.fullmatch(line) or _DATA.match(line):
        return None
    if is_first and (language := _language_named(core, words, reader)):
        return language
    turns_inside = reader.turns_in(without_excluded(line)) or reader.turns_in(line)
    if turns_inside and reader.played.issuperset(turns_inside):
        about = description(core, reader, names)  # People talk about the turns that they have played.
        return about if about is not None and about.fault is LineFault.OTHER_WORDS else None
    core = _GLUED.sub(" ", _NUMBER.sub(r"\1 ", core)).strip()
    match as_arguments(reader.read_turn(core)):
        case Play(text):
            return meant_lines(text, is_turn=True)
        case Unclear(offers=offers) as near if offers or not turns_inside:
            return near
    latin = core.translate(LOOK_ALIKES)
    if latin != core and description(core, reader, names) is None:
        of_latin = (
            meant_lines(latin) if order_of(latin, reader, is_first) else description(latin, reader, names)
        )
        if of_latin is not None:
            first = next(typed for typed, plain in zip(core, latin, strict=True) if typed != plain)
            return replace(of_latin, fault=LineFault.LOOK_ALIKE, detail=first)
    # "зы в4" is `ps d4` on a Russian keyboard.
    on_latin_keys = core.lower().translate(KEYBOARD)
    if on_latin_keys.isascii() and not core.isascii() and order_of(on_latin_keys, reader, is_first):
        return replace(meant_lines(on_latin_keys), fault=LineFault.LOOK_ALIKE, detail=core[0])
    if turns_inside:
        return _turn_inside(core, turns_inside, reader, names)
    if wish_for_match := match_wished(core):
        return wish_for_match
    rest = behind_greeting(core, names)
    described = None if line.endswith(":") else description(rest or core, reader, names)
    if described is not None and described.offers == ("bots",):
        described = bot_game(core, reader) or described
    return (
        described
        or about_prepared(core)
        or described_part(core, reader, names)
        or _wished(line, core, reader, names, is_first=is_first)
        or _mended(core.rstrip(QUESTION_MARKS), rest, reader, is_first)
        or _unread(line, reader, is_first)
    )


def _turn_inside(core: str, turns: Collection[str], reader: LineReader, names: Collection[str]) -> Unclear:
    """Return the doubt about a line with turns among its words. Those behind it may name another: "ps b4 wall"."""
    inside = as_arguments(reader.read_turn(next(iter(turns)))) if len(turns) == 1 else None
    if isinstance(inside, Unclear):
        return description(core, reader, names) or inside
    behind = description(core.partition(" ")[2], reader, names)
    others = behind.offers if behind is not None and behind.is_turn else ()
    is_other = not set(turns).intersection(others)
    return meant_lines(*turns, *(others if is_other else ()), is_turn=True)


def _language_named(core: str, words: tuple[str, ...], reader: LineReader) -> Unclear | None:
    """Return the doubt about a line that is only the name of a language, as "русский" is for `language ru`."""
    is_code = core.isascii() and len(core) <= _LONGEST_CODE
    if is_code or table("languages").meaning(words) is None:
        return None
    order = reader.parse(f"language {core}", is_first=True)
    if order is None:
        return None
    if isinstance(order.arguments, Unclear):
        return order.arguments
    return Unclear(LineFault.OTHER_WORDS, offers=(order.line,))


def _wished(
    line: str, core: str, reader: LineReader, names: Collection[str], *, is_first: bool
) -> Unclear | None:
    """Return the doubt about a line that is a wish, or that has one in it."""
    if not may_be_wish(line):
        return None  # the usual case
    doubt = wish(line, core, reader, names, is_first=is_first) or _wish_in_part(line, reader, names)
    return with_what_is_named(doubt, line)


def _wish_in_part(line: str, reader: LineReader, names: Collection[str]) -> Unclear | None:
    """Return the doubt about the sentences or clauses of a line that are wishes, None if none is.

    It is asked about even if it only looks, as the other words would be lost.
    """
    if len(line) > MAX_MOVE_CHARS:
        return None
    clauses = _CLAUSES.split(line)
    if len(clauses) < 2:
        return None  # the usual case
    plain_line = without_polite_asides(line)
    joined = [_CLAUSES.split(plain_line)] if plain_line != line else []
    for parts in (_SENTENCES.split(line), clauses, *joined):
        if len(parts) < 2 or any(map(only_denies, parts)):
            continue  # "Resign? Never!"
        wishes = [doubt for part in parts if (doubt := _wish_of_part(part, reader, names))]
        if wishes:
            return meant_lines(*dict.fromkeys(line for doubt in wishes for line in doubt.offers))
    return None


def _wish_of_part(part: str, reader: LineReader, names: Collection[str]) -> Unclear | None:
    core = bare(part)
    order = order_of(core, reader)
    if is_certain(order) and core != part and table("requests").matches(words_of(part)):
        return meant_lines(order.canonical(reader.games) or core)
    return wish(part, core, reader, names, is_part=True) if core else None


def _unread(line: str, reader: LineReader, is_first: bool) -> Unclear | None:
    """Return the doubt about a line that begins with a keyword if what stands behind it can't be read.

    It is an order if it has a `/`, nothing behind the keyword, a `=` there, or only words of the vocabulary. What
    concerns the sender's account is hardly said to the other player, so any one word is enough there.
    """
    text = f"{in_english(line.removeprefix('/').strip()).lower()} "
    keyword = text.partition(" ")[0]
    commands = reader.commands.words.get(keyword, ())
    behind = min((text.removeprefix(f"{whole} ") for whole in (keyword, *dict(commands))), key=len)
    words = words_of(behind)
    is_about_account = is_first and any(
        command.concerns_account or command.is_setting for _, command in commands
    )
    is_telling = len(words) == 1 and (is_about_account or any(map(str.isdigit, behind)))
    is_known = is_telling or consists_of(words, table(*VOCABULARY), *reader.words)
    is_subject = words[:1] != () and table("predicates").meaning(words[0])
    is_meant = (
        line.startswith("/")
        or not words
        or "=" in behind
        or (is_known and not is_subject and not is_everyday(keyword))
    )
    if commands and is_meant and is_telling and keyword == "language":
        return none_yet(keyword)
    return Unclear(LineFault.HOW, keyword) if commands and is_meant else None


def _mended(core: str, behind: str | None, reader: LineReader, is_first: bool) -> Unclear | None:
    """Return the doubt that offers a line with its keyword mended, or what stands behind its greeting."""
    order = only_order(mended(core, reader), reader, is_first)
    if order is None and behind and not is_question(behind[-1]):
        order = only_order([behind], reader)
    return None if order is None else meant_lines(order.line)
