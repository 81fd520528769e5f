"""Find what a text names: places, numbers, and the words of a game."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import IDEOGRAPHS, Table, table, tokens_of, words_of

VERBS = frozenset(("place", "move", "capture", "stack", "pass", "upon", "call"))
"""What is done in a turn. A text with nothing else names no turn."""
WAYS = frozenset(("north", "south", "east", "west"))
"""Ways of a move. People say such words of other things, too: "West is best"."""
AREAS = frozenset(("corner", "centre", "top", "bottom", "row", "column"))
"""Parts of a board. Beside them ways are parts of it, too: "top left"."""
PLACE = re.compile(r"(?<![a-z0-9])[a-i][1-9](?![a-z0-9])", re.IGNORECASE)
"""The name of a place of the board."""
_LATIN = {
    **dict(zip("абвгдефсцнкх", "abbgdefcchkx", strict=True)),
    **dict(zip("αβγδεζη", "abgdefh", strict=True)),
}
"""The letter of a place for a letter of another alphabet that is similar by look or sound."""
_FOREIGN_PLACE = re.compile(rf"(?<!\w)(?:([{''.join(_LATIN)}])|([бгдеф])[ .:/-]{{1,2}})([1-9])(?!\w)")
_SPACED_PLACE = re.compile(r"(?<![a-z][1-9] )(?<!\w)([a-i])(?: ?[-.:/] ?| )([1-9])(?!\w)")
_NO_PART = re.compile(r"(?<!\S)[:;=][-']?[dpox](?!\w)|^ *[0-9]{1,3}[.)](?=\W)|#[0-9]+")
"""An emoticon with a letter, the number of an item, or that of a turn."""
_TO_A_PLACE = re.compile(r"(?<=[0-9])\s*(?:[-=~]*>|-+|→)\s*(?=[a-z][0-9]|[1-9][a-i](?!\w))")
_SPACED_COUNT = re.compile(r"(?<=[0-9] )p (?=[0-9])")
_RUN = re.compile(rf"([{IDEOGRAPHS}]+)")
_CHUNK = re.compile(r"[^\s.,;:!?()\[\]{}\"“”„«»…*_`/。，！？；：、]+")
_TOKEN = re.compile(
    r"(?P<count>p[0-9]{1,4}(?!\w))|(?P<place>[a-wyz][1-9][0-9]?(?![0-9]))|(?P<turned>[1-9][a-i](?!\w))"
    r"|(?P<number>[0-9]+)|(?P<sign>(?<=\w)[-+<>^]|[←↑→↓])"
    r"|(?P<word>[^\W\d_]+?(?=[a-wyz][0-9](?![a-i](?!\w))|[1-9][a-i](?!\w))|[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<other>.)"
)


_BESIDE = "beside"
"""What begins the meaning of words that name a place by its neighbour: "right of c3", or "next to c3"."""
_CLAUSE_END = re.compile("[,.;:!?()…。！，、]")
_LIKE_A_PLACE = re.compile(r"[^\W\d_][0-9]|[1-9][a-i]|(?<!\w)[^\W\d_][ .:/-]{1,3}[1-9]", re.IGNORECASE)
"""What is a place, a part of one, or like one."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names.

    * `places` are in the order of a move: the one behind a word such as `from` comes first
    * `half` is a column or a row alone behind a word for placing, if no place is named
    * `things` has for each word what it may stand for; a turn contains one of these
    * `numbers` are single digits; if `is_counted`, the first one is marked as the number of pieces that move
    * `others` are the words that name nothing
    * `areas` are the parts of the board that it names if it names no place
    * `is_excluding`: its words exclude all the places in it
    * `beside` are places that it names by one of their neighbours: that one, and the way from it, '' for any
    """

    places: tuple[str, ...]
    half: str
    things: tuple[frozenset[str], ...]
    numbers: tuple[int, ...]
    is_counted: bool
    others: tuple[str, ...]
    areas: frozenset[str] = frozenset()
    is_excluding: bool = False
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def is_of_a_turn(self) -> bool:
        """Whether the text names a place, a part of the board or a piece, or a way without words that name nothing."""
        is_turn = VERBS | WAYS if self.others else VERBS
        axes = (self.areas & {"top", "bottom", "row"}, self.areas & {"west", "east", "column"})
        is_exact = all(axes) or (any(axes) and self.numbers) or self.areas & {"corner", "centre"}
        if is_exact or self.places or self.half or self.is_excluding or self.beside:
            return True
        return any(not one <= is_turn for one in self.things)

    def has(self, thing: str) -> bool:
        """Return whether a word of the text stands for this and nothing else."""
        return frozenset((thing,)) in self.things

    def may_have(self, thing: str) -> bool:
        """Return whether a word of the text may stand for this."""
        return any(thing in one for one in self.things)


def may_name_place(text: str) -> bool:
    """Return whether a text in plain form may name a place. A text of which this is not true names none."""
    return _LIKE_A_PLACE.search(text) is not None


def may_name_area(text: str, words: Table) -> bool:
    """Return whether a text has a word of a game for a part of the board."""
    return any(not AREAS.isdisjoint(match.meaning.split()) for match in words.matches(words_of(text)))


def without_excluded(text: str) -> str:
    """Return a text without the places that its words exclude: "not b2 but b3" is about b3."""
    if not may_name_place(text):
        return text
    tokens = tokens_of(text)
    words = tuple(token.word for token in tokens)
    matches = [match for match in table("excluding").matches(words) if match.meaning != "nothing"]
    joining = {match.start for match in table("joining").matches(words)} if matches else set()
    for match in reversed(matches):
        start, end = tokens[match.start].start, tokens[match.end - 1].end
        for place in range(match.end, len(tokens)):
            if place in joining or _CLAUSE_END.search(text, end, tokens[place].start):
                break
            end = tokens[place].end
        if may_name_place(text[start:end]):
            text = f"{text[:start]} {text[end:]}"
    return text


@lru_cache(1_000)
def named_in(text: str, words: Table) -> Named:
    """Return what a text names by the words of a game. Never raises.

    It is kept, as a line is tried as several things, and each looks for what the same words name.
    """
    kept = without_excluded(text)
    tokens = list(_tokens(_plain(kept), words))
    beside = _beside(tokens, words)
    places = [value for kind, value in tokens if kind == "place"]
    half = "" if places else _half(tokens, words)
    if half:
        del tokens[-1]
    matches = list(words.matches(tuple(value for _, value in tokens)))
    known = {at for match in matches for at in range(match.start, match.end)}
    spoken = [part for match in matches for part in match.meaning.split()]
    ends = [match.end for match in matches if "from" in match.meaning.split() and match.end < len(tokens)]
    starts = [tokens[end][1] for end in ends if tokens[end][0] == "place"]
    counts = [value.removeprefix("p") for kind, value in tokens if kind == "count"]
    numbers = [value for kind, value in tokens if kind == "number"]
    things = dict.fromkeys(
        frozenset(part.split("/")) for part in spoken if part not in ("any", "from", _BESIDE)
    )
    areas: frozenset[str] = frozenset()
    if not AREAS.isdisjoint(spoken):
        of_board = [one for one in things if one <= AREAS or (one & WAYS and not places)]
        areas = frozenset() if places else frozenset().union(*of_board)
        things = dict.fromkeys(one for one in things if one not in of_board)
    return Named(
        tuple(dict.fromkeys((*starts, *places))),
        half,
        tuple(things),
        tuple(map(int, "".join((*counts, *numbers)))),
        bool(counts),
        tuple(value for at, (kind, value) in enumerate(tokens) if kind == "word" and at not in known),
        areas,
        kept != text and not places,
        beside,
    )


def _plain(text: str) -> str:
    """Return a text in lower case, with the names of places written together in Latin letters."""
    small = _NO_PART.sub(" ", unicodedata.normalize("NFKC", text[:MAX_MOVE_CHARS]).casefold())
    small = _FOREIGN_PLACE.sub(lambda found: _LATIN[found[1] or found[2]] + found[3], small)
    small = _TO_A_PLACE.sub(" ", _SPACED_PLACE.sub(r"\1\2", _RUN.sub(r" \1 ", small)))
    return _SPACED_COUNT.sub("p", small)


def _tokens(text: str, words: Table) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its kind. A chunk has a place or no words; otherwise it is a word itself."""
    for chunk in _CHUNK.findall(text):
        parts = [(str(part.lastgroup), part[0]) for part in _TOKEN.finditer(chunk)]
        kinds = {kind for kind, _ in parts}
        is_near_a_place = "word" not in kinds or not kinds.isdisjoint(("place", "turned", "count"))
        is_known = all(kind not in ("word", "other") or words.meaning(value) for kind, value in parts)
        is_whole = len(parts) == 1 or (is_near_a_place and is_known)
        for kind, value in parts if is_whole else [("word", chunk)]:
            if kind == "turned":
                yield "place", value[::-1]
            elif kind == "word":
                for word in words_of(value):
                    meaning = words.meaning(word) or ""
                    yield ("number", meaning) if meaning.isdecimal() else ("word", word)
            elif kind != "other":
                yield kind, value


