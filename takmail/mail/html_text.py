"""Convert an HTML mail to plain text, with `> ` before the lines of a quote."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from takmail.limits.mails import MAX_QUOTE_MARKS

# The parser finds no tags inside these elements.
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
_INVISIBLE_TAGS = (_RAW - {"xmp"}) | {"template", "noscript", "select", "object"}
_VOID_TAGS = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input"}) | frozenset(
    {"link", "meta", "param", "source", "track", "wbr"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure"}
    | {"footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"}
    | {"pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_TAGS_WITH_MARGIN = frozenset(
    {"blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"}
)
_CELLS = ("td", "th")
_TABLE_TAGS = (*_CELLS, "tr", "tbody", "thead", "tfoot", "table")
_CONTAINERS = _BLOCKS | _INVISIBLE_TAGS | {*_CELLS}
"""Elements that stay open at the end tag of an element around them ("special" in WHATWG HTML, 13.2.4.2)."""
_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Elements that end at their end tag even if a block that began inside them continues (WHATWG HTML, 13.2.6.4.7)."""
_END = "end-"
# The parser drops end tags that it considers misplaced, but browsers apply them. The parser reports all start tags, so
# end tags are renamed to start tags.
_END_TAG = re.compile(rf"</(?!(?:{'|'.join(sorted(_RAW))})\b)(?=[a-z])", re.IGNORECASE)
# The class or id of a box around a quote, or of the line above a quote. Yahoo puts a random prefix before the name.
# Outlook puts a prefix before the names inside the text that it quotes.
_QUOTE_NAMES = re.compile(
    r"(?:ydp\w+)?yahoo_quoted\w*|(?:x_)*(?:gmail_attr|protonmail_quote|moz-cite-prefix|reply-intro|divRplyFwdMsg"
    r"|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|zmail_extra|messageReplySection|menu_sender)|quote"
)
# Desktop Outlook sets no class. It only draws a line above the headers of the quoted mail.
_QUOTE_STYLE = re.compile(r"border\s*:\s*none\s*;\s*border-top\s*:\s*solid #(?:E1E1E1|B5C4DF)", re.IGNORECASE)
# Its number of dashes is unusual, so that it differs from any line in the quoted letter.
_QUOTE_LINE = "----------- Original Message -----------"
# No phone app is in this list, because people type into the box of its signature. The usual phrases of phones are
# recognised as text.
_SIGNATURE = re.compile(
    r"(?:x_)*(?:gmail_signature(?:_prefix)?|moz-signature|protonmail_signature_block|k9mail-signature)"
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all",
    re.IGNORECASE,
)
_STYLE_CHARS = 2_000
"""The maximum number of characters of a style, class, id or name that are searched."""
_FONT_SIZE = re.compile(r"(?:^|;)\s*font-size\s*:\s*([^;!]{0,40})", re.IGNORECASE)
_ZERO = re.compile(r"0*\.?0*(?:[a-z]{2,3}|%)?", re.IGNORECASE)
# A relative size has no effect if the size around it is zero.
_RELATIVE_SIZE = re.compile(r"[\d.]+(?:em|ex|ch|%)|inherit|unset|larger|smaller", re.IGNORECASE)
_KEPT_STYLES = 256
"""The number of styles whose meaning is kept, because a page repeats its styles."""
# Word and most web mail programs write lines as paragraphs without a margin.
_NO_MARGIN = re.compile(r"(?:^|;)\s*margin\s*:\s*0[a-z]*\s*(?:;|$)", re.IGNORECASE)


def text_of_html(html: str) -> str:
    """Return the readable text of an HTML mail. The lines of a blockquote begin with `> `, once for each level.

    Some mail programs put a quote in a box. A line such as `-- Original Message --` then marks the start of the box.
    The lines inside have no prefix, because people also type inside the box. Hidden elements, and signatures that the
    program marks as signatures, are left out.

    Time and memory are linear in the length, except for unmatched end tags while thousands of elements are open. For
    that reason `limits` bounds the number of tags. The parser emits events and builds no tree.
    """
    from lxml import etree  # 3 MiB, and most mails have a text part

    page = _Page()
    # The input is already decoded, so a charset that the page declares has no effect.
    parser = etree.HTMLParser(target=page)
    parser.feed(_END_TAG.sub(f"<{_END}", html))
    parser.close()
    return page.text()


