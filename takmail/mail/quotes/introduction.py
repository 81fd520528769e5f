"""What programs put above a quote, and where the quote is to which it belongs."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a program put above a quote: the lines [first, after), and what was typed before it on the first."""

    first: int
    after: int
    rest: str = ""


def above_quotes(
    lines: Sequence[str], introductions: Sequence[Introduction], marked: frozenset[int], known: frozenset[int]
) -> tuple[list[tuple[range, str]], Introduction | None]:
    """The lines from each introduction to the quote below it, and the first one that has no quote below it.

    The quote stands right below; only the answered letter may stand lower, as what a program altered at its head
    is no answer either. Introductions may lie in a row above one quote: every line is named once only.
    """
    bare = sorted(known - marked)
    spans: list[tuple[range, str]] = []
    done = 0
    for number, one in enumerate(introductions):
        if one.first < done or one.first in known:
            continue
        # The first lines of the letter may look like more of what introduces it.
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
    """The next line that isn't blank, from a line on."""
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number
