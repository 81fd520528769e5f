"""Bring a line to its plain form, its command form, or its bare form, without what is polite around it.

The plain form undoes changes that mail programs and phones make to typed text.
"""

import re
import unicodedata
from collections.abc import Collection
from enum import Enum, auto
from functools import lru_cache

from takmail.games.kit.naming import PLACE
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.mail.quotes.words import PLAIN, in_one_way
from takmail.vocabulary import table, tokens_of, words_of

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs")
"""The Unicode categories of characters that are invisible."""
_NOT_TYPED = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Lone surrogates, control characters and bidirectional characters."""
_BOLD = re.compile(r"^\*([^*]+)\*$")
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_SPACES = re.compile(r"\s+")
_END_MARK = re.compile(r"\s*[.!,]$")
_SENTENCE_END = re.compile(r"[.!?。！？…)][\"'”’»」]?\s*$")
_LEAST_WRAPPED = 60
"""The minimum width of a line that a mail program wraps: it is about 75, less a long word."""
_MOVE = re.compile(r"^(/ ?)?(move )?", re.IGNORECASE)
_IM = re.compile(r"im (?=[^\W_])", re.IGNORECASE)
_GAME = re.compile(r"#(\d{1,9}) (?=\S)")
_MAX_LINES = 256
"""The maximum number of lines whose plain and whose bare form is kept, as several rules look at the same line."""
STOPS = ("quit", "--", ".")
"""Lines that end the part of a mail that is searched for commands."""


@lru_cache(_MAX_LINES)
def plain(line: str) -> str:
    """Return the line in NFKC, without invisible characters, and with plain quotes, plain dashes and single spaces."""
    if line.isascii() and line.isprintable():
        return _SPACES.sub(" ", line.translate(PLAIN)).strip()
    text = in_one_way(line).translate(PLAIN)
    return _SPACES.sub(" ", "".join(filter(_is_visible, text))).strip()


def as_typed(part: str, raw: str) -> str:
    """Return a part of the plain form of a line as it was typed in this line, such as with full-width marks.

    A part that does not stand there is returned unchanged. Invisible characters are left out.
    """
    if raw.isascii() or not part or part not in plain(raw):
        return part
    shown, places, forms = _shown_in(raw)
    sought = part.replace(" ", "")
    start = forms.rfind(sought)
    if start < 0:
        return part  # Characters that stand together are normalized together.
    typed_part = shown[places[start] : places[start + len(sought) - 1] + 1]
    return _SPACES.sub(" ", "".join(typed_part))


@lru_cache(2)
def _shown_in(raw: str) -> tuple[tuple[str, ...], tuple[int, ...], str]:
    """Return the visible characters of a line, which of them each letter of its plain form is of, and this form."""
    shown = tuple((typed, form) for typed in raw if (form := _form_of(typed)) or typed.isspace())
    places = tuple(place for place, (_, form) in enumerate(shown) for _ in form)
    return tuple(typed for typed, _ in shown), places, "".join(form for _, form in shown)


@lru_cache(4096)
def _form_of(char: str) -> str:
    return plain.__wrapped__(char).replace(" ", "")


@lru_cache(4096)
def _is_visible(char: str) -> bool:
    return char in "\t " or unicodedata.category(char) not in _INVISIBLE


def command_form(line: str) -> str:
    """Return the plain line without the full stop, exclamation mark, comma or emoji at its end.

    Phones and people add these. Asterisks around the whole line are removed, because Gmail marks bold text with them.
    "Im" without its apostrophe gets one where it can't be the command.
    """
    text = with_apostrophe(_BOLD.sub(r"\1", _without_emoji(plain(line))).strip())
    return text if text == "." else _END_MARK.sub("", text)


def with_apostrophe(text: str) -> str:
    """Return a text that begins with "im", as in "im so happy", with "I'm". What may dispute a turn is unchanged."""
    written = _IM.match(text)
    behind = text[written.end() :] if written else ""
    return f"{text[0]}'m {behind}" if behind and behind_im(behind) is Behind.SENTENCE else text


class Behind(Enum):
    """What a text behind "im" is: the reason of a dispute, something that its writer says of themselves, or either."""

    REASON = auto()
    SENTENCE = auto()
    UNCLEAR = auto()


def behind_im(text: str) -> Behind:
    """Return what a text behind "im" is.

    A sentence that names what the rules are about may be a reason, too. So may one that begins as a sentence about the
    board does, unless it goes on as only a sentence about oneself does: "im still waiting".
    """
    words, sentence = words_of(text), table("sentence")
    told = tuple(word for word in words if not word.isdecimal())  # "im 10 years old"
    found = {match.start: match for match in sentence.matches(told)}
    place = 0
    while place in found and found[place].meaning == "either":
        place = found[place].end
    is_about_writer = place in found and found[place].meaning == "begins"
    if place == 0 and not is_about_writer and sentence.meaning(told[:1]) not in ("begins", "either"):
        return Behind.UNCLEAR if is_question(text) else Behind.REASON
    is_whole = place == len(words)  # "im not"
    is_of_rules = any(match.meaning == "rules" for match in found.values())
    names_rules = is_of_rules or any(map(PLACE.fullmatch, words))
    return Behind.SENTENCE if (is_about_writer or is_whole) and not names_rules else Behind.UNCLEAR


def _without_emoji(text: str) -> str:
    """Return the text without the emoji at its end."""
    end = len(text)
    while end and (text[end - 1] in f" \ufe0f{_SKIN_TONES}" or unicodedata.category(text[end - 1]) == "So"):
        end -= 1
    return text[:end]


def is_wrapped(line: str, below: str) -> bool:
    """Tell whether a mail program has wrapped a line, so that the line below it goes on with its sentence.

    It is long then, and ends no sentence. A Chinese character is as wide as two others.
    """
    width = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line.strip())
    is_unfinished = bool(below.strip()) and (not _SENTENCE_END.search(line) or below.lstrip()[0].islower())
    return width >= _LEAST_WRAPPED and is_unfinished


def has_ended(line: str) -> bool:
    """Tell whether a sentence ends in a line."""
    return any(map(_SENTENCE_END.search, line.split()))


def split_game(line: str) -> tuple[int | None, str]:
    """Return the number of a game at the beginning of a plain line, as in `#12 draw`, and the rest of the line."""
    named = _GAME.match(line)
    return (int(named[1]), line[named.end() :]) if named else (None, line)


def clipped(text: str, most: int) -> str:
    """Return the text, truncated to `most` characters."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def writable(text: str) -> str:
    """Return the text without characters that nobody types.

    These are control and bidirectional characters, and lone surrogates, which neither a database nor a letter can
    store.
    """
    return _NOT_TYPED.sub("", text)


