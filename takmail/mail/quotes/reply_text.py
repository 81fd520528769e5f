"""Extract the text that a player typed from the whole text of their mail.

There are four steps. `examined` finds out what each line shows by itself, such as a quote prefix. `introductions_in`
finds the introductions of quotes. `_known_lines` compares the lines from the first introduction on with the answered
letter. `_fates` decides which lines stay.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from takmail.limits.words import MAX_TYPED_CHARS
from takmail.mail.quotes.attribution import is_attribution_above_quote
from takmail.mail.quotes.introduction import Introduction, above_quotes, next_filled
from takmail.mail.quotes.known_letters import compared_lines, quoted_lines
from takmail.mail.quotes.mail_lines import (
    MailLines,
    examined,
    introductions_in,
    is_ours,
    written_by_programs,
)
from takmail.mail.quotes.own_letters import OwnAddress, quotable
from takmail.mail.quotes.separators import (
    MAX_MARKER_CHARS,
    begins_disclaimer,
    is_decoration,
    is_sent_from,
    is_signature_mark,
)

# The maximum number of lines that are typed in place of a deleted quote. Every letter is longer.
_MAX_LINES_FOR_QUOTE = 3
# The maximum number of characters that are searched for signatures. Of what is typed, half as many are read.
_MAX_EXAMINED_CHARS = 2 * MAX_TYPED_CHARS
_ANY_PREFIX = re.compile(r"[ \t]*(?:[^\W\d_]{0,4}>[ \t]*)+")
_PGP_START = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"


class _Fate(Enum):
    """Whether a line stays in the typed text."""

    KEPT = auto()
    MARKED = auto()
    """The line is removed because it has a quote prefix and nothing else shows that it is quoted."""
    REMOVED = auto()


_Fates = list[_Fate | str]
"""The fate of each line. If only the beginning of a line was typed, the fate is that text."""


def typed_text(
    text: str, answered: str | None, own: OwnAddress | None = None, html_text: str | None = None
) -> str:
    """Return the typed text, without quoted letters, the lines that introduce quotes, and the signature.

    `answered` is the text of the letter that the mail answers. If it is None, that letter isn't known, and quotes are
    recognised only by the prefixes of mail programs. `html_text` is the text of the letter's HTML part, or None if it
    has no such part. `own` recognises introductions of this service's letters. If `own` is None, no introduction counts
    as this service's. Lines keep their order and spelling. Trailing spaces are removed, and consecutive blank lines
    become one.
    """
    return _joined(_typed(*_judged(text, answered, own, html_text)))


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A line of a mail, and what was typed of it, None if it is quoted or was written by a program.

    `within` is what stands in a quote though the answered letter does not have it: some programs mark what is typed
    within a quote like the quote. It is without the quote prefix, of which `depth` is the number of `>`, and '' for any
    other line.
    """

    text: str
    typed: str | None
    within: str = ""
    depth: int = 0


def judged_lines(
    text: str, answered: str | None, own: OwnAddress | None = None, html_text: str | None = None
) -> Iterator[JudgedLine]:
    """Yield the lines of a mail. The parameters are those of `typed_text`."""
    for line, fate in zip(*_judged(text, answered, own, html_text), strict=True):
        typed = line if fate is _Fate.KEPT else fate if isinstance(fate, str) else None
        prefix = _ANY_PREFIX.match(line)
        within = line[prefix.end() :].strip() if prefix and fate is _Fate.MARKED else ""
        yield JudgedLine(line, typed, within, prefix[0].count(">") if prefix else 0)


def _judged(
    text: str, answered: str | None, own: OwnAddress | None, html_text: str | None
) -> tuple[list[str], _Fates]:
    """Return the lines of a mail, and the fate of each."""
    text = _without_armour(text)
    sides = (*quotable(html_text), *filter(None, (answered,)))
    mail = examined(text, sides)
    introductions = introductions_in(mail)
    known = _known_lines(mail, sides, introductions)
    return text.split("\n"), _fates(mail, introductions, known, own)


def _known_lines(
    mail: MailLines, sides: tuple[str, ...], introductions: Sequence[Introduction]
) -> frozenset[int]:
    """Return the lines of the answered letter, which must be below the first introduction.

    A program quotes the text of the letter, or its page with or without the texts of pictures. The one that covers the
    most of the mail is used.
    """
    if not sides:
        return frozenset()
    start = introductions[0].first if introductions else 0
    lines = {
        number: line[mail.prefixes.get(number, 0) :]
        for number, line in enumerate(mail.lines)
        if line and number >= start
    }
    introduced = [range(one.first, one.after) for one in introductions]
    rest = {number for number, line in lines.items() if line.strip()}.difference(*introduced)
    compared, length = compared_lines(lines), sum(len(lines[number]) for number in rest)
    found: dict[str, frozenset[int]] = {}
    # The side that is as long as the quote is the likeliest.
    for side in sorted(sides, key=lambda side: abs(len(side) - length)):
        found[side] = quoted_lines(side, compared, mail.marked, bool(introductions))
        # If one side covers everything, no other can cover more, and searching for it takes as long again.
        if rest <= found[side]:
            return found[side]
    return max(
        (found[side] for side in reversed(sides)), key=lambda one: sum(len(lines[number]) for number in one)
    )


