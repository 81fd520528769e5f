"""What mail programs make of HTML, as a table: a feature, the programs that lack it, and what a letter must not have.

The programs are those that https://www.caniemail.com names (its data: hteumeuleu/caniemail on GitHub, tests of 2019 to
2024), by the pages given as `source`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote

from lxml import etree, html

_HEX = re.compile(r"#[0-9a-f]{6}")
_PIXELS = re.compile(r"[0-9]+")
LONGEST_LINK = 1_000
"""The maximum length of a link. Some programs cut longer ones."""


@dataclass(frozen=True)
class Tag:
    """An element of a page with its inline style."""

    element: etree._Element

    @property
    def name(self) -> str:
        return str(self.element.tag)

    @property
    def style(self) -> dict[str, str]:
        pairs = (one.partition(":") for one in self.get("style").split(";") if one.strip())
        return {name.strip(): value.strip() for name, _, value in pairs}

    def get(self, name: str) -> str:
        return str(self.element.get(name, ""))

    def within(self, *names: str) -> "Tag | None":
        """Return the innermost element of one of these kinds around this one."""
        return next((Tag(one) for one in self.element.iterancestors(*names)), None)

    @property
    def is_data(self) -> bool:
        """Whether it is a table with headings, and not one for layout."""
        return self.name == "table" and self.get("role") != "presentation"

    def __str__(self) -> str:
        return etree.tostring(self.element, encoding="unicode", with_tail=False)[:160]


@dataclass(frozen=True)
class Page:
    """The page of a letter."""

    text: str
    tags: tuple[Tag, ...]

    def named(self, *names: str) -> Iterator[Tag]:
        return (tag for tag in self.tags if tag.name in names)

    @property
    def cells(self) -> Iterator[Tag]:
        """The cells of boards, which are the tables with headings."""
        for tag in self.named("td", "th"):
            table = tag.within("table")
            if table is not None and table.is_data:
                yield tag

    @property
    def board_pictures(self) -> Iterator[Tag]:
        for tag in self.named("img"):
            table = tag.within("table")
            if table is not None and table.is_data:
                yield tag


def page_of(text: str) -> Page:
    return Page(text, tuple(Tag(one) for one in html.document_fromstring(text).iter(etree.Element)))


@dataclass(frozen=True)
class Feature:
    """A feature that some programs lack.

    `refused` returns what a page must not have for that reason. `example` is something that it finds.
    """

    name: str
    lacking: str
    source: str
    refused: Callable[[Page], Iterator[object]]
    example: str


def _tags(*names: str) -> Callable[[Page], Iterator[object]]:
    return lambda page: page.named(*names)


def _styles(*names: str, values: str = "") -> Callable[[Page], Iterator[object]]:
    """Return a check for these CSS properties; with `values` only for those that match it."""

    def refused(page: Page) -> Iterator[object]:
        return (
            tag
            for tag in page.tags
            for name, value in tag.style.items()
            if name in names and re.search(values, value)
        )

    return refused


def _percent_on_pictures(page: Page) -> Iterator[object]:
    for tag in page.named("img"):
        sizes = (tag.get("width"), tag.get("height"))
        if not all(map(_PIXELS.fullmatch, sizes)) or {"width", "max-width"} & tag.style.keys():
            yield tag


def _other_size_than_asked(page: Page) -> Iterator[object]:
    """Yield pictures of a board that aren't all of one size, and so depend on what the program makes of it."""
    for table in page.named("table"):
        if table.is_data:
            inside = [tag for tag in page.board_pictures if tag.within("table") == table]
            if len({(tag.get("width"), tag.get("height")) for tag in inside}) > 1:
                yield table


def _widths_without_pixels(page: Page) -> Iterator[object]:
    for tag in page.tags:
        if {"width", "max-width", "min-width"} & tag.style.keys() and not _PIXELS.match(tag.get("width")):
            yield tag


def _gaps(page: Page) -> Iterator[object]:
    """Yield pictures of a board below which a program may leave the room for the tails of letters."""
    for tag in page.board_pictures:
        if tag.style.get("display") != "block" or tag.style.get("border") != "0":
            yield tag


