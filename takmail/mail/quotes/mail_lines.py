"""The lines of a mail, what each line shows by itself, and the introductions of quotes among them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.readonly import replace
from takmail.mail.quotes.attribution import attributions_in
from takmail.mail.quotes.header_block import header_block, header_kinds, sender_in
from takmail.mail.quotes.introduction import Introduction, next_filled
from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.prefixes import prefix_lengths
from takmail.mail.quotes.separators import is_separator, may_separate, readable
from takmail.mail.quotes.words import words_by_line, words_of

# The maximum number of characters of a line that may be an introduction. Longer lines of a letter don't look like one.
_MAX_INTRODUCTION_CHARS = 1_000
_SAYS_AT_END = re.compile(r"\bsa(?:id|ys)\s?:\s*$")


@dataclass(frozen=True, slots=True)
class MailLines:
    """The lines of a mail without invisible characters, and what each of them shows by itself.

    `prefixes` has the lengths of the quote prefixes, and `marked` the numbers of the lines that have one. `headers` has
    the kind of header with which each line begins. `attributions` are those of `attributions_in`, without lines that
    are quoted or of another kind. `letter` has the squeezed lines of both sides of the answered letter.
    """

    lines: Sequence[str]
    prefixes: dict[int, int]
    marked: frozenset[int]
    headers: Sequence[str | None]
    attributions: dict[int, Introduction | None]
    letter: frozenset[str]

    def may_introduce(self, number: int) -> bool:
        """Return whether a line may introduce a quote. A line of the letter that looks like it introduces nothing."""
        return number not in self.marked and not self.is_of_letter(number)

    def is_of_letter(self, number: int) -> bool:
        """Return whether the answered letter has a line with the same words."""
        return _squeezed(self.lines[number]) in self.letter


def examined(text: str, sides: tuple[str, ...]) -> MailLines:
    """Return the lines of a mail with what each shows by itself. `sides` are the texts of the answered letter."""
    plain = readable(text).split("\n")
    # The sides of the letter are mostly equal and repeat the links of moves.
    different = {line[:_MAX_INTRODUCTION_CHARS] for side in sides or ("",) for line in side.split("\n")}
    letter = frozenset(map("".join, words_by_line(different)))
    attributions = attributions_in(plain)
    introduced = {last for last, one in attributions.items() if one is not None}
    prefixes = prefix_lengths(plain, introduced, letter, _squeezed)
    headers = header_kinds(plain)
    mail = MailLines(plain, prefixes, frozenset(prefixes), headers, attributions, letter)
    ends = [last for last in attributions if headers[last] is None and mail.may_introduce(last)]
    return replace(mail, attributions={last: attributions[last] for last in ends})


def introductions_in(mail: MailLines) -> list[Introduction]:
    """Return the unmistakable introductions of quotes, in order."""
    # If two attributions begin at the same line, the longer one is complete.
    attributions = {one.first: one for one in mail.attributions.values() if one is not None}
    introductions: list[Introduction] = []
    after = 0
    for number, line in enumerate(mail.lines):
        if number < after:
            continue
        may_open = mail.headers[number] is not None or may_separate(line)
        one = (_opening_at(mail, number) if may_open else None) or attributions.get(number)
        if one is not None:
            introductions.append(one)
            after = one.after
    return introductions


def written_by_programs(
    mail: MailLines, introductions: list[Introduction], quoted: frozenset[int], own: OwnAddress | None
) -> list[Introduction]:
    """Return the introductions without those that the player typed, such as "Ada said:" above the quoted letter."""
    last_of_ours = max(
        (
            one.first
            for one in introductions
            if is_ours(mail, one, own) and next_filled(mail.lines, one.after) in quoted
        ),
        default=0,
    )
    return [one for one in introductions if one.first >= last_of_ours or not _may_be_typed(mail, one)]


def is_ours(mail: MailLines, one: Introduction, own: OwnAddress | None) -> bool:
    """Return whether an introduction names a letter of this service, and not somebody else's text."""
    if own is None:
        return False
    if mail.headers[one.first] is None:
        return own.is_only_address_in(_text_of(mail, one))
    sender = sender_in(mail.lines, mail.headers, range(one.first, one.after))
    return sender is not None and own.is_only_address_in(sender)


def _opening_at(mail: MailLines, number: int) -> Introduction | None:
    """Return the header block or separator (`-----Original Message-----`) that begins at a line, or None."""
    after = header_block(mail.lines, mail.headers, number)
    if after is None and may_separate(mail.lines[number]):
        below = next_filled(mail.lines, number + 1)
        headed = below < len(mail.lines) and mail.headers[below] is not None
        after = number + 1 if is_separator(mail.lines[number], headed) else None
    return Introduction(number, after) if after is not None and mail.may_introduce(number) else None


def _may_be_typed(mail: MailLines, one: Introduction) -> bool:
    """Return whether a person may have typed an introduction. A program writes an address or `wrote`."""
    text = _text_of(mail, one)
    return mail.headers[one.first] is None and "@" not in text and bool(_SAYS_AT_END.search(text))


def _text_of(mail: MailLines, one: Introduction) -> str:
    return " ".join(mail.lines[one.first : one.after])


def _squeezed(line: str) -> str:
    """Return the normalized words of a line without spaces between them, for comparison."""
    return "".join(words_of(line[:_MAX_INTRODUCTION_CHARS]))
