"""Explain the checks of a turn with the data that a letter words."""

from takmail.games.interface import Check
from takmail.games.tzaar.board import NAMES, between
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import Finding, findings
from takmail.games.tzaar.turns import Act, Move, Placing


def checks(position: Position, move: Move) -> tuple[Check, ...]:
    """Return a `Check` for every rule that applies to a turn, up to the first broken one."""
    return tuple(Check(one.rule, _facts(one, move), one.reason) for one in findings(position, move))


def _facts(finding: Finding, move: Move) -> dict[str, object]:
    position, step = finding.position, finding.step
    facts: dict[str, object] = {"number": finding.number, "to_move": position.to_move.word}
    if isinstance(move, Placing):
        left = position.reserve(position.to_move)[move.kind]
        return {**facts, "spot": NAMES[move.spot], "kind": move.kind.word, "left": left}
    if step is None:
        return facts
    start, end = position.at(step.start), position.at(step.end)
    return {
        **facts,
        "is_capture": step.act is Act.CAPTURE,
        "start": NAMES[step.start],
        "end": NAMES[step.end],
        "height": start.height if start else 0,
        "other": end.height if end else 0,
        "color": end.color.word if end else None,
        "passed": len(between(step.start, step.end) or ()),
        "is_first_turn": position.is_first_turn,
        "actions": len(move.actions),
    }
