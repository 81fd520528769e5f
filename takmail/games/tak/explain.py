"""Convert a rule's reasons and data to words for a letter: names of squares, sides, kinds and directions."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import assert_never

from takmail.games.interface import Check, Reason
from takmail.games.tak.board import Square
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position
from takmail.games.tak.reasons import RuleReason
from takmail.games.tak.rules import verdict

SquareName = Callable[[Square], str]
"""A function that names a square in one notation. Tak by Mail and PTN count the rows from opposite edges."""


@dataclass(frozen=True, slots=True)
class PathSpace:
    """One space on the path of a stack: its contents, and the number of pieces to be dropped there.

    `color` and `top` are the side and the kind of the top piece, or None for an empty space. `height` is the
    number of pieces on the space.
    """

    square: str
    dropped: int
    height: int
    color: str | None
    top: str | None


def to_reason(reason: RuleReason, name: SquareName) -> Reason:
    """Return a rule's reason as a `Reason` of the interface, with squares named by `name`."""
    facts: dict[str, object] = {}
    for item in fields(reason):
        value = getattr(reason, item.name)
        if item.type is Square:
            value = name(value)
        elif isinstance(value, Enum):
            value = value.value
        facts[item.name] = value
    return Reason(re.sub(r"(?<!^)(?=[A-Z])", "-", type(reason).__name__).lower(), facts)


def checks(position: Position, move: Move, name: SquareName) -> tuple[Check, ...]:
    """Return a `Check` for every rule that applies to `move`, in the rules' order, with the data examined."""
    return tuple(
        Check(
            rule, _examined(rule, position, move, name), None if reason is None else to_reason(reason, name)
        )
        for rule, reason in verdict(position, move)
    )


def _examined(rule: str, position: Position, move: Move, name: SquareName) -> dict[str, object]:
    match move:
        case Place():
            return _examined_for_placing(rule, position, move, name)
        case Spread():
            return _examined_for_moving(rule, position, move, name)
        case _:
            assert_never(move)


def _examined_for_placing(rule: str, position: Position, move: Place, name: SquareName) -> dict[str, object]:
    match rule:
        case "game-goes-on":
            return {"komi": write_komi(position.half_komi)}
        case "opening-places-a-flat":
            return {"opening": position.in_opening, "kind": move.kind.value}
        case "space-is-empty":
            return _space(position, move.square, name)
        case "reserve-has-the-piece":
            left = position.reserve(position.color_placed)
            count = left.capstones if move.kind is Kind.CAPSTONE else left.stones
            color = position.color_placed.value
            return {"kind": move.kind.value, "color": color, "left": count, "size": position.size}
        case _:
            return {}


def _examined_for_moving(rule: str, position: Position, move: Spread, name: SquareName) -> dict[str, object]:
    match rule:
        case "game-goes-on":
            return {"komi": write_komi(position.half_komi)}
        case "opening-moves-nothing":
            return {"opening": position.in_opening}
        case "stack-is-there":
            return {"square": name(move.square), "height": len(position.stacks[move.square])}
        case "stack-is-controlled":
            return {**_space(position, move.square, name), "to_move": position.to_move.value}
        case "each-space-gets-a-piece":
            return {"drops": move.drops}
        case "stack-is-high-enough":
            return {"count": sum(move.drops), "height": len(position.stacks[move.square])}
        case "hand-keeps-the-carry-limit":
            return {"count": sum(move.drops), "limit": position.carry_limit}
        case "line-stays-on-the-board":
            room = len(position.board.ray(move.square, move.direction).spaces)
            return {"direction": move.direction.value, "spaces": len(move.drops), "room": room}
        case "way-is-free":
            return {"path": _path(position, move, name), "top": position.stacks[move.square][-1].kind.value}
        case _:
            return {}


def _space(position: Position, square: Square, name: SquareName) -> dict[str, object]:
    stack = position.stacks[square]
    top = stack[-1] if stack else None
    return {
        "square": name(square),
        "height": len(stack),
        "color": top and top.color.value,
        "kind": top and top.kind.value,
    }


def _path(position: Position, move: Spread, name: SquareName) -> tuple[PathSpace, ...]:
    """Return the spaces that the move enters, as far as they are on the board."""
    spaces = position.board.ray(move.square, move.direction).spaces
    path = []
    for square, dropped in zip(spaces, move.drops, strict=False):
        stack = position.stacks[square]
        top = stack[-1] if stack else None
        path.append(
            PathSpace(name(square), dropped, len(stack), top and top.color.value, top and top.kind.value)
        )
    return tuple(path)
