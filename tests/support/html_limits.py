"""Check the HTML of a letter against what mail programs reject.

The programs are Gmail, Outlook for Windows (which renders with Word), Apple Mail and Yahoo. Each removes or ignores
different features, so letters use only what all of them show. The source is caniemail.com, by feature
(`css-position`, `css-float`, `html-svg` …).
"""

import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from io import BytesIO

from PIL import Image

MOST_BYTES = 80_000
"""Gmail shows the first 102 KB and hides the rest. Letters are well below that."""
MOST_STYLE = 8192
"""The number of characters of <style> above which Gmail removes it."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Not allowed, with the programs that reject them: svg, video, audio, canvas, object: Gmail, Outlook, Yahoo; script,
# iframe, link: all; form, input, button, select: Outlook, Gmail in part; picture, source: Outlook. <base> breaks
# links in Gmail.
_TAGS = _words(
    "html head meta title style body table tr td th h1 h2 h3 p br hr pre blockquote ul ol li img a b strong i em span"
)
_VOID = frozenset(("meta", "br", "hr", "img"))
_ATTRIBUTES = {
    "*": {"style", "class", "role"},
    "html": {"lang"},
    "body": {"lang"},
    "meta": {"charset", "name", "content"},
    "table": {"width", "cellpadding", "cellspacing", "border", "align", "bgcolor"},
    "tr": {"align", "valign", "height"},
    "td": {"width", "height", "align", "valign", "colspan", "bgcolor", "lang"},
    "th": {"width", "height", "align", "valign", "colspan", "bgcolor", "scope"},
    "img": {"src", "width", "height", "alt"},
    "a": {"href", "title"},
}
# Not allowed, with the programs that reject them: position, z-index, overflow: Gmail, Outlook; float,
# background-image, box-shadow, opacity, transform, box-sizing: Outlook; grid and flex: Outlook, and Gmail or Yahoo in
# part; animation: Gmail, Outlook.
_COLORS = frozenset(("color", "background-color", "border-color", "border-left-color", "border-top-color"))
_PROPERTIES = _COLORS | _words(
    "font-family font-size font-weight font-style line-height text-align text-decoration vertical-align white-space"
    " word-break word-spacing word-wrap overflow-wrap margin padding width max-width height display table-layout"
    " border border-left border-top border-bottom border-right border-collapse border-radius"
)
_DISPLAYS = frozenset(("block", "inline", "inline-block"))
"""Outlook supports only `none` and ignores the others, so letters must look right without them."""
_PADDED = frozenset(("td", "th", "a", "pre", "blockquote", "ul", "ol"))
"""Outlook pads only cells, so letters must look right without the padding of other elements."""
_SCHEME = re.compile(r"\s*@media \(prefers-color-scheme: dark\) \{(?P<rules>(?:[^{}]*\{[^{}]*\})*\s*)\}\s*")
_RULE = re.compile(r"\s*\.t-[a-z]+(?: a)?\s*\{([^{}]*)\}")
# var() and calc(): Outlook, Gmail; rgba(): Outlook; rem, vw: Outlook, Yahoo; !important within style="": Gmail
_VALUE = re.compile(r"url\(|var\(|calc\(|rgba?\(|expression|!important|\d(?:rem|vw|vh|ch)\b|<|\\")


def faults(html: str, cids: Collection[str]) -> list[str]:
    """Return everything that a program would reject in a letter with pictures of these Content-IDs."""
    page = _Page(frozenset(cids))
    page.feed(html)
    page.close()
    return [*_of_bytes(html), *page.faults, *page.missing()]


def is_opaque(picture: bytes) -> bool:
    """Tell whether a picture is opaque, so that it looks the same if a program inverts the background."""
    with Image.open(BytesIO(picture)) as image:
        return image.convert("RGBA").getextrema()[3] == (255, 255)


def _of_bytes(html: str) -> Iterator[str]:
    if len(html.encode()) > MOST_BYTES:
        yield f"it is {len(html.encode())} bytes long"
    if not html.startswith("<!DOCTYPE html>\n"):
        yield "without a doctype Outlook.com and Yahoo show it as in the days before standards"


class _Page(HTMLParser):
    """Parses a page and records its faults."""

    def __init__(self, cids: frozenset[str]) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._cids = cids
        self._shown: set[str] = set()
        self._open: list[str] = []
        # For each open table, whether it has headings or says that it is for layout.
        self._tables: list[bool] = []
        self._seen: set[str] = set()
        self._title = ""

    def missing(self) -> Iterator[str]:
        """Yield the required parts that a page lacks."""
        for tag in self._open:
            yield f"<{tag}> is never closed"
        for one in ("lang", "charset", "viewport", "color-scheme"):
            if one not in self._seen:
                yield f"there is no {one}"
        if not self._title.strip():
            yield "there is no title"
        for cid in sorted(self._cids - self._shown):
            yield f"the picture {cid} is not shown, so it hangs on the mail as a file"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attributes}
        if len(known) < len(attributes):
            self._fault(tag, "has an attribute twice")
        if tag not in _TAGS:
            self._fault(tag, "is not shown everywhere")
        for name in known.keys() - _ATTRIBUTES["*"] - _ATTRIBUTES.get(tag, set()):
            self._fault(tag, f"has {name}")
        if tag == "style" and ("body" in self._open or "style" in self._seen):
            self._fault(tag, "is not the one in the head: Gmail and Outlook take others away")
        if tag not in _VOID:
            self._open.append(tag)
        self._seen.add(tag)
        self._style(tag, known)
        self._checks(tag, known)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._fault(tag, "closes itself, which is XHTML")
        super().handle_startendtag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._tables and not self._tables.pop():
            self._fault(tag, "is for layout and does not say so")
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self._fault(tag, f"is closed within {self._open[-1:]}")

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["title"]:
            self._title += data
        if self._open[-1:] == ["style"]:
            self.faults += _of_sheet(data)
        elif data.strip() and self._open[-1:] in (["table"], ["tr"], ["ul"], ["ol"], ["head"], ["html"], []):
            self._fault(
                self._open[-1] if self._open else "", f"has text right within it: {data.strip()[:40]}"
            )

    def _checks(self, tag: str, known: dict[str, str]) -> None:
        match tag:
            case "html" if known.get("lang"):
                self._seen.add("lang")
            case "meta":
                self._seen |= {"charset"} if known.get("charset") == "utf-8" else {known.get("name", "")}
            case "table":
                # A screen reader announces rows and columns of all tables without this role.
                self._tables.append(known.get("role", "") == "presentation")
                if not all(known.get(one, "").isdigit() for one in ("cellpadding", "cellspacing", "border")):
                    self._fault(tag, "leaves cellpadding, cellspacing or border to the program")
            case "th" if self._tables:
                self._tables[-1] = True
            case "img":
                self._picture(known)
            case "a":
                self._link(known.get("href", ""))

    def _picture(self, known: dict[str, str]) -> None:
        source = known.get("src", "")
        self._shown.add(source.removeprefix("cid:"))
        # Gmail and Outlook reject data: URLs. Remote pictures are not loaded, or reveal that the letter was read.
        if not source.startswith("cid:") or source.removeprefix("cid:") not in self._cids:
            self._fault("img", f"is none of the letter's own pictures: {source[:60]}")
        # An empty alt is for a picture that repeats the words beside it.
        if not known.get("alt", "").strip() if self._open[-1:] == ["a"] else "alt" not in known:
            self._fault("img", "has no alt, and many see no pictures before they allow it")
        # Outlook uses only these attributes. Without them it shows all pixels of the file.
        if not (known.get("width", "").isdigit() and known.get("height", "").isdigit()):
            self._fault("img", "has no width and height in pixels")

    def _link(self, href: str) -> None:
        if href.startswith("mailto:"):
            # In Gmail a raw + becomes a space. Elsewhere a space, a quote or an incomplete escape ends the link.
            if re.search(r"[+\s\"'<>]|%(?![0-9A-F]{2})", href):
                self._fault("a", f"opens a mail that is not quoted well: {href[:80]}")
        elif not href.startswith("https://"):
            self._fault("a", f"leads to {href[:60]}")

    def _style(self, tag: str, known: dict[str, str]) -> None:
        for one in filter(str.strip, known.get("style", "").split(";")):
            name, _, value = (part.strip() for part in one.partition(":"))
            if name not in _PROPERTIES or not value or _VALUE.search(value):
                self._fault(tag, f"has {name}: {value}")
            if name == "display" and value not in _DISPLAYS:
                self._fault(tag, f"is a {value}")
            # Gmail and Outlook remove negative values, and Outlook also removes `auto`.
            if name == "margin" and ("-" in value or "auto" in value):
                self._fault(tag, f"has a margin of {value}")
            if name == "padding" and tag not in _PADDED and value != "0":
                self._fault(tag, "has a padding, which Outlook takes away")
            if name in ("width", "max-width") and not known.get("width"):
                self._fault(tag, f"has a {name} and no attribute width, by which Outlook goes")
        for one in known.get("class", "").split():
            if not re.fullmatch("t-[a-z]+", one):
                self._fault(tag, f"is of the class {one}")

    def _fault(self, tag: str, words: str) -> None:
        self.faults.append(f"<{tag}> in line {self.getpos()[0]} {words}")


def _of_sheet(sheet: str) -> Iterator[str]:
    """Yield faults in <style>. It may only contain dark-mode colours, because Gmail drops it for other accounts."""
    if len(sheet) > MOST_STYLE:
        yield f"<style> has {len(sheet)} characters"
    found = _SCHEME.fullmatch(sheet)
    if not found or _RULE.sub("", found["rules"]).strip():
        yield "<style> has more than classes in the dark, or is not well formed, and then Gmail drops it"
        return
    for rule in _RULE.findall(found["rules"]):
        for one in filter(str.strip, rule.split(";")):
            name, _, value = (part.strip() for part in one.partition(":"))
            if name not in _COLORS or not re.fullmatch(r"#[0-9a-f]{6} !important", value):
                yield f"<style> sets {name} to {value}"
