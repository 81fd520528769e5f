"""Read a line of a mail as a turn of TZAAR, a near miss, or neither. Nothing in this module raises an error.

A line in the correct form is a turn, and the rules decide about it. Where a turn lacks an action, has one too many, or
names the wrong act, the line is a near miss instead, because one other line is likely to be meant. A line of a relay
game is read by its form alone, because its board is unknown.
"""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from itertools import dropwhile, product

from takmail.games.interface import NearMiss, Reading, ReadTurn, Reason, Refused
from takmail.games.kit.naming import may_name_place, named_in
from takmail.games.tzaar.board import COLUMNS
from takmail.games.tzaar.notation.parsing import Said, SaidPlacing, SaidStep, parse
from takmail.games.tzaar.notation.words import (
    BETWEEN_ACTIONS,
    CAPTURE_WORDS,
    PASS_LINES,
    PASS_WORDS,
    SPOT,
    STACK_WORDS,
    words_of,
)
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import refusal
from takmail.games.tzaar.turns import (
    Act,
    Action,
    Actions,
    Move,
    Pass,
    Placing,
    Step,
    spot_named,
    write_action,
    write_turn,
)
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table

MOST_FOREIGN_WORDS = 3
"""The maximum number of foreign words on a line with a turn. A line with more is a sentence."""
MOST_ACTIONS = 2
_WORDS = ("capture", "captures", "take", "takes", "stack", "stacks", "place", "pass")
"""The words of turns in which a slip is looked for."""
_LIKENESS = 0.8
"""How like such a word another one must be to be meant as it."""
_LONGEST_PASS = 6
"""The length of the longest line that is so like the word `pass`."""
_HEAD = re.compile("[mp][a-z]")
"""What may stand in place of the first word of a placing: a slip, or the word of a move as another game has it."""
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


def read(line: str, position: Position | None, *, is_exact: bool = False) -> Reading:
    """Read one line as a turn in `position`; None if the board is unknown. Spaces are already normalised.

    If it `is_exact`, a line with a slip in some word is None.
    """
    is_passing = "pass" in line.lower() or len(line) <= _LONGEST_PASS
    if len(line) > MAX_MOVE_CHARS or not (is_passing or may_name_place(line)):
        return None
    words = words_of(line)
    parsed = parse(words.tokens)
    if parsed is None or len(parsed.foreign) > MOST_FOREIGN_WORDS:
        return None if is_exact else _nearly(line)
    if parsed.actions == (Pass.PASS,) and (position is None or parsed.foreign or words.is_marked):
        return None
    reading = _read_actions(parsed.actions, words.threat, words.number, position)
    if isinstance(reading, NearMiss) and reading.reason.name == "second-missing" and parsed.foreign:
        facts = {**reading.reason.facts, "words": " ".join(parsed.foreign)}
        return NearMiss(Reason("second-unclear", facts))
    if not isinstance(reading, ReadTurn):
        return reading
    if parsed.foreign:
        return NearMiss(Reason("extra-words", {"words": " ".join(parsed.foreign)}), (reading.text,))
    return NearMiss(Reason("slip"), (reading.text,)) if words.is_glued or words.is_marked else reading


def _nearly(line: str) -> NearMiss | None:
    """Return the near miss of a line that has spots and words of a turn, with a slip in some word, or None."""
    is_slip = len(line) <= _LONGEST_PASS and bool(get_close_matches(line.lower(), ("pass",), 1, _LIKENESS))
    if not is_slip and may_name_place(line):
        named = named_in(line, table("tzaar.words"))
        is_slip = bool(named.places and named.others) and all(map(_is_slip, named.others))
    return NearMiss(Reason("slip")) if is_slip else None


def _is_slip(word: str) -> bool:
    """Return whether a word is likely to be meant as one of a turn."""
    return bool(_HEAD.fullmatch(word) or get_close_matches(word, _WORDS, 1, _LIKENESS))


def turns_in(text: str, position: Position | None) -> tuple[str, ...]:
    """Return the turns that stand anywhere in a text, in canonical form and without duplicates."""
    typed = dict.fromkeys(turn[0] for turn in _IN_A_TEXT.finditer(" ".join(text.split())))
    found = (read(turn, position) for turn in typed)
    turns = (reading.text if isinstance(reading, ReadTurn) else reading.turn for reading in found if reading)
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
    if is_list and isinstance(reading, ReadTurn):
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
    if (len(tokens) == 1 and tokens[0] in passes) or _is_cut_off(tokens):
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
        moves = _moves(said)
    except Refused as refused:
        return NearMiss(refused.reason)
    if len(moves) > 1 and position is None:
        unsure = next(one for one in said if isinstance(one, SaidStep) and one.act is None)
        facts = {"start": unsure.start, "end": unsure.end}
        return NearMiss(Reason("either-act", facts), tuple(write_turn(move, threat) for move in moves))
    turns = [ReadTurn(write_turn(move, threat), number) for move in moves]
    if position is None:
        return turns[0]
    reasons = [refusal(position, move) for move in moves]
    for turn, move, reason in zip(turns, moves, reasons, strict=True):
        if len(moves) == 1 or reason is None or reason.name == "second-missing":
            return _checked(turn, move, reason)
    return NearMiss(next(filter(None, reasons)))


def _moves(said: tuple[Said, ...]) -> list[Move]:
    """Return the turns that the actions may mean: one, unless `a1-b2` leaves open which act it is.

    Raises `Refused` (`no-such-spot`).
    """
    options: list[tuple[Action, ...]] = []
    for one in said:
        if isinstance(one, SaidPlacing):
            return [Placing(one.kind, spot_named(one.spot))]
        if isinstance(one, SaidStep):
            start, end = spot_named(one.start), spot_named(one.end)
            options.append(tuple(Step(act, start, end) for act in ((one.act,) if one.act else Act)))
        else:
            options.append((one,))
    return [Actions(actions) for actions in product(*options)]


def _checked(turn: ReadTurn, move: Move, reason: Reason | None) -> Reading:
    """Return the turn, or a near miss if the rules refuse it for a reason that suggests another line."""
    if reason is None or reason.name not in _ASKED_ABOUT or isinstance(move, Placing):
        return turn
    if reason.name in ("own-piece", "not-own-piece"):
        ends = f"{reason.facts['start']} {reason.facts['end']}"
        is_first = write_action(move.actions[0]).endswith(ends)
        reason = Reason(reason.name, {**reason.facts, "is_first": is_first})
    return NearMiss(reason, turn=turn.text)