def _tables_with_defaults(page: Page) -> Iterator[object]:
    for tag in page.named("table"):
        if not all(_PIXELS.fullmatch(tag.get(name)) for name in ("cellpadding", "cellspacing", "border")):
            yield tag


def _colors_of_the_style(page: Page) -> Iterator[object]:
    """Yield what has its color only in a class, or in another way than six digits."""
    for tag in page.tags:
        colors = [value for name, value in tag.style.items() if name in ("color", "background-color")]
        colors += [tag.get("bgcolor")] if tag.get("bgcolor") else []
        if not all(map(_HEX.fullmatch, colors)):
            yield tag
    for tag in page.cells:
        table = tag.within("table")
        colored = tag.get("bgcolor") or (table is not None and table.get("bgcolor"))
        if tag.element.find(".//img") is not None and not colored:
            yield tag


def _pictures_elsewhere(page: Page) -> Iterator[object]:
    return (tag for tag in page.named("img") if not tag.get("src").startswith("cid:"))


def _wordless(page: Page) -> Iterator[object]:
    """Yield pictures of a board that don't say the square and what stands there, if anything does."""
    for tag in page.board_pictures:
        if not re.fullmatch(r"[A-Z][0-9](?:: \S+(?:, .+)?)?", tag.get("alt")):
            yield tag
    for tag in page.named("img"):
        if tag.element.get("alt") is None:
            yield tag


def _said_by_attributes(page: Page) -> Iterator[object]:
    """Yield what says something in an attribute that some programs remove."""
    for tag in page.tags:
        hidden = [name for name in tag.element.attrib if name.startswith("aria-") or name == "title"]
        if hidden or tag.get("role") not in ("", "presentation", "main"):
            yield tag
    for table in page.named("table"):
        scopes = {th.get("scope") for th in page.named("th") if th.within("table") == table}
        # Rows that are shifted have no columns in common.
        is_shifted = table.element.find(".//td[@colspan]") is not None
        if table.is_data and scopes != ({"row"} if is_shifted else {"row", "col"}):
            yield table


def _pre_elsewhere(page: Page) -> Iterator[object]:
    return (
        tag for tag in page.tags if tag.style.get("white-space", "").startswith("pre") and tag.name != "pre"
    )


def _large_style(page: Page) -> Iterator[object]:
    return (tag for tag in page.named("style") if len(tag.element.text or "") >= 16_384)


def _large_page(page: Page) -> Iterator[object]:
    if len(page.text.encode()) >= 102_000:
        yield len(page.text.encode())


def _links(page: Page) -> Iterator[object]:
    for tag in page.named("a"):
        scheme, _, rest = tag.get("href").partition(":")
        if scheme == "mailto":
            address, _, fields = rest.partition("?")
            values = parse_qs(fields, strict_parsing=True)
            is_own = values.keys() == {"subject", "body"} and values["body"][0].endswith("\r\n")
            if not is_own or "+" in rest or "@" not in unquote(address):
                yield tag
        if len(tag.get("href")) > LONGEST_LINK:
            yield tag


