"""Find what a text names: places, numbers, and the words of a game."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import IDEOGRAPHS, Table, words_of

VERBS = frozenset(("place", "move", "capture", "stack", "pass", "upon", "call"))
"""What is done in a turn. A text with nothing else names no turn."""
_LATIN = {
    **dict(zip("абвгдефсцнкх", "abbgdefcchkx", strict=True)),
    **dict(zip("αβγδεζη", "abgdefh", strict=True)),
}
"""The letter of a place for a letter of another alphabet that is similar by look or sound."""
_FOREIGN_PLACE = re.compile(rf"(?<!\w)(?:([{''.join(_LATIN)}])|([бгдеф])[ .:/-]{{1,2}})([1-9])(?!\w)")
_SPACED_PLACE = re.compile(r"(?<![a-z][1-9] )(?<!\w)([a-i])(?: ?[-.:/] ?| )([1-9])(?!\w)")
_NO_PART = re.compile(r"(?<!\S)[:;=][-']?[dpox](?!\w)|^ *[0-9]{1,3}[.)](?=\W)|#[0-9]+")
"""An emoticon with a letter, the number of an item, or that of a turn."""
_SPACED_COUNT = re.compile(r"(?<=[0-9] )p (?=[0-9])")
_RUN = re.compile(rf"([{IDEOGRAPHS}]+)")
_CHUNK = re.compile(r"[^\s.,;:!?()\[\]{}\"“”„«»…*_`/。，！？；：、]+")
_ATOM = re.compile(
    r"(?P<count>p[0-9]{1,4}(?!\w))|(?P<place>[a-wyz][0-9]{1,2}(?![0-9]))|(?P<turned>[1-9][a-i](?!\w))"
    r"|(?P<number>[0-9]+)|(?P<sign>[-=~]*>|-+|[+<^→←↑↓])"
    r"|(?P<word>[^\W\d_]+?(?=[a-wyz][0-9](?![a-i](?!\w))|[1-9][a-i](?!\w))|[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<other>.)"
)
_ARROWS = "←↑→↓"
_TO_A_PLACE = re.compile(r"[-=~]*>|-+|→")


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names.

    * `places` are in the order of a move: the one behind a word such as `from` comes first
    * `half` is a column or a row alone behind a word for placing, if no place is named
    * `things` has for each word what it may stand for; a turn contains one of these
    * `numbers` are single digits; if `is_counted`, the first one is marked as the number of pieces that move
    * `others` are the words that name nothing
    """

    places: tuple[str, ...]
    half: str
    things: tuple[frozenset[str], ...]
    numbers: tuple[int, ...]
    is_counted: bool
    others: tuple[str, ...]

    @property
    def is_of_a_turn(self) -> bool:
        """Whether the text names a place, a piece or a way, and not only what is done."""
        return bool(self.places or self.half) or any(not one <= VERBS for one in self.things)

    def has(self, thing: str) -> bool:
        """Return whether a word of the text stands for this and nothing else."""
        return frozenset((thing,)) in self.things

    def may_have(self, thing: str) -> bool:
        """Return whether a word of the text may stand for this."""
        return any(thing in one for one in self.things)


def named_in(text: str, words: Table) -> Named:
    """Return what a text names by the words of a game. Never raises."""
    places: dict[str, bool] = {}
    things: dict[frozenset[str], None] = {}
    counts: list[int] = []
    numbers: list[int] = []
    others: list[str] = []
    atoms = list(_atoms(_plain(text), words))
    half = _half(atoms, words)
    is_start = False
    for kind, run in groupby(atoms[:-1] if half else atoms, key=lambda atom: atom[0]):
        values = tuple(value for _, value in run)
        if kind == "word":
            parts, unknown = _parts(values, words)
            others += unknown
            numbers += (int(part) for part in parts if part.isdecimal())
            spoken = (part for part in parts if not part.isdecimal() and part not in ("any", "from"))
            things |= dict.fromkeys(frozenset(part.split("/")) for part in spoken)
            is_start = "from" in parts
            continue
        if kind == "place":
            places |= {name: is_start and name == values[0] for name in values if name not in places}
        elif kind == "count":
            counts += (int(value[1]) for value in values)
            numbers += (int(digit) for value in values for digit in value[2:])
        else:
            numbers += (int(digit) for value in values for digit in value)
        is_start = False
    return Named(
        tuple(sorted(places, key=lambda name: not places[name])),
        half,
        tuple(things),
        (*counts, *numbers),
        bool(counts),
        tuple(others),
    )


def _plain(text: str) -> str:
    """Return a text in lower case, with the names of places written together in Latin letters."""
    small = _NO_PART.sub(" ", unicodedata.normalize("NFKC", text[:MAX_MOVE_CHARS]).casefold())
    small = _FOREIGN_PLACE.sub(lambda found: _LATIN[found[1] or found[2]] + found[3], small)
    return _SPACED_COUNT.sub("p", _SPACED_PLACE.sub(r"\1\2", _RUN.sub(r" \1 ", small)))


def _atoms(text: str, words: Table) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its kind. A chunk without spaces of which one part is unknown is a word."""
    chunks = [list(_ATOM.finditer(chunk[0])) for chunk in _CHUNK.finditer(text)]
    for at, chunk in enumerate(chunks):
        if len(chunk) > 1 and not all(_is_known(part, words) for part in chunk):
            yield "word", "".join(part[0] for part in chunk)
            continue
        for number, part in enumerate(chunk, 1):
            kind, value = str(part.lastgroup), part[0]
            if kind == "turned":
                yield "place", value[::-1]
            elif kind == "sign":
                after = [*chunk[number:], *(chunks[at + 1] if at + 1 < len(chunks) else ())][:1]
                is_on_the_way = any(one.lastgroup in ("place", "turned") for one in after)
                is_meant = number > 1 or value in _ARROWS
                if is_meant and not (is_on_the_way and _TO_A_PLACE.fullmatch(value)) and words.meaning(value):
                    yield "word", value
            elif kind != "other":
                yield kind, value


def _is_known(part: re.Match[str], words: Table) -> bool:
    """Return whether a part of a chunk is a place, a number, a sign or a word of the game."""
    return part.lastgroup != "other" and (part.lastgroup != "word" or words.meaning(part[0]) is not None)


def _half(atoms: list[tuple[str, str]], words: Table) -> str:
    """Return the column, or the row of a placement, at the end of a text, if no place is named."""
    if len(atoms) < 2 or any(kind == "place" for kind, _ in atoms):
        return ""
    (_, before), (_, last) = atoms[-2:]
    meaning = words.meaning(before) or ""
    is_half = meaning.startswith("place") and re.fullmatch("[a-i1-9]", last)
    return last if is_half or (meaning.startswith("move") and re.fullmatch("[a-i]", last)) else ""


def _parts(values: tuple[str, ...], words: Table) -> tuple[list[str], list[str]]:
    """Return what words and phrases stand for, and the words that stand for nothing."""
    single = tuple(word for value in values for word in words_of(value) or (value,))
    parts: list[str] = []
    unknown = dict.fromkeys(range(len(single)))
    for match in words.matches(single):
        parts += match.meaning.split()
        for at in range(match.start, match.end):
            del unknown[at]
    return parts, [single[at] for at in unknown]
