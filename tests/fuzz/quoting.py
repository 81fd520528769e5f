"""Answers as mail programs write them: what was typed, and the letter answered, quoted in one of their ways."""

import html
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.office import TAK

INTRODUCTIONS = (
    [f"On Sat, 21 Nov 2026 at 10:00, Tak by Mail <{TAK}> wrote:"],
    ["On Sat, Nov 21, 2026 at 10:00 AM Tak by Mail", f"<{TAK}> wrote:", ""],
    [f"On 21 Nov 2026, at 10:00, Tak by Mail <{TAK}> wrote:", ""],
    ["On 11/21/26 10:00, Tak by Mail wrote:"],
    [f"Am Sa., 21. Nov. 2026 um 10:00 Uhr schrieb Tak by Mail <{TAK}>:", ""],
    ["Am 21.11.26 um 10:00 schrieb Tak by Mail:"],
    ["Le sam. 21 nov. 2026 à 10:00, Tak by Mail", f"<{TAK}> a écrit :", ""],
    [f"El sáb, 21 nov 2026 a las 10:00, Tak by Mail (<{TAK}>) escribió:"],
    [f"Op za 21 nov 2026 om 10:00 schreef Tak by Mail <{TAK}>:"],
    [f"сб, 21 нояб. 2026 г. в 10:00, Tak by Mail <{TAK}>:", ""],
    [f"Tak by Mail <{TAK}> 于2026年11月21日周六 10:00写道：", ""],
    [f"2026年11月21日(土) 10:00 Tak by Mail <{TAK}>:", ""],
    [f"    On Saturday, November 21, 2026 at 10:00:00 AM GMT+1, Tak by Mail <{TAK}> wrote:  ", " "],
)
BLOCKS = (
    [
        "-----Original Message-----",
        f"From: Tak by Mail <{TAK}>",
        "Sent: Saturday, November 21, 2026 10:00 AM",
        "To: Ben <ben@example.org>",
        "Subject: [tak #1] Ada – Ben, 5x5",
        "",
    ],
    [
        "________________________________",
        f"From: Tak by Mail <{TAK}>",
        "Sent: Saturday, November 21, 2026 10:00:00 AM",
        "To: Ben <ben@example.org>",
        "Subject: [tak #1] Ada – Ben, 5x5",
        "",
    ],
    [
        f"Von: Tak by Mail <{TAK}>",
        "Gesendet: Samstag, 21. November 2026 10:00",
        "An: Ben <ben@example.org>",
        "Betreff: [tak #1] Ada – Ben, 5x5",
        "",
    ],
    [
        f"De : Tak by Mail <{TAK}>",
        "Envoyé : samedi 21 novembre 2026 10:00",
        "À : Ben <ben@example.org>",
        "Objet : [tak #1] Ada – Ben, 5x5",
        "",
    ],
    [
        f"*From:* Tak by Mail <{TAK}>",
        "*Date:* 21 November 2026 10:00",
        "*To:* Ben <ben@example.org>",
        "*Subject:* [tak #1] Ada – Ben, 5x5",
        "",
    ],
    [
        "-------- Original message --------",
        f"From: Tak by Mail <{TAK}> ",
        "Date: 21/11/2026  10:00  (GMT+01:00) ",
    ],
    ["---- On Sat, 21 Nov 2026 10:00:00 +0100 Tak by Mail <tak@example.test> wrote ----", ""],
)
SENT_BY = ("Sent from my iPhone", "Von meinem iPhone gesendet", "Get Outlook for Android", "发自我的iPhone")
ABOVE_A_QUOTE = ([], [], ["-- ", "Ben"], *(["", line, ""] for line in SENT_BY))
AT_THE_END = ([], [], ["", "-- ", "Ben"], *(["", line] for line in SENT_BY))


@dataclass(frozen=True, slots=True)
class Words:
    """What a person's mail says: `typed` was typed now, `spot` where, `text` and `html` are the whole."""

    typed: tuple[str, ...]
    way: str
    text: str
    html: str


Lines = Sequence[str]
Style = Callable[[Lines, int], list[str]]


def marked(mark: str) -> Style:
    """Every line behind a mark; a blank line keeps the mark without its space."""
    return lambda lines, _: [f"{mark}{line}".rstrip() for line in lines]


def _rewrapped(lines: Lines, width: int) -> list[str]:
    """Long lines broken anew, short ones as they were."""
    return [
        piece
        for line in lines
        for piece in (
            textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
            or [""]
        )
    ]


