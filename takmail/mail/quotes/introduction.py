"""An introduction that a program put above a quote, and where the quote below it begins."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Introduction:
    """The lines from `first` up to but not including `after`, which a program put above a quote.

    `typed_before` is the text that was typed on the first line before the introduction.
    """

    first: int
    after: int
    typed_before: str = ""


def above_quotes(
    lines: Sequence[str], introductions: Sequence[Introduction], marked: frozenset[int], known: frozenset[int]
) -> Iterator[tuple[Introduction, int | None]]:
    """Yield the introductions, each with the line at which its quote begins. The first without a quote is the last.

    A quote begins directly below its introduction. Only a quote of the answered letter may begin lower, because the
    program may have altered the first lines of the letter. Several introductions may precede one quote: the quote of
    each begins at the next one. An introduction within the lines above an earlier quote is left out.
    """
    bare = sorted(known - marked)
    done = 0
    for number, one in enumerate(introductions):
        if one.first < done or one.first in known:
            continue
        # The first lines of the letter may look like part of the introduction.
        after = next((at for at in range(one.first + 1, one.after) if at in known), one.after)
        below = next_filled(lines, after)
        if below in marked or below in known:
            quote = below
        elif number + 1 < len(introductions) and introductions[number + 1].first == below:
            quote = after
        else:
            at = bisect_left(bare, after)
            if at == len(bare):
                yield one, None
                return
            quote = bare[at]
        yield one, quote
        done = quote


def next_filled(lines: Sequence[str], number: int) -> int:
    """Return the number of the first line from `number` on that isn't blank."""
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number