_MAX_TURN_NUMBER = 999_999_999


def turn_number(digits: str) -> int:
    """Return the number that the digits represent. Numbers larger than any turn number lose their last digits."""
    return int(digits.lstrip("0")[: len(str(_MAX_TURN_NUMBER))] or "0")


def short_number(text: str) -> int | None:
    """Return the number that a text such as `31` or `#31` names, None if it names none or a very large one."""
    digits = text.removeprefix("#")
    return int(digits) if digits.isdecimal() and len(digits) < 7 else None


def joined(*words: str | int | None) -> str:
    """Return the words that are not empty, with spaces between them."""
    return " ".join(str(word) for word in words if word not in (None, ""))


def without_move(line: str) -> str:
    """Return the line without a leading `/` and without the word `move`. Both are optional before a turn."""
    return _MOVE.sub("", line)


def without_numbers(text: str) -> str:
    """Return the words of a text without those that have digits, and without the words beside them, which may be dates.

    If nothing else is left, return all words. Case and spaces do not count.
    """
    words = text.casefold().split()
    numbers = {at for at, word in enumerate(words) if any(map(str.isdigit, word))}
    kept = [word for at, word in enumerate(words) if not {at - 1, at, at + 1} & numbers]
    return " ".join(kept or words)


# What people write around an order out of politeness: greetings, names, thanks, smileys.

