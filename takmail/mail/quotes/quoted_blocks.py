"""What stands behind the marks of quoting in a mail, for what its writer may have quoted to have it looked at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from takmail.mail.quotes.attribution import attribution_at, ends_of_attributions
from takmail.mail.quotes.header_block import header_block, header_kinds, sender_in
from takmail.mail.quotes.own_letters import Own
from takmail.mail.quotes.separators import readable

_MARKS = re.compile(r"[ \t]{0,12}(?:(?:[^\W\d_]{0,4}>|\|)[ \t]{0,3}){1,20}")
_SIGNS = re.compile(r"[>|]")
_MOST_DEPTH = 100


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line without its marks: `quote` is the same for the lines of one quote, of one depth, 0 for a line of none.

    `is_introduced`: a line of a program's above it tells that it belongs to a letter of ours.
    """

    text: str
    quote: int
    is_introduced: bool


_BLANK = MarkedLine("", 0, is_introduced=False)


def has_marks(text: str) -> bool:
    """Whether a line of a text has a mark."""
    return any(map(_MARKS.match, readable(text).split("\n")))


def marked_lines(text: str, own: Own, *, keeps_ours: bool) -> tuple[MarkedLine, ...]:
    """The marked lines of a text without their marks, with two blank ones for each other line between them.

    Left out is what a line of a program's tells to be a letter of ours; `keeps_ours`: the one that the mail answers is
    known, and is left in. One within a quote of somebody else's never is.
    """
    marks = [_MARKS.match(line) for line in readable(text).split("\n")]
    depths = [len(_SIGNS.findall(found[0])) if found else 0 for found in marks]
    lines = text.split("\n")
    bare = [line[found.end() :] if found else line for line, found in zip(lines, marks, strict=True)]
    plain = [readable(line) for line in bare]
    introduced = _ours(plain, depths, own, keeps_ours=False)
    left_out = _ours(plain, depths, own, keeps_ours=True) if keeps_ours else introduced
    return tuple(_shown(bare, depths, introduced, left_out))


def _shown(
    lines: Sequence[str], depths: Sequence[int], introduced: frozenset[int], left_out: frozenset[int]
) -> Iterator[MarkedLine]:
    above = 1  # lines that are no part of a quote and not blank, which end one
    for number, line in enumerate(lines):
        if depths[number] and number not in left_out:
            yield MarkedLine(line, above * _MOST_DEPTH + depths[number], number in introduced)
        elif line.strip():
            above += 1
            yield from (_BLANK, _BLANK)
        else:
            yield _BLANK


def _ours(lines: Sequence[str], depths: Sequence[int], own: Own, *, keeps_ours: bool) -> frozenset[int]:
    """The lines of the letters of ours that the mail itself says it quotes, by an introduction above them."""
    ends = frozenset(_ends_of_ours(lines, depths, own))
    found: set[int] = set()
    within = (
        0  # marks that a line has at the least that belongs to a letter of ours; 0: no such letter has begun
    )
    for number, line in enumerate(lines):
        above = depths[number - 1] if number in ends else 0
        if number in ends and (above or not keeps_ours):
            within = min(within or above, above) or 1
        if within and line.strip() and depths[number] < within:
            within = 0
        if within:
            found.add(number)
    return frozenset(found)


def _ends_of_ours(lines: Sequence[str], depths: Sequence[int], own: Own) -> Iterator[int]:
    """The lines after the attributions and blocks of headers that name us."""
    for last in ends_of_attributions(lines):
        one = attribution_at(lines, last, quote_follows=False)
        # The first lines of a letter may end as an introduction does; they are no part of the one above it.
        if one is None or depths[one[0]] != depths[last]:
            continue
        if own.alone_in(" ".join(lines[one[0] : last + 1])):
            yield last + 1
    kinds = header_kinds(lines)
    for first, kind in enumerate(kinds):
        after = header_block(lines, kinds, first) if kind is not None else None
        sender = sender_in(lines, kinds, range(first, after)) if after is not None else None
        if after is not None and sender is not None and own.alone_in(sender):
            yield after
