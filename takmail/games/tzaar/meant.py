"""Find the turns that a text means: legal ones that contain all the spots, acts and pieces that it names.

A capture stands for the turn that does nothing more, unless the text names more spots or a stacking.
"""

from collections.abc import Iterator
from functools import lru_cache

from takmail.games.interface import MAX_MEANT, Interpretation, Meant, Reason
from takmail.games.kit.meant import Possible, fitting, nothing_fits
from takmail.games.kit.naming import Named, may_name_place, named_in
from takmail.games.tzaar.apply import (
    apply_step,
    captures,
    captures_from,
    ends_with,
    outcome_of,
    stackings_from,
    turn_of,
)
from takmail.games.tzaar.board import NAMES, SPOT_NAMED, SPOTS, Spot
from takmail.games.tzaar.notation.reading import read
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.position import COLOR_BIT, Position
from takmail.games.tzaar.rules import refusal
from takmail.games.tzaar.turns import Act, Actions, Move, Placing, Step, no_such_spot, write_turn
from takmail.vocabulary import table

_MAX_POSITIONS = 4
"""The maximum number of positions whose captures are kept."""


def meant(text: str, position: Position | None) -> Meant | None:
    """Return the turns that a text means; None if it names nothing of a turn or the game is over.

    If the board is unknown (`position` is None), a turn has its form alone.
    """
    named = _named(text)
    if not named.is_of_a_turn or (position is not None and outcome_of(position) is not None):
        return None
    unknown = next((name for name in named.places if name not in SPOT_NAMED), None)
    if unknown is not None:
        return Meant((), no_such_spot(unknown), named.others)
    guesses = tuple(_guesses(named, position))
    moves = guesses if position is None else _fitting(named, position)
    if moves:
        lines = tuple(write_turn(move, named.has("call")) for move in moves)
        return Meant((Interpretation("turn", lines),), None, named.others)
    return Meant((), _why_none(named, guesses, position), named.others)


def is_like_a_turn(text: str) -> bool:
    """Return whether a line is a turn or names nothing but parts of one, with a spot of the board among them."""
    if not may_name_place(text):
        return False
    named = _named(text)
    is_on_the_board = any(name in SPOT_NAMED for name in named.places)
    return is_on_the_board and (not named.others or read(text, None) is not None)


def _named(text: str) -> Named:
    return named_in(text, table("tzaar.words"))


def _fitting(named: Named, position: Position) -> tuple[Move, ...]:
    spots = [SPOT_NAMED[name] for name in named.places]
    if position.is_placing:
        moves = _placings(named, spots, position)
    elif len(spots) > 2 or named.may_have("stack"):
        moves = _pairs(spots, position)
    else:
        moves = (
            turn_of(position, step) for step in _captures(position) if {step.start, step.end} & set(spots[:1])
        )
    return fitting(named, (_possible(position, move) for move in moves), MAX_MEANT)


@lru_cache(_MAX_POSITIONS)
def _captures(position: Position) -> tuple[Step, ...]:
    """Return the captures of the player to move, as several lines of a mail name some of them."""
    return tuple(captures(position))


def _placings(named: Named, spots: list[Spot], position: Position) -> Iterator[Move]:
    left = position.reserve(position.to_move)
    for spot in spots or [spot for spot in SPOTS if named.half and named.half in NAMES[spot]]:
        if not position.stacks[spot]:
            yield from (Placing(kind, spot) for kind in Kind if left[kind])


def _pairs(spots: list[Spot], position: Position) -> Iterator[Move]:
    """Yield the captures of the first spot with a second action, first those of the stack that has captured."""
    for first in _captures(position):
        if first.start not in spots[:1] or ends_with(position, first):
            continue
        after = apply_step(position, first)
        for start in dict.fromkeys((first.end, *spots)):
            for act in Act if _is_mine(after, start) else ():
                for end in (captures_from if act is Act.CAPTURE else stackings_from)(after, start):
                    yield Actions((first, Step(act, start, end)))


def _is_mine(position: Position, spot: Spot) -> bool:
    code = position.stacks[spot]
    return bool(code) and code & COLOR_BIT == position.to_move


def _possible(position: Position, move: Move) -> Possible[Move]:
    if isinstance(move, Placing):
        return Possible(move, (NAMES[move.spot],), frozenset(("place", "call", move.kind.word)))
    places: list[str] = []
    things = {"capture", "call"}
    for action in move.actions:
        if isinstance(action, Step):
            places += (NAMES[action.start], NAMES[action.end])
            stacks = (position.at(action.start), position.at(action.end))
            things |= {
                "stack" if action.act is Act.STACK else "capture",
                *(one.kind.word for one in stacks if one),
            }
            position = apply_step(position, action)
    if len(places) == 2:
        things.add("pass")
    return Possible(move, places, frozenset(things))


def _guesses(named: Named, position: Position | None) -> Iterator[Move]:
    """Yield the turns that have the form of the text, legal or not, the likeliest first."""
    spots = [SPOT_NAMED[name] for name in named.places]
    kinds = [kind for kind in Kind if named.may_have(kind.word)]
    if spots and (named.has("place") or (position is not None and position.is_placing)):
        yield from (Placing(kind, spots[0]) for kind in kinds or Kind)
    elif len(spots) == 2:
        is_stacking = named.may_have("stack") and not named.may_have("capture")
        yield Actions((Step(Act.STACK if is_stacking else Act.CAPTURE, *_pair(spots)),))
    elif len(spots) > 2:
        acts = tuple(Act) if position is None else (Act.CAPTURE,)
        for act in (Act.STACK,) if named.may_have("stack") else acts:
            yield Actions((Step(Act.CAPTURE, *_pair(spots)), Step(act, *_pair(spots[-2:]))))


def _pair(spots: list[Spot]) -> tuple[Spot, Spot]:
    return spots[0], spots[1]


def _why_none(named: Named, guesses: tuple[Move, ...], position: Position | None) -> Reason:
    """Return why no legal turn contains all that is named: the rule that the likeliest one breaks, if it breaks any."""
    broken = refusal(position, guesses[0]) if guesses and position is not None else None
    return nothing_fits(named) if broken is None or broken.name == "second-missing" else broken
