"""Answers as mail programs write them: the typed text, and the answered letter quoted in one of many styles."""

import html
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.support.harness import TAK

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
OWN_WORDS = "On Sat, 21 Nov 2026 at 11:00, Ben <ben@example.org> wrote:"
OWN_HEADERS = (
    "From: Ben <ben@example.org>",
    "Sent: Saturday, November 21, 2026 11:00 AM",
    "To: Tak by Mail <tak@example.test>",
    "Subject: Re: [tak #1] Ada – Ben, 5x5",
    "",
)
BANNERS = ([], [], [], ["CAUTION: This email originated from outside of the organization.", ""])
ABOVE_A_QUOTE = ([], [], ["-- ", "Ben"], *(["", line, ""] for line in SENT_BY))
AT_THE_END = ([], [], ["", "-- ", "Ben"], *(["", line] for line in SENT_BY))


@dataclass(frozen=True, slots=True)
class Words:
    """The text of a person's mail, as `text`, as `html` or as both; `way` describes how it was made.

    `banner` is a text that a server has put above it. Nobody can tell the banner from typed text.
    """

    way: str
    text: str
    html: str
    banner: str = ""


Lines = Sequence[str]
Block = tuple[str, ...]
Blocks = Sequence[Block]
"""The typed text, in pieces that may be apart from one another."""
Style = Callable[[Lines, int], list[str]]


def marked(mark: str) -> Style:
    """Return a style that puts `mark` before every line. A blank line gets the mark without its trailing space."""
    return lambda lines, _: [f"{mark}{line}".rstrip() for line in lines]


def _rewrapped(lines: Lines, width: int) -> list[str]:
    """Return the lines with long ones wrapped anew."""
    return [
        piece
        for line in lines
        for piece in (
            textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
            or [""]
        )
    ]


