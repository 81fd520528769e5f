"""The rules of Tak as two lists of checks, in the order in which a player would apply them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, assert_never

from takmail.games.tak import reasons
from takmail.games.tak.apply import apply_move
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position
from takmail.games.tak.reasons import RuleReason

M = TypeVar("M", Place, Spread)


class IllegalMove(Exception):  # noqa: N818 - the usual word
    """Raised for a ply that breaks a rule; `reason` names the rule and has its data."""

    def __init__(self, reason: RuleReason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Rule(Generic[M]):
    """One rule; `check` returns the reason why a ply breaks the rule, or None.

    `needs` are the names of rules that must hold before this rule can be checked. For example, only a stack has a
    top piece. Only `verdict` uses `needs`, because `refusal` stops at the first reason.
    """

    name: str
    check: Callable[[Position, M], RuleReason | None]
    needs: tuple[str, ...] = ()


def play(position: Position, move: Move) -> Position:
    """Return the position after `move`. Raises `IllegalMove` with the first rule that the move breaks."""
    reason = refusal(position, move)
    if reason is not None:
        raise IllegalMove(reason)
    return apply_move(position, move)


def refusal(position: Position, move: Move) -> RuleReason | None:
    """Return the first reason why the rules refuse `move`, or None if it is legal."""
    match move:
        case Place():
            for placing in PLACING_RULES:
                if (reason := placing.check(position, move)) is not None:
                    return reason
        case Spread():
            for moving in MOVING_RULES:
                if (reason := moving.check(position, move)) is not None:
                    return reason
        case _:
            assert_never(move)
    return None


def verdict(position: Position, move: Move) -> tuple[tuple[str, RuleReason | None], ...]:
    """Return every rule that applies to `move`, by name and in order, with the reason why it is broken or None."""
    match move:
        case Place():
            return _check_all(PLACING_RULES, position, move)
        case Spread():
            return _check_all(MOVING_RULES, position, move)
        case _:
            assert_never(move)


def _check_all(
    rules: tuple[Rule[M], ...], position: Position, move: M
) -> tuple[tuple[str, RuleReason | None], ...]:
    held: dict[str, RuleReason | None] = {}
    for rule in rules:
        if all(held.get(name, "missing") is None for name in rule.needs):
            held[rule.name] = rule.check(position, move)
    return tuple(held.items())


def _game_goes_on(position: Position, _: Move) -> RuleReason | None:
    outcome = position.outcome
    return None if outcome is None else reasons.GameOver(outcome.score, outcome.ended_by.value)


def _opening_places_a_flat(position: Position, move: Place) -> RuleReason | None:
    if move.kind is Kind.FLAT or not position.in_opening:
        return None
    return reasons.OpeningFlatOnly(move.kind, position.color_placed)


def _space_is_empty(position: Position, move: Place) -> RuleReason | None:
    stack = position.stacks[move.square]
    if not stack:
        return None
    return reasons.SpaceTaken(move.square, len(stack), stack[-1].color, stack[-1].kind)


def _reserve_has_the_piece(position: Position, move: Place) -> RuleReason | None:
    color = position.color_placed
    stones, capstones = position.reserve(color)
    if (capstones if move.kind is Kind.CAPSTONE else stones) > 0:
        return None
    whole = position.whole(color)
    if move.kind is not Kind.CAPSTONE:
        return reasons.NoneLeft(move.kind, color, whole.stones)
    if not whole.capstones:
        return reasons.NoCapstonesOnThisBoard(position.board.size)
    return reasons.NoneLeft(move.kind, color, whole.capstones)


def _opening_moves_nothing(position: Position, move: Spread) -> RuleReason | None:
    if not position.in_opening:
        return None
    return reasons.OpeningNoMoves(move.square, position.color_placed)


def _stack_is_there(position: Position, move: Spread) -> RuleReason | None:
    return None if position.stacks[move.square] else reasons.NothingThere(move.square)


def _stack_is_controlled(position: Position, move: Spread) -> RuleReason | None:
    top = position.stacks[move.square][-1]
    return None if top.color is position.to_move else reasons.NotYours(move.square, top.color, top.kind)


def _each_space_gets_a_piece(_: Position, move: Spread) -> RuleReason | None:
    if move.drops and min(move.drops) > 0:
        return None
    step = next((step for step, drop in enumerate(move.drops, 1) if drop < 1), 1)
    return reasons.EmptyDrop(move.square, step)


def _stack_is_high_enough(position: Position, move: Spread) -> RuleReason | None:
    count, height = sum(move.drops), len(position.stacks[move.square])
    return None if count <= height else reasons.StackTooLow(move.square, count, height)


def _hand_keeps_the_carry_limit(position: Position, move: Spread) -> RuleReason | None:
    count, limit = sum(move.drops), position.board.size
    return None if count <= limit else reasons.OverCarryLimit(move.square, count, limit)


def _line_stays_on_the_board(position: Position, move: Spread) -> RuleReason | None:
    room = len(position.board.ray(move.square, move.direction).spaces)
    spaces = len(move.drops)
    return None if spaces <= room else reasons.OffTheEdge(move.square, move.direction, spaces, room)


def _way_is_free(position: Position, move: Spread) -> RuleReason | None:
    ray = position.board.ray(move.square, move.direction)
    blocked = (position.walls | position.capstones) & ray.mask
    distance, blocker = ray.reach[blocked]
    if not blocker or distance >= len(move.drops):
        return None
    square, step, spaces = ray.spaces[distance], distance + 1, len(move.drops)
    color = position.stacks[square][-1].color
    if blocker & position.capstones:
        return reasons.CapstoneInTheWay(square, color, step)
    if step < spaces:
        return reasons.WallInTheWay(square, color, step, spaces)
    top = position.stacks[move.square][-1].kind
    if top is not Kind.CAPSTONE:
        return reasons.WallNeedsCapstone(square, color, step, top)
    if move.drops[-1] != 1:
        return reasons.WallNeedsLoneCapstone(square, color, step, move.drops[-1])
    return None


PLACING_RULES: tuple[Rule[Place], ...] = (
    Rule("game-goes-on", _game_goes_on),
    Rule("opening-places-a-flat", _opening_places_a_flat),
    Rule("space-is-empty", _space_is_empty),
    Rule("reserve-has-the-piece", _reserve_has_the_piece),
)
"""The rules for a placement (Tak rules, Setting Up and Place)."""

MOVING_RULES: tuple[Rule[Spread], ...] = (
    Rule("game-goes-on", _game_goes_on),
    Rule("opening-moves-nothing", _opening_moves_nothing),
    Rule("stack-is-there", _stack_is_there),
    Rule("stack-is-controlled", _stack_is_controlled, needs=("stack-is-there",)),
    Rule("each-space-gets-a-piece", _each_space_gets_a_piece),
    Rule("stack-is-high-enough", _stack_is_high_enough, needs=("stack-is-there",)),
    Rule("hand-keeps-the-carry-limit", _hand_keeps_the_carry_limit),
    Rule("line-stays-on-the-board", _line_stays_on_the_board),
    Rule("way-is-free", _way_is_free, needs=("stack-is-there",)),
)
"""The rules for a move of a stack (Tak rules, Move and Additional Movement Rules)."""