_MARKS = re.compile(r"(?:[ .,;:!。！，、…]|(?<![a-h][1-8])-)+$", re.IGNORECASE)
"""What may stand between an order and what is polite, or at the end of a line. `c3-` is a move in PTN."""
_CLAUSE_ENDS = re.compile(r"[,.;:!?()…。！，、]+|\s-+\s")
_SMILEY = re.compile(r"(?<!\w)(?!8\d)(?:[:;=8][-'^]?[()\[\]DdPpOoXx3|*/]+|[xX][dD]+|\^_*\^|<3)(?!\w)")
_LIST_MARK = re.compile(r"^(?:[-*•·+] +|/ ?(?=\w))")
_EMPHASIS = re.compile(r"^([*_\"'`«“「]+)(.+?)[*_\"'`»”」]+([.,!?]?)$")
_MAX_PEOPLE = 64
"""The maximum number of groups of names whose words are kept, as each line of a mail asks for them."""
QUESTION_MARKS = "?\u061f\u203d\u2753\u2754"
"""The question marks of all scripts."""
_ASKS = re.compile(f"[{QUESTION_MARKS}]")


def is_question(line: str) -> bool:
    """Tell whether a line contains a question mark of any script."""
    return _ASKS.search(line) is not None


def clauses_of(text: str) -> list[str]:
    """Return the parts of a line between marks, without smileys."""
    return _CLAUSE_ENDS.split(_SMILEY.sub(" ", text))


@lru_cache(_MAX_LINES)
def bare(text: str) -> str:
    """Return a line in plain form without polite words, closing marks, smileys, emphasis and list marks at its ends.

    A line that is too long for a move is returned unchanged.
    """
    while len(text) <= MAX_MOVE_CHARS:
        shorter = _MARKS.sub("", _SMILEY.sub("", _LIST_MARK.sub("", text)).strip(" "))
        shorter = _without_polite_ends(_EMPHASIS.sub(r"\2\3", shorter))
        if shorter == text:
            break
        text = shorter
    return text


def _without_polite_ends(text: str) -> str:
    tokens = tokens_of(text)
    polite = table("polite").matches(tuple(token.word for token in tokens))
    start, end = 0, len(tokens)
    for match in polite:
        if match.start == start and match.end < end:
            start = match.end
    if start:
        return text[tokens[start].start :]
    for match in reversed(polite):
        if match.end == end and match.start > 0:
            end = match.start
    return _MARKS.sub("", text[: tokens[end].start]) if end < len(tokens) else text


def without_polite_asides(text: str) -> str:
    """Return a line in plain form without polite words between two commas: "give me, please, a hint"."""
    if "," not in text:
        return text  # the usual case
    parts = text.split(",")
    asides = {place for place, part in enumerate(parts[:-1]) if place and _is_polite(part)}
    marked = (
        part if place == 0 or place - 1 in asides else f",{part}"
        for place, part in enumerate(parts)
        if place not in asides
    )
    return "".join(marked) if asides else text


def _is_polite(part: str) -> bool:
    words = words_of(part)
    return bool(words) and not table("polite").others(words)


def behind_greeting(text: str, names: Collection[str]) -> str | None:
    """Return the text behind the greetings and names in a line in plain form, None if it begins with none of them.

    A name alone needs a mark behind it.
    """
    tokens = tokens_of(text)
    words, people = tuple(token.word for token in tokens), words_of_names(names)
    greetings = table("greetings", "polite").places(words)
    others = (place for place, word in enumerate(words) if place not in greetings and word not in people)
    count = next(others, len(words))
    if count == 0:
        return None
    rest = text[tokens[count].start :] if count < len(tokens) else ""
    has_mark = not text[tokens[count - 1].end :].removesuffix(rest).isspace()
    return rest if has_mark or not greetings.isdisjoint(range(count)) else None


def without_manners(text: str, names: Collection[str]) -> str:
    """Return the words of a line in plain form that are neither polite nor one of the names."""
    others = table("greetings", "polite", "farewells").others(words_of(_SMILEY.sub(" ", text)))
    people = words_of_names(names)
    return " ".join(word for word in others if word not in people)


def words_of_names(names: Collection[str]) -> frozenset[str]:
    """Return the words of names. Words with a digit are left out, as they may be places."""
    return _words_of_names(tuple(names))


@lru_cache(_MAX_PEOPLE)
def _words_of_names(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(token.word for name in names for token in tokens_of(name) if token.word.isalpha())
