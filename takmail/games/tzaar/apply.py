"""Apply legal actions to a position, and tell whether the position ends the game."""

from dataclasses import dataclass
from functools import lru_cache

from takmail.games.tzaar.board import Spot, lines_through
from takmail.games.tzaar.pieces import Color, Kind, Stack
from takmail.games.tzaar.position import (
    COLOR_BIT,
    FULL,
    HEIGHT_SHIFT,
    KIND_SHIFT,
    TYPE_BITS,
    TYPES,
    Position,
    code_of,
)
from takmail.games.tzaar.turns import Act, Action, Actions, Move, Pass, Placing, Step


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by the rules. `kind` is what the loser lacks; None if the loser can't capture."""

    winner: Color
    kind: Kind | None

    @property
    def ended_by(self) -> str:
        """The name of the ending: `kind` or `stuck`."""
        return "stuck" if self.kind is None else "kind"

    @property
    def score(self) -> str:
        """The result: `1-0` or `0-1`."""
        return "0-1" if self.winner else "1-0"


_MAX_CACHED = 1_000
"""The maximum number of cached outcomes. A turn asks for that of the position before it, which is known by then."""
_TYPES_OF = tuple(tuple((kind, kind << KIND_SHIFT | color) for kind in Kind) for color in Color)


def apply_step(position: Position, step: Step) -> Position:
    """Return the position after one action of a turn, with the same colour to move."""
    stacks, white, black, to_move, _ = position
    codes = bytearray(stacks)
    _, start, end = step
    moved = codes[start]
    codes[start] = 0
    codes[end] = moved if step.act is Act.CAPTURE else moved + (codes[end] & ~TYPE_BITS)
    left, taken = ~(1 << start), 1 << end
    if to_move:
        return Position(bytes(codes), white & ~taken, black & left | taken, to_move, False)
    return Position(bytes(codes), white & left | taken, black & ~taken, to_move, False)


def apply_placing(position: Position, placing: Placing) -> Position:
    """Return the position after a placing. Whoever has nothing left to place is passed over.

    The pieces can only run out unevenly after a board that both have agreed on. Once all spots are taken, it is White's
    first turn.
    """
    stacks, white, black, to_move, _ = position
    codes = bytearray(stacks)
    codes[placing.spot] = code_of(Stack(to_move, placing.kind))
    bit = 1 << placing.spot
    if to_move:
        black |= bit
    else:
        white |= bit
    if white | black == FULL:
        return Position(bytes(codes), white, black, Color.WHITE, False)
    after = Position(bytes(codes), white, black, to_move.other, True)
    return after if any(after.reserve(after.to_move).values()) else after._replace(to_move=to_move)


def apply_move(position: Position, move: Move) -> Position:
    """Return the position after a legal turn."""
    if isinstance(move, Placing):
        return apply_placing(position, move)
    for action in move.actions:
        if not isinstance(action, Pass):
            position = apply_step(position, action)
    return position._replace(to_move=position.to_move.other)


def played(position: Position, actions: tuple[Action, ...]) -> Position | None:
    """Return the position after a turn if the turn is legal, otherwise None: the rules in short, for speed.

    `rules.findings` names the rule that an illegal turn breaks.
    """
    first = actions[0]
    if (
        position.is_placing
        or isinstance(first, Pass)
        or first.act is Act.STACK
        or not _is_allowed(position, first)
    ):
        return None
    if outcome_of(position) is not None:
        return None
    after = apply_step(position, first)
    is_whole = position.is_first_turn or lacking(after.stacks, position.to_move.other) is not None
    if is_whole is (len(actions) > 1):
        return None
    if not is_whole and isinstance(second := actions[1], Step):
        if not _is_allowed(after, second):
            return None
        after = apply_step(after, second)
    stacks, white, black, to_move, is_placing = after
    return Position(stacks, white, black, to_move.other, is_placing)


