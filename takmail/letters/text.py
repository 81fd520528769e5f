"""Render blocks as the text of a letter, in lines that no mail program wraps.

A wide sign, such as a Chinese one, counts as two columns. A line may end between two wide signs.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from takmail.blocks import (
    Block,
    Cells,
    Code,
    Columns,
    Indented,
    Items,
    Lines,
    Link,
    Only,
    Page,
    Paragraph,
    Quote,
    RenderedPiece,
    Rule,
    Section,
    Sheet,
    Side,
    Small,
)
from takmail.letters.catalogue import UNBROKEN, Speaker, page_blocks

_GAP = 3
_COMMAND_WIDTH = 16
"""The minimum width of the left column of lines to type and what they do."""
_LISTS = (Indented, Items, Cells)
"""The blocks that stand right below their heading, without a blank line."""

WIDTH = 72
"""The maximum number of columns in a line of a letter. Mail programs do not wrap such a line when they quote it."""
INDENT = "  "
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]"
)
_OPENING = frozenset('"([{“‘«（《「『【第')
"""The signs at which no line ends."""
_CLOSING = frozenset("\".,;:!?)]}'”’»），。、：；？！》」』】…—")
"""The signs with which no line begins."""
_HEADING = re.compile(r"(#\s?\d+\s?)·")
_SHORT_QUOTE = re.compile("“[^“”]{1,40}”|「[^「」]{1,40}」")
"""A line to type between Chinese words, which is not broken."""
_AS_WIDE = frozenset("“”‘’—…")
"""Signs that are as wide as their neighbours. They count as wide in a text that has wide signs."""


def as_text(blocks: Iterable[Block], speaker: Speaker) -> str:
    """Return blocks as text, with a newline at the end. A blank line stands between two blocks."""
    text, above = "", None
    for block in _shown(blocks):
        rendered = _rendered(block, speaker)
        if not rendered:
            continue
        if text:
            text += "\n" if _belongs_to(above, block, speaker) else "\n\n"
        text += rendered
        above = block
    return text + "\n"


def _shown(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        match block:
            case Only(Side.TEXT, inner):
                yield from _shown(inner)
            case _:
                yield block


def _belongs_to(above: Block | None, block: Block, speaker: Speaker) -> bool:
    """Return whether no blank line stands between two blocks."""
    if isinstance(above, Small):
        return True
    return isinstance(block, _LISTS) and isinstance(above, Paragraph) and speaker.is_heading(above)


def _rendered(block: Block, speaker: Speaker) -> str:
    """Return a block as text, '' for one that only the HTML part has."""
    match block:
        case Paragraph(text) | Small(text):
            return wrap(speaker.text(text))
        case Lines(lines):
            return "\n".join(wrap(speaker.text(line)) for line in lines)
        case Indented(lines):
            return "\n".join(wrap(speaker.text(line), INDENT) for line in lines)
        case Items(entries):
            return "\n".join(_item(speaker.text(entry)) for entry in entries)
        case Columns(rows):
            return _described([(speaker.typed(line), speaker.typed(meaning)) for line, meaning in rows])
        case Cells(texts):
            return in_columns(texts)
        case Code(lines):
            return "\n".join(line.rstrip() for line in lines)
        case Sheet(head, rows):
            return _sheet([tuple(map(speaker.text, row)) for row in (head, *rows)])
        case Quote(words):
            return quoted(words)
        case Page(page):
            return as_text(page_blocks(speaker.words, page, speaker.common), speaker).rstrip("\n")
        case Link(address):
            return address
        case RenderedPiece(text):
            return text.rstrip("\n")
        case Rule():
            return "--------"
        case Section(heading, opponent, blocks=inner):
            return f"{wrap(speaker.text(heading))}\n\n{as_text(inner, speaker.about(opponent))}".rstrip("\n")
        case _:
            return ""


def _item(text: str) -> str:
    bullet = INDENT + "- "
    return bullet + wrap(text, " " * len(bullet))[len(bullet) :]


def _described(rows: Sequence[tuple[str, str]]) -> str:
    """Return lines to type, and to the right of each what it does."""
    widest = max(_COMMAND_WIDTH - len(INDENT), *(width(line) for line, _ in rows))
    margin = " " * (len(INDENT) + widest + len(INDENT))
    return "\n".join(
        INDENT + padded(line, widest) + INDENT + wrap(meaning, margin).lstrip(" ") for line, meaning in rows
    )


def _sheet(rows: Sequence[tuple[str, ...]]) -> str:
    """Return rows in aligned columns: names, the second ones, to the left, and numbers to the right."""
    widest = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        INDENT.join(
            padded(text, most) if place == 1 else " " * (most - width(text)) + text
            for place, (text, most) in enumerate(zip(row, widest, strict=True))
        ).rstrip()
        for row in rows
    )


def in_columns(texts: tuple[str, ...]) -> str:
    """Arrange short texts in as many columns as fit. All columns are as wide as the longest text."""
    column = max(map(width, texts), default=0) + _GAP
    across = max(1, (WIDTH - len(INDENT) + _GAP) // column)
    rows = (texts[at : at + across] for at in range(0, len(texts), across))
    return "\n".join(INDENT + "".join(padded(text, column) for text in row).rstrip() for row in rows)


def own_words(words: str) -> str:
    """Return somebody's words, tidied, in which nothing looks like the heading of a game to a mail that quotes them."""
    return _HEADING.sub("\\1\u2010", tidy(words)) if "#" in words else tidy(words)


