"""What a player typed now, out of the whole text of his mail."""

import re
from collections.abc import Iterator

from takmail.mail.quotes.attribution import attribution_at, ends_of_attributions
from takmail.mail.quotes.header_block import header_block, header_kinds, sender_in
from takmail.mail.quotes.introduction import Introduction, above_quotes, next_filled
from takmail.mail.quotes.known_letters import quoted_from
from takmail.mail.quotes.own_letters import Own
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

# An introduction is shorter, and a longer line of our letter than this doesn't look like one.
_MAX_INTRODUCTION_CHARS = 1_000
# What is typed where the quote was deleted is shorter, and so is no letter of ours.
_FEW_LINES = 3
_SAID = re.compile(r"\bsa(?:id|ys)\s?:\s*$")
_PGP_START = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_END = "-----BEGIN PGP SIGNATURE-----"


def typed_text(text: str, answered: str | None, own: Own | None = None, html_text: str | None = None) -> str:
    """What was typed now: the text without quoted letters, the lines that introduce them, and the signature.

    `answered` is the text of the letter of ours that the mail answers, None when it isn't known; then only
    the marks of mail programs count. `html_text` is what its HTML side reads as, None when it has none. `own` tells a
    letter of ours from other people's where nothing but its introduction is left of it; without it none is taken for
    ours. Lines keep their order and spelling; trailing spaces go, and of blank lines one between others is left.
    """
    sides = tuple(filter(None, (html_text, answered)))
    return _joined(_Mail(_without_armour(text.split("\n")), sides, own).typed())


