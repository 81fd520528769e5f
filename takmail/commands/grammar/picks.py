"""Read which of several offered lines an answer picks: "the first", "flat", "the wall, please"."""

from collections.abc import Collection, Sequence

from takmail.commands.grammar.asides import without_asides
from takmail.commands.grammar.descriptions import consists_of
from takmail.commands.grammar.line_reader import LineReader
from takmail.commands.grammar.normalize import is_question, words_of_names
from takmail.games.kit.naming import named_in
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table, words_of

_BESIDE = ("picks", "small", "fillers", "polite", "greetings", "farewells", "asides")
_LAST = "last"


def picked(text: str, choices: Sequence[str], reader: LineReader, names: Collection[str] = ()) -> str:
    """Return the only one of the offered lines that a line in plain form picks, '' if there is none.

    It says which in the list it is, or names what only one of them has, and nothing else. Praise picks nothing, as in
    "Nice one!" and "Nice wall!". Neither does a question, with its mark or without, or a sentence about somebody else:
    "what is a wall", "Your wall is there". `names` are the players'.
    """
    beside = _words_that_pick(text, reader, names)
    if not beside:
        return ""
    places = set(table("picks").meanings(beside))
    numbered = {choices[int(place) - 1] for place in places - {_LAST} if int(place) <= len(choices)}
    listed = numbered | ({choices[-1]} if _LAST in places else set())
    told = " ".join(table("picks").others(beside))
    has_name = any(named_in(told, own).is_of_a_turn for own in reader.words)
    fitting = _named(told, choices, reader) if has_name else listed
    if places:
        fitting &= listed
    return fitting.pop() if len(fitting) == 1 and len(places) <= 1 else ""


def names_number(text: str, reader: LineReader, names: Collection[str] = ()) -> bool:
    """Tell whether a line in plain form says which in a list is meant, and nothing else, as of the game."""
    words = _words_that_pick(text, reader, names)
    return consists_of(words, table(*_BESIDE)) and bool(table("picks").matches(words))


def names_other_place(text: str, choices: Sequence[str], reader: LineReader) -> bool:
    """Tell whether a line in plain form names a place, and none that stands in one of the offered turns."""
    offered = {place for choice in choices for place in filter(reader.games.is_place, words_of(choice))}
    named = set(filter(reader.games.is_place, words_of(text)))
    return bool(offered and named) and offered.isdisjoint(named)


def _words_that_pick(text: str, reader: LineReader, names: Collection[str]) -> tuple[str, ...]:
    """Return the words of a line in plain form that may pick something, none if it says anything else."""
    if len(text) > MAX_MOVE_CHARS or is_question(text):
        return ()
    words = words_of(without_asides(text)[0])
    agreeing, people = table("answers").places(words, "yes"), words_of_names(names)
    beside = tuple(word for place, word in enumerate(words) if place not in agreeing and word not in people)
    is_known = consists_of(beside, table(*_BESIDE), *reader.words)
    asks = any(match.meaning != "both" for match in table("asking").matches(words))
    if not (beside and is_known) or asks or any(table("turning", "denials").matches(beside)):
        return ()
    return () if table("persons").meaning(beside[0]) == "others" else beside


def _named(text: str, choices: Sequence[str], reader: LineReader) -> set[str]:
    """Return the offered turns that have all that a text names beside their own first place."""
    fitting: set[str] = set()
    for choice in choices:
        place = next(filter(reader.games.is_place, words_of(choice)), None)
        if place is None:
            continue  # no turn
        meant = reader.meant(f"{place} {text}")
        fitting.update(choices if meant is None else meant.lines)
    return fitting.intersection(choices)