def _flowing(lines: Lines, width: int) -> list[str]:
    """Return the lines with each prose paragraph wrapped anew. Boards and lists stay."""
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
    """Return the lines with prefixes, wrapped so that the rest of a line has no prefix.

    A mail server or an old program does this.
    """
    return [
        piece
        for line in lines
        for piece in textwrap.wrap(
            f"> {line}".rstrip(), max(width, 66), break_long_words=False, expand_tabs=False
        )
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


ALTERED: dict[str, Callable[[str], str]] = {
    "": lambda line: line,
    "curly": lambda line: re.sub(r'"([^"]*)"', "“\\1”", line).replace("'", "’"),
    "linked": lambda line: re.sub(r"(\S+@[\w.]+\w)", r"\1<mailto:\1>", line),
    "bold": lambda line: f"*{line}*" if line[:1].isalpha() and len(line) < 30 else line,
    "tabs": lambda line: line.replace("  ", "\t"),
    "dashes": lambda line: line.replace("-", "–"),
}
"""The changes that programs make to the lines that they quote."""


def _cuts(lines: Lines) -> list[int]:
    """Return the lines at which a letter may be divided by answers: its start, after its blank lines, and its end."""
    inside = [number for number in range(1, len(lines)) if not lines[number - 1] and lines[number]]
    return [0, *inside, len(lines)]


@st.composite
def _placed(draw: st.DrawFn, blocks: Blocks, lines: Lines, spots: Sequence[str]) -> tuple[str, list[Block]]:
    """Generate the place of each block: all in one spot, or one after another through the letter."""
    spot, cuts = draw(st.sampled_from(spots)), _cuts(lines)
    one = draw(st.sampled_from(cuts[1:-1] or cuts))
    match spot:
        case "above":
            at = [0] * len(blocks)
        case "below":
            at = [len(lines)] * len(blocks)
        case "between":
            at = [one] * len(blocks)
        case _:
            at = sorted(draw(st.sampled_from(cuts)) for _ in blocks)
    return spot, list(zip(at, blocks, strict=True))


@st.composite
def plain_answers(draw: st.DrawFn, blocks: Blocks, letter: str, known: bool) -> Words:
    """Generate a plain text answer.

    If the letter isn't known, the typed text can be found only by prefixes and introductions.
    """
    lines = letter.rstrip("\n").split("\n")
    width = draw(st.integers(60, 80))
    is_marked, is_cut = draw(st.booleans()), draw(st.integers(0, 4)) == 0
    style = draw(st.sampled_from(sorted(MARKED if is_marked else BARE)))
    change = draw(st.sampled_from(sorted(ALTERED)))
    introduction = list(draw(st.sampled_from(INTRODUCTIONS if is_marked else INTRODUCTIONS + BLOCKS)))
    if draw(st.booleans()) and len(introduction[0]) > 60:
        introduction = [*textwrap.wrap(introduction[0], width), *introduction[1:]]
    if is_cut:
        first, last = sorted(draw(st.tuples(st.sampled_from(_cuts(lines)), st.sampled_from(_cuts(lines)))))
        lines = lines[first:last] or lines[:1]
    # If text is typed below or inside a quote without prefixes, only the whole known letter shows what was typed.
    spots = ["above", "below", "between", "apart"] if is_marked or (known and not is_cut) else ["above"]
    spot, placed = draw(_placed(blocks, lines, spots))
    quote = (MARKED | BARE)[style]
    gap = [""] * draw(st.integers(0 if is_marked else 1, 2))
    above = [line for at, block in placed if not at for line in (*block, "")]
    signature = draw(st.sampled_from(ABOVE_A_QUOTE if spot == "above" else [[]]))
    banner = draw(st.sampled_from(BANNERS))
    text = [*banner, *above, *signature, *introduction]
    done = 0
    for at, block in placed:
        if at:
            text += [*quote([ALTERED[change](line) for line in lines[done:at]], width), *gap, *block, *gap]
            done = at
    text += quote([ALTERED[change](line) for line in lines[done:]], width)
    text += draw(st.sampled_from(AT_THE_END if spot == "below" else [[]]))
    return Words(f"{spot}, {style}, {change}{', cut' * is_cut}", "\n".join(text) + "\n", "", "".join(banner))


@st.composite
def second_answers(draw: st.DrawFn, blocks: Blocks, letter: str, own: str) -> Words:
    """Generate an answer to Ben's own answer, which contains a move. Both his answer and the letter are quoted."""
    lines = letter.rstrip("\n").split("\n")
    typed = [line for block in blocks for line in (*block, "")]
    if draw(st.booleans()):
        style, mark = draw(st.sampled_from([("> >", "> "), (">>", ">")]))
        wrote = draw(st.sampled_from(INTRODUCTIONS))
        first = [
            OWN_WORDS,
            *(f"{mark}{line}".rstrip() for line in (own, "", *wrote, *(f"> {one}" for one in lines))),
        ]
    else:
        style = "bare"
        # A program that quotes without prefixes puts the headers of each mail above it.
        first = [*OWN_HEADERS, own, "", *draw(st.sampled_from(BLOCKS[:5])), *lines]
    return Words(f"to oneself, {style}", "\n".join([*typed, *first]) + "\n", "")


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
def html_answers(draw: st.DrawFn, blocks: Blocks, letter: str, known: bool) -> Words:
    """Generate an answer in HTML.

    Text is typed between or below quotes only if the program marks the quote or the letter is known.
    """
    lines = letter.rstrip("\n").split("\n")
    page, style = draw(st.sampled_from(sorted(PAGES))), draw(st.sampled_from(sorted(HTML_LINES)))
    wrote = _escaped(" ".join(draw(st.sampled_from(INTRODUCTIONS))).strip())
    words = HTML_LINES[draw(st.sampled_from(["br", "div", "tight p", "p"]))]
    is_marked = page in QUOTED_IN_A_BOX
    spots = ["above", "below", "between", "apart"] if is_marked or known else ["above"]
    spot, placed = draw(_placed(blocks, lines, spots))
    above = "".join(words(block) for at, block in placed if not at)
    below = [(at, block) for at, block in placed if at]
    done, pieces = below[0][0] if below else len(lines), list[str]()
    first = HTML_LINES[style](lines[:done])
    box = draw(st.sampled_from(['<blockquote type="cite">', "<blockquote>"])) if is_marked else "<div>"
    for at, block in [*below, (len(lines), ())]:
        if at > done:
            pieces.append(
                f"{box}{HTML_LINES[style](lines[done:at])}{box.split(' ')[0].replace('<', '</').strip('>')}>"
            )
            done = at
        if block:
            pieces.append(f"<div>{words(block)}</div>")
    # In a quote without a box people type at any place. A quote in a box is divided into several boxes.
    rest = "".join(pieces)
    whole = PAGES[page](above, wrote, first) + rest if is_marked else PAGES[page](above, wrote, first + rest)
    return Words(f"{spot}, {page}, {style}", "", whole)


@st.composite
def bare_answers(draw: st.DrawFn, blocks: Blocks) -> Words:
    """Generate an answer that quotes nothing."""
    text = "\n\n".join("\n".join(block) for block in blocks)
    return Words("nothing quoted", text + "\n" + "\n".join(draw(st.sampled_from(AT_THE_END))), "")
