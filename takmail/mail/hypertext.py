"""An HTML mail as plain text: lines where a reader sees lines, `> ` where one sees a quote."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from takmail.mail.limits import MAX_TAGS

MOST_MARKS = 20
"""Marks of quotes before a line; nobody counts more, and thousands on each line would be a lot of memory."""

_SILENT = frozenset(
    {"head", "script", "style", "title", "template", "noscript", "textarea", "select", "object"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure"}
    | {"footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"}
    | {"pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_SPACED = frozenset({"blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"})
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
"""Characters of a style that are looked at."""
_FONT_SIZE = re.compile(r"(?:^|;)\s*font-size\s*:\s*([^;!]{0,40})", re.IGNORECASE)
_NOTHING = re.compile(r"0*\.?0*(?:[a-z]{2,3}|%)?", re.IGNORECASE)
# Of nothing these make nothing.
_RELATIVE = re.compile(r"[\d.]+(?:em|ex|ch|%)|inherit|unset|larger|smaller", re.IGNORECASE)
_MOST_ATTRIBUTES = 100
# One more attribute of a tag (WHATWG HTML, 13.2.5.32 and following).
_ATTRIBUTE = re.compile(
    r"[ \t\r\n\f/]*+(?:=[^ \t\r\n\f/>=]*+|[^ \t\r\n\f/>=]++)(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+"
    r"(?:\"[^\"]*+\"?|'[^']*+'?|[^ \t\r\n\f>\"'][^ \t\r\n\f>]*+)?+)?+"
)
_TAG = re.compile(rf"<[a-z](?:{_ATTRIBUTE.pattern}){{0,{_MOST_ATTRIBUTES}}}+", re.IGNORECASE)
# A paragraph without a margin is no more than a line: so Word and most web mail write lines.
_TIGHT = re.compile(r"(?:^|;)\s*margin\s*:\s*0[a-z]*\s*(?:;|$)", re.IGNORECASE)


def text_of_html(html: str) -> str:
    """The readable text of an HTML mail; a blockquote's lines begin with `> `, one for each level.

    Where a program has made a box for what it quotes, a line as of `-- Original Message --` opens it, and no
    line in it is marked, as people type below the quote and inside its box. Signatures that programs mark as
    such and hidden elements are left out. After `MAX_TAGS` tags the rest is not read.
    """
    page = _Page()
    root = LexborHTMLParser(_cut(html)).root
    node, leaving = root, False
    while node is not None:
        if not leaving and page.enter(node) and node.first_child is not None:
            node = node.first_child
            continue
        page.leave(node)
        if root is not None and node.mem_id == root.mem_id:
            break
        leaving = node.next is None
        node = node.parent if leaving else node.next
    return page.text()


def _cut(html: str) -> str:
    """What comes before too many tags, or before a tag with more attributes than any has.

    Parsing takes quadratic time in both. Every "<" is held for the start of a tag, also one inside another: what a
    parser holds for a comment or a script need not be known then.
    """
    at, left = -1, 2 * len(html) + _STYLE_CHARS
    for _ in range(MAX_TAGS):
        at = html.find("<", at + 1)
        if at < 0:
            return html
        tag = _TAG.match(html, at)
        if tag is not None:
            left -= len(tag[0])
            if left < 0 or _ATTRIBUTE.match(html, tag.end()):
                break
    return html[:at]


class _Page:
    """What has been written while walking through the elements of a page."""

    __slots__ = ("_depth", "_gap", "_line", "_lines", "_preformatted", "_sizes")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._preformatted = 0
        self._gap = False
        # Which elements around say how large their text is, and whether that is nothing.
        self._sizes: list[tuple[int, bool]] = []

    def enter(self, node: LexborNode) -> bool:
        """Write what stands before an element's children; False if they are not to be visited."""
        if node.is_text_node:
            self._write(node.text_content or "")
            return False
        tag = node.tag or ""
        if not node.is_element_node:
            return node.is_document_node
        if tag in _SILENT or _unseen(node):
            return False
        nothing = _is_sized_nothing(node)
        if nothing is not None:
            self._sizes.append((node.mem_id, nothing))
        if _opens_quote(node):
            self._end_line()
            self._line.append(_OPENING_LINE)
            self._end_line()
        match tag:
            case "br":
                self._end_line(always=True)
            case "td" | "th":
                self._line.append(" ")
            case "pre":
                self._block(node)
                self._preformatted += 1
            case _ if tag in _BLOCKS:
                self._block(node)
        self._depth += tag == "blockquote"
        return True

    def leave(self, node: LexborNode) -> None:
        """Write what stands after an element's children."""
        tag = node.tag or ""
        if not node.is_element_node or tag in _SILENT or tag == "br" or _unseen(node):
            return
        if self._sizes and self._sizes[-1][0] == node.mem_id:
            self._sizes.pop()
        if tag in _BLOCKS:
            self._block(node)
        self._preformatted -= tag == "pre"
        self._depth -= tag == "blockquote"

    def text(self) -> str:
        """The text, without blank lines around it."""
        self._end_line()
        return "\n".join(self._lines).strip("\n")

    def _write(self, text: str) -> None:
        if self._sizes and self._sizes[-1][1]:
            return
        if self._preformatted:
            *ended, rest = text.replace("\r\n", "\n").split("\n")
            for line in ended:
                self._line.append(line)
                self._end_line(always=True)
            self._line.append(rest)
            return
        # A no-break space isn't collapsed; str.split would take it too.
        self._line.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _block(self, node: LexborNode) -> None:
        self._end_line()
        self._gap = self._gap or (node.tag in _SPACED and not _is_tight(node))

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


def _names(node: LexborNode) -> list[str]:
    """What a program calls an element: its classes, its id and its name."""
    attributes = node.attributes
    return [
        *(attributes.get("class") or "").split(),
        *(value for key in ("id", "name") if (value := attributes.get(key))),
    ]


def _opens_quote(node: LexborNode) -> bool:
    if node.tag in ("blockquote", "a", "body"):
        return False
    style = _style(node)
    return any(map(_OPENING.fullmatch, _names(node))) or bool(_OPENING_STYLE.search(style))


def _style(node: LexborNode) -> str:
    return (node.attributes.get("style") or "")[:_STYLE_CHARS]


def _is_sized_nothing(node: LexborNode) -> bool | None:
    """Whether an element's own text is of size nothing; None where it is that of the element around it."""
    sizes = _FONT_SIZE.findall(_style(node))
    size = sizes[-1].strip() if sizes else ""
    if not size:
        return None
    if _NOTHING.fullmatch(size) and "0" in size:
        return True
    return None if _RELATIVE.fullmatch(size) else False


def _is_tight(node: LexborNode) -> bool:
    attributes = node.attributes
    classes = attributes.get("class") or ""
    return node.tag == "p" and (classes.startswith("Mso") or bool(_TIGHT.search(_style(node))))


def _unseen(node: LexborNode) -> bool:
    attributes = node.attributes
    return (
        "hidden" in attributes
        or bool(_HIDDEN.search(_style(node)))
        or any(map(_SIGNATURE.fullmatch, _names(node)))
        or attributes.get("data-signature-widget") == "container"
    )
