"""Match the introductions that programs put above quotes with the quotes below them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Introduction:
    """The lines from `first` up to but not including `after`, which a program put above a quote.

    `rest` is the text that was typed on the first line before the introduction.
    """

    first: int
    after: int
    rest: str = ""


def above_quotes(
    lines: Sequence[str], introductions: Sequence[Introduction], marked: frozenset[int], known: frozenset[int]
) -> tuple[list[tuple[range, str]], Introduction | None]:
    """Return the lines from each introduction to its quote, and the first introduction that has no quote below it.

    Each span comes with the text typed before its introduction. A quote begins directly below its introduction. Only a
    quote of the answered letter may begin lower, because the program may have altered the first lines of the letter.
    The altered lines are no answer either. Several introductions may precede one quote. Every line is returned only
    once.
    """
    bare = sorted(known - marked)
    spans: list[tuple[range, str]] = []
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
                return spans, one
            quote = bare[at]
        spans.append((range(one.first, quote), one.rest))
        done = quote
    return spans, None


def next_filled(lines: Sequence[str], number: int) -> int:
    """Return the number of the first line from `number` on that isn't blank."""
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number
