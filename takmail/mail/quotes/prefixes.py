"""Recognise the prefixes of quoted lines: `>`, initials before `>`, bars and colons.

All lines must be in the form that `separators.readable` returns.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence

from takmail.mail.quotes.attribution import closes_address

_ANGLE_PREFIX = re.compile(r"[ \t]{0,12}>[> \t]*")
# The Bat! writes `TM> `, or `TM>> ` before a line that was already quoted.
_INITIALS = re.compile(r"\s{0,3}([^\W\d_]{1,4})>[> \t]*")
_BAR_OR_COLON_PREFIX = re.compile(r" ?([|:])(?:[ \t]+|$)")
_BARS_OR_COLONS = ("|", ":", " |", " :")
_MIN_RUN = 3  # the minimum number of lines with the same unusual prefix

Squeeze = Callable[[str], str]


def prefix_lengths(
    lines: Sequence[str], introduced: Container[int], letter: Container[str], squeeze: Squeeze
) -> dict[int, int]:
    """Return the length of the prefix of each quoted line, by line number.

    `>` is always a prefix. Initials count as one if several lines have the same initials. Bars and colons count
    directly below the last line of an attribution (`introduced`). Initials, bars and colons also count if the text
    after them is in `letter`, which has the squeezed lines of the answered letter.
    """
    marks = {
        number: found.end()
        for number, line in enumerate(lines)
        if ">" in line and (found := _ANGLE_PREFIX.match(line)) and not closes_address(lines, number)
    }
    initials = {
        number: found for number, line in enumerate(lines) if ">" in line and (found := _INITIALS.match(line))
    }
    count = Counter(found[1] for found in initials.values())
    for number, found in initials.items():
        rest = squeeze(lines[number][found.end() :])
        if count[found[1]] >= _MIN_RUN or (rest and rest in letter):
            marks[number] = found.end()
    for run in _runs(lines):
        if _line_above(lines, next(iter(run))) in introduced or _is_of(letter, squeeze, lines, run):
            marks.update(run)
    return marks


def _runs(lines: Sequence[str]) -> Iterator[dict[int, int]]:
    """Yield runs of consecutive lines that all begin with a bar, or all with a colon: prefix lengths by line number."""
    run: dict[int, int] = {}
    sign = ""
    for number, line in enumerate([*lines, "."]):
        found = _BAR_OR_COLON_PREFIX.match(line) if line.startswith(_BARS_OR_COLONS) else None
        if found and found[1] == sign:
            run[number] = found.end()
        elif line.strip():
            if len(run) >= _MIN_RUN:
                yield run
            sign, run = (found[1], {number: found.end()}) if found else ("", {})


def _line_above(lines: Sequence[str], first: int) -> int:
    """Return the number of the nearest line above that isn't blank, or -1 if there is none."""
    above = first - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above


def _is_of(letter: Container[str], squeeze: Squeeze, lines: Sequence[str], run: dict[int, int]) -> bool:
    """Return whether most lines of a run are in the letter once their prefixes are removed."""
    marked = [squeeze(lines[number][end:]) for number, end in run.items()]
    worded = [rest for rest in marked if rest]
    known = sum(rest in letter for rest in worded)
    return len(worded) >= _MIN_RUN and 2 * known > len(worded)
