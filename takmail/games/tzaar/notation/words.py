"""Split a line into the words of a turn: spots, letters, signs, and what stands at the end of a line."""

import re
from dataclasses import dataclass
from itertools import pairwise

CAPTURE_WORDS = frozenset(("c", "capture", "captures", "take", "takes", "x"))
STACK_WORDS = frozenset(("s", "stack", "stacks", "jump", "jumps"))
PASS_WORDS = frozenset(("pass", "p", "-", "no"))
"""The words and signs for a pass behind a capture, or alone on the last line of a paragraph."""
PASS_LINES = frozenset(("pass", "p"))
"""The words for a pass on a line with others below. A dash or a `No.` there begins a signature or chat."""
BETWEEN_ACTIONS = frozenset((",", ";", "+", "&", "then", "and"))
TO_WORDS = frozenset(("to", "at", "on", "onto", ">", "->", "-"))
"""What may stand between the two spots of an action that begins with a word."""
_CALLS = ("t", "(t)", "(t!)", "t!")
_GLUED_CALL = re.compile(r"(?<=\S)\(t!?\)", re.IGNORECASE)
_RECORDED_CALL = "'"
"""The sign of a call behind a turn of a record. Around a whole line it is a quotation mark."""
_NUMBER = re.compile(r"#([0-9]{1,9})")
_DASHES = str.maketrans("–—−→", "---" + ">")
_MARKS = ".:!?\"'`()[]*_"
"""Punctuation that may stand around a turn. What remains without it is offered, and not played."""
_TOKEN = re.compile(r"[a-z][0-9]{1,3}(?![0-9])|[a-z]+(?![0-9])|->|[^\sa-z]")
SPOT = re.compile(r"[a-z][0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Words:
    """A line in parts: its tokens, whether a threat is called, and the number of the turn.

    `is_marked` is true if punctuation around the turn was removed. `is_glued` is true if a space is missing before a
    spot.
    """

    tokens: tuple[str, ...]
    threat: bool
    number: int | None
    is_marked: bool
    is_glued: bool


def words_of(line: str) -> Words:
    """Split a line. Never raises."""
    kept: list[str] = []
    threat, number = line.endswith(_RECORDED_CALL) and not line.startswith(_RECORDED_CALL), None
    plain = _GLUED_CALL.sub(r" \g<0>", line.lower().translate(_DASHES))
    words = [stripped for word in plain.split() if (stripped := word.rstrip(".!"))]
    for word in words:
        found = _NUMBER.fullmatch(word.rstrip(",;"))
        if word.rstrip(",;") in _CALLS:
            threat = True
        elif found and number in (None, int(found[1])):
            number = int(found[1])
        else:
            kept.append(word)
    if len(kept) > 1 and kept[0].rstrip(":") == "move":
        del kept[0]  # a habit from other mail games
    bare = " ".join(filter(None, (word.strip(_MARKS) for word in kept)))
    is_marked = bare != " ".join(kept)
    if bare.startswith("ptn "):
        bare, is_marked = bare.removeprefix("ptn "), True  # the command that sends the record
    if bare.startswith("- "):
        bare, is_marked = bare[2:], True
    tokens = list(_TOKEN.finditer(bare))
    return Words(tuple(one[0] for one in tokens), threat, number, is_marked, _is_glued(tokens))


def _is_glued(tokens: list[re.Match[str]]) -> bool:
    """Return whether a word is written without a space before a spot. The x of `a1xb2` is no word, but a sign."""
    before = ""
    for one, after in pairwise(tokens):
        is_sign = one[0] == "x" and SPOT.fullmatch(before)
        if one[0].isalpha() and one.end() == after.start() and SPOT.fullmatch(after[0]) and not is_sign:
            return True
        before = one[0]
    return False
