"""Files that old programs write into the text of a mail: `begin 644 name`, lines of code, `end` (POSIX uuencode)."""

import re
from collections.abc import Sequence

_BEGIN = re.compile(r"begin [0-7]{3,4} \S.*")
_CODE = re.compile(r"[ -`]{1,62}")
_MOST_BYTES = 45
"""Bytes that a line holds at most; only the last one of a file holds fewer."""


def without_uuencoded(text: str) -> str:
    """The text without well-formed blocks of uuencode; whatever else begins with such a line stays.

    A block that the end of the text has cut off counts, too. Each line is looked at twice at most.
    """
    if "begin " not in text:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    number = 0
    while number < len(lines):
        after = _end_of_block(lines, number) if _BEGIN.fullmatch(lines[number].rstrip()) else None
        if after is None:
            kept.append(lines[number])
            after = number + 1
        number = after
    return "\n".join(kept)


def _end_of_block(lines: Sequence[str], begin: int) -> int | None:
    """The line after a block that begins at a line; None: what stands there is none."""
    number = begin + 1
    # Spaces at the end of a line may be lost on the way, and stand for zeros; a file hardly begins with them.
    if number >= len(lines) or not _holds(lines[number], is_whole=True):
        return None
    while number < len(lines) and _holds(lines[number]):
        number += 1
    if number < len(lines) and lines[number].strip() in ("", "`"):
        number += 1
    if number >= len(lines):
        return number
    return number + 1 if lines[number].rstrip() == "end" else None


def _holds(line: str, *, is_whole: bool = False) -> bool:
    """Whether a line is one of code: how many bytes it holds, then four characters for three of them.

    Some programs add one character that sums the others up.
    """
    if not _CODE.fullmatch(line):
        return False
    count = (ord(line[0]) - ord(" ")) % 64
    whole = 1 + (count + 2) // 3 * 4
    return 0 < count <= _MOST_BYTES and (whole if is_whole else 1) <= len(line) <= whole + 1
