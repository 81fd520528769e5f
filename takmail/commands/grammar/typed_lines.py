"""Which lines of a mail's text were typed now, told from what is left once the quotes are out."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence


def typed_lines(text: str, typed: str) -> frozenset[int]:
    """The numbers of the lines of `text` that `typed`, what is left of it, consists of; blank lines are in none.

    A line that stands there twice, quoted and typed, is looked for from either end. The way that tears fewer
    paragraphs apart is right.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    sought = [line.rstrip() for line in typed.split("\n") if line.strip()]
    last = len(lines) - 1
    down = frozenset(_walk(lines, sought))
    up = frozenset(last - one for one in _walk(lines[::-1], sought[::-1]))
    return min(down, up, key=lambda way: (len(sought) - len(way), _torn(lines, way)))


def _walk(lines: Sequence[str], sought: Iterable[str]) -> list[int]:
    """The numbers of the lines sought, in order; one that is cut short, as above a quote, is found by its beginning."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for spelling in {line, line.removeprefix("- ")}:  # a signed text has its dashes marked
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


def _torn(lines: Sequence[str], way: frozenset[int]) -> int:
    """How many neighbouring lines, with no blank one between, are taken apart."""
    return sum(
        (number in way) != (number + 1 in way)
        for number in range(len(lines) - 1)
        if lines[number] and lines[number + 1]
    )
