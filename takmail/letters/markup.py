"""How the templates of a letter's text tell what each part of it is, when its HTML side is made from them.

The same templates are filled in twice. For the text a filter such as `fill` lays lines out; for the HTML side it puts
marks around what it was given, and the rest is known by its form: indented lines, lists, columns. So no sentence is
worded twice. The marks are characters that no text may hold (Unicode, noncharacters), and are taken out of all that
players have written.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jinja2 import pass_context
from jinja2.runtime import Context

WIDTH = 72
"""Characters in a line of a letter, so that a quoted line is not wrapped."""
_GAP = 3
_INDENT = "  "


def columns(lines: Iterable[str]) -> str:
    """Short lines side by side, as many as fit, each column as wide as the longest of all."""
    cells = list(lines)
    width = max(map(len, cells), default=0) + _GAP
    across = max(1, (WIDTH - len(_INDENT) + _GAP) // width)
    rows = (cells[at : at + across] for at in range(0, len(cells), across))
    return "\n".join(_INDENT + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


_OPEN, _BAR, _CLOSE = "\ufdd0", "\ufdd1", "\ufdd2"
_MARKED = re.compile(f"{_OPEN}([a-z]+){_BAR}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARKS = str.maketrans("", "", _OPEN + _BAR + _CLOSE)
_ITEM = re.compile(r"\s+- ")
_COLUMNS = re.compile(r"\S {2,}\S")
_TWO_COLUMNS = re.compile(r" *(\S+(?: \S+)*) {2,}(\S+(?: \S+)*)")


class Kind(StrEnum):
    """What a block of a letter is."""

    PARAGRAPH = "paragraph"
    LINES = "lines"
    INDENTED = "indented"
    ITEMS = "items"
    COLUMNS = "columns"
    PRE = "pre"
    WORDS = "words"
    SLOT = "slot"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for what only the HTML side has: the template `html/NAME.html`, which gets `it`."""

    name: str
    it: object


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a letter; `slot` is there for the kind SLOT alone, and `lines` are the others'.

    A LINK's are its words and its address.
    """

    kind: Kind
    lines: tuple[str, ...]
    slot: Slot | None = None


_GROW = (Kind.PRE, Kind.INDENTED)
"""Blocks that go on where another of their kind stands right below."""


class _Marked(str):
    """A text whose marks are ours."""

    __slots__ = ()


def unmarked(value: object) -> object:
    """A value for the marked text, with no marks but ours: Jinja2 asks for each that a template writes."""
    return value.translate(_MARKS) if isinstance(value, str) and not isinstance(value, _Marked) else value


def paragraphs(text: str, indent: str = "") -> str:
    """Mark paragraphs, as the filter `fill`; indented ones are lines of a list."""
    kind = Kind.INDENTED if indent else Kind.PARAGRAPH
    texts = (" ".join(one.split()) for one in _bared(text).split("\n\n"))
    return _Marked("\n\n".join(_mark(kind, one) for one in texts if one))


def words(text: str) -> str:
    """Mark somebody's own words, as the filter `barred`."""
    return _Marked(_mark(Kind.WORDS, text.translate(_MARKS).strip("\n")))


def pre(text: str) -> str:
    """Mark lines whose spaces and breaks matter, as the filter `pre`."""
    end = "\n" if text.endswith("\n") else ""
    return _Marked(_mark(Kind.PRE, _bared(text).strip("\n")) + end)


def linked(address: str, words: str) -> str:
    """Mark an address on the web, which the text shows as it is, and the words to show in its place."""
    return _Marked(_mark(Kind.LINK, f"{words.translate(_MARKS)}\n{address.translate(_MARKS)}"))


@pass_context
def slot(context: Context, name: str, it: object) -> str:
    """Mark the place for what only the HTML side has, and keep what it is about in the fact `slots`."""
    slots: list[Slot] = context["slots"]
    slots.append(Slot(name, it))
    return _Marked(_mark(Kind.SLOT, str(len(slots) - 1)))


def blocks(marked: str, slots: Sequence[Slot]) -> Iterator[Block]:
    """The parts of a marked text, in order; rows right below rows are one part with them, and so are a list's lines."""
    at, above = 0, None
    for found in _MARKED.finditer(marked):
        between = marked[at : found.start()]
        one = _marked_block(Kind(found[1]), found[2], slots)
        at = found.end()
        if above is not None and above.kind in _GROW and (one.kind, between) == (above.kind, "\n"):
            above = Block(above.kind, above.lines + one.lines)
            continue
        if above is not None:
            yield above
        yield from _by_form(between)
        above = one
    if above is not None:
        yield above
    yield from _by_form(marked[at:])


def _marked_block(kind: Kind, inner: str, slots: Sequence[Slot]) -> Block:
    if kind is Kind.SLOT:
        return Block(kind, (), slots[int(inner)])
    return Block(kind, tuple(line.rstrip() for line in inner.split("\n")))


def _bared(text: str) -> str:
    """A text without marks: those within a marked text have no say, and a forged one would break it."""
    return _MARKED.sub(r"\2", text).translate(_MARKS)


def _mark(kind: Kind, text: str) -> str:
    return f"{_OPEN}{kind}{_BAR}{text}{_CLOSE}"


def _by_form(text: str) -> Iterator[Block]:
    """Blocks of lines that no filter has marked, told by how they look."""
    for group in re.split(r"\n\s*\n", text):
        lines = [line.rstrip() for line in group.split("\n") if line.strip()]
        if any(_COLUMNS.search(line) for line in lines):
            yield _in_columns(lines)
            continue
        run: list[str] = []
        for line in lines:
            if run and _form(line) != _form(run[-1]):
                yield Block(_form(run[-1]), tuple(map(_bare, run)))
                run = []
            run.append(line)
        if run:
            yield Block(_form(run[-1]), tuple(map(_bare, run)))


def _in_columns(lines: Sequence[str]) -> Block:
    """Two columns, with two spaces between them; a line without the left one goes on with the right one above it."""
    rows: list[str] = []
    for line in lines:
        if found := _TWO_COLUMNS.fullmatch(line):
            rows.append(f"{found[1]}  {found[2]}")
        elif rows and "  " not in line.strip() and line.startswith("    "):
            rows[-1] += " " + line.strip()
        else:
            return Block(Kind.PRE, tuple(lines))
    return Block(Kind.COLUMNS, tuple(rows))


def _form(line: str) -> Kind:
    if _ITEM.match(line):
        return Kind.ITEMS
    return Kind.INDENTED if line.startswith(" ") else Kind.LINES


def _bare(line: str) -> str:
    return _ITEM.sub("", line, count=1) if _ITEM.match(line) else line.strip()
