"""Turns of TZAAR and their canonical text, such as `c a1 b2 s c3 d4`, `c a1 b2 pass t` and `pz e4`.

This module parses only the output of `write_turn`, and turns of this form that name spots that don't exist. The
module `notation.reading` parses what players type.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.board import COLUMNS, LENGTHS, NAMES, SPOT_NAMED, Spot
from takmail.games.tzaar.pieces import KIND_OF_LETTER, Kind


class Act(Enum):
    """What a stack does with the stack that it reaches; the value is the word in a turn."""

    CAPTURE = "c"
    STACK = "s"

    @property
    def other(self) -> "Act":
        """The other act."""
        return Act.STACK if self is Act.CAPTURE else Act.CAPTURE


class Step(NamedTuple):
    """An action that moves a stack: a capture or a stacking."""

    act: Act
    start: Spot
    end: Spot


class Pass(Enum):
    """The action that does nothing."""

    PASS = "pass"


Action = Step | Pass


@dataclass(frozen=True, slots=True)
class Placing:
    """A turn of the tournament set-up: a piece of one's own on an empty spot."""

    kind: Kind
    spot: Spot


@dataclass(frozen=True, slots=True)
class Actions:
    """A turn of the game: one action or two, legal or not."""

    actions: tuple[Action, ...]


Move = Placing | Actions


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move, and whether the player adds that the next turn could win, which is a courtesy."""

    move: Move
    threat: bool = False


_SPOT = "([a-z][0-9]{1,2})"
_ACTION = rf"(?:pass|([cs]) {_SPOT} {_SPOT})"
_TURN = re.compile(rf"{_ACTION}( {_ACTION})?( t)?")
_PLACING = re.compile(rf"p([zrt]) {_SPOT}( t)?")
_ACTS = {act.value: act for act in Act}


def write_action(action: Action) -> str:
    """Return the canonical text of an action."""
    if isinstance(action, Pass):
        return action.value
    return f"{action.act.value} {NAMES[action.start]} {NAMES[action.end]}"


def write_turn(move: Move, threat: bool = False) -> str:
    """Return the canonical text of a turn."""
    mark = " t" if threat else ""
    if isinstance(move, Placing):
        return f"p{move.kind.letter} {NAMES[move.spot]}{mark}"
    return " ".join(map(write_action, move.actions)) + mark


def parse_turn(text: str) -> TypedMove:
    """Parse a turn in canonical form. Raises `Refused`: `not-canonical` or `no-such-spot`."""
    if found := _TURN.fullmatch(text):
        word, start, end, second, next_word, next_start, next_end, threat = found.groups()
        first = _action(word, start, end)
        actions = (first,) if second is None else (first, _action(next_word, next_start, next_end))
        return TypedMove(Actions(actions), threat is not None)
    if placed := _PLACING.fullmatch(text):
        letter, name, threat = placed.groups()
        return TypedMove(Placing(KIND_OF_LETTER[letter], spot_named(name)), threat is not None)
    raise Refused(Reason("not-canonical", {"text": text[:80]}))


def _action(word: str | None, start: str, end: str) -> Action:
    return Pass.PASS if word is None else Step(_ACTS[word], spot_named(start), spot_named(end))


def spot_named(name: str) -> Spot:
    """Return the spot with this lower-case name. Raises `Refused` (`no-such-spot`)."""
    spot = SPOT_NAMED.get(name)
    if spot is None:
        raise Refused(no_such_spot(name))
    return spot


def no_such_spot(name: str) -> Reason:
    """Return why a name is refused; `last` is the last spot of its column, or None if there is no such column."""
    column = COLUMNS.find(name[:1]) if name else -1
    last = f"{name[0]}{LENGTHS[column]}" if column >= 0 else None
    return Reason("no-such-spot", {"spot": name[:20], "last": last})