def _flowing(lines: Lines, width: int) -> list[str]:
    """The lines of each prose paragraph run together and broken anew; boards and lists stay."""
    out: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if len(line) > 50 or (paragraph and line[:1].isalpha() and len(line) > 20):
            paragraph.append(line)
            continue
        if paragraph:
            out += textwrap.wrap(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False)
        paragraph = []
        out.append(line)
    return out[:-1]


def _overhanging(lines: Lines, width: int) -> list[str]:
    """Marked, and then broken without a mark, as a server or an old program does it."""
    return [
        piece
        for line in lines
        for piece in textwrap.wrap(f"> {line}".rstrip(), max(width, 66), break_long_words=False)
    ]


MARKED: dict[str, Style] = {
    "> ": marked("> "),
    ">": marked(">"),
    "| >": marked(" > "),
    "> >": marked("> > "),
    "> broken": lambda lines, width: marked("> ")(_rewrapped(lines, width), width),
    "> flowed": lambda lines, width: marked("> ")(_flowing(lines, width), width),
    "> no-break": lambda lines, width: marked(">\u00a0")(lines, width),
    "> overhanging": _overhanging,
}
BARE: dict[str, Style] = {
    "bare": lambda lines, _: list(lines),
    "bare, broken": _rewrapped,
    "bare, flowing": _flowing,
    "bare, set in": lambda lines, _: [f"    {line}".rstrip() for line in lines],
    "bare, spaces changed": lambda lines, _: [line.replace(" ", "\u00a0 ") for line in lines],
    "bare, no blank lines": lambda lines, _: [line for line in lines if line],
    "bare, twice as many blank lines": lambda lines, _: [piece for line in lines for piece in (line, "")],
}


def _paragraphs(lines: Lines) -> list[int]:
    """The lines at which a letter may be parted: those behind a blank one."""
    return [number for number in range(1, len(lines)) if not lines[number - 1] and lines[number]]


@st.composite
def plain_answers(draw: st.DrawFn, typed: tuple[str, ...], letter: str, known: bool) -> Words:
    """A plain text answer. Where the letter isn't known, only what its marks and introductions tell can be read."""
    lines = letter.rstrip("\n").split("\n")
    width = draw(st.integers(60, 80))
    is_marked = draw(st.booleans())
    style = draw(st.sampled_from(sorted(MARKED if is_marked else BARE)))
    introduction = list(draw(st.sampled_from(INTRODUCTIONS if is_marked else INTRODUCTIONS + BLOCKS)))
    spot = draw(st.sampled_from(["above", "below", "between"] if is_marked or known else ["above"]))
    quote = (MARKED | BARE)[style]
    gap = [""] * draw(st.integers(0 if is_marked else 1, 2))
    if spot == "above":
        signature = draw(st.sampled_from(ABOVE_A_QUOTE))
        text = [*typed, *signature, *(gap or [""]), *introduction, *quote(lines, width)]
    elif spot == "below":
        signature = draw(st.sampled_from(AT_THE_END))
        text = [*introduction, *quote(lines, width), *gap, *typed, *signature]
    else:
        at = draw(st.sampled_from(_paragraphs(lines)))
        text = [*introduction, *quote(lines[:at], width), *gap, *typed, *gap, *quote(lines[at:], width)]
    return Words(typed, f"{spot}, {style}", "\n".join(text) + "\n", "")


def _escaped(line: str) -> str:
    return html.escape(line, quote=False)


def _with_spaces(line: str) -> str:
    return _escaped(line).replace("  ", "&nbsp; ")


HTML_LINES: dict[str, Callable[[Lines], str]] = {
    "pre": lambda lines: "<pre>" + "\n".join(map(_escaped, lines)) + "</pre>",
    "br": lambda lines: "<br>\r\n".join(map(_with_spaces, lines)) + "<br>",
    "div": lambda lines: "".join(f"<div>{_with_spaces(line) or '<br>'}</div>" for line in lines),
    "p": lambda lines: "".join(f"<p>{_with_spaces(line) or '&nbsp;'}</p>" for line in lines),
    "tight p": lambda lines: "".join(
        f'<p class="MsoNormal">{_with_spaces(line) or "<o:p>&nbsp;</o:p>"}</p>\n' for line in lines
    ),
    "span": lambda lines: "".join(
        f'<span style="font-family:monospace">{_with_spaces(line)}</span><br>' for line in lines
    ),
}


