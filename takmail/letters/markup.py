"""Mark the parts of a letter, and make its text and the blocks of its HTML part of the marked letter.

Each letter is rendered once, so that no sentence is worded twice. A filter such as `fill` puts markers around its
input. The text gets the marked parts laid out in lines. The HTML part gets them as blocks; it recognises unmarked
blocks by their form: indented lines, lists, columns. The markers are Unicode noncharacters. They are removed from
everything that players have written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jinja2 import pass_context
from jinja2.runtime import Context

from takmail.letters.layout import INDENT, fill, item_of, quoted, tidy, with_spaces

_OPEN, _BAR, _CLOSE = "\ufdd0", "\ufdd1", "\ufdd2"
_TEXT_ONLY, _HTML_ONLY, _END = "\ufdd3", "\ufdd4", "\ufdd5"
_MARKED = re.compile(f"{_OPEN}([a-z]+){_BAR}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARKS = str.maketrans("", "", _OPEN + _BAR + _CLOSE + _TEXT_ONLY + _HTML_ONLY + _END)
_IN_TEXT = re.compile(f"{_TEXT_ONLY}[^{_END}]*{_END}")
_IN_HTML = re.compile(f"{_HTML_ONLY}[^{_END}]*{_END}")
_ITEM = re.compile(r"\s+- ")
_COLUMNS = re.compile(r"\S {2,}\S")
_TWO_COLUMNS = re.compile(r" *(\S+(?: \S+)*) {2,}(\S+(?: \S+)*)")


class Kind(StrEnum):
    """The kind of a block in a letter."""

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
    """A place for content that only the HTML part has. The template `html/NAME.html` renders it from `it`."""

    name: str
    it: object


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a letter. The kind SLOT has a `slot`, and all other kinds have `lines`.

    The first line of a LINK is its words, and the second one is its address.
    """

    kind: Kind
    lines: tuple[str, ...]
    slot: Slot | None = None


_MERGING = (Kind.PRE, Kind.INDENTED, Kind.ITEMS)
"""The kinds of blocks that merge with a directly following block of the same kind."""


class _Marked(str):
    """A text whose markers were set by the functions of this module, and not by a player."""

    __slots__ = ()


def unmarked(value: object) -> object:
    """Return a value without markers that a player wrote. Jinja2 calls this for each value that a template writes."""
    return _unmarked(value) if isinstance(value, str) and not isinstance(value, _Marked) else value


def _unmarked(text: str) -> str:
    # No marker is ASCII, and `translate` takes long.
    return text if text.isascii() else text.translate(_MARKS)


def paragraphs(text: str, indent: str = "") -> str:
    """Mark paragraphs (the filter `fill`). Indented paragraphs are lines of a list."""
    kind = Kind.INDENTED if indent else Kind.PARAGRAPH
    texts = (" ".join(one.split()) for one in _without_markers(text).split("\n\n"))
    return _Marked("\n\n".join(_mark(kind, one) for one in texts if one))


def item(text: str) -> str:
    """Mark an entry of a list (the filter `item`)."""
    return _Marked(_mark(Kind.ITEMS, " ".join(_without_markers(text).split())))


def words(text: str) -> str:
    """Mark somebody's words (the filter `barred`)."""
    return _Marked(_mark(Kind.WORDS, _unmarked(text).strip("\n")))


def pre(text: str) -> str:
    """Mark preformatted lines (the filter `pre`)."""
    end = "\n" if text.endswith("\n") else ""
    return _Marked(_mark(Kind.PRE, _without_markers(text).strip("\n")) + end)


def text_only(text: str) -> str:
    """Mark what only the text has (the filter `text_only`). It contains no other such part."""
    return _Marked(f"{_TEXT_ONLY}{text}{_END}")


def html_only(text: str) -> str:
    """Mark what only the HTML part has (the filter `html_only`). It contains no other such part."""
    return _Marked(f"{_HTML_ONLY}{text}{_END}")


