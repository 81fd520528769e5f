"""Finding a letter that we know inside a mail, whatever the mail program did to it.

Marks, line breaks and spaces change, the words and their order don't. So every line of the mail is looked up
in the letter's words run together, and of all the ways to lay the mail's lines along the letter the one
counts that covers most of it in the fewest pieces. A player who types a line of the letter anew keeps it:
laying his line on the letter would leave the quoted one over, no better cover and one more break.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise

from takmail.mail.quotes.alignment import (
    MAX_LETTER_CHARS,
    MAX_PLACES,
    Aligned,
    LetterWords,
    best_chain,
    letter_words,
)
from takmail.mail.quotes.fragments import Piece, pasted
from takmail.mail.quotes.words import words_of

_LONGER_THAN_A_ROW = 120
"""Characters: no line of a board is as long, blanks not counted; what a picture shows is told in more."""


def above_whole(text: str, letter: str) -> str:
    """What stands above a quote of the whole letter that ends the text; all of the text where it ends otherwise.

    Blanks and line ends don't count, as programs break lines anew. One long line of the letter may be missing: most
    programs leave out the words for a picture.
    """
    lines = text.rstrip().split("\n")
    first = len(lines)
    while first and lines[first - 1].startswith(">"):
        first -= 1
    quoted = _run_together("\n".join([line[1:] for line in lines[first:]]))
    return "\n".join(lines[:first]) if _is_nearly(quoted, letter) else text


def _is_nearly(quoted: str, letter: str) -> bool:
    """Whether a quote is the letter, or the letter without one of its long lines."""
    whole = _run_together(letter)
    missing = len(whole) - len(quoted)
    if missing <= _LONGER_THAN_A_ROW:
        return quoted == whole
    left_out = (line for line in map(_run_together, letter.split("\n")) if len(line) == missing)
    return any(whole.replace(line, "", 1) == quoted for line in left_out)


def _run_together(text: str) -> str:
    return "".join(text.split())


MAX_LINES = 3_000
"""Lines of the mail that are compared, blank ones not counted."""

_SHARE, _SHARE_WHEN_HINTED = 0.6, 0.2
_PROSE_WORDS = 15
_FEW_WORDS = 8
_NEAR_WORDS = 10


def quoted_from(
    letter: str, lines: Mapping[int, str], marked: frozenset[int], hinted: bool, places: int = MAX_PLACES
) -> frozenset[int]:
    """Which lines of a mail are quoted from a letter.

    `lines` are the mail's lines by number, without `>`; `marked` the numbers of those that had one; `hinted`
    tells whether something else shows that a quote follows; `places` is how many are tried in the letter. Blank
    lines are never among the result.
    """
    known = letter_words(letter)
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
        along = _along(known, letter, lines, pairs, marked, hinted, best_chain(known, pairs, places))
    # Where the whole letter shows, it tells better which line is the letter's and which is typed and begins alike.
    return along if along & begun else along | begun


def _is_whole(known: LetterWords, pairs: Sequence[tuple[int, list[str]]], marked: frozenset[int]) -> bool:
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
    known: LetterWords,
    letter: str,
    lines: Mapping[int, str],
    pairs: Sequence[tuple[int, list[str]]],
    marked: frozenset[int],
    hinted: bool,
    chain: list[Aligned],
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


def _overhanging(chain: list[Aligned], marked: frozenset[int], lines: Mapping[int, str]) -> frozenset[int]:
    """The ends of marked lines that a program broke off without marking them again."""
    found: set[int] = set()
    for above, one in pairwise(chain):
        belongs = above.line in marked or above.line in found
        # An address is too long for the line that has the mark, which then stands alone above it.
        is_next = one.line == above.line + 1 or "://" in lines[one.line]
        if one.line not in marked and belongs and one.start == above.end and is_next:
            found.add(one.line)
    return frozenset(found) | (frozenset(one.line for one in chain) & marked & lines.keys())


def _whole_runs(chain: list[Aligned]) -> frozenset[int]:
    """The lines of the chain without those that a few words of the letter might have met by chance."""
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


def _altered(
    known: LetterWords,
    letter: str,
    chain: list[Aligned],
    lines: Mapping[int, list[str]],
    marked: frozenset[int],
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
