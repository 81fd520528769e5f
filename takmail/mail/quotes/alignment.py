"""Laying the lines of a mail along the words of a letter: of all ways the one that covers most in the fewest pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from takmail.mail.quotes.words import words_of

MAX_LETTER_CHARS = 40_000
"""Characters of the letter that are compared, spaces not counted."""

MAX_PLACES = 50_000
"""Places in the letter that are tried, for all lines together."""

_LINE_WEIGHT, _MAIL_BREAK, _LETTER_BREAK = 10, 2, 3


@dataclass(frozen=True, slots=True)
class LetterWords:
    """The words of the letter run together, and where each begins; `starts` ends with where the last ends."""

    chars: str
    starts: list[int]

    def word_at(self, char: int) -> int | None:
        """The number of the word that begins at a character, None inside a word."""
        word = bisect_left(self.starts, char)
        return word if self.starts[word] == char else None

    def chars_of(self, laid: "Aligned") -> int:
        """How many characters of the letter a line covers."""
        return self.starts[laid.end] - self.starts[laid.start]

    def places(self, sought: str, most: int) -> list[tuple[int, int]]:
        """Where some whole words stand: (first word, word after the last), in order, after at most `most` tries."""
        found: list[tuple[int, int]] = []
        at = -1
        for _ in range(most):
            at = self.chars.find(sought, at + 1)
            if at < 0:
                break
            start, end = self.word_at(at), self.word_at(at + len(sought))
            if start is not None and end is not None:
                found.append((start, end))
        return found

    def going_on(self, ends: Iterable[int], sought: str) -> Iterator[tuple[int, int]]:
        """Where some whole words stand that begin where others end: (first word, word after the last)."""
        for start in ends:
            at = self.starts[start]
            end = self.word_at(at + len(sought)) if self.chars.startswith(sought, at) else None
            if end is not None:
                yield start, end


@dataclass(frozen=True, slots=True)
class Aligned:
    """A line of the mail laid on the words [start, end) of the letter, `before` being the line before."""

    score: int
    line: int
    start: int
    end: int
    before: "Aligned | None"


class _Best:
    """The best way so far to end at or before a word: prefix maxima in a Fenwick tree."""

    __slots__ = ("_tree",)

    def __init__(self, words: int) -> None:
        self._tree: list[Aligned | None] = [None] * (words + 2)

    def up_to(self, word: int) -> Aligned | None:
        best: Aligned | None = None
        at = word + 1
        while at > 0:
            one = self._tree[at]
            if one is not None and (best is None or one.score > best.score):
                best = one
            at -= at & -at
        return best

    def put(self, laid: Aligned) -> None:
        at = laid.end + 1
        while at < len(self._tree):
            one = self._tree[at]
            if one is None or laid.score > one.score:
                self._tree[at] = laid
            at += at & -at


def letter_words(text: str) -> LetterWords:
    """The words of a letter, as many of them as are compared."""
    words = words_of(text)
    starts = [0, *accumulate(map(len, words))]
    kept = bisect_right(starts, MAX_LETTER_CHARS)
    return LetterWords("".join(words[: kept - 1]), starts[:kept])


def best_chain(known: LetterWords, pairs: Sequence[tuple[int, list[str]]], tried: int) -> list[Aligned]:
    """The best way to lay the mail's lines along the letter, in order."""
    best = _Best(len(known.starts))
    most = max(4, tried // len(pairs))
    places: dict[str, list[tuple[int, int]]] = {}
    above: dict[int, Aligned] = {}
    for number, words in pairs:
        sought = "".join(words)
        if sought not in places:
            places[sought] = known.places(sought, most)
        # Of words that stand everywhere those that go on from the line above are found behind any number of others.
        at = dict.fromkeys([*places[sought], *islice(known.going_on(above, sought), most)])
        laid = [_lay(number, len(sought), place, best, above) for place in at]
        for one in laid:
            best.put(one)
        above = {one.end: one for one in laid}
    chain: list[Aligned] = []
    last = best.up_to(len(known.starts) - 1)
    while last is not None:
        chain.append(last)
        last = last.before
    return chain[::-1]


def _lay(number: int, chars: int, place: tuple[int, int], best: _Best, above: dict[int, Aligned]) -> Aligned:
    start, end = place
    joined = above.get(start)
    apart = best.up_to(start)
    gain = _LINE_WEIGHT * chars
    score = gain - (_LETTER_BREAK if start else 0)
    before: Aligned | None = None
    if apart is not None:
        broken = apart.score - _MAIL_BREAK - (_LETTER_BREAK if apart.end != start else 0)
        if broken + gain > score:
            score, before = broken + gain, apart
    if joined is not None and joined.score + gain >= score:
        score, before = joined.score + gain, joined
    return Aligned(score, number, start, end, before)
