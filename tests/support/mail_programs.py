"""Imitate the replies of common mail programs to an HTML letter: the text and the HTML that they quote."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

_BLOCKS = {"blockquote", "br", "div", "li", "ol", "p", "pre", "table", "tr", "ul"}
_BY = "Tak by Mail"


class _Flat(HTMLParser):
    """Converts a page to text with each table cell on a separate line, which is the worst case."""

    def __init__(self, picture: Callable[[str], str], link: Callable[[str, str], str]) -> None:
        super().__init__()
        self.words: list[str] = []
        self._picture, self._link = picture, link
        self._target = ""
        self._kept = True
        self._pre = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._kept = tag not in ("head", "style", "title")
        self._pre = self._pre or tag == "pre"
        if tag in _BLOCKS or tag == "td":
            self.words.append("\n")
        if tag == "img":
            picture = self._picture(" ".join(values["alt"].split()))
            linked = self._link(picture, self._target) if self._target and picture else picture
            self.words.append(f"\n{linked}\n")
        if tag == "a":
            self._target = values["href"]

    def handle_endtag(self, tag: str) -> None:
        self._kept = True
        self._pre = self._pre and tag != "pre"
        if tag in _BLOCKS - {"br"}:
            self.words.append("\n")
        if tag == "a":
            self._target = ""

    def handle_data(self, data: str) -> None:
        if not self._kept:
            return
        words = data if self._pre else re.sub(r"\s+", " ", data)
        self.words.append(self._link(words, self._target) if self._target and words.strip() else words)


def flattened(html: str, picture: Callable[[str], str], link: Callable[[str, str], str]) -> str:
    """Return a page as plain text without repeated blank lines."""
    flat = _Flat(picture, link)
    flat.feed(html)
    lines = (line.strip() for line in "".join(flat.words).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _inside(html: str) -> str:
    """Return the body of a page, as programs embed it in another page."""
    return html.partition("<body")[2].partition(">")[2].partition("</body>")[0]


def _marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _label(words: str, _target: str) -> str:
    return words


def _pointed(words: str, target: str) -> str:
    return f"{words} <{target}>"


def _lines(typed: str, form: str) -> str:
    return "".join(form.format(escape(line) or "<br>") for line in typed.split("\n"))


@dataclass(frozen=True)
class Answer:
    """The text and the HTML of a reply."""

    text: str
    html: str


Program = Callable[[str, str], Answer]
"""Creates a reply from the typed text and the HTML side of the letter."""


def gmail(typed: str, html: str) -> Answer:
    """Gmail in a browser. It renames classes and replaces pictures by text."""
    head = f"On Sat, Nov 21, 2026 at 1:00\u202fPM {_BY} <tak@example.test> wrote:"
    flat = flattened(
        html, "[image: {}]".format, lambda words, target: f"{words} <{target.removeprefix('mailto:')}>"
    )
    inner = re.sub(r'class="', 'class="m_-4711', _inside(html)).replace("cid:", "cid:ii_")
    return Answer(
        f"{typed}\n\n{head}\n\n{_marked(flat)}",
        f'<div dir="ltr">{_lines(typed, "<div>{}</div>")}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(head)}<br></div><blockquote class="gmail_quote" '
        f'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><u></u>{inner}'
        "</blockquote></div>",
    )


def gmail_android(typed: str, html: str) -> Answer:
    """Gmail on a phone."""
    answer = gmail(typed, html)
    return Answer(answer.text, answer.html.replace('<div dir="ltr">', '<div dir="auto">', 1))


def apple_ios(typed: str, html: str) -> Answer:
    """Apple Mail on a phone. It replaces a picture by its file name."""
    head = f"On 21 Nov 2026, at 13:00, {_BY} <tak@example.test> wrote:"
    flat = flattened(html, lambda _alt: "<board1.png>", _label)
    quote = _marked(f"{head}\n\n\ufeff{flat}")
    return Answer(
        f"{typed}\n\nSent from my iPhone\n\n{quote}",
        f'<html><head></head><body dir="auto"><div dir="ltr">{_lines(typed, "<div>{}</div>")}'
        '<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div></div><div dir="ltr"><br>'
        f'<blockquote type="cite">{escape(head)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
        f"\ufeff{_inside(html)}</div></blockquote></body></html>",
    )


def apple_mac(typed: str, html: str) -> Answer:
    """Apple Mail on a Mac."""
    head = f"On 21 Nov 2026, at 13:00, {_BY} <tak@example.test> wrote:"
    flat = flattened(html, lambda _alt: "<board1.png>", _label)
    quote = _marked(f"{head}\n\n{flat}")
    return Answer(
        f"{typed}\n\n{quote}",
        f'<html><head></head><body style="overflow-wrap: break-word;">{_lines(typed, "<div>{}</div>")}'
        f'<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>{escape(head)}</div>'
        f'<br class="Apple-interchange-newline"><div><div>{_inside(html)}</div></div></blockquote></div><br>'
        "</body></html>",
    )


def outlook_desktop(typed: str, html: str) -> Answer:
    """Outlook for Windows. Word rewrites the page, and only a line above it marks the quote."""
    head = (
        ("From", f"{_BY} <tak@example.test>"),
        ("Sent", "Saturday, November 21, 2026 1:00 PM"),
        ("To", "Ben <ben@example.org>"),
        ("Subject", "[tak #1] Ada \u2013 Ben, 5x5"),
    )
    flat = flattened(
        html, lambda _alt: "[cid:image001.png@01DD5B1E.4F2C1A80]", lambda words, to: f"{words}<{to}>"
    )
    word = re.sub(r"<p\b[^>]*>", "<p class=MsoNormal>", _inside(html)).replace("</p>", "<o:p></o:p></p>")
    word = re.sub(r"<table\b[^>]*>", "<table class=MsoNormalTable border=0>", word)
    word = re.sub(r"<pre\b[^>]*>(.*?)</pre>", lambda found: _lines_of_word(found[1]), word, flags=re.DOTALL)
    above = "<br>".join(f"<b>{name}:</b> {escape(value)}" for name, value in head)
    names = "\n".join(f"{name}: {value}" for name, value in head)
    return Answer(
        f"{typed}\n\n{names}\n\n{flat}",
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head></head><body lang=EN-GB>'
        f"<div class=WordSection1>{_lines(typed, '<p class=MsoNormal>{}<o:p></o:p></p>')}"
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;"
        f"padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{above}<o:p></o:p></p></div></div>"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{word}</div></body></html>",
    )


def _lines_of_word(rows: str) -> str:
    return "".join(f"<pre>{row}<o:p></o:p></pre>" for row in rows.split("\n"))


def outlook_web(typed: str, html: str) -> Answer:
    """Outlook in a browser. It puts an x before each class name."""
    head = (
        f"From: {_BY} <tak@example.test>\nSent: Saturday, November 21, 2026 13:00\n"
        "To: Ben <ben@example.org>\nSubject: [tak #1] Ada \u2013 Ben, 5x5"
    )
    flat = flattened(html, "[{}]".format, lambda words, to: f"{words}<{to}>")
    inner = _inside(html).replace('class="', 'class="x_')
    return Answer(
        f"{typed}\n{'_' * 32}\n{head}\n\n{flat}",
        f'<html><head></head><body dir="ltr">{_lines(typed, "<div class=elementToProof>{}</div>")}'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font>{"<br>".join(map(escape, head.splitlines()))}</font><div>&nbsp;</div>'
        f"</div><div>{inner}</div></body></html>",
    )


def outlook_mobile(typed: str, html: str) -> Answer:
    """Outlook on a phone, with its advertisement."""
    answer = outlook_web(typed, html)
    above, line, below = answer.text.partition("_" * 32)
    shown = re.sub(
        r'<div id="appendonsend"></div><hr[^>]*>',
        '<div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>'
        '<div id="mail-editor-reference-message-container"><hr style="display:inline-block;width:98%">',
        answer.html,
    )
    return Answer(
        f"{above}\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{line}{below}",
        shown.replace("</body>", "</div></body>"),
    )


def thunderbird(typed: str, html: str) -> Answer:
    """Thunderbird. It replaces a picture by its alternative text."""
    head = f"On 21/11/2026 13:00, {_BY} wrote:"
    flat = flattened(html, str, _pointed)
    return Answer(
        f"{typed}\n\n{head}\n{_marked(flat)}",
        f'<html><head></head><body>{_lines(typed, "<p>{}</p>")}<div class="moz-cite-prefix">{head}<br></div>'
        f'<blockquote type="cite" cite="mid:1@example.test">{_inside(html)}</blockquote></body></html>',
    )


def yahoo(typed: str, html: str) -> Answer:
    """Yahoo in a browser. Its text has no quote markers."""
    head = f"On Saturday, November 21, 2026 at 01:00:00 PM GMT+1, {_BY} <tak@example.test> wrote:"
    flat = flattened(html, lambda _alt: "Inline image", _label)
    return Answer(
        f" {typed}\n    {head}  \n \n {flat}",
        f'<html><head></head><body><div class="ydp4be1a2c5yahoo-style-wrap">{_lines(typed, "<div>{}</div>")}'
        '<div><br></div></div><div id="ydp4be1a2c5yahoo_quoted_4711" class="ydp4be1a2c5yahoo_quoted"><div>'
        f"<div>{escape(head)}</div><div><br></div><div><div id=yiv4711>{_inside(html)}</div></div></div></div>"
        "</body></html>",
    )


def proton(typed: str, html: str) -> Answer:
    """Proton. Its text is Markdown."""
    head = f"On Saturday, November 21st, 2026 at 1:00 PM, {_BY} <tak@example.test> wrote:"
    flat = flattened(html, lambda alt: f"![{alt}](cid:picture1)", lambda words, to: f"[{words}]({to})")
    return Answer(
        f"{typed}\n\n{head}\n\n{_marked(flat)}",
        f'{_lines(typed, "<div>{}</div>")}<div class="protonmail_signature_block">Sent with Proton Mail.</div>'
        f'<div class="protonmail_quote">{escape(head)}<br><blockquote class="protonmail_quote" type="cite">'
        f"{_inside(html)}</blockquote><br></div>",
    )


def unmarked(typed: str, html: str) -> Answer:
    """A program that quotes without markers and without an introduction."""
    flat = flattened(html, lambda _alt: "", _label)
    return Answer(f"{typed}\n\n{flat}", f"{_lines(typed, '<div>{}</div>')}<br>{_inside(html)}")


def below(typed: str, html: str) -> Answer:
    """The answer below the quote, as in Thunderbird."""
    answer = thunderbird("", html)
    return Answer(
        f"{answer.text.strip()}\n\n{typed}",
        answer.html.replace("</blockquote></body>", f"</blockquote>{_lines(typed, '<p>{}</p>')}</body>"),
    )


HEADING = "Last turns:"
"""The heading below which some people type their answer."""
_BELOW = re.compile(rf"{HEADING}</h[12]>")


def between(typed: str, html: str) -> Answer:
    """The answer below a heading. Apple Mail splits the quote and the table around it there."""
    answer = apple_mac("", html)
    above = f"> {HEADING}\n"
    cut = f"</td></tr></table></blockquote>{_lines(typed, '<div>{}</div>')}<blockquote type=cite><table><tr><td>"
    return Answer(
        answer.text.strip().replace(above, f"{above}\n{typed}\n\n", 1),
        _BELOW.sub(lambda found: found[0] + cut, answer.html, count=1),
    )


def typed_into(typed: str, html: str) -> Answer:
    """The answer below a heading, typed into a quote of Outlook without markers."""
    answer = outlook_desktop("", html)
    above = f"\n{HEADING}\n"
    lines = _lines(typed, "<p class=MsoNormal>{}<o:p></o:p></p>")
    return Answer(
        answer.text.replace(above, f"{above}\n{typed}\n\n", 1),
        _BELOW.sub(lambda found: found[0] + lines, answer.html, count=1),
    )


PROGRAMS: tuple[Program, ...] = (
    gmail,
    gmail_android,
    apple_ios,
    apple_mac,
    outlook_desktop,
    outlook_web,
    outlook_mobile,
    thunderbird,
    yahoo,
    proton,
    unmarked,
    below,
)

INLINE: tuple[Program, ...] = (between, typed_into)
"""Programs that put the answer inside the quote of a letter with rows. The text directly above it is not typed."""
