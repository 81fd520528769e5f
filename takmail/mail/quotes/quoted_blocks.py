"""Return the quoted text of a mail without its prefixes, because the writer may have quoted a board to compare."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from takmail.mail.quotes.attribution import attributions_in
from takmail.mail.quotes.header_block import header_block, header_kinds, sender_in
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.separators import readable

_PREFIX = re.compile(r"[ \t]{0,12}(?:(?:[^\W\d_]{0,4}>|\|)[ \t]{0,3}){1,20}")
_PREFIX_SIGN = re.compile(r"[>|]")
_MAX_DEPTH = 100  # more than the number of prefixes of any line


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line of a mail without its prefix.

    `quote` is equal for the lines of one quote at one depth, and 0 for unquoted lines. `is_introduced` is true if an
    introduction above the line shows that the line belongs to a letter of this service.
    """

    text: str
    quote: int
    is_introduced: bool


_BLANK = MarkedLine("", 0, is_introduced=False)


def has_marks(text: str) -> bool:
    """Return whether a line of a text has a quote prefix."""
    return any(map(_PREFIX.match, readable(text).split("\n")))


def marked_lines(text: str, own: OwnAddress, *, keeps_ours: bool) -> tuple[MarkedLine, ...]:
    """Return the quoted lines of a text without their prefixes, with two blank lines in place of each other line.

    Lines that an introduction shows to be from a letter of this service are left out. If `keeps_ours` is true, the
    answered letter is kept. A letter of this service within somebody else's quote is always left out.
    """
    marks = [_PREFIX.match(line) for line in readable(text).split("\n")]
    depths = [len(_PREFIX_SIGN.findall(found[0])) if found else 0 for found in marks]
    lines = text.split("\n")
    bare = [line[found.end() :] if found else line for line, found in zip(lines, marks, strict=True)]
    plain = [readable(line) for line in bare]
    ends = frozenset(_ends_of_ours(plain, depths, own))
    introduced = _ours(plain, depths, ends, keeps_ours=False)
    left_out = _ours(plain, depths, ends, keeps_ours=True) if keeps_ours else introduced
    return tuple(_shown(bare, depths, introduced, left_out))


def _shown(
    lines: Sequence[str], depths: Sequence[int], introduced: frozenset[int], left_out: frozenset[int]
) -> Iterator[MarkedLine]:
    above = 1  # the number of non-blank unquoted lines so far, plus 1; each of these lines ends a quote
    for number, line in enumerate(lines):
        if depths[number] and number not in left_out:
            yield MarkedLine(line, above * _MAX_DEPTH + depths[number], number in introduced)
        elif line.strip():
            above += 1
            yield from (_BLANK, _BLANK)
        else:
            yield _BLANK


def _ours(
    lines: Sequence[str], depths: Sequence[int], ends: frozenset[int], *, keeps_ours: bool
) -> frozenset[int]:
    """Return the lines of letters of this service. `ends` are the lines after the introductions that name it."""
    found: set[int] = set()
    within = 0  # the minimum depth of the lines that belong to the letter; 0 outside of letters
    for number, line in enumerate(lines):
        above = depths[number - 1] if number in ends else 0
        if number in ends and (above or not keeps_ours):
            within = min(within or above, above) or 1
        if within and line.strip() and depths[number] < within:
            within = 0
        if within:
            found.add(number)
    return frozenset(found)


def _ends_of_ours(lines: Sequence[str], depths: Sequence[int], own: OwnAddress) -> Iterator[int]:
    """Yield the lines after the attributions and header blocks that name this service."""
    for last, one in attributions_in(lines).items():
        # The first lines of a letter may end like an attribution, but they are no part of the attribution above them.
        if one is None or depths[one.first] != depths[last]:
            continue
        if own.is_only_address_in(" ".join(lines[one.first : last + 1])):
            yield last + 1
    kinds = header_kinds(lines)
    for first, kind in enumerate(kinds):
        after = header_block(lines, kinds, first) if kind is not None else None
        sender = sender_in(lines, kinds, range(first, after)) if after is not None else None
        if after is not None and sender is not None and own.is_only_address_in(sender):
            yield after