@dataclass(slots=True, eq=False)
class _Element:
    """An element that has begun, its position, and the state to undo at its end.

    `has_zero_size` is true if its font size is zero, and None if it doesn't set a font size.
    """

    tag: str
    at: int
    is_silent: bool
    is_spaced: bool
    has_zero_size: bool | None
    is_open: bool = True


class _Page:
    """The text of a page, written while the parser reports the starts and ends of elements.

    This class decides how elements nest, by the subset of the browsers' rules that matters for words, quotes and hidden
    boxes. An end tag also ends all elements that began inside its element. It ends no element outside the table cell
    that contains the tag. The end tag of an inline element ends no block.
    """

    __slots__ = (
        "_depth",
        "_elements",
        "_gap_pending",
        "_line",
        "_lines",
        "_open_containers",
        "_open_of_tag",
        "_preformatted",
        "_silent",
        "_sized",
        "_words",
    )

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._words: list[str] = []
        # `_elements` has all elements that have begun. It may also have some that have ended, if an element inside
        # them is still open. Of these elements `_open_of_tag` has the open ones of each tag, `_open_containers`
        # those of `_CONTAINERS`, and `_sized` those that set a font size.
        self._elements: list[_Element] = []
        self._open_of_tag: defaultdict[str, list[_Element]] = defaultdict(list)
        self._open_containers: list[_Element] = []
        self._sized: list[_Element] = []
        self._silent = 0
        self._depth = 0
        self._preformatted = 0
        self._gap_pending = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle a start tag, or an end tag that was renamed to a start tag."""
        self._write()
        if tag.startswith(_END):
            self._end_tag(tag.removeprefix(_END))
            return
        if tag in _BLOCKS:
            self._end_tag("p")
        elif tag in _CELLS:
            for cell in _CELLS:
                self._end_tag(cell)
        self._begin(tag, attributes)
        if tag in _VOID_TAGS:
            self._end_tag(tag)

    def end(self, tag: str) -> None:
        """Handle the end of an element without tags inside. All other end events of the parser are ignored."""
        if tag in _RAW:
            self._write()
            self._end_tag(tag)

    def data(self, text: str) -> None:
        """Handle a piece of text. The parser may report each character separately."""
        if not self._silent:
            self._words.append(text)

    def close(self) -> None:
        """Handle the end of the page."""
        self._write()

    def text(self) -> str:
        """Return the text, without blank lines at its start and end."""
        self._end_line()
        return "\n".join(self._lines).strip("\n")

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        element = _Element(
            tag,
            at=len(self._elements),
            is_silent=tag in _INVISIBLE_TAGS or _is_hidden(attributes),
            is_spaced=tag in _TAGS_WITH_MARGIN and not _has_no_margin(tag, attributes),
            has_zero_size=_has_zero_size(attributes),
        )
        if not self._silent and not element.is_silent:
            self._write_start(element, attributes)
        self._elements.append(element)
        self._open_of_tag[tag].append(element)
        self._silent += element.is_silent
        self._preformatted += tag == "pre"
        self._depth += tag == "blockquote"
        if tag in _CONTAINERS:
            self._open_containers.append(element)
        if element.has_zero_size is not None:
            self._sized.append(element)

    def _end_tag(self, tag: str) -> None:
        """End the innermost element of this tag and all elements inside it, unless a barrier prevents that."""
        named = self._open_of_tag[tag]
        if not named:
            return
        element = named[-1]
        if tag in _CONTAINERS:
            if any(
                found[-1].at > element.at for kind in _barriers(tag) if (found := self._open_of_tag[kind])
            ):
                return
        elif self._open_containers and self._open_containers[-1].at > element.at:
            if tag in _FORMATTING:
                self._leave(element)
            return
        while self._elements[-1] is not element:
            self._leave(self._elements.pop())
        self._elements.pop()
        self._leave(element)
        while self._elements and not self._elements[-1].is_open:
            self._elements.pop()

    def _leave(self, element: _Element) -> None:
        """Undo the state that an element has set, unless that is already done."""
        if not element.is_open:
            return
        element.is_open = False
        tag = element.tag
        # All elements that began inside this one have ended before, so this is the last open one.
        self._open_of_tag[tag].pop()
        if tag in _CONTAINERS:
            self._open_containers.pop()
        self._silent -= element.is_silent
        if not self._silent and not element.is_silent and tag in _BLOCKS:
            self._block(element)
        self._preformatted -= tag == "pre"
        self._depth -= tag == "blockquote"

    def _write_start(self, element: _Element, attributes: Mapping[str, str]) -> None:
        """Write what precedes the text of an element."""
        if _opens_quote(element.tag, attributes):
            self._end_line()
            self._line.append(_QUOTE_LINE)
            self._end_line()
        match element.tag:
            case "br":
                self._end_line(always=True)
            case "td" | "th":
                self._line.append(" ")
            case tag if tag in _BLOCKS:
                self._block(element)

    def _write(self) -> None:
        """Write the text since the last tag."""
        if not self._words:
            return
        text = "".join(self._words)
        self._words.clear()
        while self._sized and not self._sized[-1].is_open:
            self._sized.pop()
        if self._sized and self._sized[-1].has_zero_size:
            return
        if self._preformatted:
            *ended, rest = text.split("\n")
            for line in ended:
                self._line.append(line)
                self._end_line(always=True)
            self._line.append(rest)
            return
        # No-break spaces aren't collapsed here. `str.split` would collapse them.
        self._line.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _block(self, element: _Element) -> None:
        self._end_line()
        self._gap_pending = self._gap_pending or element.is_spaced

    def _end_line(self, always: bool = False) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._preformatted else re.sub(r" {2,}", " ", line).strip(" \t")
        self._line = []
        if not line and not always:
            return
        marks = "> " * min(self._depth, MAX_QUOTE_MARKS)
        if self._gap_pending and self._lines:
            self._lines.append(marks.rstrip())
        self._gap_pending = False
        self._lines.append(f"{marks}{line}".rstrip())


def _barriers(tag: str) -> tuple[str, ...]:
    """Return the tags of the barriers for `tag`: inside a barrier, its end tag can't end an element outside."""
    if tag == "table":
        return ()
    return ("table",) if tag in _TABLE_TAGS else _CELLS