def _beside(tokens: list[tuple[str, str]], words: Table) -> tuple[tuple[str, str], ...]:
    """Take out of the parts of a text what names a place by its neighbour, such as "right of c3", and return it.

    The neighbour stands behind such words, or in Chinese before them.
    """
    neighbours: list[tuple[str, str]] = []
    for match in reversed(words.matches(tuple(value for _, value in tokens))):
        kind, _, way = match.meaning.partition(" ")
        if kind != _BESIDE:
            continue
        near = (match.end, match.end + 1, match.start - 1)
        places = (index for index in near if 0 <= index < len(tokens) and tokens[index][0] == "place")
        index = next(places, None)
        if index is not None:
            neighbours.append((tokens[index][1], way))
            del tokens[min(match.start, index) : max(match.end, index + 1)]
    return tuple(neighbours)


def _half(tokens: Sequence[tuple[str, str]], words: Table) -> str:
    """Return the column, or the row of a placement, at the end of a text, or an empty string."""
    meaning = words.meaning(tokens[-2][1]) or "" if len(tokens) > 1 else ""
    forms = {"place": "[a-i1-9]", "move": "[a-i]"}
    form = forms.get(meaning.partition(" ")[0], "")
    return tokens[-1][1] if form and re.fullmatch(form, tokens[-1][1]) else ""