class _Mail:
    """A mail's lines while it is found out which of them were typed now."""

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
        "_rests",
        "_sides",
    )

    def __init__(self, lines: list[str], sides: tuple[str, ...], own: Own | None) -> None:
        self._lines = lines
        self._own = own
        # Line for line the same, with nothing that can't be seen.
        self._plain = plain = readable("\n".join(lines)).split("\n")
        self._sides = sides
        # Our own letter may hold a line that looks like a program's; that one introduces nothing.
        # Both sides say the same, and the links of moves one word again and again.
        self._letter = set(map(_squeezed, {line for side in sides or ("",) for line in side.split("\n")}))
        attributed = ends_of_attributions(plain)
        introduced = {
            number for number in attributed if attribution_at(plain, number, quote_follows=False) is not None
        }
        self._marks = prefix_lengths(plain, introduced, self._letter, _squeezed)
        self._marked = frozenset(self._marks)
        self._headers = header_kinds(plain)
        self._cut = len(lines)
        self._rests: dict[int, str] = {}
        ends = [
            number for number in attributed if self._may_introduce(number) and self._headers[number] is None
        ]
        introductions = self._find_introductions(ends)
        self._known = self._find_known(introductions)
        self._take_out(self._by_programs(introductions))
        self._take_out_attributions(ends)

    def typed(self) -> Iterator[str]:
        """The lines that were typed now."""
        dropped = self._marked | self._known
        begun = signed = signature = False
        for number, line in enumerate(self._plain[: self._cut]):
            if number in self._rests or number in dropped:
                # A signature ends where a quote begins; a marked line may be one of its own, as a proverb is.
                signature = signature and number not in self._rests and number not in self._known
                signed = False
                if self._rests.get(number):
                    begun = True
                    yield self._rests[number]
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
        """Whether a line is a paragraph: below one that a program added somebody's letter may stand without marks."""
        around = [at for at in (number - 1, number + 1) if 0 <= at < len(self._plain)]
        return all(not self._plain[at].strip() for at in around)

    def _find_introductions(self, ends: list[int]) -> list[Introduction]:
        """What introduces a quote beyond doubt, in order."""
        attributions: dict[int, Introduction] = {}
        for number in ends:
            found = attribution_at(self._plain, number, quote_follows=False)
            if found is not None:
                # Of two that begin together the longer one is whole.
                attributions[found[0]] = Introduction(found[0], number + 1, found[1])
        introductions: list[Introduction] = []
        number = 0
        while number < len(self._plain):
            one = self._opening_at(number) or attributions.get(number)
            if one is not None:
                introductions.append(one)
            number = one.after if one is not None else number + 1
        return introductions

    def _by_programs(self, introductions: list[Introduction]) -> list[Introduction]:
        """The introductions but those that the player typed: what Ada said, above the quote of our letter."""
        quoted = self._marked | self._known
        own = max(
            (
                one.first
                for one in introductions
                if self._is_ours(one) and next_filled(self._plain, one.after) in quoted
            ),
            default=0,
        )
        return [one for one in introductions if one.first >= own or not self._is_said(one)]

    def _is_said(self, one: Introduction) -> bool:
        """Whether a person may have typed an introduction; a program writes an address there, or `wrote`."""
        text = " ".join(self._plain[one.first : one.after])
        return self._headers[one.first] is None and "@" not in text and bool(_SAID.search(text))

    def _opening_at(self, number: int) -> Introduction | None:
        """The header block or the line like `-----Original Message-----` that begins at a line."""
        line = self._plain[number]
        after = header_block(self._plain, self._headers, number)
        if after is None and may_separate(line):
            below = next_filled(self._plain, number + 1)
            headed = below < len(self._plain) and self._headers[below] is not None
            after = number + 1 if is_separator(line, headed) else None
        return Introduction(number, after) if after is not None and self._may_introduce(number) else None

    def _find_known(self, introductions: list[Introduction]) -> frozenset[int]:
        """The lines of the answered letter, which can't stand above what introduces it.

        A program quotes the side of it that it shows: the one that covers more of the mail.
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
            known = quoted_from(side, lines, self._marked, bool(introductions))
            best = max(known, best, key=lambda one: sum(len(lines[number]) for number in one))
            if rest <= known:  # so the other side can't cover more, and to look for it takes as long again
                break
        return best

    def _may_introduce(self, number: int) -> bool:
        return number not in self._marked and _squeezed(self._plain[number]) not in self._letter

    def _take_out(self, introductions: list[Introduction]) -> None:
        """Where no quote can be told from the rest below an introduction, the mail ends there."""
        spans, cut = above_quotes(self._plain, introductions, self._marked, self._known)
        for span, rest in spans:
            self._rests.update(dict.fromkeys(span, ""))
            self._rests[span.start] = rest
        if cut is not None and self._quote_deleted(cut):
            self._rests.update(dict.fromkeys(range(cut.first, self._past_letter(cut.after)), ""))
        elif cut is not None:
            self._rests[cut.first] = cut.rest
            self._cut = cut.first + 1

    def _quote_deleted(self, one: Introduction) -> bool:
        """Whether only a few typed lines stand below an introduction, in place of the answered letter."""
        if one.rest or any(line.strip() for line in self._plain[: one.first]) or not self._is_ours(one):
            return False
        below = sum(1 for line in self._plain[one.after :] if line.strip())
        return below <= _FEW_LINES and len(self._letter) > 3 * _FEW_LINES

    def _is_ours(self, one: Introduction) -> bool:
        """Whether a letter of ours is introduced: below any other stands what somebody wrote before."""
        if self._own is None:
            return False
        span = range(one.first, one.after)
        if self._headers[one.first] is None:
            return self._own.alone_in(" ".join(self._plain[at] for at in span))
        sender = sender_in(self._plain, self._headers, span)
        return sender is not None and self._own.alone_in(sender)

    def _past_letter(self, number: int) -> int:
        """The line after those of the letter that were not deleted, from a line on."""
        while number < len(self._plain) and _squeezed(self._plain[number]) in self._letter:
            number += 1
        return number

    def _take_out_attributions(self, ends: list[int]) -> None:
        """What is an attribution only because a quote stands right below it."""
        quoted = self._marked | self._known
        for number in ends:
            if number >= self._cut or number in self._rests or number in quoted:
                continue
            if next_filled(self._plain, number + 1) not in quoted:
                continue
            found = attribution_at(self._plain, number, quote_follows=True)
            if found is not None:
                self._rests.update(dict.fromkeys(range(found[0], number + 1), ""))
                self._rests[found[0]] = found[1]


def _squeezed(line: str) -> str:
    return "".join(words_of(line[:_MAX_INTRODUCTION_CHARS]))


def _without_armour(lines: list[str]) -> list[str]:
    """The lines inside a signed text (RFC 9580 §7), all of them when it isn't one."""
    if _PGP_START not in lines:
        return lines
    start = lines.index(_PGP_START)
    blank = next((at for at in range(start, len(lines)) if not lines[at].strip()), start)
    end = lines.index(_PGP_END) if _PGP_END in lines[blank:] else len(lines)
    return lines[:start] + [line.removeprefix("- ") for line in lines[blank + 1 : end]]


def _joined(lines: Iterator[str]) -> str:
    """The lines without trailing spaces or blank lines around them, with one blank at most between them."""
    out: list[str] = []
    for line in lines:
        bare = line.rstrip()
        if bare or (out and out[-1]):
            out.append(bare)
    return "\n".join(out).strip("\n")
