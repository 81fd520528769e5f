"""Finding a letter that we know inside a mail, whatever the mail program did to it.

Marks, line breaks and spaces change, the words and their order don't. So every line of the mail is looked up
in the letter's words run together, and of all the ways to lay the mail's lines along the letter the one
counts that covers most of it in the fewest pieces. A player who types a line of the letter anew keeps it:
laying his line on the letter would leave the quoted one over, no better cover and one more break.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise

from takmail.mail.pasted import Piece, pasted
from takmail.mail.typography import PLAIN

MAX_LETTER_CHARS = 40_000
"""Characters of the letter that are compared, spaces not counted."""

MAX_LINES = 3_000
"""Lines of the mail that are compared, blank ones not counted."""

MAX_PLACES = 50_000
"""Places in the letter that are tried, for all lines together."""

_LINE_WEIGHT, _MAIL_BREAK, _LETTER_BREAK = 10, 2, 3
_SHARE, _SHARE_WHEN_HINTED = 0.6, 0.2
_PROSE_WORDS = 15
_LONGEST_WORD = 60
_FEW_WORDS = 8
_NEAR_WORDS = 10

# Soft hyphens, zero widths, and the marks of bold text.
_PLAIN = PLAIN | dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff*"))
# Programs write the target of a link behind it: `flat <mailto:...>`, Gmail without the `mailto:`, Proton in brackets.
_TARGET = r"(?:mailto:|https?://)[^<>()\s]*"
_LINK = re.compile(rf"<(?:{_TARGET}|[^<>@\s]{{1,200}}@[^<>?\s]{{1,200}}\?[^<>\s]*)>", re.IGNORECASE)
_BRACKETED = re.compile(rf"\[([^\[\]]*)\]\({_TARGET}\)", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared, made plain; each letter of a very long one, which may be broken off."""
    if "](" in text:
        text = _BRACKETED.sub(r"\1", text)
    if "<" in text:
        text = _LINK.sub(" ", text)
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN)
    if len(plain) <= _LONGEST_WORD:
        return plain.split()
    return [part for word in plain.split() for part in (word if len(word) > _LONGEST_WORD else (word,))]


@dataclass(frozen=True, slots=True)
class _Letter:
    """The words of the letter run together, and where each begins; `starts` ends with where the last ends."""

    chars: str
    starts: list[int]

    def word_at(self, char: int) -> int | None:
        """The number of the word that begins at a character, None inside a word."""
        word = bisect_left(self.starts, char)
        return word if self.starts[word] == char else None

    def chars_of(self, laid: "_Laid") -> int:
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
class _Laid:
    """A line of the mail laid on the words [start, end) of the letter, `before` being the line before."""

    score: int
    line: int
    start: int
    end: int
    before: "_Laid | None"


class _Best:
    """The best way so far to end at or before a word: prefix maxima in a Fenwick tree."""

    __slots__ = ("_tree",)

    def __init__(self, words: int) -> None:
        self._tree: list[_Laid | None] = [None] * (words + 2)

    def up_to(self, word: int) -> _Laid | None:
        best: _Laid | None = None
        at = word + 1
        while at > 0:
            one = self._tree[at]
            if one is not None and (best is None or one.score > best.score):
                best = one
            at -= at & -at
        return best

    def put(self, laid: _Laid) -> None:
        at = laid.end + 1
        while at < len(self._tree):
            one = self._tree[at]
            if one is None or laid.score > one.score:
                self._tree[at] = laid
            at += at & -at


