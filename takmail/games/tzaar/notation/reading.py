"""Read a line of a mail as a turn of TZAAR, a near miss, or neither. Nothing in this module raises an error.

A line in the correct form is a turn, and the rules decide about it. Where a turn lacks an action, has one too many, or
names the wrong act, the line is a near miss instead, because one other line is likely to be meant. A line of a relay
game is read by its form alone, because its board is unknown.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import dropwhile, product

from takmail.games.interface import NearMiss, Reading, Reason, Refused, Turn
from takmail.games.tzaar.apply import (
    apply_step,
    captures_from,
    stackings_from,
)
from takmail.games.tzaar.board import COLUMNS, NAMES, Spot
from takmail.games.tzaar.notation.parsing import Said, SaidPlacing, SaidStep, parse
from takmail.games.tzaar.notation.words import (
    BETWEEN_ACTIONS,
    CAPTURE_WORDS,
    PASS_LINES,
    PASS_WORDS,
    SPOT,
    STACK_WORDS,
    is_nearly_pass,
    words_of,
)
from takmail.games.tzaar.position import COLOR_BIT, Position
from takmail.games.tzaar.rules import refusal
from takmail.games.tzaar.turns import Act, Action, Actions, Move, Pass, Placing, Step, spot_named, write_turn
from takmail.limits.words import MAX_MOVE_CHARS

MOST_FOREIGN_WORDS = 3
"""The maximum number of foreign words on a line with a turn. A line with more is a sentence."""
MOST_ACTIONS = 2
_LIST_MARK = re.compile(r"^(?:[0-9]{1,3}\. ?|[-*] )(?=[a-zA-Z])")
"""What stands before an item of a list. Behind a number with a bracket, a line is read as informal."""
_ACTION = r"[cs] [a-i][0-9] [a-i][0-9]"
_SECOND = rf"(?: ?[,;+&])?(?: then| and)? (?:{_ACTION}|pass\b)"
_IN_A_TEXT = re.compile(
    rf"(?<![\w@.-])(?:p[zrt] [a-i][0-9]|{_ACTION}(?:{_SECOND})?)(?: t\b| \(t\))?(?![\w@-])",
    re.IGNORECASE,
)
"""A turn in a text: a placing, or one action or two, with a call."""
_ASKED_ABOUT = ("second-missing", "one-action", "over-after-first", "own-piece", "not-own-piece")
"""The faults of a turn for which another line is likely to be meant."""


@dataclass(frozen=True, slots=True)
class SecondActions:
    """The second actions of one stack: its spot, and the spots where it can capture and stack."""

    spot: str
    captures: tuple[str, ...]
    stackings: tuple[str, ...]


def read(line: str, position: Position | None) -> Reading:
    """Read one line as a turn in `position`; None if the board is unknown. Spaces are already normalised."""
    if len(line) > MAX_MOVE_CHARS:
        return None
    words = words_of(line)
    parsed = parse(words.tokens)
    if parsed is None or len(parsed.foreign) > MOST_FOREIGN_WORDS:
        return None
    if parsed.actions == (Pass.PASS,) and (position is None or parsed.foreign or words.is_marked):
        return None
    reading = _read_actions(parsed.actions, words.threat, words.number, position)
    if isinstance(reading, NearMiss) and reading.reason.name == "second-missing" and parsed.foreign:
        facts = {**reading.reason.facts, "words": " ".join(parsed.foreign)}
        return NearMiss(Reason("second-unclear", facts))
    if not isinstance(reading, Turn):
        return reading
    if parsed.foreign:
        return NearMiss(Reason("extra-words", {"words": " ".join(parsed.foreign)}), (reading.text,))
    return NearMiss(Reason("slip"), (reading.text,)) if words.is_glued or words.is_marked else reading


def turns_in(text: str, position: Position | None) -> tuple[str, ...]:
    """Return the turns that stand anywhere in a text, in canonical form and without duplicates."""
    found = (read(turn[0], position) for turn in _IN_A_TEXT.finditer(" ".join(text.split())))
    turns = (reading.text if isinstance(reading, Turn) else reading.turn for reading in found if reading)
    return tuple(dict.fromkeys(filter(None, turns)))


def read_lines(lines: Sequence[str], position: Position | None) -> tuple[Reading, int]:
    """Read the turn of one line, or of lines with an action each, of which a turn has two.

    A turn whose lines are items of a list is offered and not played.
    """
    bare = [_LIST_MARK.sub("", line) for line in lines[: MOST_ACTIONS + 1]]
    is_list = bare[0] != lines[0]
    parts = bare if is_list else lines[: MOST_ACTIONS + 1]
    passes = PASS_WORDS if len(lines) == MOST_ACTIONS else PASS_LINES
    if len(parts) == 1 or not _is_first_of_two(parts[0], parts[1]) or not _is_second_action(parts[1], passes):
        return read(lines[0], position), 1
    taken = 3 if len(parts) > MOST_ACTIONS and _is_second_action(parts[2]) else 2
    reading = read(" ".join(parts[:taken]), position)
    if is_list and isinstance(reading, Turn):
        return NearMiss(Reason("slip"), (reading.text,)), taken
    return reading, taken


def _is_first_of_two(line: str, below: str) -> bool:
    """Return whether a line is one action. Two lines that both name the number of a turn are two turns."""
    words = words_of(line)
    parsed = parse(words.tokens) if len(line) <= MAX_MOVE_CHARS else None
    return (
        parsed is not None
        and (words.number is None or words_of(below).number is None)
        and not words.is_marked
        and len(parsed.actions) == 1
        and isinstance(parsed.actions[0], SaidStep)
        and not parsed.foreign
    )


def _is_second_action(line: str, passes: Collection[str] = PASS_LINES) -> bool:
    """Return whether a line below an action is another one. `passes` are the words that alone are a pass there."""
    words = words_of(line)
    tokens = tuple(dropwhile(BETWEEN_ACTIONS.__contains__, words.tokens))
    if len(tokens) == 1 and (tokens[0] in passes or is_nearly_pass(tokens[0])):
        return True
    if _is_cut_off(tokens):
        return True
    parsed = parse(tokens) if len(line) <= MAX_MOVE_CHARS else None
    return (
        parsed is not None
        and len(parsed.actions) == 1
        and not isinstance(parsed.actions[0], SaidPlacing)
        and not parsed.foreign
        and not words.is_marked
    )


def _is_cut_off(tokens: tuple[str, ...]) -> bool:
    """Return whether tokens are the word of an action and the beginning of its spots, such as `c a4` or `s a2 b`."""
    word, *spots = tokens or ("",)
    return (
        word in CAPTURE_WORDS | STACK_WORDS
        and 1 <= len(spots) <= 2
        and all(SPOT.fullmatch(one) or one in COLUMNS for one in spots)
    )


def _read_actions(
    said: tuple[Said, ...], threat: bool, number: int | None, position: Position | None
) -> Reading:
    placings = sum(isinstance(one, SaidPlacing) for one in said)
    if placings and len(said) > 1:
        return NearMiss(Reason("one-placing" if placings == len(said) else "mixed-actions"))
    if len(said) > MOST_ACTIONS:
        return NearMiss(Reason("too-many-actions", {"count": len(said)}))
    try:
        moves = _moves(said, position)
    except Refused as refused:
        return NearMiss(refused.reason)
    if len(moves) > 1:
        unsure = next(one for one in said if isinstance(one, SaidStep) and one.act is None)
        facts = {"start": unsure.start, "end": unsure.end}
        return NearMiss(Reason("either-act", facts), tuple(write_turn(move, threat) for move in moves))
    turn = Turn(write_turn(moves[0], threat), number)
    return turn if position is None else _checked(turn, moves[0], position)


def _moves(said: tuple[Said, ...], position: Position | None) -> list[Move]:
    """Return the turns that the actions may mean: one, unless `a1-b2` leaves open which act it is.

    On a known board it is never open: what stands on the second spot tells. Then an act that would be a guess is none.
    Raises `Refused` (`no-such-spot` or `no-act-fits`).
    """
    match said:
        case (SaidPlacing(kind, spot),):
            return [Placing(kind, spot_named(spot))]
        case _:
            pass
    options: list[tuple[Action, ...]] = []
    now = position
    for one in said:
        if isinstance(one, SaidStep):
            start, end = spot_named(one.start), spot_named(one.end)
            acts = (one.act,) if one.act else _acts(now, start, end)
            if not acts:
                raise Refused(_no_act_fits([before[0] for before in options], start, end))
            steps = tuple(Step(act, start, end) for act in acts)
            options.append(steps)
            now = _after(now, steps)
        elif isinstance(one, Pass):
            options.append((one,))
    return [Actions(actions) for actions in product(*options)]


def _acts(position: Position | None, start: Spot, end: Spot) -> tuple[Act, ...]:
    """Return the act that `a1-b2` means: the one that the rules allow, and none if both are refused."""
    if position is None:
        return tuple(Act)
    code = position.stacks[start]
    if not code or code & COLOR_BIT != position.to_move:
        return ()
    if end in captures_from(position, start):
        return (Act.CAPTURE,)
    return (Act.STACK,) if end in stackings_from(position, start) else ()


def _no_act_fits(before: Sequence[Action], start: Spot, end: Spot) -> Reason:
    """Return why `a1-b2` is neither act behind the actions `before`, with the turn that it would be as a capture.

    A pass before it is left out, because no turn begins with one.
    """
    capture, steps = Step(Act.CAPTURE, start, end), [one for one in before if isinstance(one, Step)]
    example = Actions((*steps, capture) if steps else (capture, Pass.PASS))
    return Reason("no-act-fits", {"start": NAMES[start], "end": NAMES[end], "example": write_turn(example)})


def _after(position: Position | None, steps: tuple[Step, ...]) -> Position | None:
    """Return the position after an action, for the next one. An action that breaks a rule changes nothing."""
    if position is None or len(steps) != 1:
        return position
    step = steps[0]
    code = position.stacks[step.start]
    reached = captures_from if step.act is Act.CAPTURE else stackings_from
    is_legal = code and code & COLOR_BIT == position.to_move and step.end in reached(position, step.start)
    return apply_step(position, step) if is_legal else position


def _checked(turn: Turn, move: Move, position: Position) -> Reading:
    """Return the turn, or a near miss if the rules refuse it for a reason that suggests another line."""
    reason = refusal(position, move)
    if reason is None or reason.name not in _ASKED_ABOUT or isinstance(move, Placing):
        return turn
    facts = dict(reason.facts)
    if reason.name == "second-missing":
        facts["seconds"] = second_actions(position, move)
    if reason.name in ("own-piece", "not-own-piece"):
        facts["is_first"] = _is_broken_first(position, move)
    return NearMiss(Reason(reason.name, facts), turn=turn.text)


def _is_broken_first(position: Position, move: Actions) -> bool:
    """Return whether the first action breaks a rule, and not the second."""
    return (
        refusal(position, Actions((move.actions[0], Pass.PASS))) is not None
        and refusal(position, Actions(move.actions[:1])) is not None
    )


def second_actions(position: Position, move: Actions) -> tuple[SecondActions, ...]:
    """Return what each stack can do after a legal capture, if it can do anything."""
    first = move.actions[0]
    assert isinstance(first, Step)
    after = apply_step(position, first)
    every = (
        SecondActions(NAMES[spot], _names(captures_from(after, spot)), _names(stackings_from(after, spot)))
        for spot in after.spots_of(after.to_move)
    )
    return tuple(one for one in every if one.captures or one.stackings)


def _names(spots: Sequence[Spot]) -> tuple[str, ...]:
    return tuple(NAMES[spot] for spot in spots)
