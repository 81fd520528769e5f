"""Find a known letter inside a mail, however the mail program has reformatted the letter.

Mail programs change quote prefixes, line breaks and spaces, but not the words or their order. For that reason every
line of the mail is searched in the concatenated words of the letter. Of all alignments of the mail with the letter, the
best one covers the most characters with the fewest breaks. If the player types a line of the letter again, the typed
line is kept. Aligning it in place of the quoted line would cover as much, with one more break.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

from takmail.limits.mails import MAX_COMPARED_CHARS, MAX_COMPARED_LINES, MAX_COMPARED_PLACES
from takmail.mail.quotes.alignment import Aligned, LetterWords, best_chain, first_words
from takmail.mail.quotes.fragments import Piece, pasted_lines
from takmail.mail.quotes.words import long_words, words_by_line, words_of

_LONGER_THAN_A_ROW = 120
"""The number of characters without blanks that no row of a board reaches.

The alternative text of a picture is longer.
"""


def text_above_quote(text: str, letter: str) -> str:
    """Return the text above a quote of the whole letter at the end; the whole text if it doesn't end with that quote.

    Blanks and line ends are ignored, because programs wrap lines anew. One long line of the letter may be missing,
    because most programs drop the alternative text of a picture.
    """
    lines = text.rstrip().split("\n")
    first = len(lines)
    while first and lines[first - 1].startswith(">"):
        first -= 1
    quoted = _run_together("\n".join([line[1:] for line in lines[first:]]))
    return "\n".join(lines[:first]) if _is_nearly_whole(quoted, letter) else text


def _is_nearly_whole(quoted: str, letter: str) -> bool:
    """Return whether a quote is the letter, or the letter without one of its long lines."""
    whole = _run_together(letter)
    missing = len(whole) - len(quoted)
    if missing <= _LONGER_THAN_A_ROW:
        return quoted == whole
    left_out = (line for line in map(_run_together, letter.split("\n")) if len(line) == missing)
    return any(whole.replace(line, "", 1) == quoted for line in left_out)


def _run_together(text: str) -> str:
    return "".join(text.split())


# The minimum share of the letter that unmarked lines must repeat to be a quote, without and with a hint.
_SHARE, _SHARE_WHEN_HINTED = 0.6, 0.2
_PROSE_WORDS = 15  # with this number of different long words, unmarked lines are a quote whatever their share
_FEW_WORDS = 8  # a run of aligned lines with this number of words is not short
_NEAR_WORDS = 10  # the maximum number of words between a short run and another run to which it belongs


@dataclass(frozen=True, slots=True)
class ComparedLines:
    """The lines of a mail that are compared with letters.

    `texts` are the lines by number, without the prefix `>`, and `words` are the words of those that are compared.
    """

    texts: Mapping[int, str]
    words: Mapping[int, list[str]]


def compared_lines(texts: Mapping[int, str]) -> ComparedLines:
    """Return the lines of a mail with their words. `texts` are the lines by number, without the prefix `>`."""
    numbers = list(islice((number for number, line in texts.items() if line.strip()), MAX_COMPARED_LINES))
    worded = words_by_line([texts[number][:MAX_COMPARED_CHARS] for number in numbers])
    return ComparedLines(
        texts, {number: words for number, words in zip(numbers, worded, strict=True) if words}
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A letter, and the lines of a mail that are compared with it.

    `letter` is the letter's text, `letter_words` are all its words, and `known` are those that are compared. `texts`
    and `words` are those of `ComparedLines`. `marked` are the numbers of the lines that had a prefix `>`.
    """

    letter: str
    letter_words: list[str]
    known: LetterWords
    texts: Mapping[int, str]
    words: Mapping[int, list[str]]
    marked: frozenset[int]

    def letter_lines(self) -> Iterator[list[str]]:
        """Return the words of each line of the letter."""
        return map(words_of, self.letter.split("\n"))


def quoted_lines(
    letter: str,
    lines: ComparedLines,
    marked: frozenset[int],
    hinted: bool,
    places: int = MAX_COMPARED_PLACES,
) -> frozenset[int]:
    """Return the numbers of the lines that are quoted from a letter. Blank lines are never among them.

    `marked` are the numbers of the lines that had the prefix `>`. `hinted` is true if something else shows that a quote
    follows. `places` is the maximum number of candidate positions in the letter.
    """
    letter_words = words_of(letter)
    compared = _Comparison(letter, letter_words, first_words(letter_words), lines.texts, lines.words, marked)
    if not compared.known.chars or not compared.words:
        return frozenset()
    begun = _first_lines_quoted(compared)
    if _is_whole(compared):
        # This is the common case. No other alignment covers more with fewer breaks.
        along = frozenset(number for number in compared.words if number in marked)
    else:
        chain = best_chain(compared.known, compared.words, places)
        along = _quoted_in_alignment(compared, chain, hinted)
    # The letter's first lines may be both quoted and typed. If any of them are aligned, the alignment decides better
    # which lines are quoted.
    return along if along & begun else along | begun


