"""Quote a letter as the mail programs of tests/data/mail quote theirs.

Each mail there shows what its program writes around a quote: the attribution or the headers, the mark before each line,
the signature, the boxes of the page. All that is cut out of the mail itself, and another letter is put in place of the
quoted one. What programs make of a page with tables and pictures stands in `_STYLES`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from functools import cache
from html import escape, unescape
from html.parser import HTMLParser

from tests.support.corpus import outcome, raw

_MOVE = re.compile(r"ps b4\.?", re.IGNORECASE)
"""The move in each mail of the corpus. What is typed in a new mail replaces it."""
_FIRST, _LAST = "ps c3", "tells more."
"""The first and the last words of the letter that the corpus answers."""
_ROWS = ("S 0 0 0 0", "0 0 0 0 0")
"""Two lines of that letter. What stands between them stands between all lines of a quote."""
_HIDDEN = ("head", "style", "title")
_BLOCKS = {"blockquote", "br", "div", "h1", "h2", "h3", "hr", "li", "ol", "p", "pre", "table", "ul"}
_CELLS = ("td", "th")


def _unchanged(page: str) -> str:
    return page


def _classes(prefix: str) -> Callable[[str], str]:
    """Return an edit that puts a prefix before each class name."""

    def edit(page: str) -> str:
        return page.replace('class="', f'class="{prefix}')

    return edit


def _by_word(page: str) -> str:
    """Return a page as Word writes it: with paragraphs and tables of its own kind, and a <pre> for each line."""
    page = re.sub(r"<(?:p|h1|h2)\b[^>]*>", "<p class=MsoNormal>", page)
    page = re.sub(r"</(?:p|h1|h2)>", "<o:p></o:p></p>", page)
    page = re.sub(r"<table\b[^>]*>", "<table class=MsoNormalTable border=0>", page)
    page = re.sub(r"<t[dh]\b[^>]*>(?!<p)", "<td style='padding:0cm'><p class=MsoNormal>", page)
    page = re.sub(r"</t[dh]>", "<o:p></o:p></p></td>", page)
    return re.sub(r"<pre\b[^>]*>(.*?)</pre>", lambda found: _lines_of_word(found[1]), page, flags=re.DOTALL)


def _lines_of_word(rows: str) -> str:
    return "".join(f"<pre>{row}<o:p></o:p></pre>" for row in rows.split("\n"))


@dataclass(frozen=True, slots=True)
class Style:
    """What the programs of a family make of a page; `corpus` names a mail that shows it.

    In the text, `picture` and `link` are put in place of a picture and of the words of a link, and `cells` and `rows`
    between the cells and the rows of a table. `edit` changes the page itself.
    """

    corpus: str
    picture: str = ""
    link: str = "{words}"
    cells: str = "\n"
    rows: str = "\n"
    edit: Callable[[str], str] = _unchanged


@dataclass(frozen=True, slots=True)
class Program:
    """A program that sends mails such as `corpus`."""

    corpus: str
    style: Style


_GMAIL = Style("page-gmail-web", "[image: {alt}]", "{words} <{address}>", edit=_classes("m_-4711"))
_APPLE = Style("page-apple-ios", "<image001.png>")
_WORD = Style(
    "page-outlook-desktop",
    "[cid:image001.png@01DD5B1E.4F2C1A80]",
    "{words}<{target}>",
    rows="\n\n",
    edit=_by_word,
)
_OUTLOOK = Style("page-outlook-ios", "[{alt}]", "{words}<{target}>", cells="\t", edit=_classes("x_"))
_THUNDERBIRD = Style("page-thunderbird-below", "{alt}", "{words} <{target}>")
_YAHOO = Style("page-yahoo-web", "Inline image", cells=" ", edit=_classes("yiv4711"))
_PROTON = Style("page-proton", "![{alt}](cid:picture1)", "[{words}]({target})", cells=" | ")
_PLAIN = Style("page-unmarked", "", cells=" ")
_WORDS = Style("html-table", "{alt}", cells="\t")
_LIST = Style("html-list", "{alt}", cells="\n\n", rows="\n\n")

_STYLES: dict[Style, str] = {
    _GMAIL: "gmail-web gmail-web-signature gmail-web-wrapped-attribution gmail-web-between gmail-android gmail-ios"
    " gmail-german gmail-japanese rtl-arabic page-gmail-web page-gmail-android page-forwarded superhuman",
    _APPLE: "apple-mail apple-mail-below apple-mail-pdf iphone iphone-html icloud-web spark page-apple-ios"
    " page-picture-returned",
    _WORD: "outlook-desktop outlook-desktop-german outlook-desktop-html outlook-desktop-plain outlook-inline"
    " outlook-mac windows-mail page-outlook-desktop",
    _OUTLOOK: "outlook-web outlook-android outlook-ios outlook-ios-in-signature outlook-new-signature page-outlook-ios"
    " page-outlook-web",
    _THUNDERBIRD: "thunderbird thunderbird-german thunderbird-html page-thunderbird-below evolution kmail k9 k9-below"
    " claws fastmail roundcube the-bat-below",
    _YAHOO: "yahoo-web yahoo-web-below yahoo-web-html yahoo-android aol page-yahoo-web",
    _PROTON: "protonmail protonmail-original-message protonmail-unicode-hyphens page-proton",
    _PLAIN: "page-unmarked samsung android-old gmx-html gmx-text o2-polish onet-polish orange-french horde-german zoho"
    " quote-bars quote-colons",
    _WORDS: "html-table becky gnus mutt notes hey naver daum yahoo-japan yahoo-japan-app netease-163"
    " netease-163-chinese",
    _LIST: "html-list mail-ru mail-ru-koi8 yandex foxmail qq-mail html-br html-unclosed nested amp-part pgp-inline",
}
PROGRAMS = tuple(Program(name, style) for style, names in _STYLES.items() for name in names.split())


@dataclass(frozen=True, slots=True)
class Frame:
    """What a mail has around its quote. `between` stands between two lines of it.

    If `is_inside`, the move stands within the quote.
    """

    before: str
    after: str
    between: str
    is_inside: bool

    def around(self, typed: str, quote: str) -> str:
        """Return the mail with another quote, and with something else typed."""
        if self.is_inside:
            lines = quote.split(self.between)
            half = next((at for at in range(len(lines) // 2, len(lines)) if not lines[at]), len(lines) // 2)
            above, below = self.between.join(lines[:half]), self.between.join(lines[half:])
            mark = self.between.split("\n")[-1]
            quote = f"{above}\n\n{typed}\n\n{mark}{below}"
        before, after = (_MOVE.sub(lambda _: typed, part) for part in (self.before, self.after))
        return f"{before}{quote}{after}"


@dataclass(frozen=True, slots=True)
class Sides:
    """The text and the page of a mail; None if it has no such side."""

    text: str | None
    page: str | None


def requoted(program: Program, typed: str, text: str, page: str) -> Sides:
    """Return the mail that answers a letter, which has this text and this page.

    A program whose mail in the corpus has no page sends its text alone.
    """
    in_text, in_page = frames(program.corpus)
    lines = flattened(page, program.style) if page else text
    return Sides(
        in_text and in_text.around(typed, in_text.between.join(lines.split("\n"))),
        in_page
        and in_page.around("<br>".join(map(escape, typed.split("\n"))), program.style.edit(body(page))),
    )


def text_quoted(program: Program, typed: str, text: str) -> str | None:
    """Return the mail of a program that shows its reader the text of a letter, and quotes that."""
    frame = frames(program.corpus)[0]
    return frame and frame.around(typed, frame.between.join(text.strip().split("\n")))


def typed_in(program: Program, typed: str) -> str:
    """Return all that was typed in such a mail: the words for the opponent stay as they are in the corpus."""
    kept = [frame for frame in frames(program.corpus) if frame is not None]
    around = "\n".join(unescape(frame.before + frame.after) for frame in kept)
    lines = str(outcome(program.corpus)["typed"]).split("\n")
    kept_lines = [line for line in lines if _MOVE.search(line) or line.strip() in around]
    return _MOVE.sub(lambda _: typed, "\n".join(kept_lines))


@cache
def frames(corpus: str) -> tuple[Frame | None, Frame | None]:
    """Return what a mail of the corpus has around the quote in its text, and in its page."""
    mail = message_from_bytes(raw(corpus), policy=policy.default)
    found: dict[str, str] = {}
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            found.setdefault(part.get_content_subtype(), part.get_content().replace("\r\n", "\n"))
    text, page = found.get("plain", ""), found.get("html", "")
    is_page = corpus.startswith("page-")
    return (
        _frame_of_text(text, "up" if is_page else _LAST) if _FIRST in text else None,
        _frame_of_page(page, is_page) if _FIRST in page else None,
    )


def _frame_of_text(text: str, last: str) -> Frame:
    start, end = text.index(_FIRST), text.rindex(last) + len(last)
    if last != _LAST:
        end += len(text[end:].partition("\n")[0])
    row = text.index(_ROWS[0])
    between = text[row + len(_ROWS[0]) : text.index(_ROWS[1], row)]
    return _frame(text[:start], text[end:], between, text)


def _frame_of_page(page: str, is_page: bool) -> Frame:
    if is_page:
        return _frame(
            page[: page.index("<table")], page[page.rindex("</table>") + len("</table>") :], "", page
        )
    # Only a quoted text stands in paragraphs and in <pre> of its own.
    before = re.sub(r"(?:<(?:pre|p)\b[^>]*>\s*(?:<div[^>]*>)?)$", "", page[: page.index(_FIRST)])
    after = re.sub(r"^(?:<o:p></o:p>|</div>|\s)*</(?:pre|p)>", "", page[page.rindex(_LAST) + len(_LAST) :])
    return _frame(before, after, "", page)


def _frame(before: str, after: str, between: str, whole: str) -> Frame:
    moves = len(_MOVE.findall(before + after))
    assert moves < 2, (before, after)
    assert moves or _MOVE.search(whole)
    return Frame(before, after, between, is_inside=not moves)


class _Flat(HTMLParser):
    """Converts a page to text by the rules of a style."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.words: list[str] = []
        self._style = style
        self._link: list[str] | None = None
        self._target = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag not in ("br", "img", "meta", "hr"):
            self._open.append(tag)
        if tag in _BLOCKS:
            self._say("\n")
        elif tag == "img":
            self._say(self._style.picture.format(alt=" ".join(values["alt"].split())))
        elif tag == "a":
            self._link, self._target = [], values["href"]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass
        if tag in _BLOCKS:
            self._say("\n")
        elif tag in _CELLS:
            self._say(self._style.cells)
        elif tag == "tr":
            self._say(self._style.rows)
        elif tag == "a" and self._link is not None:
            words, self._link = "".join(self._link), None
            address = self._target.removeprefix("mailto:")
            if words.strip():
                self._say(self._style.link.format(words=words, target=self._target, address=address))

    def handle_data(self, data: str) -> None:
        if not any(tag in _HIDDEN for tag in self._open):
            self._say(data if "pre" in self._open else re.sub(r"\s+", " ", data))

    def _say(self, words: str) -> None:
        (self.words if self._link is None else self._link).append(words)


def flattened(page: str, style: Style) -> str:
    """Return a page as text, without repeated blank lines."""
    flat = _Flat(style)
    flat.feed(page)
    lines = (line.strip() for line in "".join(flat.words).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def body(page: str) -> str:
    """Return the body of a page, as programs put it into another page."""
    return page.partition("<body")[2].partition(">")[2].partition("</body>")[0]
