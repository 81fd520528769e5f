"""An HTML mail as plain text: lines where a reader sees lines, `> ` where one sees a quote."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

MOST_MARKS = 20
"""Marks of quotes before a line; nobody counts more, and thousands on each line would be a lot of memory."""

# The parser reads no tags in these.
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"})
_SILENT = (_RAW - {"xmp"}) | {"template", "noscript", "select", "object"}
_EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input"}) | frozenset(
    {"link", "meta", "param", "source", "track", "wbr"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure"}
    | {"footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"}
    | {"pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_SPACED = frozenset({"blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"})
_CELLS = ("td", "th")
_OF_TABLES = (*_CELLS, "tr", "tbody", "thead", "tfoot", "table")
_HOLDING = _BLOCKS | _SILENT | {*_CELLS}
"""Elements that an end tag of something else inside them leaves open (the "special" ones of WHATWG HTML, 13.2.4.2)."""
_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Elements that end at their end tag although a block that began in them goes on (WHATWG HTML, 13.2.6.4.7)."""
_END = "end-"
# The parser leaves out end tags that it holds for misplaced, and browsers don't; as start tags it tells of all.
_END_TAG = re.compile(rf"</(?!(?:{'|'.join(sorted(_RAW))})\b)(?=[a-z])", re.IGNORECASE)
# What programs call the box of a quote or of the line above one: Yahoo puts a random prefix before its name, Outlook
# one before the names in what it quotes.
_OPENING = re.compile(
    r"(?:ydp\w+)?yahoo_quoted\w*|(?:x_)*(?:gmail_attr|protonmail_quote|moz-cite-prefix|reply-intro|divRplyFwdMsg"
    r"|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|zmail_extra|messageReplySection|menu_sender)|quote"
)
# Outlook of the desktop names nothing; a line above the headers of what it quotes is all there is.
_OPENING_STYLE = re.compile(
    r"border\s*:\s*none\s*;\s*border-top\s*:\s*solid #(?:E1E1E1|B5C4DF)", re.IGNORECASE
)
# With dashes of its own, so that it is none that somebody has said in the letter that is quoted.
_OPENING_LINE = "----------- Original Message -----------"
# No phone's program is here: people type into the box of its signature, whose usual words are known as text, too.
_SIGNATURE = re.compile(
    r"(?:x_)*(?:gmail_signature(?:_prefix)?|moz-signature|protonmail_signature_block|k9mail-signature)"
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all",
    re.IGNORECASE,
)
_STYLE_CHARS = 2_000
"""Characters of a style, or of its names, that are looked at."""
_FONT_SIZE = re.compile(r"(?:^|;)\s*font-size\s*:\s*([^;!]{0,40})", re.IGNORECASE)
_NOTHING = re.compile(r"0*\.?0*(?:[a-z]{2,3}|%)?", re.IGNORECASE)
# Of nothing these make nothing.
_RELATIVE = re.compile(r"[\d.]+(?:em|ex|ch|%)|inherit|unset|larger|smaller", re.IGNORECASE)
# A paragraph without a margin is no more than a line: so Word and most web mail write lines.
_TIGHT = re.compile(r"(?:^|;)\s*margin\s*:\s*0[a-z]*\s*(?:;|$)", re.IGNORECASE)


def text_of_html(html: str) -> str:
    """The readable text of an HTML mail; a blockquote's lines begin with `> `, one for each level.

    Where a program has made a box for what it quotes, a line such as `-- Original Message --` opens it, and no
    line in it is marked, as people type below the quote and inside its box. Signatures that programs mark as
    such and hidden elements are left out.

    Time and memory are in proportion to the length, but for end tags that end nothing while thousands of elements are
    open: the parser gives events and builds no tree. So the number of tags is bounded in `limits`.
    """
    page = _Page()
    # A charset that the page names itself doesn't count, as it is text already.
    parser = etree.HTMLParser(target=page)
    parser.feed(_END_TAG.sub(f"<{_END}", html))
    parser.close()
    return page.text()


@dataclass(slots=True, eq=False)
class _Element:
    """An element that has begun: where it stands among those around it, and what its end takes back.

    `nothing` tells whether its text is of size nothing, None where it doesn't say.
    """

    tag: str
    at: int
    is_silent: bool
    is_spaced: bool
    nothing: bool | None
    is_open: bool = True