def _is_allowed(position: Position, step: Step) -> bool:
    """Return whether the player to move can do an action, as the first of a turn or as the second."""
    stacks, white, black, to_move, _ = position
    act, start, end = step
    mine, taken = (black if to_move else white), white | black
    if not mine >> start & 1 or (mine >> end & 1 == 1) is not (act is Act.STACK):
        return False
    if act is Act.CAPTURE and stacks[end] > stacks[start] | TYPE_BITS:
        return False
    return any(end in reached[taken & mask] for mask, reached in lines_through(start))


def lacking(stacks: bytes, color: Color) -> Kind | None:
    """Return the first kind that a colour has on top of no stack, or None if it has all three."""
    types = stacks.translate(TYPES)
    for kind, code in _TYPES_OF[color]:
        if code not in types:
            return kind
    return None


def ended_by_kind(position: Position) -> Outcome | None:
    """Return the end of a game in which a player lacks a kind; None while pieces are being placed."""
    if position.is_placing:
        return None
    for color in (position.to_move.other, position.to_move):
        if (kind := lacking(position.stacks, color)) is not None:
            return Outcome(color.other, kind)
    return None


@lru_cache(_MAX_CACHED)
def outcome_of(position: Position) -> Outcome | None:
    """Return how the game has ended in a position between two turns, or None while it continues."""
    if position.is_placing:
        return None
    ended = ended_by_kind(position)
    if ended is None and not can_capture(position):
        return Outcome(position.to_move.other, None)
    return ended


def can_capture(position: Position) -> bool:
    """Return whether the player to move can capture."""
    stacks, white, black, to_move, _ = position
    mine, theirs = (black, white) if to_move else (white, black)
    taken = white | black
    while mine:
        low = mine & -mine
        mine ^= low
        start = low.bit_length() - 1
        strength = stacks[start] | TYPE_BITS
        for mask, reached in lines_through(start):
            for end in reached[taken & mask]:
                if theirs >> end & 1 and stacks[end] <= strength:
                    return True
    return False


def reached_from(position: Position, start: Spot) -> list[Spot]:
    """Return the taken spots to which the stack on a spot can move, whatever stands there."""
    taken = position.white | position.black
    return sorted(end for mask, reached in lines_through(start) for end in reached[taken & mask])


def captures_from(position: Position, start: Spot) -> list[Spot]:
    """Return the spots where the stack on a spot can capture, in order."""
    stacks = position.stacks
    theirs = position.black if stacks[start] & COLOR_BIT == 0 else position.white
    height = stacks[start] >> HEIGHT_SHIFT
    return [
        end
        for end in reached_from(position, start)
        if theirs >> end & 1 and stacks[end] >> HEIGHT_SHIFT <= height
    ]


def stackings_from(position: Position, start: Spot) -> list[Spot]:
    """Return the spots where the stack on a spot can stack, in order."""
    own = position.white if position.stacks[start] & COLOR_BIT == 0 else position.black
    return [end for end in reached_from(position, start) if own >> end & 1]


def captures(position: Position) -> list[Step]:
    """Return the captures of the player to move, in order: the first actions of a turn."""
    return [
        Step(Act.CAPTURE, start, end)
        for start in position.spots_of(position.to_move)
        for end in captures_from(position, start)
    ]


def stackings(position: Position) -> list[Step]:
    """Return the stackings of the player to move, in order."""
    return [
        Step(Act.STACK, start, end)
        for start in position.spots_of(position.to_move)
        for end in stackings_from(position, start)
    ]


def ends_with(position: Position, step: Step) -> bool:
    """Return whether a legal first action is the whole turn: White's first turn, or a capture that wins."""
    return (
        position.is_first_turn
        or lacking(apply_step(position, step).stacks, position.to_move.other) is not None
    )


def turn_of(position: Position, step: Step) -> Actions:
    """Return the turn that begins with a legal capture and does nothing more."""
    return Actions((step,) if ends_with(position, step) else (step, Pass.PASS))