def quoted_from(
    letter: str, lines: Mapping[int, str], marked: frozenset[int], hinted: bool, places: int = MAX_PLACES
) -> frozenset[int]:
    """Which lines of a mail are quoted from a letter.

    `lines` are the mail's lines by number, without `>`; `marked` the numbers of those that had one; `hinted`
    tells whether something else shows that a quote follows; `places` is how many are tried in the letter. Blank
    lines are never among the result.
    """
    known = _letter(letter)
    if not known.chars:
        return frozenset()
    worded = ((number, words_of(line[:MAX_LETTER_CHARS])) for number, line in lines.items())
    pairs = list(islice(((number, words) for number, words in worded if words), MAX_LINES))
    if not pairs:
        return frozenset()
    begun = _begun(letter, pairs, marked)
    if _is_whole(known, pairs, marked):
        # As in most mails: no other way to lay the lines covers more with fewer breaks.
        along = frozenset(number for number, _ in pairs if number in marked)
    else:
        along = _along(known, letter, lines, pairs, marked, hinted, _chain(known, pairs, places))
    # Where the whole letter shows, it tells better which line is the letter's and which is typed and begins alike.
    return along if along & begun else along | begun


def _is_whole(known: _Letter, pairs: Sequence[tuple[int, list[str]]], marked: frozenset[int]) -> bool:
    """Whether the marked lines are all of the letter, or all but a piece: programs leave out the words for a picture.

    Where a piece is missing no other line may stand among them: it might be that piece.
    """
    quoted = ["".join(words) for number, words in pairs if number in marked]
    at = lines = 0
    while lines < len(quoted) and known.chars.startswith(quoted[lines], at):
        at += len(quoted[lines])
        lines += 1
    rest = "".join(quoted[lines:])
    again = len(known.chars) - len(rest)
    if again <= at or not known.chars.endswith(rest):
        return again == at and known.chars.endswith(rest)
    is_between = 0 < at < again < len(known.chars) and again - at < at + len(rest)
    is_of_words = known.word_at(at) is not None and known.word_at(again) is not None
    return is_between and is_of_words and _is_one_run(pairs, marked)


def _is_one_run(pairs: Sequence[tuple[int, list[str]]], marked: frozenset[int]) -> bool:
    """Whether no line stands between marked ones that isn't."""
    places = [at for at, (number, _) in enumerate(pairs) if number in marked]
    return places[-1] - places[0] == len(places) - 1


def _begun(letter: str, pairs: Sequence[tuple[int, list[str]]], marked: frozenset[int]) -> frozenset[int]:
    """The lines of a bare quote that was cut to the letter's first lines, two at the least.

    They cover too little of it to show a quote, and the first may be a move: the opponent's.
    """
    heads = list(islice(filter(None, map(words_of, letter.split("\n"))), 2))
    if len(heads) < 2:
        return frozenset()
    firsts = [at for at, (number, line) in enumerate(pairs) if line == heads[0] and number not in marked]
    words = words_of(letter) if firsts else []
    found = set[int]()
    for at in firsts:
        if pairs[at][0] not in found:
            run, covered = _run(words, islice(pairs, at, None), marked)
            found.update(run if covered >= len(heads[0]) + len(heads[1]) else ())
    return frozenset(found)


def _run(
    words: list[str], pairs: Iterable[tuple[int, list[str]]], marked: frozenset[int]
) -> tuple[list[int], int]:
    """The lines, from the first one on, that repeat the words from their first on; and how many words those are."""
    run: list[int] = []
    covered = 0
    for number, line in pairs:
        if number in marked or words[covered : covered + len(line)] != line:
            break
        run.append(number)
        covered += len(line)
    return run, covered


def _along(
    known: _Letter,
    letter: str,
    lines: Mapping[int, str],
    pairs: Sequence[tuple[int, list[str]]],
    marked: frozenset[int],
    hinted: bool,
    chain: list[_Laid],
) -> frozenset[int]:
    """The quoted ones of the lines that the best chain lays along the letter."""
    marked_chars = sum(known.chars_of(laid) for laid in chain if laid.line in marked)
    bare_chars = sum(known.chars_of(laid) for laid in chain) - marked_chars
    if marked_chars >= bare_chars:
        return _overhanging(chain, marked, lines)
    # Words of the letter typed by chance, or a board typed anew, cover less of it, and nobody retypes prose.
    worded_lines = dict(pairs)
    prose = {word for laid in chain for word in worded_lines[laid.line] if len(word) > 3}
    share = _SHARE_WHEN_HINTED if hinted else _SHARE
    if bare_chars < share * len(known.chars) and len(prose) < _PROSE_WORDS:
        pieces = [Piece(laid.line, laid.start, laid.end) for laid in chain if laid.line not in marked]
        return pasted(pieces, worded_lines, map(words_of, letter.split("\n")))
    return _whole_runs(chain) | _altered(known, letter, chain, worded_lines, marked)


