"""The rules of TZAAR as checks, in the order in which a player would apply them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, assert_never

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.apply import Outcome, apply_move, apply_step, ended_by_kind, outcome_of, played
from takmail.games.tzaar.board import NAMES, RAYS, Spot, between, crosses_centre, lines_through
from takmail.games.tzaar.pieces import Kind, Stack
from takmail.games.tzaar.position import COLOR_BIT, HEIGHT_SHIFT, Position, stack_of
from takmail.games.tzaar.turns import Act, Action, Actions, Move, Pass, Placing, Step, write_action


class Finding(NamedTuple):
    """The check of one rule, in the position in which it applies; `reason` says how it is broken, or is None.

    `step` is the action that was checked, or None for a rule of the whole turn. `number` counts actions from 1.
    """

    rule: str
    position: Position
    reason: Reason | None
    step: Step | None = None
    number: int = 0


StepRule = Callable[[Position, Step], Reason | None]


def play(position: Position, move: Move) -> Position:
    """Return the position after a turn. Raises `Refused` with the first rule that the turn breaks."""
    after = played(position, move.actions) if isinstance(move, Actions) else None
    if after is not None:
        return after
    reason = refusal(position, move)
    if reason is not None:
        raise Refused(reason)
    return apply_move(position, move)


def refusal(position: Position, move: Move) -> Reason | None:
    """Return the first reason why the rules refuse a turn, or None if it is legal."""
    for finding in findings(position, move):
        if finding.reason is not None:
            return finding.reason
    return None


def findings(position: Position, move: Move) -> Iterator[Finding]:
    """Yield the check of every rule that applies to a turn, up to the first broken one."""
    match move:
        case Placing():
            checks = _placing(position, move)
        case Actions(actions):
            checks = _actions(position, actions)
        case _:
            assert_never(move)
    for finding in checks:
        yield finding
        if finding.reason is not None:
            return


def _placing(position: Position, move: Placing) -> Iterator[Finding]:
    yield Finding("game-goes-on", position, over(position))
    yield Finding("pieces-are-placed", position, None if position.is_placing else Reason("nothing-to-place"))
    stack = position.at(move.spot)
    taken = None if stack is None else Reason("taken", {"spot": NAMES[move.spot], **_described(stack)})
    yield Finding("spot-is-empty", position, taken)
    left = position.reserve(position.to_move)
    facts = {
        "kind": move.kind.word,
        "count": move.kind.count,
        "color": position.to_move.word,
        "left": tuple(kind.word for kind, number in left.items() if number),
    }
    yield Finding("piece-is-left", position, None if left[move.kind] else Reason("none-left", facts))


def _actions(position: Position, actions: tuple[Action, ...]) -> Iterator[Finding]:
    yield Finding("game-goes-on", position, over(position))
    if position.is_placing:
        yield Finding("all-pieces-stand", position, must_place(position))
    first = actions[0]
    if isinstance(first, Pass) or first.act is Act.STACK:
        if isinstance(first, Step) and (wrong := _stacks_on_an_enemy(position, first)):
            yield Finding("first-action-captures", position, wrong, first, 1)
        facts = {"action": write_action(first), "is_pass": isinstance(first, Pass)}
        yield Finding("first-action-captures", position, Reason("first-must-capture", facts))
        return
    yield Finding("first-action-captures", position, None, first, 1)
    yield from _step(position, first, 1)
    after = apply_step(position, first)
    yield Finding("actions-are-as-many", position, _count(position, after, actions), first, 1)
    if len(actions) > 1 and isinstance(second := actions[1], Step):
        if second.start == first.start:
            yield Finding("stack-is-yours", after, _moved_away(after, first), second, 2)
        yield from _step(after, second, 2)


def _step(position: Position, step: Step, number: int) -> Iterator[Finding]:
    for name, check in _STEP_RULES:
        yield Finding(name, position, check(position, step), step, number)


def _moved_away(after: Position, first: Step) -> Reason:
    """Return why the first action leaves nothing on its spot that a second could move."""
    return Reason(
        "not-yours", {"spot": NAMES[first.start], "to_move": after.to_move.word, "moved_to": NAMES[first.end]}
    )


def over(position: Position) -> Reason | None:
    """Return why no turn can be played once the game has ended, or None while it goes on."""
    outcome = outcome_of(position)
    return None if outcome is None else Reason("over", outcome_facts(outcome))


def outcome_facts(outcome: Outcome) -> dict[str, object]:
    """Return the data of an ending for the game's `Wording`."""
    return {
        "winner": outcome.winner.word,
        "loser": outcome.winner.other.word,
        "score": outcome.score,
        "ended_by": outcome.ended_by,
        "kind": None if outcome.kind is None else outcome.kind.word,
    }


