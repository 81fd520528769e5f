"""The marks that mail programs put at the head of each quoted line: `>` mostly, initials before it, bars, colons.

All lines are taken as `markers.readable` gives them.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence

from takmail.mail.quotes.attribution import closes_address

_USUAL = re.compile(r"[ \t]{0,12}>[> \t]*")
# The Bat! writes `TM> `, or `TM>> ` in front of what was quoted already.
_INITIALS = re.compile(r"\s{0,3}([^\W\d_]{1,4})>[> \t]*")
_OTHER = re.compile(r" ?([|:])(?:[ \t]+|$)")
_SEVERAL = 3

Squeeze = Callable[[str], str]


def prefix_lengths(
    lines: Sequence[str], introduced: Container[int], letter: Container[str], squeeze: Squeeze
) -> dict[int, int]:
    """How many characters the marks of each marked line are.

    Only `>` is a mark in itself. Initials are where several lines have the same, bars and colons right below the
    last line of an attribution, which `introduced` holds, and all of them where what they mark is in `letter`,
    whose lines are squeezed.
    """
    marks = {
        number: found.end()
        for number, line in enumerate(lines)
        if ">" in line and (found := _USUAL.match(line)) and not closes_address(lines, number)
    }
    initials = {
        number: found for number, line in enumerate(lines) if ">" in line and (found := _INITIALS.match(line))
    }
    count = Counter(found[1] for found in initials.values())
    for number, found in initials.items():
        rest = squeeze(lines[number][found.end() :])
        if count[found[1]] >= _SEVERAL or (rest and rest in letter):
            marks[number] = found.end()
    for run in _runs(lines):
        if _line_above(lines, next(iter(run))) in introduced or _is_of(letter, squeeze, lines, run):
            marks.update(run)
    return marks


def _runs(lines: Sequence[str]) -> Iterator[dict[int, int]]:
    """Several lines in a row with a bar or with a colon at their heads, and how long these are."""
    run: dict[int, int] = {}
    sign = ""
    for number, line in enumerate([*lines, "."]):
        found = _OTHER.match(line)
        if found and found[1] == sign:
            run[number] = found.end()
        elif line.strip():
            if len(run) >= _SEVERAL:
                yield run
            sign, run = (found[1], {number: found.end()}) if found else ("", {})


def _line_above(lines: Sequence[str], first: int) -> int:
    """The last line above that isn't blank, -1 where there is none."""
    above = first - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above


def _is_of(letter: Container[str], squeeze: Squeeze, lines: Sequence[str], run: dict[int, int]) -> bool:
    """Whether most of what a run marks is in the letter, and not with these very marks."""
    marked = [squeeze(lines[number][end:]) for number, end in run.items()]
    worded = [rest for rest in marked if rest]
    known = sum(rest in letter for rest in worded)
    return len(worded) >= _SEVERAL and 2 * known > len(worded)
