"""Mails that are made to cost much work: pieces that multiply, nested or repeated, as many as fit."""

import base64
import quopri

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.mails import Mail
from tests.support.harness import BEN, TAK

MOST_BYTES = 2 * 1024 * 1024
"""The maximum size of a mail, in bytes.

Longer mails are allowed, but what is too slow in this size is slower in them.
"""

_TAGS = (
    *(
        "<b a=0>",
        "<p>",
        "<div>",
        "<table>",
        "<td>",
        "<tr>",
        "<li>",
        "<blockquote>",
        "<font style='font-size:0'>",
    ),
    *(
        "<span hidden>",
        "<pre>",
        "<br>",
        "<select>",
        "<textarea>",
        "<title>",
        "<style>",
        "<svg>",
        "<template>",
    ),
    *(
        "</q>",
        "</b>",
        "</p>",
        "</div>",
        "</td>",
        "</table>",
        "</blockquote>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "<",
    ),
    *(
        "<p class='gmail_quote x'>",
        "<p style='margin:0;'>",
        "<a b='",
        "'>",
        "<a b=c d=e f>",
        "&amp;",
        "&#x41;",
        "&",
    ),
)
_WORDS = (
    *(
        "x",
        "x ",
        " ",
        "\n",
        "x\n",
        "> ",
        ">",
        "> x\n",
        "\n> ",
        "-- \n",
        "1.abcdefghijklmnop ",
        "me.abcdefghijklmnop ",
    ),
    *(
        "\ufdfa",
        "\u0301",
        "\u3316",
        "\u200b",
        "\u202e",
        "ß",
        "ps b4\n",
        "ms a1 ",
        "0 s S\n",
        "begin 644 x\nM",
        "#1 ",
    ),
    *(
        "On x wrote:\n",
        "From: a@b\n",
        "a@b ",
        "a" * 75 + "\n",
        "|",
        "|x|\n",
        "*",
        "im x\n",
        "say ",
        "?",
        "(",
        "=\n",
    ),
)
_HEADERS = (
    *(
        "A: b\n",
        "A:\n",
        " x\n",
        "From: a@example.org\n",
        "To: a@b, c@d\n",
        "References: <a@b> <c@d>\n",
        "Received: x\n",
    ),
    *(
        "Authentication-Results: x; dmarc=pass\n",
        "Subject: =?utf-8?q?=41?= =?utf-8?b?QQ==?=\n",
        "\r",
        "x\n",
        ":\n",
    ),
    *("Content-Type: multipart/mixed; boundary=B\n", "In-Reply-To: <1.abcdefghijklmnop.1.a@example.test>\n"),
)
_BOUNDARIES = (
    "--B\n",
    "--BX\n",
    "--B--\n",
    "--B \t\n",
    "\n--",
    "--B\n\n",
    "--B\nContent-Type: text/html\n\n<p>\n",
)


def _runs(pieces: tuple[str, ...], most: int) -> SearchStrategy[str]:
    """Generate some of the pieces, each repeated many times, with at most `most` bytes in total."""
    run = st.tuples(st.sampled_from(pieces), st.sampled_from((1, 3, 50, 1_000, 20_000, 500_000)))

    def joined(runs: list[tuple[str, int]]) -> str:
        room = most // max(len(runs), 1)
        return "".join(piece * max(1, min(times, room // len(piece.encode()))) for piece, times in runs)

    return st.lists(run, min_size=1, max_size=5).map(joined)


@st.composite
def hostile_mails(draw: st.DrawFn) -> Mail:
    """Generate a mail of one or more parts, with a large body, headers, headers of parts, or many boundaries."""
    where = draw(st.sampled_from(("body", "headers", "parts", "boundaries")))
    kind = draw(st.sampled_from(("text/html", "text/plain", "text/plain; format=flowed")))
    code = draw(st.sampled_from(("8bit", "base64", "quoted-printable")))
    count = draw(st.sampled_from((2, 30, 490))) if where == "parts" else 1
    more = draw(_runs(_HEADERS, 200_000 if where == "headers" else 200))
    inside = draw(_runs(_HEADERS, 60_000)) if where == "parts" and draw(st.booleans()) else ""
    pieces = _TAGS + _WORDS if kind == "text/html" else _WORDS
    words = draw(_runs(pieces, MOST_BYTES // count if where in ("body", "parts") else 200))
    body = _encoded(words, code)
    head = f"From: {BEN}\nTo: {TAK}\nMIME-Version: 1.0\n{more.rstrip()}\n"
    described = f"Content-Type: {kind}; charset=utf-8\nContent-Transfer-Encoding: {code}\n"
    if where in ("body", "headers"):
        text = f"{head}{described}\n{body}"
    elif where == "parts":
        part = f"--B\n{described}{inside.rstrip()}\n\n{body}\n"
        most = max(1, min(count, MOST_BYTES // len(part)))
        text = f"{head}Content-Type: multipart/mixed; boundary=B\n\n{part * most}--B--\n"
    else:
        text = f"{head}Content-Type: multipart/mixed; boundary=B\n\n{draw(_runs(_BOUNDARIES, MOST_BYTES))}"
    return Mail(text.encode(), BEN, None, token=False, way=where)


def _encoded(words: str, code: str) -> str:
    if code == "base64":
        return base64.encodebytes(words.encode()).decode()
    return quopri.encodestring(words.encode()).decode() if code == "quoted-printable" else words