def linked(address: str, words: str) -> str:
    """Mark a web address and the words that the HTML part shows for it. The text shows the address itself."""
    return _Marked(_mark(Kind.LINK, f"{_unmarked(words)}\n{_unmarked(address)}"))


@pass_context
def slot(context: Context, name: str, it: object) -> str:
    """Mark the place of content that only the HTML part has, and append the content to the fact `slots`."""
    slots: list[Slot] = context["slots"]
    slots.append(Slot(name, it))
    return _Marked(_mark(Kind.SLOT, str(len(slots) - 1)))


def text_of(marked: str) -> str:
    """Return the text of a marked letter, without a newline at the end."""
    return with_spaces(tidy(_MARKED.sub(_in_lines, _without_limits(_IN_HTML.sub("", marked)))))


def _in_lines(found: re.Match[str]) -> str:
    """Return a marked part as lines of text."""
    kind, inner = found.groups()
    match kind:
        case Kind.PARAGRAPH:
            return fill(inner)
        case Kind.INDENTED:
            return fill(inner, INDENT)
        case Kind.ITEMS:
            return item_of(inner)
        case Kind.WORDS:
            return quoted(inner)
        case Kind.LINK:
            return inner.split("\n")[1]
        case Kind.SLOT:
            return ""
        case _:
            return inner


def blocks(marked: str, slots: Sequence[Slot]) -> Iterator[Block]:
    """Yield the blocks of the HTML part in order. Adjacent preformatted or indented lines form one block."""
    marked = with_spaces(_without_limits(_IN_TEXT.sub("", marked)))
    at, above = 0, None
    for found in _MARKED.finditer(marked):
        between = marked[at : found.start()]
        one = _marked_block(Kind(found[1]), found[2], slots)
        at = found.end()
        if above is not None and above.kind in _MERGING and (one.kind, between) == (above.kind, "\n"):
            above = Block(above.kind, above.lines + one.lines)
            continue
        if above is not None:
            yield above
        yield from _unmarked_blocks(between)
        above = one
    if above is not None:
        yield above
    yield from _unmarked_blocks(marked[at:])


def _marked_block(kind: Kind, inner: str, slots: Sequence[Slot]) -> Block:
    if kind is Kind.SLOT:
        return Block(kind, (), slots[int(inner)])
    return Block(kind, tuple(line.rstrip() for line in inner.split("\n")))


def _without_markers(text: str) -> str:
    """Return a text without markers. A nested marker has no effect, and a forged one would break the text."""
    return _unmarked(_MARKED.sub(r"\2", text))


def _without_limits(text: str) -> str:
    """Return a text without the markers around parts that only one side has."""
    return text.replace(_TEXT_ONLY, "").replace(_HTML_ONLY, "").replace(_END, "")


def _mark(kind: Kind, text: str) -> str:
    return f"{_OPEN}{kind}{_BAR}{text}{_CLOSE}"


def _unmarked_blocks(text: str) -> Iterator[Block]:
    """Yield blocks of unmarked lines, recognised by their form."""
    for group in re.split(r"\n\s*\n", text):
        lines = [line.rstrip() for line in group.split("\n") if line.strip()]
        if any(_COLUMNS.search(line) for line in lines):
            yield _in_columns(lines)
            continue
        run: list[str] = []
        for line in lines:
            if run and _form(line) != _form(run[-1]):
                yield Block(_form(run[-1]), tuple(map(_stripped, run)))
                run = []
            run.append(line)
        if run:
            yield Block(_form(run[-1]), tuple(map(_stripped, run)))


def _in_columns(lines: Sequence[str]) -> Block:
    """Parse two columns that two or more spaces separate. A deeply indented line continues the right column above.

    If any line has another form, all lines are preformatted.
    """
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


def _stripped(line: str) -> str:
    return _ITEM.sub("", line, count=1) if _ITEM.match(line) else line.strip()
