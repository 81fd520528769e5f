"""Interpret informal descriptions of a turn: `a1 takes b2`, `my tott on A1 captures B2 and stacks on C3`.

A description names at least one spot, and otherwise has only numbers, punctuation and words of a closed list. The turns
that it may mean are offered, and none is played.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from takmail.games.interface import Attempt, Interpretation, Reason
from takmail.games.tzaar.apply import (
    apply_step,
    captures_from,
    ends_with,
    outcome_of,
    stackings_from,
    turn_of,
)
from takmail.games.tzaar.board import SPOT_NAMED, Spot
from takmail.games.tzaar.notation.reading import read
from takmail.games.tzaar.notation.words import CAPTURE_WORDS, STACK_WORDS, is_nearly_pass
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.position import COLOR_BIT, Position
from takmail.games.tzaar.turns import Act, Actions, Placing, Step, no_such_spot, write_turn
from takmail.limits.words import MAX_MOVE_CHARS

_MOST_LINES = 6
_ENGLISH = """
i i'd i'll ill think guess will do shall gonna wanna want me my mine let let's lets please pls plz ok okay so hm hmm
yes yeah no sure mean meant instead rather a an the it them one's and then here here's now next first second turn
action answer reply place places placed placing put puts putting set sets setting play plays played playing choose try
trying move moves moved moving go goes going slide slides sliding jump jumps jumping take takes taking took capture
captures capturing captured stack stacks stacking stacked cover covers covering beat beats beating eat eats eating kill
kills remove removes join joins joining piece pieces tower pile tzaar tzaars tzarra tzarras tott totts white black own
enemy spot spots at on onto to from in into of off over by with using pass passes passing c s x p pz pr pt z r t again
also too nothing top b d e f g h
"""
_TAK = ("ps", "pw", "pc", "mn", "ms", "me", "mw")
"""The words of moves of Tak."""
_WORDS = frozenset((*_ENGLISH.split(), *_TAK))
_LONG_WORDS = tuple(word for word in (*CAPTURE_WORDS, *STACK_WORDS, "pass", "place") if len(word) >= 4)
"""The words of turns in which a slip is looked for."""
_LIKENESS = 0.8
_BARE_WORDS = ("p", "pz", "pr", "pt")
"""The words of turns that mean nothing without a spot. Alone they are no chat."""
_LETTERS = re.compile(r"(?:[a-z]|[mp][a-z])[ ]?[a-z] ?[0-9]{1,2}")
"""One or two letters before a spot: a slip in `pz e4`, or a move as Tak writes it."""
_SPOT = re.compile(r"(?:(?<![a-z0-9])|(?<=[0-9]x))([a-z])[ -]?([0-9]{1,2})(?![0-9a-wyz])(?:x(?=[a-z][0-9]))?")
_NAME = re.compile(r"(?<![a-z0-9])[a-i][0-9](?![0-9])")
_NUMBER_FIRST = re.compile(r"(?<![a-z0-9])([1-9])([a-i])(?![a-z0-9])")
_REVERSED = re.compile(r"(?<!\w)(?:with|using|by|from)(?!\w)")
_KINDS = {
    Kind.TZAAR: re.compile(r"(?<!\w)(?:tzaars?|pz|z)(?!\w)"),
    Kind.TZARRA: re.compile(r"(?<!\w)(?:tzarras?|pr|r)(?!\w)"),
    Kind.TOTT: re.compile(r"(?<!\w)(?:totts?|pt)(?!\w)"),
}


def tries(text: str, position: Position | None) -> Attempt | None:
    """Return the possible meanings of a text in plain form; None if it has no spot or says more than a turn.

    The word of a placing without its spot, and `pass` with a slip in it, have no meaning, but are no chat either.
    """
    if len(text) > MAX_MOVE_CHARS:
        return None
    small = _NUMBER_FIRST.sub(r"\2\1", text.casefold())
    found = [letter + number for letter, number in _SPOT.findall(small)]
    rest = re.findall(r"[^\W\d_]+(?:'[a-z]+)?", _SPOT.sub(" ", small))
    is_placing = position is not None and position.is_placing
    if small in _BARE_WORDS or is_nearly_pass(small):
        return Attempt((), Reason("no-meaning", {"is_placing": is_placing}))
    if not found or not (_LETTERS.fullmatch(small) or all(map(_is_word, rest))):
        return None
    unknown = next((name for name in found if name not in SPOT_NAMED), None)
    if unknown is not None:
        return Attempt((), no_such_spot(unknown))
    spots = [SPOT_NAMED[name] for name in found]
    lines = tuple(dict.fromkeys(_lines(small, spots, position)))[:_MOST_LINES]
    if lines:
        return Attempt((Interpretation("turn", lines),))
    return Attempt((), Reason("no-meaning", {"is_placing": is_placing}))


def is_like_a_turn(text: str) -> bool:
    """Return whether a line is a turn or an attempt at one, whatever the position, and names a spot of the board."""
    if not any(name in SPOT_NAMED for name in _NAME.findall(text.lower())):
        return False
    return read(text, None) is not None or tries(text, None) is not None


def _is_word(word: str) -> bool:
    """Return whether a word is in the closed list, or is a long one of them with a slip in it."""
    return word in _WORDS or bool(get_close_matches(word, _LONG_WORDS, 1, _LIKENESS))


def _lines(text: str, spots: list[Spot], position: Position | None) -> Iterator[str]:
    if position is None:
        yield from _unseen(spots)
    elif outcome_of(position) is not None:
        return
    elif position.is_placing:
        left = position.reserve(position.to_move)
        named = [kind for kind, pattern in _KINDS.items() if pattern.search(text)]
        for spot in spots[:2]:
            if not position.stacks[spot]:
                yield from (write_turn(Placing(kind, spot)) for kind in named or Kind if left[kind])
    elif len(spots) == 1:
        yield from _of_one(position, spots[0])
    else:
        yield from _of_pairs(position, spots[::-1] if _REVERSED.search(text) and len(spots) == 2 else spots)


def _unseen(spots: list[Spot]) -> Iterator[str]:
    """Yield the turns of two spots or four if the board is unknown."""
    if len(spots) == 2:
        yield write_turn(Actions((Step(Act.CAPTURE, *_pair(spots)),)))
    elif len(spots) == 4:
        first = Step(Act.CAPTURE, *_pair(spots))
        yield from (write_turn(Actions((first, Step(act, *_pair(spots[2:]))))) for act in Act)


def _pair(spots: list[Spot]) -> tuple[Spot, Spot]:
    return spots[0], spots[1]


def _of_one(position: Position, spot: Spot) -> Iterator[str]:
    """Yield the captures of a spot's stack, or the captures of it."""
    code = position.stacks[spot]
    if code and code & COLOR_BIT == position.to_move:
        starts = [(spot, end) for end in captures_from(position, spot)]
    else:
        mine = position.spots_of(position.to_move)
        starts = [(start, spot) for start in mine if spot in captures_from(position, start)]
    for start, end in starts:
        yield write_turn(turn_of(position, Step(Act.CAPTURE, start, end)))


def _of_pairs(position: Position, spots: list[Spot]) -> Iterator[str]:
    """Yield the legal turns of two spots or more: the second action begins where the first has ended, or elsewhere."""
    first = next(
        (
            Step(Act.CAPTURE, start, end)
            for start, end in (_pair(spots), _pair(spots[1::-1]))
            if position.stacks[start]
            and position.stacks[start] & COLOR_BIT == position.to_move
            and end in captures_from(position, start)
        ),
        None,
    )
    if first is None:
        return
    if len(spots) == 2 or ends_with(position, first):
        yield write_turn(turn_of(position, first))
        return
    after = apply_step(position, first)
    start, end = (first.end, spots[2]) if len(spots) == 3 else _pair(spots[2:])
    code = after.stacks[start]
    if code and code & COLOR_BIT == after.to_move:
        for act, reached in ((Act.CAPTURE, captures_from), (Act.STACK, stackings_from)):
            if end in reached(after, start):
                yield write_turn(Actions((first, Step(act, start, end))))
