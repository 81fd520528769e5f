"""Describe what a turn does: for the sentence with which a letter begins, and spot by spot."""

from collections.abc import Iterator

from takmail.games.interface import Effect, Touched
from takmail.games.tzaar.apply import apply_placing, apply_step
from takmail.games.tzaar.board import NAMES, Spot
from takmail.games.tzaar.notation.rs import spot_text
from takmail.games.tzaar.pieces import Color, Stack
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import Finding, findings, refusal
from takmail.games.tzaar.turns import Act, Actions, Pass, Placing, Step, TypedMove

_BEFORE_ALL = ("game-goes-on", "all-pieces-stand", "first-action-captures")
"""The rules that stop a turn before its first action."""
AS_MANY = "actions-are-as-many"
"""The rule that stops a turn after its first action."""


def effect(position: Position, played: TypedMove) -> Effect:
    """Return the effect of a legal turn: `placed` or `moved`."""
    mover = position.to_move.word
    match played.move:
        case Placing(kind, spot):
            left = (
                sum(position.reserve(Color.WHITE).values()) + sum(position.reserve(Color.BLACK).values()) - 1
            )
            facts = {
                "mover": mover,
                "spot": NAMES[spot],
                "kind": kind.word,
                "left": left,
                "tak": played.threat,
            }
            return Effect("placed", facts)
        case Actions(actions):
            done, now = [], position
            for action in actions:
                if isinstance(action, Step):
                    done.append(_step(now, action))
                    now = apply_step(now, action)
            return Effect(
                "moved",
                {
                    "mover": mover,
                    "steps": tuple(done),
                    "passed": Pass.PASS in actions,
                    "tak": played.threat,
                },
            )


def _step(position: Position, step: Step) -> dict[str, object]:
    moved, met = position.at(step.start), position.at(step.end)
    assert moved is not None
    assert met is not None
    return {
        "is_capture": step.act is Act.CAPTURE,
        "start": NAMES[step.start],
        "end": NAMES[step.end],
        "kind": moved.kind.word,
        "height": moved.height,
        "other_kind": met.kind.word,
        "other_height": met.height,
        "total": moved.height + met.height,
    }


def touched(position: Position, played: TypedMove) -> tuple[Touched, ...]:
    """Return the spots that a turn touches, in order. If a rule stops it, the last one has the reason."""
    match played.move:
        case Placing() as placing:
            return (_placed(position, placing),)
        case Actions(actions):
            return tuple(_moved(position, actions))


def _placed(position: Position, placing: Placing) -> Touched:
    reason = refusal(position, placing)
    piece = str(Stack(position.to_move, placing.kind))
    return Touched(
        step="placed",
        place=NAMES[placing.spot],
        before=spot_text(position.stacks[placing.spot]),
        after=spot_text(apply_placing(position, placing).stacks[placing.spot]) if reason is None else None,
        facts={"kind": placing.kind.word, "color": position.to_move.word, "piece": piece},
        reason=reason,
    )


def _moved(position: Position, actions: tuple[Step | Pass, ...]) -> Iterator[Touched]:
    broken = next((one for one in findings(position, Actions(actions)) if one.reason is not None), None)
    if broken is not None and broken.rule in _BEFORE_ALL:
        yield _not_begun(position, actions[0], broken)
        return
    now = position
    for number, action in enumerate(actions, 1):
        if isinstance(action, Pass):
            continue
        facts: dict[str, object] = {"number": number, "start": NAMES[action.start], "end": NAMES[action.end]}
        if broken is not None and broken.number == number and broken.rule != AS_MANY:
            yield from _stopped(now, action, broken, facts)
            return
        after = apply_step(now, action)
        yield _changed("left", now, action.start, 0, facts)
        yield _changed(_arrived(action), now, action.end, after.stacks[action.end], facts)
        now = after
        if broken is not None and broken.rule == AS_MANY:
            here = spot_text(now.stacks[action.end])
            yield Touched("stopped", NAMES[action.end], here, None, facts, broken.reason)
            return


def _not_begun(position: Position, action: Step | Pass, broken: Finding) -> Touched:
    """Return the spot of a turn that a rule stops before its first action; a pass has none."""
    if isinstance(action, Pass):
        return Touched("passed", "", "", None, {}, broken.reason)
    here = spot_text(position.stacks[action.start])
    facts = {"start": NAMES[action.start], "end": NAMES[action.end]}
    return Touched("left", NAMES[action.start], here, None, facts, broken.reason)


def _stopped(position: Position, step: Step, broken: Finding, facts: dict[str, object]) -> Iterator[Touched]:
    """Yield the spots of an action that a rule stops, on its way or at its end."""
    start, end = (spot_text(position.stacks[spot]) for spot in (step.start, step.end))
    if broken.rule == "stack-is-yours":
        yield Touched("left", NAMES[step.start], start, None, facts, broken.reason)
        return
    yield _changed("left", position, step.start, 0, facts)
    yield Touched(_arrived(step), NAMES[step.end], end, None, facts, broken.reason)


def _arrived(step: Step) -> str:
    return "captured" if step.act is Act.CAPTURE else "stacked"


def _changed(step: str, position: Position, spot: Spot, after: int, facts: dict[str, object]) -> Touched:
    return Touched(step, NAMES[spot], spot_text(position.stacks[spot]), spot_text(after), facts)
