"""Find the lines of a mail's text that were typed, given the text without quotes."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence


def typed_lines(text: str, typed: str) -> frozenset[int]:
    """Return the numbers of the lines of `text` that were typed. `typed` is the text of these lines.

    Blank lines are left out.

    A line may occur twice, quoted and typed. The lines are therefore searched for from the beginning and from the end,
    and the result that splits fewer paragraphs is returned.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    sought = [line.rstrip() for line in typed.split("\n") if line.strip()]
    last = len(lines) - 1
    down = frozenset(_find_in_order(lines, sought))
    up = frozenset(last - one for one in _find_in_order(lines[::-1], sought[::-1]))
    return min(down, up, key=lambda way: (len(sought) - len(way), _split_paragraphs(lines, way)))


def _find_in_order(lines: Sequence[str], sought: Iterable[str]) -> list[int]:
    """Return the numbers of the lines that equal `sought`, in order.

    A line that was cut off before a quote is found by its beginning.
    """
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for spelling in {line, line.removeprefix("- ")}:  # a signed text has its dashes escaped
            places.setdefault(spelling, []).append(number)
    found: list[int] = []
    start = 0
    for one in sought:
        exact = places.get(one, [])
        at = bisect_left(exact, start)
        if at < len(exact):
            number = exact[at]
        else:
            cut = (number for number in range(start, len(lines)) if lines[number].startswith(one))
            number = next(cut, -1)
        if number >= 0:
            found.append(number)
            start = number + 1
    return found


def _split_paragraphs(lines: Sequence[str], way: frozenset[int]) -> int:
    """Count the places inside paragraphs where a typed line is next to one that was not typed."""
    return sum(
        (number in way) != (number + 1 in way)
        for number in range(len(lines) - 1)
        if lines[number] and lines[number + 1]
    )
