"""Parts of mails, valid and invalid: text and HTML in every charset and encoding, and multiparts of these."""

import base64
import quopri
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.fuzz.lines import lines
from tests.fuzz.quoting import Words

CHARSETS = (
    *(
        "utf-8",
        "us-ascii",
        "iso-8859-1",
        "windows-1252",
        "utf-16",
        "utf-7",
        "koi8-r",
        "gb18030",
        "iso-2022-jp",
    ),
    *("shift_jis", "euc-kr", "big5", "iso-8859-8-i", "utf-32", "utf_8_sig", "cp037"),
)
NO_CHARSETS = (
    *(
        "x-nothing",
        "rot13",
        "undefined",
        "idna",
        "punycode",
        "zlib",
        "hex",
        "base64",
        "unicode_escape",
        "mbcs",
    ),
    *(
        "raw_unicode_escape",
        "uu",
        "quopri",
        "bz2",
        "",
        '"',
        "utf-8\x00",
        "oem",
        "charmap",
        "../etc",
        "utf-8;x",
    ),
)
KINDS = (
    *(
        "text/plain",
        "text/plain",
        "text/html",
        "text/x-amp-html",
        "text/calendar",
        "image/png",
        "application/pdf",
    ),
    *(
        "message/rfc822",
        "message/delivery-status",
        "message/disposition-notification",
        "application/pkcs7-mime",
    ),
    *(
        "application/ms-tnef",
        "application/pgp-encrypted",
        "application/pgp-signature",
        "text",
        "TEXT/PLAIN",
        "/",
    ),
    *("message/partial", "message/external-body", "text/rfc822-headers", "multipart/mixed", "text/enriched"),
)
MULTIPARTS = (
    "mixed",
    "alternative",
    "related",
    "signed",
    "report",
    "digest",
    "encrypted",
    "x-odd",
    "parallel",
)
ENCODINGS = (
    "7bit",
    "8bit",
    "binary",
    "base64",
    "BASE64 ",
    "quoted-printable",
    "x-uuencode",
    "",
    "base64,base64",
)
DISPOSITIONS = (
    "",
    "",
    "",
    "inline",
    "attachment",
    "attachment; filename=a.txt",
    'inline; filename="ü.txt"',
    ";",
)

TAGS = (
    *(
        "<div>",
        "<p>",
        "<br>",
        "<blockquote>",
        '<blockquote type="cite">',
        "<pre>",
        "<table><tr><td>",
        "<td>",
        "<b>",
    ),
    *(
        "<!-- ",
        "-->",
        "<style>",
        "</style>",
        "<script>",
        '<div style="display:none">',
        '<div class="quote">',
        "<",
    ),
    *(
        '<div class="gmail_quote">',
        '<div id="divRplyFwdMsg">',
        "<ul><li>",
        "<svg>",
        "<template>",
        "<x:y>",
        "</p>",
    ),
    *(
        "</div>",
        "</blockquote>",
        "</pre>",
        "</table>",
        "<![CDATA[",
        "<!DOCTYPE html>",
        "<body>",
        "</html>",
        "&#0;",
    ),
    *("&nbsp;", "&#xD800;", "&#x3e; ", "<textarea>", "<title>", "<select><option>", '<a href="x">', "<math>"),
)


def encoded(data: bytes, encoding: str) -> bytes:
    match encoding.strip().lower():
        case "base64":
            return base64.encodebytes(data)
        case "quoted-printable":
            return quopri.encodestring(data)
        case _:
            return data


def in_charset(text: str, charset: str) -> bytes:
    try:
        return text.encode(charset, "replace")
    except (LookupError, UnicodeError, ValueError):
        return text.encode("utf-8", "replace")


def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Return the data with some bytes changed, cut off, doubled or inserted."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(0, len(data) - 1)))
        end = start + draw(st.integers(0, 60))
        match draw(st.integers(0, 5)):
            case 0:
                data = data[:start]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:end] + data[start:]
            case 3:
                data = data[:start] + draw(st.binary(max_size=6)) + data[start:]
            case 4:
                data = data[:start] + bytes(b ^ 0x80 for b in data[start:end]) + data[end:]
            case _:
                data = data[:start] + data[start:end] * draw(st.integers(2, 40)) + data[end:]
    return data


