"""Remove uuencoded files from the text of a mail: `begin 644 name`, lines of code, `end` (POSIX uuencode)."""

import re
from collections.abc import Sequence

_BEGIN = re.compile(r"begin [0-7]{3,4} \S.*")
_CODE = re.compile(r"[ -`]{1,62}")
_MOST_BYTES = 45
"""The maximum number of bytes that a line encodes. Only the last line of a file encodes fewer."""


def without_uuencoded(text: str) -> str:
    """Return the text without well-formed uuencoded blocks. Other text after a `begin` line stays.

    A block that is truncated by the end of the text is removed, too. Each line is examined at most twice.
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
    """Return the number of the line after the block that begins at line `begin`, or None if there is no block."""
    number = begin + 1
    # Trailing spaces encode zeros and may have been lost. The first line must be complete, because files rarely begin
    # with zeros.
    if number >= len(lines) or not _is_uuencoded(lines[number], is_whole=True):
        return None
    while number < len(lines) and _is_uuencoded(lines[number]):
        number += 1
    if number < len(lines) and lines[number].strip() in ("", "`"):
        number += 1
    if number >= len(lines):
        return number
    return number + 1 if lines[number].rstrip() == "end" else None


def _is_uuencoded(line: str, *, is_whole: bool = False) -> bool:
    """Return whether a line is uuencoded: a byte count, then four characters for every three bytes.

    Some programs add a checksum character. If `is_whole` is true, the line must also be complete.
    """
    if not _CODE.fullmatch(line):
        return False
    count = (ord(line[0]) - ord(" ")) % 64
    whole = 1 + (count + 2) // 3 * 4
    return 0 < count <= _MOST_BYTES and (whole if is_whole else 1) <= len(line) <= whole + 1