def _letter(text: str) -> _Letter:
    words = words_of(text)
    starts = [0, *accumulate(map(len, words))]
    kept = bisect_right(starts, MAX_LETTER_CHARS)
    return _Letter("".join(words[: kept - 1]), starts[:kept])


def _chain(known: _Letter, pairs: Sequence[tuple[int, list[str]]], tried: int) -> list[_Laid]:
    """The best way to lay the mail's lines along the letter, in order."""
    best = _Best(len(known.starts))
    most = max(4, tried // len(pairs))
    places: dict[str, list[tuple[int, int]]] = {}
    above: dict[int, _Laid] = {}
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
    chain: list[_Laid] = []
    last = best.up_to(len(known.starts) - 1)
    while last is not None:
        chain.append(last)
        last = last.before
    return chain[::-1]


def _lay(number: int, chars: int, place: tuple[int, int], best: _Best, above: dict[int, _Laid]) -> _Laid:
    start, end = place
    joined = above.get(start)
    apart = best.up_to(start)
    gain = _LINE_WEIGHT * chars
    score = gain - (_LETTER_BREAK if start else 0)
    before: _Laid | None = None
    if apart is not None:
        broken = apart.score - _MAIL_BREAK - (_LETTER_BREAK if apart.end != start else 0)
        if broken + gain > score:
            score, before = broken + gain, apart
    if joined is not None and joined.score + gain >= score:
        score, before = joined.score + gain, joined
    return _Laid(score, number, start, end, before)


def _overhanging(chain: list[_Laid], marked: frozenset[int], lines: Mapping[int, str]) -> frozenset[int]:
    """The ends of marked lines that a program broke off without marking them again."""
    found: set[int] = set()
    for above, one in pairwise(chain):
        belongs = above.line in marked or above.line in found
        # An address is too long for the line that has the mark, which then stands alone above it.
        is_next = one.line == above.line + 1 or "://" in lines[one.line]
        if one.line not in marked and belongs and one.start == above.end and is_next:
            found.add(one.line)
    return frozenset(found) | (frozenset(one.line for one in chain) & marked & lines.keys())


def _whole_runs(chain: list[_Laid]) -> frozenset[int]:
    """The lines of the chain without those that a few words of the letter might have met by chance."""
    runs: list[list[_Laid]] = []
    for one in chain:
        if runs and runs[-1][-1].end == one.start:
            runs[-1].append(one)
        else:
            runs.append([one])
    found: set[int] = set()
    for number, run in enumerate(runs):
        before = run[0].start - runs[number - 1][-1].end if number else _NEAR_WORDS + 1
        after = runs[number + 1][0].start - run[-1].end if number + 1 < len(runs) else _NEAR_WORDS + 1
        if run[-1].end - run[0].start >= _FEW_WORDS or min(before, after) <= _NEAR_WORDS:
            found.update(one.line for one in run)
    return frozenset(found)


def _altered(
    known: _Letter, letter: str, chain: list[_Laid], lines: Mapping[int, list[str]], marked: frozenset[int]
) -> frozenset[int]:
    """Lines between quoted ones that share most of their words with what is missing of the letter there.

    A program has put something into them. Only long words count, so that no move or board is taken for one.
    """
    words = words_of(letter)[: len(known.starts) - 1]
    found: set[int] = set()
    for above, below in pairwise(chain):
        missing = Counter(words[above.end : below.start])
        for number in range(above.line + 1, below.line) if missing else ():
            long = Counter(word for word in lines.get(number, ()) if len(word) > 3)
            if (long & missing).total() >= max(3, 0.6 * long.total()) and number not in marked:
                found.add(number)
    return frozenset(found)