def quoted(words: str) -> str:
    """Format somebody's words: put a bar before each line, and wrap only the lines that are too long."""
    lines: list[str] = []
    for line in own_words(words).splitlines():
        is_narrow = width(line) == len(line)
        lines += (
            textwrap.wrap(line, WIDTH, break_on_hyphens=False) if is_narrow else wrap(line).split("\n")
        ) or [""]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


def tidy(text: str) -> str:
    """Remove blanks at the ends of lines, repeated blank lines, and blank lines at both ends of the text."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")


@lru_cache(maxsize=4_000)
def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"


def width(text: str) -> int:
    """Return the number of columns of a text."""
    return len(text) if _WIDE.search(text) is None else _width(text)


def _width(text: str) -> int:
    return sum(2 if _is_wide(sign) or sign in _AS_WIDE else 1 for sign in text)


def wrap(text: str, indent: str = "") -> str:
    """Wrap a text without line ends, each line with `indent`. A word that is too long has its own line."""
    lines = _wrapped(text, indent) if _WIDE.search(text) is None else _wrapped_wide(text, indent)
    return "\n".join(lines).replace(UNBROKEN, " ")


def _wrapped(text: str, indent: str) -> Iterator[str]:
    """Yield words in lines. This takes a tenth of the time of `textwrap`, which breaks words, too."""
    rest, room = " ".join(filter(None, text.split(" "))), max(0, WIDTH - len(indent))
    while len(rest) > room:
        end = rest.rfind(" ", 0, room + 1)
        if end < 0:
            end = rest.find(" ")
        if end < 0:
            break
        yield indent + rest[:end]
        rest = rest[end + 1 :]
    yield indent + rest if rest else ""


def _wrapped_wide(text: str, indent: str) -> Iterator[str]:
    line, taken = "", len(indent)
    for piece in _pieces(text):
        if line and taken + _width(piece.rstrip(" ")) > WIDTH:
            yield indent + line.rstrip(" ")
            line, taken = "", len(indent)
        line += piece
        taken += _width(piece)
    yield indent + line.rstrip(" ")


def padded(text: str, columns: int) -> str:
    """Return a text with spaces behind it, up to a number of columns."""
    return text + " " * (columns - width(text))


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts of a text between which a line may end, with the spaces behind them."""
    piece = ""
    inside = {at for quote in _SHORT_QUOTE.finditer(text) for at in range(quote.start() + 1, quote.end())}
    for at, sign in enumerate(text):
        if piece and at not in inside and _may_end(piece[-1], sign):
            yield piece
            piece = ""
        piece += sign
    yield piece


def _may_end(last: str, first: str) -> bool:
    """Return whether a line may end between two signs. A number keeps what it counts."""
    if last == " ":
        return first != " "
    if not (_is_wide(last) or _is_wide(first)):
        return False
    return not (
        first == " " or first in _CLOSING or last in _OPENING or last.isdigit() or UNBROKEN in (last, first)
    )