def _is_whole(compared: _Comparison) -> bool:
    """Return whether the marked lines are the whole letter, or the letter without one piece, such as a picture's text.

    If a piece is missing, no unmarked line may be among the marked ones, because that line might be the piece.
    """
    known = compared.known
    quoted = ["".join(words) for number, words in compared.words.items() if number in compared.marked]
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
    return is_between and is_of_words and _is_one_run(compared)


def _is_one_run(compared: _Comparison) -> bool:
    """Return whether the marked lines are consecutive."""
    places = [at for at, number in enumerate(compared.words) if number in compared.marked]
    return places[-1] - places[0] == len(places) - 1


def _first_lines_quoted(compared: _Comparison) -> frozenset[int]:
    """Return the unmarked lines that repeat the beginning of the letter, at least its first two lines.

    They cover too little of the letter to show a quote, and the first of them may be the opponent's move.
    """
    heads = list(islice(filter(None, compared.letter_lines()), 2))
    if len(heads) < 2:
        return frozenset()
    lines = list(compared.words.items())
    found = set[int]()
    for at, (number, words) in enumerate(lines):
        if words == heads[0] and number not in compared.marked and number not in found:
            run, covered = _run(compared, islice(lines, at, None))
            found.update(run if covered >= len(heads[0]) + len(heads[1]) else ())
    return frozenset(found)


def _run(compared: _Comparison, lines: Iterable[tuple[int, list[str]]]) -> tuple[list[int], int]:
    """Return the first lines that repeat the letter from its start, and the number of words that they cover."""
    run: list[int] = []
    covered = 0
    for number, words in lines:
        after = covered + len(words)
        if number in compared.marked or compared.letter_words[covered:after] != words:
            break
        run.append(number)
        covered = after
    return run, covered


def _quoted_in_alignment(compared: _Comparison, chain: list[Aligned], hinted: bool) -> frozenset[int]:
    """Return the lines of the best alignment that are quoted."""
    marked = [one for one in chain if one.line in compared.marked]
    unmarked = [one for one in chain if one.line not in compared.marked]
    covered = sum(map(compared.known.chars_of, unmarked))
    if sum(map(compared.known.chars_of, marked)) >= covered:
        return _with_wrapped_ends(compared, chain)
    if _is_quote_without_prefixes(compared, chain, covered, hinted):
        return _whole_runs(chain) | _altered(compared, chain)
    pieces = [Piece(one.line, one.start, one.end) for one in unmarked]
    return pasted_lines(pieces, compared.words, compared.letter_lines())


def _is_quote_without_prefixes(
    compared: _Comparison, chain: list[Aligned], covered: int, hinted: bool
) -> bool:
    """Return whether the unmarked lines of the alignment are a quote. `covered` are the characters that they cover.

    A smaller share may be words that occur by chance or a retyped board. Prose is enough, because nobody retypes it.
    """
    if covered >= (_SHARE_WHEN_HINTED if hinted else _SHARE) * len(compared.known.chars):
        return True
    prose = {word for one in chain for word in long_words(compared.words[one.line])}
    return len(prose) >= _PROSE_WORDS


def _with_wrapped_ends(compared: _Comparison, chain: list[Aligned]) -> frozenset[int]:
    """Return the marked lines of the alignment, with the unmarked line ends that a program wrapped off them."""
    marked = compared.marked
    found: set[int] = set()
    for above, one in pairwise(chain):
        belongs = above.line in marked or above.line in found
        # A program moves an address that is too long to the next line, and leaves the prefix alone on the line above
        # the address.
        is_next = one.line == above.line + 1 or "://" in compared.texts[one.line]
        if one.line not in marked and belongs and one.start == above.end and is_next:
            found.add(one.line)
    return frozenset(found) | (frozenset(one.line for one in chain) & marked)


def _whole_runs(chain: list[Aligned]) -> frozenset[int]:
    """Return the lines of the alignment, except isolated short ones, which may match by chance."""
    runs: list[list[Aligned]] = []
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


def _altered(compared: _Comparison, chain: list[Aligned]) -> frozenset[int]:
    """Return the altered lines: those between quoted ones that share most words with the letter's text missing there.

    A program has inserted something into these lines. Only long words count, so that no move or board is taken for an
    altered line.
    """
    found: set[int] = set()
    for above, below in pairwise(chain):
        missing = Counter(long_words(compared.letter_words[above.end : below.start]))
        for number in range(above.line + 1, below.line) if missing else ():
            long = Counter(long_words(compared.words.get(number, ())))
            if (long & missing).total() >= max(3, 0.6 * long.total()) and number not in compared.marked:
                found.add(number)
    return frozenset(found)