def _names(attributes: Mapping[str, str]) -> list[str]:
    """Return the classes, id and name of an element, truncated."""
    classes = (attributes.get("class") or "")[:_STYLE_CHARS].split()
    return [*classes, *(value[:_STYLE_CHARS] for key in ("id", "name") if (value := attributes.get(key)))]


def _opens_quote(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag in ("blockquote", "a", "body") or not attributes:
        return False
    return any(map(_QUOTE_NAMES.fullmatch, _names(attributes))) or _is_of_quote(_style(attributes))


def _style(attributes: Mapping[str, str]) -> str:
    return (attributes.get("style") or "")[:_STYLE_CHARS]


def _has_zero_size(attributes: Mapping[str, str]) -> bool | None:
    """Return whether an element's font size is zero; None if the element inherits the size."""
    if not attributes:
        return None
    return _size_in(_style(attributes))


@lru_cache(_KEPT_STYLES)
def _size_in(style: str) -> bool | None:
    """Return whether a style sets the font size to zero; None if it does not set the size."""
    sizes = _FONT_SIZE.findall(style)
    size = sizes[-1].strip() if sizes else ""
    if not size:
        return None
    if _ZERO.fullmatch(size) and "0" in size:
        return True
    return None if _RELATIVE_SIZE.fullmatch(size) else False


@lru_cache(_KEPT_STYLES)
def _hides(style: str) -> bool:
    return bool(_HIDDEN.search(style))


@lru_cache(_KEPT_STYLES)
def _is_of_quote(style: str) -> bool:
    return bool(_QUOTE_STYLE.search(style))


def _has_no_margin(tag: str, attributes: Mapping[str, str]) -> bool:
    classes = attributes.get("class") or ""
    return tag == "p" and (classes.startswith("Mso") or bool(_NO_MARGIN.search(_style(attributes))))


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or _hides(_style(attributes))
        or any(map(_SIGNATURE.fullmatch, _names(attributes)))
        or attributes.get("data-signature-widget") == "container"
    )