FEATURES = (
    Feature(
        "flex, grid, aspect-ratio",
        "Outlook on Windows, Gmail and Yahoo in part, GMX, Web.de",
        "css-display-flex css-display-grid css-aspect-ratio",
        lambda page: (
            *_styles("display", values="flex|grid")(page),
            *_styles("aspect-ratio")(page),
        ).__iter__(),
        '<p style="display:flex">x</p>',
    ),
    Feature(
        "position, float, overflow",
        "Gmail, Outlook on Windows, Yahoo",
        "css-position css-float css-overflow",
        _styles("position", "float", "overflow", "z-index", "object-fit", "transform"),
        '<p style="position:absolute">x</p>',
    ),
    Feature(
        "pictures behind, shadows, opacity",
        "Outlook on Windows, GMX, Web.de",
        "css-background-image css-box-shadow css-opacity",
        _styles("background", "background-image", "box-shadow", "opacity", "filter", "mask"),
        '<p style="background-image:url(cid:one)">x</p>',
    ),
    Feature(
        "max-width",
        "Outlook on Windows knows it for tables alone, and goes by the attribute width",
        "css-max-width css-width",
        _widths_without_pixels,
        '<p style="max-width:480px">x</p>',
    ),
    Feature(
        "a width in percent on <img>",
        "Outlook on Windows takes the width of the file",
        "css-width html-width",
        _percent_on_pictures,
        '<img src="cid:one" width="100%" height="9" alt="x">',
    ),
    Feature(
        "one width for each picture of a table",
        "programs that take the size of the file (caniemail issue 171)",
        "html-width",
        _other_size_than_asked,
        '<table><tr><th scope="col">A</th></tr><tr><td><img width="8" height="8" alt="A1: s">'
        '<img width="9" height="9" alt="A2: s"></td></tr></table>',
    ),
    Feature(
        "a margin of a picture that is no block",
        "all but Outlook on Windows leave a gap below it",
        "css-display",
        _gaps,
        '<table><tr><td><img src="cid:one" width="9" height="9" alt="A1: s"></td></tr></table>',
    ),
    Feature(
        "border-spacing and border-collapse",
        "Outlook on Windows goes by cellpadding, cellspacing and border",
        "css-border-spacing css-border-collapse html-cellspacing",
        _tables_with_defaults,
        '<table cellpadding="0" border="0" style="border-spacing:0"><tr><td>x</td></tr></table>',
    ),
    Feature(
        "<style>",
        "GMX, Web.de, La Poste, Gmail for other accounts",
        "html-style css-background-color",
        _colors_of_the_style,
        '<table><tr><td class="t-cell"><img src="cid:one" alt="A1: s"></td></tr></table>',
    ),
    Feature("<style> over 16 KB", "Gmail", "html-style", _large_style, f"<style>{'x' * 16_384}</style>"),
    Feature("a page over 102 KB", "Gmail", "html-doctype", _large_page, "x" * 102_000),
    Feature(
        "image maps",
        "Yahoo and AOL on phones, ProtonMail on Android, HEY, Windows Mail",
        "html-image-maps",
        lambda page: (tag for tag in page.tags if tag.name in ("map", "area") or tag.get("usemap")),
        '<img src="cid:one" usemap="#m" width="9" height="9" alt="x">',
    ),
    Feature(
        "data: and pictures on servers",
        "Gmail, Windows Mail, HEY, La Poste; the others ask before they load them",
        "image-base64",
        _pictures_elsewhere,
        '<img src="data:image/png;base64,AAAA" width="1" height="1" alt="x">',
    ),
    Feature(
        "SVG", "Gmail, mail.ru, Outlook on Windows", "html-svg image-svg", _tags("svg", "math"), "<svg></svg>"
    ),
    Feature(
        "video, sound, forms, frames, scripts",
        "Gmail, Outlook, Yahoo",
        "html-video html-audio html-form",
        _tags("video", "audio", "canvas", "object", "iframe", "form", "input", "button", "select", "script"),
        "<form></form>",
    ),
    Feature(
        "white-space: pre",
        "Outlook on Windows, Samsung, Gmail and Yahoo on phones",
        "css-white-space",
        _pre_elsewhere,
        '<p style="white-space:pre">x</p>',
    ),
    Feature(
        "role and aria-label",
        "Yahoo, AOL, GMX, Web.de, Orange",
        "html-role html-aria-label",
        _said_by_attributes,
        '<p aria-label="B4: empty">x</p>',
    ),
    Feature(
        "pictures, before their reader allows them",
        "Outlook, Thunderbird, and many by their settings",
        "html-img",
        _wordless,
        '<table><tr><th scope="col">A</th></tr><tr><td><img src="cid:one" alt="a flat"></td></tr></table>',
    ),
    Feature(
        "mailto: with anything but a subject and a body, a plus or a long address",
        "Orange on iOS; cc and bcc are lost in a few; Gmail reads a plus as a blank",
        "html-mailto-links",
        _links,
        '<a href="mailto:tak+1@example.test?subject=a&amp;body=b%0D%0A">x</a>',
    ),
)
