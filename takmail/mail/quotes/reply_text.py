"""Extract the text that a player typed from the whole text of their mail."""

import re
from collections.abc import Iterator

from takmail.mail.quotes.attribution import attribution_at, ends_of_attributions
from takmail.mail.quotes.header_block import header_block, header_kinds, sender_in
from takmail.mail.quotes.introduction import Introduction, above_quotes, next_filled
from takmail.mail.quotes.known_letters import quoted_lines
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.prefixes import prefix_lengths
from takmail.mail.quotes.separators import (
    is_decoration,
    is_sent_from,
    is_separator,
    is_signature_mark,
    may_separate,
    readable,
)
from takmail.mail.quotes.words import words_of

# The maximum number of characters of a line that may be an introduction. Longer lines of a letter don't look like one.
_MAX_INTRODUCTION_CHARS = 1_000
# The maximum number of lines that are typed in place of a deleted quote. Every letter is longer.
_MAX_LINES_FOR_QUOTE = 3
_SAYS_AT_END = re.compile(r"\bsa(?:id|ys)\s?:\s*$")
_PGP_START = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"


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
    sides = tuple(filter(None, (html_text, answered)))
    return _joined(_Mail(_without_armour(text.split("\n")), sides, own).typed())


class _Mail:
    """The lines of a mail, and which of them are known not to be typed."""

    __slots__ = (
        "_cut",
        "_headers",
        "_known",
        "_letter",
        "_lines",
        "_marked",
        "_marks",
        "_own",
        "_plain",
        "_sides",
        "_typed_before",
    )

    def __init__(self, lines: list[str], sides: tuple[str, ...], own: OwnAddress | None) -> None:
        self._lines = lines
        self._own = own
        # The same lines, without invisible characters.
        self._plain = plain = readable("\n".join(lines)).split("\n")
        self._sides = sides
        # A line of the letter that looks like an introduction introduces nothing. The set combines both sides of the
        # letter, which are mostly equal and repeat the links of moves.
        self._letter = set(map(_squeezed, {line for side in sides or ("",) for line in side.split("\n")}))
        attributed = ends_of_attributions(plain)
        introduced = {
            number for number in attributed if attribution_at(plain, number, quote_follows=False) is not None
        }
        self._marks = prefix_lengths(plain, introduced, self._letter, _squeezed)
        self._marked = frozenset(self._marks)
        self._headers = header_kinds(plain)
        self._cut = len(lines)
        self._typed_before: dict[int, str] = {}
        ends = [
            number for number in attributed if self._may_introduce(number) and self._headers[number] is None
        ]
        introductions = self._find_introductions(ends)
        self._known = self._find_known(introductions)
        self._remove(self._written_by_programs(introductions))
        self._remove_attributions(ends)

    def typed(self) -> Iterator[str]:
        """Yield the typed lines."""
        dropped = self._marked | self._known
        begun = signed = signature = False
        for number, line in enumerate(self._plain[: self._cut]):
            if number in self._typed_before or number in dropped:
                # A signature ends where a quote begins. A marked line may be part of the signature, such as a proverb.
                signature = signature and number not in self._typed_before and number not in self._known
                signed = False
                if self._typed_before.get(number):
                    begun = True
                    yield self._typed_before[number]
            elif is_signature_mark(line):
                signature = True
            elif signature:
                continue
            elif is_decoration(line):
                signed = signed or (begun and is_sent_from(line) and self._stands_alone(number))
            elif not signed:
                begun = begun or bool(line.strip())
                yield self._lines[number]

    def _stands_alone(self, number: int) -> bool:
        """Return whether a line is a paragraph of its own.

        An unmarked letter may follow below a line that a program added.
        """
        around = [at for at in (number - 1, number + 1) if 0 <= at < len(self._plain)]
        return all(not self._plain[at].strip() for at in around)

    def _find_introductions(self, ends: list[int]) -> list[Introduction]:
        """Return the unmistakable introductions of quotes, in order."""
        attributions: dict[int, Introduction] = {}
        for number in ends:
            found = attribution_at(self._plain, number, quote_follows=False)
            if found is not None:
                # If two attributions begin at the same line, the longer one is complete.
                attributions[found[0]] = Introduction(found[0], number + 1, found[1])
        introductions: list[Introduction] = []
        number = 0
        while number < len(self._plain):
            one = self._opening_at(number) or attributions.get(number)
            if one is not None:
                introductions.append(one)
            number = one.after if one is not None else number + 1
        return introductions

    def _written_by_programs(self, introductions: list[Introduction]) -> list[Introduction]:
        """Return the introductions without those that the player typed, such as "Ada said:" above the quoted letter."""
        quoted = self._marked | self._known
        own = max(
            (
                one.first
                for one in introductions
                if self._is_ours(one) and next_filled(self._plain, one.after) in quoted
            ),
            default=0,
        )
        return [one for one in introductions if one.first >= own or not self._may_be_typed(one)]

    def _may_be_typed(self, one: Introduction) -> bool:
        """Return whether a person may have typed an introduction. A program writes an address or `wrote`."""
        text = " ".join(self._plain[one.first : one.after])
        return self._headers[one.first] is None and "@" not in text and bool(_SAYS_AT_END.search(text))

    def _opening_at(self, number: int) -> Introduction | None:
        """Return the header block or separator (`-----Original Message-----`) that begins at a line, or None."""
        line = self._plain[number]
        after = header_block(self._plain, self._headers, number)
        if after is None and may_separate(line):
            below = next_filled(self._plain, number + 1)
            headed = below < len(self._plain) and self._headers[below] is not None
            after = number + 1 if is_separator(line, headed) else None
        return Introduction(number, after) if after is not None and self._may_introduce(number) else None

    def _find_known(self, introductions: list[Introduction]) -> frozenset[int]:
        """Return the lines of the answered letter, which must be below the first introduction.

        A program quotes either the text or the HTML side of the letter. The side that covers more of the mail is used.
        """
        if not self._sides:
            return frozenset()
        start = introductions[0].first if introductions else 0
        lines = {
            number: line[self._marks.get(number, 0) :]
            for number, line in enumerate(self._plain)
            if line and number >= start
        }
        introduced = [range(one.first, one.after) for one in introductions]
        rest = {number for number, line in lines.items() if line.strip()}.difference(*introduced)
        best: frozenset[int] = frozenset()
        for side in self._sides:
            known = quoted_lines(side, lines, self._marked, bool(introductions))
            best = max(known, best, key=lambda one: sum(len(lines[number]) for number in one))
            # If one side covers everything, the other can't cover more, and searching for it takes as long again.
            if rest <= known:
                break
        return best

    def _may_introduce(self, number: int) -> bool:
        return number not in self._marked and _squeezed(self._plain[number]) not in self._letter

    def _remove(self, introductions: list[Introduction]) -> None:
        """Remove introductions. If the quote below one can't be separated, the rest of the mail is removed, too."""
        spans, cut = above_quotes(self._plain, introductions, self._marked, self._known)
        for span, rest in spans:
            self._typed_before.update(dict.fromkeys(span, ""))
            self._typed_before[span.start] = rest
        if cut is not None and self._quote_deleted(cut):
            self._typed_before.update(dict.fromkeys(range(cut.first, self._past_letter(cut.after)), ""))
        elif cut is not None:
            self._typed_before[cut.first] = cut.rest
            self._cut = cut.first + 1

    def _quote_deleted(self, one: Introduction) -> bool:
        """Return whether only a few typed lines follow an introduction, in place of the answered letter."""
        if one.rest or any(line.strip() for line in self._plain[: one.first]) or not self._is_ours(one):
            return False
        below = sum(1 for line in self._plain[one.after :] if line.strip())
        return below <= _MAX_LINES_FOR_QUOTE and len(self._letter) > 3 * _MAX_LINES_FOR_QUOTE

    def _is_ours(self, one: Introduction) -> bool:
        """Return whether an introduction names a letter of this service, and not somebody else's text."""
        if self._own is None:
            return False
        span = range(one.first, one.after)
        if self._headers[one.first] is None:
            return self._own.is_only_address_in(" ".join(self._plain[at] for at in span))
        sender = sender_in(self._plain, self._headers, span)
        return sender is not None and self._own.is_only_address_in(sender)

    def _past_letter(self, number: int) -> int:
        """Return the first line from `number` on that isn't a line of the letter."""
        while number < len(self._plain) and _squeezed(self._plain[number]) in self._letter:
            number += 1
        return number

    def _remove_attributions(self, ends: list[int]) -> None:
        """Remove attributions that are recognised only by the quote directly below them."""
        quoted = self._marked | self._known
        for number in ends:
            if number >= self._cut or number in self._typed_before or number in quoted:
                continue
            if next_filled(self._plain, number + 1) not in quoted:
                continue
            found = attribution_at(self._plain, number, quote_follows=True)
            if found is not None:
                self._typed_before.update(dict.fromkeys(range(found[0], number + 1), ""))
                self._typed_before[found[0]] = found[1]


def _squeezed(line: str) -> str:
    return "".join(words_of(line[:_MAX_INTRODUCTION_CHARS]))


def _without_armour(lines: list[str]) -> list[str]:
    """Return the lines inside a PGP-signed text (RFC 9580 §7), or all lines if the text isn't signed."""
    if _PGP_START not in lines:
        return lines
    start = lines.index(_PGP_START)
    blank = next((at for at in range(start, len(lines)) if not lines[at].strip()), start)
    end = lines.index(_PGP_END) if _PGP_END in lines[blank:] else len(lines)
    return lines[:start] + [line.removeprefix("- ") for line in lines[blank + 1 : end]]


def _joined(lines: Iterator[str]) -> str:
    """Join the lines without trailing spaces, consecutive blank lines, and blank lines at the start and end."""
    out: list[str] = []
    for line in lines:
        bare = line.rstrip()
        if bare or (out and out[-1]):
            out.append(bare)
    return "\n".join(out).strip("\n")