def _fates(
    mail: MailLines, introductions: list[Introduction], known: frozenset[int], own: OwnAddress | None
) -> _Fates:
    """Return the fate of each line. `known` are the lines of the answered letter."""
    fates: _Fates = [_Fate.KEPT] * len(mail.lines)
    for number in mail.marked:
        fates[number] = _Fate.MARKED
    for number in known:
        fates[number] = _Fate.REMOVED
    quoted = mail.marked | known
    by_programs = written_by_programs(mail, introductions, quoted, own)
    for one, quote in above_quotes(mail.lines, by_programs, mail.marked, known):
        _remove(fates, one, quote if quote is not None else _end_of_quote(mail, one, own))
    # Other attributions are recognised only by the quote directly below them.
    for last, attribution in mail.attributions.items():
        if fates[last] is not _Fate.KEPT or next_filled(mail.lines, last + 1) not in quoted:
            continue
        if attribution is not None:
            _remove(fates, attribution, attribution.after)
        elif is_attribution_above_quote(mail.lines[last]):
            fates[last] = _Fate.REMOVED
    _remove_signatures(mail.lines, fates)
    return fates


def _remove(fates: _Fates, one: Introduction, end: int) -> None:
    """Remove an introduction, and the lines below it up to but not including `end`."""
    fates[one.first : end] = [_Fate.REMOVED] * (end - one.first)
    if one.typed_before:
        fates[one.first] = one.typed_before


def _end_of_quote(mail: MailLines, one: Introduction, own: OwnAddress | None) -> int:
    """Return the line after the quote of an introduction that has no recognised quote below it.

    The quote can't be separated from the text below it, so the rest of the mail counts as quoted. If the player has
    deleted the quote, only its first lines may be left.
    """
    if not _is_quote_deleted(mail, one, own):
        return len(mail.lines)
    end = one.after
    while end < len(mail.lines) and mail.is_of_letter(end):
        end += 1
    return end


def _is_quote_deleted(mail: MailLines, one: Introduction, own: OwnAddress | None) -> bool:
    """Return whether only a few typed lines follow an introduction, in place of the answered letter."""
    is_typed_above = one.typed_before or any(line.strip() for line in mail.lines[: one.first])
    if is_typed_above or not is_ours(mail, one, own):
        return False
    below = sum(1 for line in mail.lines[one.after :] if line.strip())
    return below <= _MAX_LINES_FOR_QUOTE and len(mail.letter) > 3 * _MAX_LINES_FOR_QUOTE


def _remove_signatures(lines: Sequence[str], fates: _Fates) -> None:
    """Remove signatures and the lines that programs added, such as `Sent from my …`.

    What is below a signature, or below `Sent from my …`, is removed up to the next quote. Far more lines than are read
    of a typed text are not examined.
    """
    begun = in_signature = below_sent_from = False
    left = _MAX_EXAMINED_CHARS
    for number, line in enumerate(lines):
        fate = fates[number]
        if fate is _Fate.KEPT and not in_signature:
            left -= min(len(line), MAX_MARKER_CHARS) + 1
            if left < 0:
                return
        if fate is not _Fate.KEPT:
            # A signature ends where a quote begins. A marked line may be part of the signature, such as a proverb.
            in_signature = in_signature and fate is _Fate.MARKED
            below_sent_from = False
            begun = begun or isinstance(fate, str)
        elif in_signature or is_signature_mark(line) or begins_disclaimer(lines, number):
            in_signature = True
            fates[number] = _Fate.REMOVED
        elif is_decoration(line):
            below_sent_from = below_sent_from or (
                begun and is_sent_from(line) and _stands_alone(lines, number)
            )
            fates[number] = _Fate.REMOVED
        elif below_sent_from:
            fates[number] = _Fate.REMOVED
        else:
            begun = begun or bool(line.strip())


def _stands_alone(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is a paragraph of its own.

    An unmarked letter may follow below a line that a program added.
    """
    around = [at for at in (number - 1, number + 1) if 0 <= at < len(lines)]
    return all(not lines[at].strip() for at in around)


def _typed(lines: Sequence[str], fates: _Fates) -> Iterator[str]:
    """Yield the typed lines."""
    for line, fate in zip(lines, fates, strict=True):
        if fate is _Fate.KEPT:
            yield line
        elif isinstance(fate, str):
            yield fate


def _without_armour(text: str) -> str:
    """Return the text inside a PGP-signed text (RFC 9580 §7), or the whole text if it isn't signed."""
    lines = text.split("\n")
    if _PGP_START not in lines:
        return text
    start = lines.index(_PGP_START)
    blank = next((at for at in range(start, len(lines)) if not lines[at].strip()), start)
    end = lines.index(_PGP_END) if _PGP_END in lines[blank:] else len(lines)
    return "\n".join(lines[:start] + [line.removeprefix("- ") for line in lines[blank + 1 : end]])


def _joined(lines: Iterator[str]) -> str:
    """Join the lines without trailing spaces, consecutive blank lines, and blank lines at the start and end."""
    out: list[str] = []
    for line in lines:
        bare = line.rstrip()
        if bare or (out and out[-1]):
            out.append(bare)
    return "\n".join(out).strip("\n")
