"""Taking letters that we wrote before out of what was typed: a thread may be quoted without any marks."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape

from takmail.mail.quotes.known_letters import quoted_from
from takmail.mail.quotes.words import words_of


def page_text(html: str) -> str:
    """The words of an HTML page in their order; what stands between two tags is a line.

    The words for a picture are among them, as some programs write those in its place, on one line: so they are known
    for what is missing where a program leaves them out. The page has to be one of ours, in which no `<` or `>` stands
    but around tags: so it takes a tenth of the time of `text_of_html`.
    """
    said: list[str] = []
    for piece in html[max(html.find("<body"), 0) :].split("<"):
        tag, _, words = piece.partition(">")
        if tag.startswith("img "):
            said.append(" ".join(tag.partition(' alt="')[2].partition('"')[0].split()))
        if words and not words.isspace():
            said.append(words)
    return "\n".join(" ".join(line.split()) for line in unescape("\n".join(said)).split("\n") if line.strip())


_ADDRESS = re.compile(r"([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})@([^\s@<>()\[\]‹›«»\"'`:;,&|*]{1,200})")

# What the address to answer to has behind the own one: a delimiter, the game, and the seat's token, or a person's.
_TOKEN = re.compile(r"[^\w.](?:\d{1,9}|me|stop)\.\w{1,64}")


@dataclass(frozen=True, slots=True)
class Own:
    """Takmail's own address, without a token, and its name."""

    address: str
    name: str

    def alone_in(self, text: str) -> bool:
        """Whether a text names takmail and nobody else: by its address or, where there is none, by its name."""
        plain = text.casefold()
        if "@" in plain:
            found = _ADDRESS.findall(plain)
            return len(found) > 0 and all(self._is_mine(local, domain) for local, domain in found)
        name = re.escape(self.name.casefold())
        return bool(name and re.search(rf"(?<!\w){name}(?!\w)", " ".join(plain.split())))

    def _is_mine(self, local: str, domain: str) -> bool:
        own, _, host = self.address.casefold().rpartition("@")
        if domain.rstrip(".") != host or not local.startswith(own):
            return False
        return local == own or bool(_TOKEN.fullmatch(local, len(own)))


MAX_CHARS = 40_000
MAX_LINES = 1_000
"""A longer text isn't looked through; blank lines don't count."""

_FEW_LINES = 2
_PLACES = 8_000
_PROSE_WORDS = 3
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


def may_hold_letters(text: str) -> bool:
    """Whether a text is looked through: most that is typed is shorter than any letter."""
    lines = sum(1 for line in text.split("\n") if line.strip())
    return _FEW_LINES < lines <= MAX_LINES and len(text) <= MAX_CHARS


def without_letters(text: str, letters: Iterable[str]) -> str:
    """What is left of a typed text once the letters that stand in it are out.

    Letters are much alike: the one that covers most is taken out first, whole, or the head of it would be left. A
    move or a board of a letter stays, as a player may type them again; only with the words around them they go.
    """
    if not may_hold_letters(text):
        return text
    lines = {number: line for number, line in enumerate(text.split("\n")) if line.strip()}
    words = _prose(text)
    waiting = [one for one in dict.fromkeys(letters) if len(words & _prose(one)) >= _PROSE_WORDS]
    kept = dict(lines)
    while waiting and len(kept) > _FEW_LINES:
        found = [(letter, _quoted(letter, kept)) for letter in waiting]
        best, taken = max(found, key=lambda one: sum(len(kept[number]) for number in one[1]))
        if not taken:
            break
        waiting = [letter for letter, covered in found if covered and letter != best]
        kept = {number: line for number, line in kept.items() if number not in taken}
    if len(kept) == len(lines):
        return text
    left = [line for number, line in enumerate(text.split("\n")) if number in kept or number not in lines]
    return _BLANKS.sub("\n\n", "\n".join(left)).strip("\n")


def _quoted(letter: str, lines: Mapping[int, str]) -> frozenset[int]:
    taken = quoted_from(letter, lines, frozenset(), hinted=False, places=_PLACES)
    prose = _prose("\n".join(lines[number] for number in taken))
    return taken if len(prose) >= _PROSE_WORDS else frozenset()


def _prose(text: str) -> set[str]:
    return {word for word in words_of(text) if len(word) > 3}