def _gmail(typed: str, introduction: str, quote: str) -> str:
    return (
        f'<div dir="ltr">{typed}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
        f'class="gmail_attr">{introduction}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px '
        f'0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{quote}</blockquote></div>'
    )


def _apple(typed: str, introduction: str, quote: str) -> str:
    return (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body '
        f'dir="auto">{typed}<div><br><blockquote type="cite">{introduction}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">{quote}</div></blockquote></body></html>'
    )


def _thunderbird(typed: str, introduction: str, quote: str) -> str:
    return (
        f'<body><p>{typed}</p><div class="moz-cite-prefix">{introduction}<br></div><blockquote type="cite" '
        f'cite="mid:1@example.test">{quote}</blockquote></body>'
    )


def _outlook(typed: str, _introduction: str, quote: str) -> str:
    return (
        f'<html><body><div class="WordSection1">{typed}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">'
        "<b>From:</b> Tak by Mail &lt;tak@example.test&gt; <br><b>Sent:</b> Saturday, November 21, 2026 10:00 AM<br>"
        "<b>To:</b> Ben &lt;ben@example.org&gt;<br><b>Subject:</b> [tak #1] Ada - Ben, 5x5<o:p></o:p></p></div>"
        f"{quote}</div></body></html>"
    )


def _outlook_web(typed: str, _introduction: str, quote: str) -> str:
    return (
        f'<div class="elementToProof">{typed}</div><div id="appendonsend"></div><hr style="width:98%"><div '
        'id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> Tak by Mail &lt;tak@example.test&gt;<br><b>Sent:</b> '
        "Saturday, November 21, 2026 10:00<br><b>To:</b> Ben &lt;ben@example.org&gt;<br><b>Subject:</b> [tak #1] "
        f'Ada - Ben</font><div>&nbsp;</div></div><div class="BodyFragment">{quote}</div>'
    )


def _yahoo(typed: str, introduction: str, quote: str) -> str:
    return (
        f'<html><body><div class="ydp1234yahoo-style-wrap"><div>{typed}</div></div><div id="ydp99yahoo_quoted_77" '
        f'class="ydp99yahoo_quoted"><div><div>{introduction}</div><div><br></div><div>{quote}</div></div></div>'
        "</body></html>"
    )


def _proton(typed: str, introduction: str, quote: str) -> str:
    return (
        f'<div>{typed}</div><div class="protonmail_quote">{introduction}<br><blockquote '
        f'class="protonmail_quote" type="cite">{quote}</blockquote><br></div>'
    )


def _simple(typed: str, introduction: str, quote: str) -> str:
    return f"<div>{typed}</div><div>{introduction}</div><blockquote>{quote}</blockquote>"


PAGES = {
    "gmail": _gmail,
    "apple": _apple,
    "thunderbird": _thunderbird,
    "outlook": _outlook,
    "outlook web": _outlook_web,
    "yahoo": _yahoo,
    "proton": _proton,
    "simple": _simple,
}
QUOTED_IN_A_BOX = ("gmail", "apple", "thunderbird", "proton", "simple")


@st.composite
def html_answers(draw: st.DrawFn, typed: tuple[str, ...], letter: str) -> Words:
    """An answer in HTML; between or below only where the program marks the quote, or makes a box for it."""
    lines = letter.rstrip("\n").split("\n")
    page = draw(st.sampled_from(sorted(PAGES)))
    style = draw(st.sampled_from(sorted(HTML_LINES)))
    wrote = _escaped(" ".join(draw(st.sampled_from(INTRODUCTIONS))).strip())
    words = HTML_LINES[draw(st.sampled_from(["br", "div", "tight p"]))](typed)
    spots = ["above", "below", "between"] if page in QUOTED_IN_A_BOX else ["above"]
    spot = draw(st.sampled_from(spots))
    if spot == "above":
        whole = PAGES[page](words, wrote, HTML_LINES[style](lines))
    elif spot == "below":
        whole = PAGES[page]("", wrote, HTML_LINES[style](lines)) + f"<div>{words}</div>"
    else:
        at = draw(st.sampled_from(_paragraphs(lines)))
        above, below = HTML_LINES[style](lines[:at]), HTML_LINES[style](lines[at:])
        box = draw(st.sampled_from(['<blockquote type="cite">', "<blockquote>"]))
        whole = PAGES[page]("", wrote, above) + f"<div>{words}</div>{box}{below}</blockquote>"
    return Words(typed, f"{spot}, {page}, {style}", "", whole)
