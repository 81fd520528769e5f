"""Recognise what lines in other words are about: a command, the board, a game with somebody, or what is above them.

They have only words of the vocabulary, which `takmail.vocabulary` loads, and names of places.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from takmail.commands.command import LineFault, Unclear
from takmail.commands.grammar.asides import NOTHING, alternatives_in, corrected_in
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import is_question, joined, words_of_names
from takmail.commands.grammar.series_forms import split_match
from takmail.commands.grammar.spoken import STOPS
from takmail.games.interface import MAX_MEANT, Meant, ReadTurn
from takmail.games.kit.naming import PLACE, may_name_place
from takmail.limits.words import MAX_MOVE_CHARS, MAX_OFFERED_LINES
from takmail.mail.address import normal_address
from takmail.vocabulary import Match, Table, table, tokens_of, words_of

_NAMES_PLACE = re.compile(r"[a-i]|\d{1,3}|[^\W\d_]{0,3}\d[a-z]?\d{0,2}", re.IGNORECASE)
"""A word that names a place, a turn or a number, or a letter of a place before its number."""
CELLS = re.compile(r"(?:\W*\w+: )?\W*[a-i][1-9]: ?\S+(?: [a-i][1-9]: ?\S+)*", re.IGNORECASE)
"""What stands on places, as the pictures of a board are called in letters."""
_PLACE_ALONE = re.compile(r"[a-i][1-9][.,;:!? ]*", re.IGNORECASE)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_SENTENCE_ENDS = re.compile(r"[.!?] ")
_POSTSCRIPT = re.compile(r"p\.?s\.?:", re.IGNORECASE)
USUAL_SIZE = "5"
"""The size of the board of a game for which none is named."""
_HELP = "help"
HOW = "how"
"""What the words of the table `wishing` stand for with which people ask how something is done."""
_ABOUT = "about"
"""What the words of the table `asking` stand for that only ask. In some languages, they also end a question."""
_DENIED = "denied"
"""What the words of the table `denials` stand for."""
_SMALL_TALK = ("small", "fillers", "polite", "greetings")
VOCABULARY = (
    *_SMALL_TALK,
    "farewells",
    "asides",
    "turning",
    "commands",
    "leaving",
    "missing",
    "remarks",
    "exactly",
    "questions",
)
"""The tables of all words by which no line becomes words for the other player."""


def description(text: str, reader: LineReader, names: Collection[str] = ()) -> Unclear | None:
    """Return the doubt about a line that has only words of the vocabulary, and is about a command or the board.

    A player's name may stand in it only if it is about the board: "Ada rules!" is praise.
    """
    words = words_of(text)
    people = words_of_names(names)
    # A sentence with a place may have two parts.
    tables = (table(*VOCABULARY, *(("joining",) if may_name_place(text) else ())), *reader.words)
    if any(_is_foreign(word, tables) and word not in people for word in words):
        return None
    others = tuple(word for word in words if word not in people)
    telling = table("fillers").others(others)
    if (
        all(word == "0" or (len(word) == 1 and word.isalpha()) for word in telling)
        or len(text) > MAX_MOVE_CHARS
    ):
        return None  # Single letters may be a signature, and with zeros they are a row of a board.
    is_about_board = _is_about_board(telling, reader) and not _tells_of_others(words)
    meant = reader.meant(text) if is_about_board else None
    # The game also knows words and places that are written together, as in `psb4`.
    unnamed = telling if meant is None else tuple(word for word in telling if word in meant.others)
    is_known = any(consists_of(kept, *tables) for kept in (others, telling, unnamed))
    if not is_known or (meant is None and people.intersection(words)):
        return None
    turns = () if meant is None else _turns_meant(text, meant, reader)
    # Who writes more than a place so each time need not be asked each time.
    is_ply = (
        bool(turns)
        and not _PLACE_ALONE.fullmatch(text)
        and isinstance(reader.read_turn(f"ptn {text}"), ReadTurn)
    )
    notation = ("reads ptn",) if is_ply else ()
    commands = _commands_named(others, reader, is_question=text.endswith("?"))
    looks = [line for line in commands if turns and only_looks(line, reader)]
    changes = [line for line in commands if line not in looks]
    if lines := tuple(dict.fromkeys((*changes, *turns, *notation, *looks))):
        fault = LineFault.MEANT if turns else LineFault.OTHER_WORDS
        return Unclear(fault, offers=lines[:MAX_OFFERED_LINES], is_turn=bool(turns))
    asking = table("asking").matches(words)
    is_asking = any(match.start == 0 for match in asking)
    asks_at_end = any(match.end == len(words) for match in asking if match.meaning == _ABOUT)
    is_asked = asks_at_end or (
        is_question(text) and (is_asking or bool(table("wishing").places(words, "asks", HOW)))
    )
    if is_asked and meant is not None and not any(map(str.isdigit, text)):
        return Unclear(LineFault.OTHER_WORDS, offers=("rules",))  # "Can a wall move?"
    if meant is not None and not (is_asking or _POSTSCRIPT.match(text)):
        return Unclear(LineFault.TURN, reason=meant.reason, is_turn=True)
    missing = next(iter(table("missing").meanings(words)), None)
    return None if missing is None else Unclear(LineFault.MISSING, missing)


def _turns_meant(text: str, meant: Meant, reader: LineReader) -> tuple[str, ...]:
    """Return the turns that a text may mean, the likeliest first. Of "c4, no wait, d4" and "b4 or c4" these are two."""
    corrected = _likeliest(corrected_in(text), reader)
    return corrected or meant.lines or _likeliest(alternatives_in(text), reader)


def _likeliest(parts: Sequence[str], reader: LineReader) -> tuple[str, ...]:
    """Return the likeliest turn of each part of a text such as "b4 or c4", none if a part has none."""
    turns = [meant.lines[:1] if (meant := reader.meant(part)) else () for part in parts]
    return tuple(line for lines in turns for line in lines)[:MAX_MEANT] if all(turns) else ()


def _is_about_board(words: tuple[str, ...], reader: LineReader) -> bool:
    """Tell whether words that are more than small ones name a place, a piece or a way."""
    telling = table("small", "polite", "turning").others(words)
    return any(map(_NAMES_PLACE.fullmatch, telling)) or any(names.matches(telling) for names in reader.words)


def _tells_of_others(words: tuple[str, ...]) -> bool:
    """Tell whether words remark on what somebody else has done, as in "you won on e5"."""
    remarks = table("remarks").matches(words)
    people = (table("persons").meanings(words[remark.start : remark.end]) for remark in remarks)
    return any(named[:1] == ("others",) for named in people)


def _commands_named(words: tuple[str, ...], reader: LineReader, *, is_question: bool) -> list[str]:
    """Return the commands for which words stand. Who denies one does not want to change anything.

    A single word may be a noun of a sentence: "my rules", "it was a draw". So it has to be asked for if it only looks.
    """
    telling = table("fillers").others(words)
    phrases = table("commands", without="fillers")
    beside = phrases.others(telling)
    is_plain = bool(beside) or not any(table("belonging").matches(words))
    is_asked = is_plain and not table("requests", "polite", "greetings").others(beside)
    is_told = any(table("telling").matches(telling))
    is_how = bool(table("wishing").places(words, HOW))
    named = [*table("exactly", *(("questions",) if is_question else ())).meanings(words)]
    for match in phrases.matches(telling):
        is_noun = match.end - match.start == 1
        if not is_noun or not (is_told or (only_looks(match.meaning, reader) and not is_asked)):
            named.append(match.meaning)
    leaving = table("leaving").matches(telling)
    if _refuses_mail(leaving or table("leaving").matches(words), telling):
        # "Stop the match" is rather the end of the match than that of all mail.
        longer = (match for match in phrases.matches(telling) if any(match.is_longer(one) for one in leaving))
        named = [*(match.meaning for match in longer), "stop"]
    is_denied = _DENIED in table("commands", "leaving", "denials", without="fillers").meanings(telling)
    return wished(
        [line for line in named if not is_denied or only_looks(line, reader)], reader, is_how=is_how
    )


def _refuses_mail(leaving: Sequence[Match], words: tuple[str, ...]) -> bool:
    """Tell whether words refuse all mail, and nothing else of which they say that it is to stop: "stop Black"."""
    is_plain = any(match.meaning != STOPS for match in leaving)
    return is_plain or (bool(leaving) and not table(*_SMALL_TALK, "leaving", "remarks").others(words))


def wished(lines: Iterable[str], reader: LineReader, *, is_how: bool) -> list[str]:
    """Return the commands that a line in other words names, each once. Who asks how a change is made gets its help.

    Help about everything is left out beside another command.
    """
    orders = {line: reader.parse(line, is_first=True) for line in lines}
    named = dict.fromkeys(
        f"{_HELP} {order.command.topics[0]}" if is_how and order and order.command.changes else line
        for line, order in orders.items()
    )
    return [line for line in named if line != _HELP or len(named) == 1]


def only_looks(line: str, reader: LineReader) -> bool:
    """Tell whether a line is a command that changes nothing."""
    order = reader.parse(line, is_first=False)
    return order is not None and not order.command.needs_proof


def wish_to_play(text: str, reader: LineReader, *, is_first: bool = False) -> Unclear | None:
    """Return the doubt about a line that names an address and asks for a game.

    If `is_first`, the address alone is enough. Lower in a mail it may be part of a signature.
    """
    addresses = set(filter(None, map(normal_address, _ADDRESS.findall(text))))
    sentence = next((part for part in _SENTENCE_ENDS.split(text) if _ADDRESS.search(part)), "")
    length, others = split_match(_ADDRESS.sub(" ", sentence).lower())
    words = words_of(others)
    inviting = table("inviting").matches(words)
    is_known = consists_of(words, table("inviting", *_SMALL_TALK)) if inviting else is_first and not words
    is_meant = is_known or length is not None or any(match.meaning != "weak" for match in inviting)
    if len(addresses) != 1 or "=" in text or not is_meant:
        return None
    kind = next(
        (word for word in words if word in reader.games.by_name and word != reader.games.default), None
    )
    size = next((word[0] for word in words if word[0].isdigit()), USUAL_SIZE if kind is None else None)
    # Before other words it may be "Can I start a game".
    first = next(
        (match.meaning for match in inviting if match.end == len(words) and "=" in match.meaning), None
    )
    order = reader.parse(joined("new", kind, size, "vs", addresses.pop(), first, length), is_first=False)
    line = None if order is None else order.canonical(reader.games)
    return None if line is None else Unclear(LineFault.MEANT, offers=(line,))


def turns_over(line: str) -> bool:
    """Tell whether a line has a word that turns over what stands before it, such as "no" or "wait".

    A word of a phrase that agrees or insists turns nothing over: "no problem", "I mean it".
    """
    words = words_of(line)
    harmless = table("answers").places(words, "willing alone") | table("recanting").places(words, NOTHING)
    return not table("turning").places(words) <= harmless


@dataclass(frozen=True, slots=True)
class TakingBack:
    """Words with which a line takes back what is above it.

    * `meaning` is `alone` if they can mean nothing else, `marked` if they need a mark behind them, `naming` if a turn
      has to be named, too, and `small` if the line has only small words, which may take back a turn
    * `is_marked`: a mark or nothing stands behind them
    * `rest` is the line behind them, '' if this says nothing
    """

    meaning: str
    is_marked: bool
    rest: str


def words_that_take_back(line: str) -> TakingBack | None:
    """Return the words with which a line takes back what is above it, such as "no, wait", None if it has none."""
    words = words_of(line)
    recanting = [match for match in table("recanting").matches(words) if match.meaning != NOTHING]
    if not recanting and not table("turning").matches(words):
        return None  # the usual case
    tokens = tokens_of(line)
    begun = None
    for match in recanting:
        if not consists_of(words[: match.start], table(*_SMALL_TALK, "recanting")):
            break
        if begun is None or match.meaning == "alone":
            begun = match
    has_only_small_words = turns_over(line) and consists_of(words, table(*_SMALL_TALK, "answers", "turning"))
    if has_only_small_words and (begun is None or begun.meaning != "alone"):
        return TakingBack("small", is_marked=True, rest="")
    if begun is None:
        return None
    behind = line[tokens[begun.end - 1].end :].lstrip()
    rest = table(*_SMALL_TALK, "answers", "turning").others(words[begun.end :])
    return TakingBack(begun.meaning, is_marked=not behind[:1].isalnum(), rest=behind if rest else "")


def names_turn(text: str, reader: LineReader) -> bool:
    """Tell whether a text names a turn, or may mean one."""
    if reader.turns_in(text) or PLACE.search(text):
        return True
    doubt = description(text, reader)
    return doubt is not None and doubt.is_turn and bool(doubt.offers)


def _is_foreign(word: str, tables: tuple[Table, ...]) -> bool:
    """Tell whether a word stands in none of these tables, and names no place. A word with digits may hold one."""
    return len(word) > 1 and word.isalpha() and not any(words.has_word(word) for words in tables)


def consists_of(words: tuple[str, ...], *tables: Table) -> bool:
    """Tell whether all words are in one of these tables, or name places or numbers."""
    known = {place for words_of_purpose in tables for place in words_of_purpose.places(words)}
    return all(place in known or _NAMES_PLACE.fullmatch(word) for place, word in enumerate(words))
