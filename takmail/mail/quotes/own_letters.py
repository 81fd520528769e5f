"""Remove earlier letters of this service from a text, because a thread may be quoted without any prefixes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

from takmail.limits.mails import MAX_COMPARED_CHARS, MAX_SEARCHED_LINES, MAX_SEARCHED_PLACES
from takmail.mail.quotes.known_letters import ComparedLines, compared_lines, quoted_lines
from takmail.mail.quotes.words import PICTURE, long_words, words_of

_TAG = re.compile(r'<(?:img [^>]*? alt="([^"]*)")?[^>]*>\s*([^<]*)')
"""A tag of a page: the alternative text if it is a picture, and the text behind it."""
_PICTURES = re.compile(f"\n{PICTURE}[^\n]*")


def page_text(html: str) -> str:
    """Return the words of an HTML page in order, with a line for the text between two tags.

    The alternative text of each picture is included on its own line, after U+FFFC. The page must be one of this
    service, with `<` and `>` only around tags. On these pages this function takes a tenth of the time of
    `text_of_html`.
    """
    found = _TAG.findall(html, max(html.find("<body"), 0))
    said = [
        f"{PICTURE}{picture}\n{words}" if picture else words for picture, words in found if picture or words
    ]
    return "\n".join(
        [" ".join(words) for line in unescape("\n".join(said)).split("\n") if (words := line.split())]
    )


def quotable(page: str | None) -> tuple[str, ...]:
    """Return the texts of a page that a program may quote: with those of its pictures, and without.

    `page` is the result of `page_text`. If it has no pictures, there is only one text, and without a page none.
    """
    if not page:
        return ()
    words = _PICTURES.sub("", f"\n{page}")[1:]
    return (page,) if words == page else (page, words)


_ADDRESS = re.compile(r"([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})@([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})")

# The part of a reply address after the local part: a delimiter, then the game and the seat's token, or a personal
# token.
_TOKEN = re.compile(r"[^\w.](?:\d{1,9}|me|stop)\.\w{1,64}")


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """The service's own address, without a token, and the service's name."""

    address: str
    name: str

    def is_only_address_in(self, text: str) -> bool:
        """Return whether a text names this service and nobody else, by address or, if it has no address, by name."""
        plain = text.casefold()
        if "@" in plain:
            found = _ADDRESS.findall(plain)
            return len(found) > 0 and all(self._is_own(local, domain) for local, domain in found)
        name = re.escape(self.name.casefold())
        return bool(name and re.search(rf"(?<!\w){name}(?!\w)", " ".join(plain.split())))

    def _is_own(self, local: str, domain: str) -> bool:
        own, _, host = self.address.casefold().rpartition("@")
        if domain.rstrip(".") != host or not local.startswith(own):
            return False
        return local == own or bool(_TOKEN.fullmatch(local, len(own)))


_FEW_LINES = 2  # a text with no more lines contains no letter
_PROSE_WORDS = 3  # the minimum number of different long words that a text and a letter have in common
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


def may_hold_letters(text: str) -> bool:
    """Return whether a text is searched for letters. Most typed texts are shorter than any letter."""
    lines = sum(1 for line in text.split("\n") if line.strip())
    return _FEW_LINES < lines <= MAX_SEARCHED_LINES and len(text) <= MAX_COMPARED_CHARS


def without_letters(text: str, letters: Iterable[str]) -> str:
    """Return a typed text without the letters that it contains.

    Letters resemble one another. For that reason the letter that covers most is removed first and as a whole, because
    otherwise its first lines would remain. A move or a board of a letter stays unless the words around it are also
    there, because a player may type a move or a board again.
    """
    if not may_hold_letters(text):
        return text
    lines = {number: line for number, line in enumerate(text.split("\n")) if line.strip()}
    words = _prose(text)
    if len(words) < _PROSE_WORDS:
        return text
    waiting = [one for one in dict.fromkeys(letters) if len(words & _prose(one)) >= _PROSE_WORDS]
    kept = dict(lines)
    while waiting and len(kept) > _FEW_LINES:
        compared = compared_lines(kept)
        found = [(letter, _quoted(letter, compared)) for letter in waiting]
        best, taken = max(found, key=lambda one: sum(len(kept[number]) for number in one[1]))
        if not taken:
            break
        waiting = [letter for letter, covered in found if covered and letter != best]
        kept = {number: line for number, line in kept.items() if number not in taken}
    if len(kept) == len(lines):
        return text
    left = [line for number, line in enumerate(text.split("\n")) if number in kept or number not in lines]
    return _BLANKS.sub("\n\n", "\n".join(left)).strip("\n")


def _quoted(letter: str, lines: ComparedLines) -> frozenset[int]:
    taken = quoted_lines(letter, lines, frozenset(), hinted=False, places=MAX_SEARCHED_PLACES)
    prose = _prose("\n".join(lines.texts[number] for number in taken))
    return taken if len(prose) >= _PROSE_WORDS else frozenset()


def _prose(text: str) -> set[str]:
    return set(long_words(words_of(text)))