class _Page:
    """The text of a page, written while the parser tells where elements start and end.

    How elements nest is decided here, by what is left of a browser's rules where only words, quotes and hidden
    boxes count: an end tag ends all that began in its element, but nothing outside of a table's cell; one of a word
    ends no block.
    """

    __slots__ = (
        "_around",
        "_begun",
        "_depth",
        "_gap",
        "_line",
        "_lines",
        "_of_tag",
        "_preformatted",
        "_silent",
        "_sizes",
        "_words",
    )

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._words: list[str] = []
        # All elements that have begun, and some that ended inside of others; of these the open ones of each tag, those
        # that hold others, and those that say how large their text is.
        self._begun: list[_Element] = []
        self._of_tag: defaultdict[str, list[_Element]] = defaultdict(list)
        self._around: list[_Element] = []
        self._sizes: list[_Element] = []
        self._silent = 0
        self._depth = 0
        self._preformatted = 0
        self._gap = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a tag: a start tag, or an end tag under its other name."""
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
        if tag in _EMPTY:
            self._end_tag(tag)

    def end(self, tag: str) -> None:
        """Take the end of an element in which there are no tags; of all others the parser's word doesn't count."""
        if tag in _RAW:
            self._write()
            self._end_tag(tag)

    def data(self, text: str) -> None:
        """Take some of the text between two tags; there may be a piece for each character."""
        if not self._silent:
            self._words.append(text)

    def close(self) -> None:
        """Take the end of the page."""
        self._write()

    def text(self) -> str:
        """The text, without blank lines around it."""
        self._end_line()
        return "\n".join(self._lines).strip("\n")

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        element = _Element(
            tag,
            at=len(self._begun),
            is_silent=tag in _SILENT or _unseen(attributes),
            is_spaced=tag in _SPACED and not _is_tight(tag, attributes),
            nothing=_is_sized_nothing(attributes),
        )
        if not self._silent and not element.is_silent:
            self._write_start(element, attributes)
        self._begun.append(element)
        self._of_tag[tag].append(element)
        self._silent += element.is_silent
        self._preformatted += tag == "pre"
        self._depth += tag == "blockquote"
        if tag in _HOLDING:
            self._around.append(element)
        if element.nothing is not None:
            self._sizes.append(element)

    def _end_tag(self, tag: str) -> None:
        """End the innermost element of this tag, with all that began in it, unless it may not end here."""
        named = self._of_tag[tag]
        if not named:
            return
        element = named[-1]
        if tag in _HOLDING:
            if any(found[-1].at > element.at for kind in _barriers(tag) if (found := self._of_tag[kind])):
                return
        elif self._around and self._around[-1].at > element.at:
            if tag in _FORMATTING:
                self._leave(element)
            return
        while self._begun[-1] is not element:
            self._leave(self._begun.pop())
        self._begun.pop()
        self._leave(element)
        while self._begun and not self._begun[-1].is_open:
            self._begun.pop()

    def _leave(self, element: _Element) -> None:
        """Take back what an element has brought, once."""
        if not element.is_open:
            return
        element.is_open = False
        tag = element.tag
        # All that began inside of it has ended before, so it is the last one open.
        self._of_tag[tag].pop()
        if tag in _HOLDING:
            self._around.pop()
        self._silent -= element.is_silent
        if not self._silent and not element.is_silent and tag in _BLOCKS:
            self._block(element)
        self._preformatted -= tag == "pre"
        self._depth -= tag == "blockquote"

    def _write_start(self, element: _Element, attributes: Mapping[str, str]) -> None:
        """Write what stands before an element's own text."""
        if _opens_quote(element.tag, attributes):
            self._end_line()
            self._line.append(_OPENING_LINE)
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
        while self._sizes and not self._sizes[-1].is_open:
            self._sizes.pop()
        if self._sizes and self._sizes[-1].nothing:
            return
        if self._preformatted:
            *ended, rest = text.split("\n")
            for line in ended:
                self._line.append(line)
                self._end_line(always=True)
            self._line.append(rest)
            return
        # A no-break space isn't collapsed; str.split would take it too.
        self._line.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _block(self, element: _Element) -> None:
        self._end_line()
        self._gap = self._gap or element.is_spaced

    def _end_line(self, always: bool = False) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._preformatted else re.sub(r" {2,}", " ", line).strip(" \t")
        self._line = []
        if not line and not always:
            return
        marks = "> " * min(self._depth, MOST_MARKS)
        if self._gap and self._lines:
            self._lines.append(marks.rstrip())
        self._gap = False
        self._lines.append(f"{marks}{line}".rstrip())


def _barriers(tag: str) -> tuple[str, ...]:
    """The elements that no end tag of `tag` inside of them can end."""
    if tag == "table":
        return ()
    return ("table",) if tag in _OF_TABLES else _CELLS


def _names(attributes: Mapping[str, str]) -> list[str]:
    """What a program calls an element: its classes, its id and its name, as far as they are looked at."""
    classes = (attributes.get("class") or "")[:_STYLE_CHARS].split()
    return [*classes, *(value[:_STYLE_CHARS] for key in ("id", "name") if (value := attributes.get(key)))]


def _opens_quote(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag in ("blockquote", "a", "body") or not attributes:
        return False
    style = _style(attributes)
    return any(map(_OPENING.fullmatch, _names(attributes))) or bool(_OPENING_STYLE.search(style))


def _style(attributes: Mapping[str, str]) -> str:
    return (attributes.get("style") or "")[:_STYLE_CHARS]


def _is_sized_nothing(attributes: Mapping[str, str]) -> bool | None:
    """Whether an element's own text is of size nothing; None where it is that of the element around it."""
    if not attributes:
        return None
    sizes = _FONT_SIZE.findall(_style(attributes))
    size = sizes[-1].strip() if sizes else ""
    if not size:
        return None
    if _NOTHING.fullmatch(size) and "0" in size:
        return True
    return None if _RELATIVE.fullmatch(size) else False


def _is_tight(tag: str, attributes: Mapping[str, str]) -> bool:
    classes = attributes.get("class") or ""
    return tag == "p" and (classes.startswith("Mso") or bool(_TIGHT.search(_style(attributes))))


def _unseen(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or bool(_HIDDEN.search(_style(attributes)))
        or any(map(_SIGNATURE.fullmatch, _names(attributes)))
        or attributes.get("data-signature-widget") == "container"
    )