@st.composite
def pages(draw: st.DrawFn, some: Sequence[str]) -> str:
    """Generate HTML of these lines, well formed or not."""
    opening = st.sampled_from(TAGS)
    pieces = [piece for line in some for piece in (*draw(st.lists(opening, max_size=3)), line)]
    if draw(st.integers(0, 40)) == 0:
        pieces.insert(0, draw(opening) * draw(st.sampled_from([30, 500, 3000])))
    return "\n".join(pieces)


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its MIME headers and its encoded body."""

    headers: tuple[bytes, ...]
    body: bytes

    def __bytes__(self) -> bytes:
        return b"".join(line + b"\r\n" for line in self.headers) + b"\r\n" + self.body


def text_part(text: str, subtype: str, charset: str, encoding: str, parameters: str = "") -> Part:
    """Return a text part whose headers are true."""
    return Part(
        (
            f'Content-Type: text/{subtype}; charset="{charset}"{parameters}'.encode(),
            f"Content-Transfer-Encoding: {encoding}".encode(),
        ),
        encoded(in_charset(text.replace("\n", "\r\n"), charset), encoding),
    )


def multipart(kind: str, parts: Sequence[Part], boundary: str = "=_b", parameters: str = "") -> Part:
    """Return a multipart whose headers are true."""
    mark = boundary.encode()
    body = (
        b"".join(b"--" + mark + b"\r\n" + bytes(part) + b"\r\n" for part in parts) + b"--" + mark + b"--\r\n"
    )
    return Part((f'Content-Type: multipart/{kind}; boundary="{boundary}"{parameters}'.encode(),), body)


@st.composite
def odd_leaves(draw: st.DrawFn) -> Part:
    some = draw(st.lists(lines, min_size=1, max_size=8))
    kind = draw(st.sampled_from(KINDS))
    text = draw(pages(some)) if "html" in kind else "\n".join(some)
    said = draw(st.sampled_from(CHARSETS + NO_CHARSETS))
    meant = said if draw(st.integers(0, 3)) else draw(st.sampled_from(CHARSETS))
    encoding = draw(st.sampled_from(ENCODINGS))
    body = encoded(in_charset(text, meant), encoding if draw(st.integers(0, 4)) else "")
    if draw(st.integers(0, 4)) == 0:
        body = damaged(draw, body)
    more = draw(
        st.sampled_from(["", "", "; format=flowed", "; format=flowed; delsp=yes", "; name=a", '; x="', ";;="])
    )
    headers = [
        f"Content-Type: {kind}; charset={said}{more}".encode("utf-8", "replace"),
        f"Content-Transfer-Encoding: {encoding}".encode(),
        f"Content-Disposition: {draw(st.sampled_from(DISPOSITIONS))}".encode(),
    ]
    return Part(tuple(draw(st.lists(st.sampled_from(headers), unique=True, min_size=1, max_size=3))), body)


@st.composite
def odd_multiparts(draw: st.DrawFn, inner: st.SearchStrategy[Part]) -> Part:
    parts = draw(st.lists(inner, max_size=4))
    kind = draw(st.sampled_from(MULTIPARTS))
    # These boundaries include one that begins another, one that may be another's, quotation marks, and an empty one.
    boundary = draw(
        st.sampled_from(["b", "b", "bb", "b--", "=_1", "", " ", 'a"b', "x" * 80, "ü", "a b", "'"])
    )
    whole = multipart(kind, parts, boundary, draw(st.sampled_from(["", "", "; report-type=delivery-status"])))
    if draw(st.integers(0, 4)) == 0:
        return Part(whole.headers, damaged(draw, whole.body))
    return whole


odd_parts = st.recursive(odd_leaves(), odd_multiparts, max_leaves=8)


def _flowed(text: str) -> str:
    """Return the text as a program sends it that breaks long lines softly (RFC 3676 §4.2)."""
    out: list[str] = []
    for line in text.split("\n"):
        mark = line[: len(line) - len(line.lstrip("> "))] if line.startswith(">") else ""
        mark = mark.replace(" ", "")
        rest = line[len(mark) :] if mark.count(">") < 2 else f" {line.lstrip('> ')}"
        rest = rest.rstrip() if rest.rstrip() != "--" else "-- "
        # A line that begins with a space, `>` or "From " gets an additional space at its start.
        stuffed = mark == "" and rest.startswith((" ", ">", "From "))
        pieces = (
            textwrap.wrap(rest, 60, drop_whitespace=False, break_on_hyphens=False)
            if len(rest) > 78
            else [rest]
        )
        out += [f"{mark}{' ' * stuffed}{piece}" for piece in pieces[:1]]
        out += [
            f"{mark}{' ' if mark or piece.startswith((' ', '>', 'From ')) else ''}{piece}"
            for piece in pieces[1:]
        ]
    return "\n".join(out)


@st.composite
def parts_of(draw: st.DrawFn, words: Words) -> Part:
    """Generate one or more valid parts that contain these words."""
    encoding = draw(st.sampled_from(["8bit", "base64", "quoted-printable"]))
    charset = draw(st.sampled_from(["utf-8", "utf-8", "UTF-8", "gb18030", "utf-16"]))
    if charset == "utf-16" and encoding == "8bit":
        charset = "utf-8"
    shown = []
    if words.text:
        # A program that puts a space before quote prefixes can't send soft line breaks, because indented prefixes would
        # not be prefixes there (RFC 3676 §4.5).
        flowed = "; format=flowed" if draw(st.integers(0, 3)) == 0 and "\n >" not in words.text else ""
        shown.append(
            text_part(_flowed(words.text) if flowed else words.text, "plain", charset, encoding, flowed)
        )
    if words.html:
        shown.append(text_part(words.html, "html", charset, encoding))
    whole = shown[0] if len(shown) == 1 else multipart("alternative", shown, "alt")
    picture = Part((b"Content-Type: image/png", b"Content-Transfer-Encoding: base64"), b"iVBORw0KGgo=\r\n")
    signature = Part(
        (b"Content-Type: application/pgp-signature; name=s.asc",), b"-----BEGIN PGP SIGNATURE-----\r\n"
    )
    match draw(st.integers(0, 7)):
        case 0:
            return multipart("mixed", [whole, picture], "mix")
        case 1:
            return multipart("related", [whole, picture], "rel")
        case 2:
            return multipart("signed", [whole, signature], "sig", '; protocol="application/pgp-signature"')
        case 3:
            return multipart("mixed", [multipart("related", [whole, picture], "rel")], "mix")
        case _:
            return whole
