"""Group the legal turns so that a letter can list them, and choose those that its board offers by touch.

A position has thousands of turns, because each capture goes with each second action. A letter lists captures with a
pass behind them, and for one stack also what it can do next.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from takmail.blocks import message
from takmail.games.choice import Choice, Choices
from takmail.games.grid import Touch, Touches
from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.apply import (
    apply_step,
    captures,
    captures_from,
    ends_with,
    outcome_of,
    stackings_from,
    turn_of,
)
from takmail.games.tzaar.board import NAMES, SPOTS, Spot
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import covers_last, must_place, outcome_facts
from takmail.games.tzaar.turns import Act, Actions, Placing, Step, spot_named, write_turn

MAX_TOUCHED_TURNS = 6
"""The maximum number of turns that a stack offers by touch. It has at most six captures."""


def choices(position: Position) -> tuple[Choices, ...]:
    """Return the placings by kind of piece, or the captures by stack; nothing once the game is over."""
    if outcome_of(position) is not None:
        return ()
    if position.is_placing:
        return tuple(_placings(position))
    return tuple(_captures_of(position, spot) for spot in _capturing(position))


def choices_at(position: Position, place: str) -> tuple[Choices, ...]:
    """Return all that the stack on a spot can do, or all placings on an empty spot.

    A second action of the stack, after a capture by another one, is shown behind one such capture. The result is empty
    if the stack can do nothing. Raises `Refused`: `no-such-spot`, `over`, `must-place`, `not-yours` or
    `nothing-stands`.
    """
    spot = spot_named(place)
    if (outcome := outcome_of(position)) is not None:
        raise Refused(Reason("over", outcome_facts(outcome)))
    stack = position.at(spot)
    described = {"spot": NAMES[spot]}
    if stack is not None:
        described |= {"color": stack.color.word, "kind": stack.kind.word}
    facts = {**described, "height": 0 if stack is None else stack.height, "to_move": position.to_move.word}
    if position.is_placing:
        if stack is not None:
            raise Refused(must_place(position))
        return (_placings_on(position, spot),)
    if stack is None:
        raise Refused(Reason("nothing-stands", facts))
    if stack.color is not position.to_move:
        raise Refused(Reason("not-yours", facts))
    return tuple(group for group in _all_of(position, spot) if group.turns)


def _capturing(position: Position) -> list[Spot]:
    return list(dict.fromkeys(step.start for step in captures(position)))


def _placings(position: Position) -> Iterator[Choices]:
    for kind, left in position.reserve(position.to_move).items():
        if left:
            spots = tuple(spot for spot in SPOTS if not position.stacks[spot])
            turns = tuple(_placing(kind, spot) for spot in spots)
            facts = {"kind": kind.word, "left": left, "spots": tuple(NAMES[spot] for spot in spots)}
            yield Choices("place", turns, len(turns), facts)


def _placings_on(position: Position, spot: Spot) -> Choices:
    left = position.reserve(position.to_move)
    turns = tuple(_placing(kind, spot) for kind in Kind if left[kind])
    return Choices("spot", turns, len(turns), {"spot": NAMES[spot]})


def _placing(kind: Kind, spot: Spot) -> Choice:
    name = message("tzaar_choice_place", spot=NAMES[spot], kind=kind.word)
    return Choice(write_turn(Placing(kind, spot)), name)


def _captures_of(position: Position, spot: Spot) -> Choices:
    """Return the captures of a stack. Their count is that of all that `choices_at` lists for it."""
    steps = _steps(position, spot, Act.CAPTURE)
    turns = tuple(_capture(position, step) for step in steps)
    count = sum(group.count for group in _all_of(position, spot))
    facts = _facts(position, spot) | {"ends": tuple(NAMES[step.end] for step in steps)}
    return Choices("stack", turns, count, facts, NAMES[spot])


def _all_of(position: Position, spot: Spot) -> Iterator[Choices]:
    facts = _facts(position, spot)
    firsts = _steps(position, spot, Act.CAPTURE)
    yield _group("capture", (_capture(position, step) for step in firsts), facts)
    if position.is_first_turn:
        return
    pairs = _pairs(position, firsts)
    yield _group("again", (_pair(*pair) for pair in pairs if pair[1].act is Act.CAPTURE), facts)
    yield _group("then-stack", (_pair(*pair) for pair in pairs if pair[1].act is Act.STACK), facts)
    other = next(
        (step for step in captures(position) if step.start != spot and not ends_with(position, step)), None
    )
    if other is not None:
        after = apply_step(position, other)
        seconds = [step for act in Act for step in _steps(after, spot, act)]
        yield _group("second", (_pair(other, step, is_brief=True) for step in seconds), facts | _named(other))


def _pairs(position: Position, firsts: Iterable[Step]) -> list[tuple[Step, Step]]:
    """Return each capture with each second action of the stack that captured."""
    return [
        (first, second)
        for first in firsts
        if not ends_with(position, first)
        for act in Act
        for second in _steps(apply_step(position, first), first.end, act)
    ]


def _named(step: Step) -> dict[str, object]:
    return {"first": f"{step.act.value} {NAMES[step.start]} {NAMES[step.end]}"}


def _group(kind: str, turns: Iterable[Choice], facts: dict[str, object]) -> Choices:
    every = tuple(turns)
    return Choices(kind, every, len(every), facts)


def _steps(position: Position, spot: Spot, act: Act) -> list[Step]:
    reached = captures_from if act is Act.CAPTURE else stackings_from
    return [Step(act, spot, end) for end in reached(position, spot)]


def _capture(position: Position, step: Step) -> Choice:
    return Choice(write_turn(turn_of(position, step)), f"{NAMES[step.start]} x {NAMES[step.end]}")


def _pair(first: Step, second: Step, *, is_brief: bool = False) -> Choice:
    sign = "x" if second.act is Act.CAPTURE else "+"
    name = f"{NAMES[second.start]} {sign} {NAMES[second.end]}"
    head = "" if is_brief else f"x {NAMES[first.end]}, "
    return Choice(
        write_turn(Actions((first, second))), name if is_brief else f"{head}{sign} {NAMES[second.end]}"
    )


def _facts(position: Position, spot: Spot) -> dict[str, object]:
    stack = position.at(spot)
    assert stack is not None
    return {"spot": NAMES[spot], "stack": str(stack), "height": stack.height, "kind": stack.kind.word}


def examples(position: Position) -> tuple[str, ...]:
    """Return turns that show how turns are typed: one that ends with a pass, or with a second action, or a placing."""
    if outcome_of(position) is not None:
        return ()
    if position.is_placing:
        return tuple(group.turns[0].typed for group in _placings(position))
    first = next((step for step in captures(position) if not ends_with(position, step)), None)
    if first is None:
        return (write_turn(turn_of(position, captures(position)[0])),)
    after = apply_step(position, first)
    seconds = (
        step
        for act in (Act.STACK, Act.CAPTURE)
        for spot in after.spots_of(after.to_move)
        for step in _steps(after, spot, act)
    )
    stacking = next((step for step in seconds if outcome_of(_after(after, step)) is None), None)
    both = () if stacking is None else (write_turn(Actions((first, stacking))),)
    return (write_turn(turn_of(position, first)), *both)


def _after(position: Position, step: Step) -> Position:
    after = apply_step(position, step)
    return after._replace(to_move=after.to_move.other)


def touches(position: Position) -> Touches:
    """Return what the player to move can touch: each empty spot while placing, then each stack that captures."""
    if outcome_of(position) is not None:
        return {}
    if position.is_placing:
        return {
            NAMES[spot]: Touch(_typed(_placings_on(position, spot)), is_move=False)
            for spot in SPOTS
            if not position.stacks[spot]
        }
    return {NAMES[spot]: Touch(_touched(position, spot), is_move=True) for spot in _capturing(position)}


def _typed(group: Choices) -> tuple[str, ...]:
    return tuple(choice.typed for choice in group.turns)


def _touched(position: Position, spot: Spot) -> tuple[str, ...]:
    """Return the captures of a stack, the most valuable first, then what it can also do behind one of them.

    A turn that covers the player's own last piece of a kind loses, so it is not offered.
    """
    firsts = sorted(
        _steps(position, spot, Act.CAPTURE), key=lambda step: _value(position, step), reverse=True
    )
    seconds = sorted(_pairs(position, firsts), key=lambda pair: pair[1].act is Act.CAPTURE)
    moves = (*(turn_of(position, first) for first in firsts), *map(Actions, seconds))
    offered = (move for move in moves if covers_last(position, move) is None)
    return tuple(write_turn(move) for move in islice(offered, MAX_TOUCHED_TURNS))


def _value(position: Position, step: Step) -> tuple[int, int]:
    """Return a sort key for captures: the height of what is captured, then how few pieces of its kind there are."""
    stack = position.at(step.end)
    return (0, 0) if stack is None else (stack.height, -stack.kind.count)
