"""What a player typed now, out of the whole text of his mail."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from takmail.mail.attribution import (
    ATTRIBUTION_ENDS,
    MAX_ATTRIBUTIONS,
    attribution_at,
    header_block,
    is_decoration,
    is_original_message_line,
    is_signature_mark,
)
from takmail.mail.known import quoted_from, words_of

_MARKS = re.compile(r"^[ \t]{0,3}>[> \t]*")
# An introduction is shorter, and a longer line of our letter than this doesn't look like one.
_MAX_INTRODUCTION_CHARS = 1_000
_PGP_START = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"


def typed_text(text: str, answered: str | None) -> str:
    """What was typed now: the text without quoted letters, the lines that introduce them, and the signature.

    `answered` is the text of the letter of ours that the mail answers, None when it isn't known; then only
    the marks of mail programs count. Lines keep their order and spelling; trailing spaces go, and of blank
    lines one between others is left.
    """
    return _joined(_Mail(_without_armour(text.split("\n")), answered).typed())


class _Mail:
    """A mail's lines while it is found out which of them were typed now."""

    __slots__ = ("_answered", "_cut", "_known", "_letter", "_lines", "_marked", "_openings", "_rests")

    def __init__(self, lines: list[str], answered: str | None) -> None:
        self._lines = lines
        self._answered = answered or ""
        # Our own letter may hold a line that looks like a program's; that one introduces nothing.
        self._letter = {_squeezed(line) for line in self._answered.split("\n")}
        self._marked = frozenset(number for number, line in enumerate(lines) if _MARKS.match(line))
        self._cut = len(lines)
        self._rests: dict[int, str] = {}
        self._openings = self._find_openings()
        self._known = self._find_known()
        self._take_out_openings()
        self._take_out_attributions()

    def typed(self) -> Iterator[str]:
        """The lines that were typed now."""
        dropped = self._marked | self._known
        for number, line in enumerate(self._lines[: self._cut]):
            if number in self._rests:
                if self._rests[number]:
                    yield self._rests[number]
            elif number in dropped:
                continue
            elif is_signature_mark(line):
                return
            elif not is_decoration(line):
                yield line

    def _find_openings(self) -> dict[int, int]:
        """Where a quote is opened beyond doubt: the first line of each opening, and the line after it."""
        openings: dict[int, int] = {}
        number = 0
        while number < len(self._lines):
            line = self._lines[number]
            after = number + 1 if is_original_message_line(line) else header_block(self._lines, number)
            if after is not None and not self._may_introduce(number):
                after = None
            if after is not None:
                openings[number] = after
            number = after or number + 1
        return openings

    def _find_known(self) -> frozenset[int]:
        """The lines of the answered letter, which can't stand above what introduces it."""
        introductions = [*list(self._openings)[:1], *self._first_attribution()]
        start = min(introductions, default=0)
        lines = {
            number: _MARKS.sub("", line, count=1)
            for number, line in enumerate(self._lines)
            if line and number >= start
        }
        return quoted_from(self._answered, lines, self._marked, hinted=bool(introductions))

    def _first_attribution(self) -> list[int]:
        """The line after the first attribution that needs no quote below it to be one, if there is any."""
        for number in self._ends_of_attributions():
            if attribution_at(self._lines, number, quote_follows=False):
                return [number + 1]
        return []

    def _ends_of_attributions(self) -> list[int]:
        ends = (number for number, line in enumerate(self._lines) if line.rstrip().endswith(ATTRIBUTION_ENDS))
        return [number for number in islice(ends, MAX_ATTRIBUTIONS) if self._may_introduce(number)]

    def _may_introduce(self, number: int) -> bool:
        return number not in self._marked and _squeezed(self._lines[number]) not in self._letter

    def _take_out_openings(self) -> None:
        """Where no quote can be told from the rest below an opening, the mail ends there."""
        spans, cut = above_quotes(self._openings, sorted(self._marked | self._known))
        for span in spans:
            self._rests.update(dict.fromkeys(span, ""))
        if cut is not None:
            self._cut = cut

    def _take_out_attributions(self) -> None:
        quoted = self._marked | self._known
        lowest = max(quoted, default=-1)
        for number in self._ends_of_attributions():
            if number >= self._cut:
                return
            if number in quoted or number in self._rests:
                continue
            follows = self._quote_below(number + 1, quoted)
            found = attribution_at(self._lines, number, follows)
            if found is None:
                continue
            first, rest = found
            self._rests.update(dict.fromkeys(range(first, number + 1), ""))
            self._rests[first] = rest
            # A quote without marks, of a letter that isn't known: who answers below one would have marked it.
            if number > lowest and (rest or any(line.strip() for line in self._lines[:first])):
                self._cut = number + 1
                return

    def _quote_below(self, number: int, quoted: frozenset[int]) -> bool:
        """Whether the next line that isn't blank is quoted."""
        while number < len(self._lines) and not self._lines[number].strip():
            number += 1
        return number in quoted


def above_quotes(openings: Mapping[int, int], quoted: Sequence[int]) -> tuple[list[range], int | None]:
    """The lines from each opening to the quote below it, and the first opening that has no quote below it.

    What a program altered at the head of a quote is no answer either. Openings may lie in a row above one quote:
    every line is named once only.
    """
    spans: list[range] = []
    done = 0
    for number, after in openings.items():
        below = bisect_left(quoted, after)
        if below == len(quoted):
            return spans, number
        spans.append(range(max(number, done), quoted[below]))
        done = max(done, quoted[below])
    return spans, None


def _squeezed(line: str) -> str:
    return "".join(words_of(line[:_MAX_INTRODUCTION_CHARS]))


def _without_armour(lines: list[str]) -> list[str]:
    """The lines inside a signed text (RFC 9580 §7), all of them when it isn't one."""
    if _PGP_START not in lines:
        return lines
    start = lines.index(_PGP_START)
    blank = next((at for at in range(start, len(lines)) if not lines[at].strip()), start)
    end = lines.index(_PGP_END) if _PGP_END in lines[blank:] else len(lines)
    return lines[:start] + [line.removeprefix("- ") for line in lines[blank + 1 : end]]


def _joined(lines: Iterator[str]) -> str:
    """The lines without trailing spaces or blank lines around them, with one blank at most between them."""
    out: list[str] = []
    for line in lines:
        bare = line.rstrip()
        if bare or (out and out[-1]):
            out.append(bare)
    return "\n".join(out).strip("\n")
