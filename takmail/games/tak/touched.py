"""Describe a ply square by square, up to the square where the ply breaks a rule."""

from collections.abc import Iterator
from typing import assert_never

from takmail.games.interface import Touched
from takmail.games.tak import reasons
from takmail.games.tak.explain import SquareName, to_reason
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation import rs
from takmail.games.tak.pieces import Kind, Stack
from takmail.games.tak.position import Position, pieces_of
from takmail.games.tak.reasons import RuleReason
from takmail.games.tak.rules import verdict

_RULES_ON_THE_WAY = ("each-space-gets-a-piece", "line-stays-on-the-board", "way-is-free")
"""The rules that a move can break after its first square. All other rules are broken on the first square."""


def touched(position: Position, move: Move, name: SquareName) -> tuple[Touched, ...]:
    """Return the squares that `move` changes, in order. If a rule stops the move, the last one has the reason."""
    broken = {rule: reason for rule, reason in verdict(position, move) if reason is not None}
    match move:
        case Place():
            return (_placed(position, move, next(iter(broken.values()), None), name),)
        case Spread():
            return tuple(_moved(position, move, broken, name))
        case _:
            assert_never(move)


def _placed(position: Position, move: Place, broken: RuleReason | None, name: SquareName) -> Touched:
    piece = pieces_of(position.color_placed)[move.kind]
    return Touched(
        step="placed",
        place=name(move.square),
        before=rs.spot(position.stacks[move.square]),
        after=rs.spot((piece,)) if broken is None else None,
        facts={"piece": rs.spot((piece,)), "kind": piece.kind.value, "color": piece.color.value},
        reason=None if broken is None else to_reason(broken, name),
    )


def _moved(
    position: Position, move: Spread, broken: dict[str, RuleReason], name: SquareName
) -> Iterator[Touched]:
    start = _picked_up(position, move, broken, name)
    yield start
    if start.reason is not None:
        return
    spaces = position.board.ray(move.square, move.direction).spaces
    for step in range(1, min(len(spaces), len(move.drops)) + 1):
        space = _dropped(position, move, step, broken, name)
        yield space
        if space.reason is not None:
            return
    if (edge := broken.get("line-stays-on-the-board")) is not None:
        last = (move.square, *spaces)[-1]
        facts = {"direction": move.direction.value, "missing": len(move.drops) - len(spaces)}
        yield Touched("edge", name(last), rs.spot(position.stacks[last]), None, facts, to_reason(edge, name))


def _picked_up(position: Position, move: Spread, broken: dict[str, RuleReason], name: SquareName) -> Touched:
    stack, count = position.stacks[move.square], sum(move.drops)
    stays = stack[: max(len(stack) - count, 0)]
    here = [reason for rule, reason in broken.items() if rule not in _RULES_ON_THE_WAY or not move.drops]
    return Touched(
        step="picked-up",
        place=name(move.square),
        before=rs.spot(stack),
        after=None if here else rs.spot(stays),
        facts={"count": count, "height": len(stack), "taken": rs.spot(stack[len(stays) :])},
        reason=to_reason(here[0], name) if here else None,
    )


def _dropped(
    position: Position, move: Spread, step: int, broken: dict[str, RuleReason], name: SquareName
) -> Touched:
    """Return the change of space number `step`, counted from 1.

    The pieces dropped are those of a hand with the move's total number of pieces, even if a rule forbids that number.
    """
    square = position.board.ray(move.square, move.direction).spaces[step - 1]
    under, count = position.stacks[square], move.drops[step - 1]
    dropped = _hand(position, move)[sum(move.drops[: step - 1]) :][:count]
    flattens = bool(under) and under[-1].kind is Kind.WALL
    reason = next((reason for reason in broken.values() if _breaks_at(reason, step)), None)
    lower = (*under[:-1], under[-1].flattened) if flattens else under
    return Touched(
        step="dropped",
        place=name(square),
        before=rs.spot(under),
        after=rs.spot(lower + dropped) if reason is None else None,
        facts={
            "count": count,
            "dropped": rs.spot(dropped),
            "flattens": flattens and reason is None,
            "top": under[-1].kind.value if under else None,
        },
        reason=None if reason is None else to_reason(reason, name),
    )


def _hand(position: Position, move: Spread) -> Stack:
    stack = position.stacks[move.square]
    return stack[len(stack) - sum(move.drops) :]


def _breaks_at(reason: RuleReason, step: int) -> bool:
    match reason:
        case (
            reasons.EmptyDrop()
            | reasons.CapstoneInTheWay()
            | reasons.WallInTheWay()
            | reasons.WallNeedsCapstone()
            | reasons.WallNeedsLoneCapstone()
        ):
            return reason.step == step
        case _:
            return False
