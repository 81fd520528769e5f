"""Align the lines of a mail with the words of a letter, so that the most characters match with the fewest breaks."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from takmail.limits.mails import MAX_COMPARED_CHARS

# The gain for each aligned character, the cost of each break between aligned lines, and the additional cost if words of
# the letter are skipped there or before the first aligned line.
_CHAR_WEIGHT, _MAIL_BREAK_COST, _LETTER_BREAK_COST = 10, 2, 3


@dataclass(frozen=True, slots=True)
class LetterWords:
    """The words of the letter without spaces between them, and where each word begins.

    `starts` has the index of each word in `chars`. Its last element is the end of `chars`.
    """

    chars: str
    starts: list[int]

    def word_at(self, char: int) -> int | None:
        """Return the number of the word that begins at character `char`, or None if no word does."""
        word = bisect_left(self.starts, char)
        return word if self.starts[word] == char else None

    def chars_of(self, aligned: "Aligned") -> int:
        """Return the number of the letter's characters that an aligned line covers."""
        return self.starts[aligned.end] - self.starts[aligned.start]

    def places(self, sought: str, most: int) -> list[tuple[int, int]]:
        """Return where `sought` occurs as whole words, in order: (first word, word after the last).

        At most `most` occurrences are examined.
        """
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
        """Yield where `sought` occurs as whole words directly at one of `ends`: (first word, word after the last).

        `ends` are the word indices directly after each possible position of the line above.
        """
        for start in ends:
            at = self.starts[start]
            end = self.word_at(at + len(sought)) if self.chars.startswith(sought, at) else None
            if end is not None:
                yield start, end


@dataclass(frozen=True, slots=True)
class Aligned:
    """A line of the mail, aligned with the words from `start` up to but not including `end` of the letter.

    `before` is the aligned line before it, and `score` is the score of the alignment up to this line.
    """

    score: int
    line: int
    start: int
    end: int
    before: "Aligned | None"


class _Best:
    """The best alignment so far that ends at or before a word, stored as prefix maxima in a Fenwick tree."""

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

    def put(self, aligned: Aligned) -> None:
        at = aligned.end + 1
        while at < len(self._tree):
            one = self._tree[at]
            if one is None or aligned.score > one.score:
                self._tree[at] = aligned
            at += at & -at


def first_words(words: Sequence[str]) -> LetterWords:
    """Return the first words of a letter, up to `MAX_COMPARED_CHARS`."""
    starts = [0, *accumulate(map(len, words))]
    kept = bisect_right(starts, MAX_COMPARED_CHARS)
    return LetterWords("".join(words[: kept - 1]), starts[:kept])


def best_chain(known: LetterWords, lines: Mapping[int, Sequence[str]], tried: int) -> list[Aligned]:
    """Return the best alignment of the mail's lines with the letter, in order. `lines` are the words of each line."""
    best = _Best(len(known.starts))
    most = max(4, tried // len(lines))
    places: dict[str, list[tuple[int, int]]] = {}
    above: dict[int, Aligned] = {}
    for number, words in lines.items():
        sought = "".join(words)
        if sought not in places:
            places[sought] = known.places(sought, most)
        # Frequent words may occur more often than the limit. Positions that continue the line above are always tried.
        at = dict.fromkeys([*places[sought], *islice(known.going_on(above, sought), most)])
        aligned = [_align(number, len(sought), place, best, above) for place in at]
        for one in aligned:
            best.put(one)
        above = {one.end: one for one in aligned}
    chain: list[Aligned] = []
    last = best.up_to(len(known.starts) - 1)
    while last is not None:
        chain.append(last)
        last = last.before
    return chain[::-1]


def _align(
    number: int, chars: int, place: tuple[int, int], best: _Best, above: dict[int, Aligned]
) -> Aligned:
    start, end = place
    joined = above.get(start)
    apart = best.up_to(start)
    gain = _CHAR_WEIGHT * chars
    score = gain - (_LETTER_BREAK_COST if start else 0)
    before: Aligned | None = None
    if apart is not None:
        broken = apart.score - _MAIL_BREAK_COST - (_LETTER_BREAK_COST if apart.end != start else 0)
        if broken + gain > score:
            score, before = broken + gain, apart
    if joined is not None and joined.score + gain >= score:
        score, before = joined.score + gain, joined
    return Aligned(score, number, start, end, before)
