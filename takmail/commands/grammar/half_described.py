"""Recognise lines in which somebody says what they put or move, though nobody can tell which turn that is."""

import re
from functools import cache

from takmail.commands.grammar.line_reader import LOOK_ALIKES, LineReader
from takmail.commands.grammar.normalize import is_question
from takmail.games.kit.naming import AREAS, PLACE, WAYS
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import IDEOGRAPHS, table, words_of

_SENTENCES = re.compile(r"[.!;]+ |[，。！；]|\n")
_ACTIONS = frozenset(("place", "move"))
_PIECES = frozenset(("flat", "wall", "capstone"))
_CHINESE = re.compile(f"[{IDEOGRAPHS}]")
_OTHERS = re.compile(r"[你他她](?![的那这這家])")
"""Another person, who does what a Chinese sentence tells."""
_PAST = re.compile(r"[吃放走下移动拿推倒立]了")
"""A Chinese verb of something that is done."""


def describes_turn(text: str, reader: LineReader) -> bool:
    """Tell whether a sentence of a text says what its writer puts or moves, and names a part of the board."""
    return any(
        _is_about_own_turn(sentence, reader)
        for sentence in _SENTENCES.split(text)
        if len(sentence) <= MAX_MOVE_CHARS and not is_question(sentence)
    )


def _is_about_own_turn(sentence: str, reader: LineReader) -> bool:
    """Tell whether a sentence without a verb of the past has an action of its writer, or begins with a piece."""
    words = words_of(sentence)
    if any(table("telling", "predicates", "conditions").matches(words)) or _PAST.search(sentence):
        return False
    if reader.played.intersection(reader.turns_in(sentence)):
        return False
    is_own = True
    if _CHINESE.search(sentence):
        named = [part for own in reader.words for meaning in own.within(sentence) for part in _parts(meaning)]
        is_own = not _OTHERS.search(sentence) or "我" in sentence
        actions = [part for part in named if part in _ACTIONS] + [*table("acting").within(sentence)]
    else:
        matches = [match for own in reader.words for match in own.matches(words)]
        named = [part for match in matches for part in _parts(match.meaning)]
        acting = [match for match in matches if not _ACTIONS.isdisjoint(_parts(match.meaning))]
        acting += table("acting").matches(words)
        begin = min((match.start for match in acting), default=len(words))
        if table("past").matches(words[:begin]):
            return False  # Behind the action it is about something else: "in the corner that you missed".
        actions = [match.meaning for match in acting if not _is_of_others(words[: match.start])]
    where = [part for part in named if part in AREAS.union(WAYS)]
    has_place = bool(PLACE.search(sentence.translate(LOOK_ALIKES)))
    pieces = [part for part in named if part in _PIECES]
    is_where = has_place or not AREAS.isdisjoint(where)
    is_acted = bool(actions) and (is_where or bool(pieces and where))
    begins_so = bool(pieces and (where or has_place)) and _begins_with_piece(words, reader)
    return is_own and (is_acted or begins_so)


@cache
def _parts(meaning: str) -> tuple[str, ...]:
    """Return the parts of what a word stands for. Where a move begins is no action."""
    return () if meaning.startswith("from") else tuple(re.split("[ /]", meaning))


def _is_of_others(before: tuple[str, ...]) -> bool:
    """Tell whether the person who was named last before an action is not its writer."""
    people = [match.meaning for match in table("persons").matches(before)]
    return people[-1:] == ["others"]


def _begins_with_piece(words: tuple[str, ...], reader: LineReader) -> bool:
    """Tell whether the first word of a sentence is a piece, or names something of its writer's."""
    is_piece = any(_PIECES.intersection(_parts(own.meaning(words[0]) or "")) for own in reader.words)
    return is_piece or table("persons").meaning(words[0]) == "me"