def must_place(position: Position) -> Reason:
    """Return why nothing moves while pieces are being placed, and what is left to place."""
    left = {kind.word: count for kind, count in position.reserve(position.to_move).items()}
    return Reason("must-place", {"color": position.to_move.word, **left})


def _count(before: Position, after: Position, actions: tuple[Action, ...]) -> Reason | None:
    """Return why a turn has too many actions or too few, after a legal first one."""
    first = write_action(actions[0])
    if before.is_first_turn:
        return (
            Reason("one-action", {"first": first, "color": before.to_move.word}) if len(actions) > 1 else None
        )
    if (outcome := ended_by_kind(after)) is not None:
        return (
            Reason("over-after-first", {"first": first, **outcome_facts(outcome)})
            if len(actions) > 1
            else None
        )
    return Reason("second-missing", {"first": first}) if len(actions) == 1 else None


def _stack_is_yours(position: Position, step: Step) -> Reason | None:
    code = position.stacks[step.start]
    if code and code & COLOR_BIT == position.to_move:
        return None
    facts = {"spot": NAMES[step.start], "to_move": position.to_move.word}
    stack = stack_of(code)
    return Reason("not-yours", facts if stack is None else {**facts, **_described(stack)})


def _way_is_open(position: Position, step: Step) -> Reason | None:
    """Return what is in the way to the end. The end itself may be empty."""
    taken = position.white | position.black
    for mask, reached in lines_through(step.start):
        if step.end in reached[taken & mask]:
            return None
    way = between(step.start, step.end)
    if way is None:
        return Reason("not-in-line", _ends(step))
    if crosses_centre(step.start, step.end):
        return Reason("over-the-centre", _ends(step))
    for spot in way:
        stack = position.at(spot)
        if stack is not None:
            return Reason("in-the-way", {**_ends(step), "spot": NAMES[spot], **_described(stack)})
    return None


def _end_is_taken(position: Position, step: Step) -> Reason | None:
    if position.stacks[step.end]:
        return None
    ray = next(ray for ray in RAYS[step.start] if step.end in ray)
    beyond = next((spot for spot in ray if position.stacks[spot]), None)
    return Reason("empty", {**_ends(step), "beyond": None if beyond is None else NAMES[beyond]})


def _act_fits_the_color(position: Position, step: Step) -> Reason | None:
    code = position.stacks[step.end]
    is_own = code & COLOR_BIT == position.to_move
    if is_own is (step.act is Act.STACK):
        return None
    name = "own-piece" if is_own else "not-own-piece"
    fix = write_action(step._replace(act=step.act.other))
    stack = stack_of(code)
    return Reason(name, {**_ends(step), "fix": fix, **(_described(stack) if stack else {})})


def _stacks_on_an_enemy(position: Position, step: Step) -> Reason | None:
    """Return why a stacking is refused that a capture could be: a stack goes onto one of the opponent's."""
    codes = position.stacks[step.start], position.stacks[step.end]
    is_like_a_capture = all(codes) and codes[0] & COLOR_BIT == position.to_move
    return _act_fits_the_color(position, step) if is_like_a_capture else None


def _strength_suffices(position: Position, step: Step) -> Reason | None:
    height, other = (position.stacks[spot] >> HEIGHT_SHIFT for spot in (step.start, step.end))
    if step.act is Act.STACK or other <= height:
        return None
    return Reason("too-tall", {**_ends(step), "height": height, "other": other})


_STEP_RULES: tuple[tuple[str, StepRule], ...] = (
    ("stack-is-yours", _stack_is_yours),
    ("way-is-open", _way_is_open),
    ("end-is-taken", _end_is_taken),
    ("act-fits-the-color", _act_fits_the_color),
    ("strength-suffices", _strength_suffices),
)


def _ends(step: Step) -> dict[str, object]:
    return {"start": NAMES[step.start], "end": NAMES[step.end]}


def _described(stack: Stack) -> dict[str, object]:
    return {"color": stack.color.word, "kind": stack.kind.word, "height": stack.height, "stack": str(stack)}


def covers_last(position: Position, move: Move) -> tuple[Spot, Kind] | None:
    """Return where a legal turn covers the player's own last piece of a kind, and the kind, or None."""
    if isinstance(move, Placing) or len(move.actions) == 1:
        return None
    second = move.actions[1]
    if not isinstance(second, Step) or second.act is not Act.STACK:
        return None
    outcome = outcome_of(apply_move(position, move))
    if outcome is None or outcome.kind is None or outcome.winner is position.to_move:
        return None
    return second.end, outcome.kind
