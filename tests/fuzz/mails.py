"""Mails of every kind as bytes: built of headers and parts, right and wrong, and those of the corpus damaged."""

import base64
import quopri
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.quoting import (
    BLOCKS,
    INTRODUCTIONS,
    Words,
    bare_answers,
    html_answers,
    plain_answers,
    second_answers,
)
from tests.support.harness import ADA, BEN, TAK

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "data" / "mail").glob("*.eml"))]

OTHER = "other@example.org"
MOVES = {
    "ps b4": "ps b4",
    "PS B4": "ps b4",
    "ps b4.": "ps b4",
    "ps d2": "ps d2",
    "pw c2": "pw c2",
    "Pw d4!": "pw d4",
    "pc b2": "pc b2",
    "me a1": "me a1 p1 1",
    "ms a1 p1 1": "ms a1 p1 1",
    "move ps e1": "ps e1",
}
"""Moves that Ben can play now, as people type them, and as they are stored."""

CHAT = (
    "Nice one, Ada!",
    "Thanks, see you on Monday",
    "I'd have played ps b4 myself.",
    "Tak!",
    "Ich überlege noch – bis morgen…",
    "What a road at c3: it's yours",
    "Größe, naïve, 雨が降っている, добрый день 🙂",
    "1. one thing, 2. another",
    "> not a quote",
    "See you on 3 Nov 2025 at 10:00",
    "Re: the wall",
    "Ben: ps b4?",
    "a -> b",
    "<- this one",
    "It is your turn, Ada",
    "Thanks:",
    "my last words:",
    "the wall on b2 blocks the corner and the edge of your neighbour's stack, doesn't it",
)
COMMANDS = (
    *("rs", "log", "help", "help moves", "show 2", "ptn", "games", "rules", "resign", "yes", "no", "accept"),
    *("im that was no move", "decline", "say ps a5", "/say hello", "new 5 vs other@example.org", "quit"),
    *(
        "new 6 vs ben@example.org",
        "#1 ps b4",
        "#2 ps b4",
        "challenge ada@example.org",
        "/help new",
        "show 99",
    ),
)
NEAR_MISSES = (
    *(
        "ps z9",
        "ps b44",
        "p b4",
        "ms c3 p9",
        "ms a1 p1 2",
        "ps",
        "b4",
        "Sb4",
        "4: ps b4",
        "1. ps b4",
        "*ps b4*",
    ),
    *(
        "рs b4",
        "ps  b4 and more",
        "PTN: b2",
        "new 5 vs",
        "new 99 vs ada@example.org",
        '"ps b4"',
        "ps c3",
        "mz a1",
    ),
)
ODD_LINES = (
    *(
        "-- ",
        "--",
        "-----Original Message-----",
        "> ps a5",
        ">> ps a5",
        "wrote:",
        "On",
        "________________",
        ".",
    ),
    *(
        "From: Tak",
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "-----BEGIN PGP SIGNATURE-----",
        "begin 644 a",
        "\t",
        "From ",
    ),
    *(
        "-----BEGIN PGP MESSAGE-----",
        "Sent from my iPhone",
        "<b>ps a5</b>",
        "&gt; ps a5",
        "=70s b4",
        "\x00",
        "\x1b[2J",
    ),
)
ADDRESSES = (
    f"Write to {BEN} or {ADA}",
    f"From: Ben <{BEN}>",
    f"say I am {BEN.upper()}",
    f"<mailto:{BEN}>",
    f"/say {ADA}, {OTHER}",
)
lines = st.one_of(
    st.sampled_from([*MOVES, *NEAR_MISSES]),
    st.sampled_from(CHAT),
    st.sampled_from(COMMANDS),
    st.sampled_from(COMMANDS + ADDRESSES),
    st.sampled_from(ODD_LINES),
    st.sampled_from([line for lines in (*INTRODUCTIONS, *BLOCKS) for line in lines]),
    st.text(max_size=40),
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter of takmail's to a player, as far as an answer needs it."""

    id: str
    reply_to: str
    subject: str
    text: str


# -- Parts ----------------------------------------------------------------------------------------------------

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
    """Some bytes changed, cut off, doubled or put in."""
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
    """HTML of these lines, well formed or not."""
    opening = st.sampled_from(TAGS)
    pieces = [piece for line in some for piece in (*draw(st.lists(opening, max_size=3)), line)]
    if draw(st.integers(0, 40)) == 0:
        pieces.insert(0, draw(opening) * draw(st.sampled_from([30, 500, 3000])))
    return "\n".join(pieces)


@dataclass(frozen=True, slots=True)
class Part:
    """The headers that tell what a part is, and its bytes."""

    headers: tuple[bytes, ...]
    body: bytes

    def __bytes__(self) -> bytes:
        return b"".join(line + b"\r\n" for line in self.headers) + b"\r\n" + self.body


def text_part(text: str, subtype: str, charset: str, encoding: str, parameters: str = "") -> Part:
    """A part that is as it says."""
    return Part(
        (
            f'Content-Type: text/{subtype}; charset="{charset}"{parameters}'.encode(),
            f"Content-Transfer-Encoding: {encoding}".encode(),
        ),
        encoded(in_charset(text.replace("\n", "\r\n"), charset), encoding),
    )


def multipart(kind: str, parts: Sequence[Part], boundary: str = "=_b", parameters: str = "") -> Part:
    """A multipart that is as it says."""
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
    # One boundary that begins another, one that is another's, quotation marks, nothing at all.
    boundary = draw(
        st.sampled_from(["b", "b", "bb", "b--", "=_1", "", " ", 'a"b', "x" * 80, "ü", "a b", "'"])
    )
    whole = multipart(kind, parts, boundary, draw(st.sampled_from(["", "", "; report-type=delivery-status"])))
    if draw(st.integers(0, 4)) == 0:
        return Part(whole.headers, damaged(draw, whole.body))
    return whole


odd_parts = st.recursive(odd_leaves(), odd_multiparts, max_leaves=8)


def _flowed(text: str) -> str:
    """The text as a program sends it that breaks long lines softly (RFC 3676 §4.2)."""
    out: list[str] = []
    for line in text.split("\n"):
        mark = line[: len(line) - len(line.lstrip("> "))] if line.startswith(">") else ""
        mark = mark.replace(" ", "")
        rest = line[len(mark) :] if mark.count(">") < 2 else f" {line.lstrip('> ')}"
        rest = rest.rstrip() if rest.rstrip() != "--" else "-- "
        # What begins with a space, a mark or From is set in by one space more.
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
    """A right part, or several, that bring some words."""
    encoding = draw(st.sampled_from(["8bit", "base64", "quoted-printable"]))
    charset = draw(st.sampled_from(["utf-8", "utf-8", "UTF-8", "gb18030", "utf-16"]))
    if charset == "utf-16" and encoding == "8bit":
        charset = "utf-8"
    shown = []
    if words.text:
        # A program that sets marks in by a space breaks no lines softly: they would not be marks (RFC 3676 §4.5).
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


# -- Heads ----------------------------------------------------------------------------------------------------

FROM = {
    BEN: (
        f"Ben <{BEN}>",
        BEN,
        f'"Ben" <{BEN.upper()}>',
        f"=?utf-8?q?Ben?=\r\n <{BEN}>",
        f"<{BEN}>",
        f"{BEN} (Ben)",
    ),
    ADA: (f"Ada <{ADA}>", f"=?utf-8?b?QWRh?= <{ADA}>", ADA),
    OTHER: (f"Other <{OTHER}>", f'"{BEN}" <{OTHER}>', f"Ben <{OTHER}>"),
    "": (
        "",
        f"{BEN}, {ADA}",
        "Ben",
        "Ben <>",
        "undisclosed:;",
        f"Ben <{BEN}",
        "<<>>",
        "(((",
        "=?utf-8?b?Ø?=",
        '"',
    ),
}
"""Forms of From, by the address that wrote; '' where nobody can tell."""

MACHINE = (
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (rejected)",
    "Return-Path: <>",
    "Precedence: bulk",
    "Precedence: auto_reply",
    "List-Id: <tak.example.org>",
    "List-Unsubscribe: <mailto:a@example.org>",
    "X-Autoreply: yes",
    "X-Autorespond: yes",
    "X-Takmail: 1",
    "X-Failed-Recipients: tak@example.test",
    "X-Post-MessageClass: 9; Autoresponder",
    "Preference: auto-reply",
    "X-Spamarrest-Noauth: 1",
)
"""Headers that only machines write."""
MACHINE_SUBJECTS = ("Automatic reply: tak", "Abwesenheitsnotiz", "Out of Office: Re: tak", "自動返信")
MACHINE_SENDERS = (TAK, "MAILER-DAEMON@example.org", "postmaster@example.org", "no-reply@example.org")

HEADERS = (
    *(
        "Date: Sat, 21 Nov 2026 12:00:00 +0000",
        "Date: yesterday",
        "MIME-Version: 1.0",
        "Reply-To: other@example.org",
    ),
    *(
        "Cc: Ada <ada@example.org>",
        "Sender: other@example.org",
        "Received: from a by b",
        "X-Loop: a",
        "To:",
        "From:",
    ),
    *(
        "DKIM-Signature: v=1;\r\n a=b;\r\n\tc=d",
        "Subject: =?utf-8?q?ps_b4?=",
        "Subject: =?x?q?=ff?=",
        ": x",
        "x",
        " y",
    ),
    *(
        "Content-Type: text/plain",
        "Content-Type: multipart/mixed",
        "Content-Type: text/html; charset",
        "Content-Type:",
    ),
    *(
        "Authentication-Results: example.test; dkim=pass",
        "Importance: high",
        "X-Mailer: Mail",
        "Subject: ps b4",
    ),
    *(
        "Subject: [tak #1] x",
        "Subject: [tak #2] x",
        "Message-ID: <a@b>",
        "Message-ID: x",
        "In-Reply-To: nobody's",
    ),
)


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail, and what is known of it: who wrote it, whether with a token, and which turn it has to play.

    `turn` is '' where none may be played and None where that is left open. `typed` was typed now, in answer to
    `letter`, which is None where the mail's thread doesn't name it.
    """

    raw: bytes
    sender: str
    turn: str | None
    token: bool = True
    way: str = ""
    typed: tuple[str, ...] = ()
    letter: Letter | None = None


def mixed_case(text: str, upper: bool) -> str:
    return text.upper() if upper else text


@st.composite
def answers(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """Ben's answer to a letter, as a mail program writes it, with one move typed, or none."""
    letter = draw(st.sampled_from(letters))
    chat = st.lists(st.sampled_from([line for line in CHAT if not line.startswith(">")]), max_size=2)
    move = draw(st.sampled_from(["", *sorted(MOVES)]))
    typed = [*draw(chat), *([move] if move else []), *draw(chat)]
    apart = draw(st.integers(0, len(typed)))
    blocks = [tuple(block) for block in (typed[:apart], typed[apart:]) if block]
    thread = draw(st.sampled_from(["both", "both", "both", "references", "none"]))
    known = thread != "none"
    own = draw(st.sampled_from(["pw e2", "ps c4", "rs", "resign"]))
    words = draw(
        plain_answers(blocks, letter.text, known)
        | html_answers(blocks, letter.text, known)
        | bare_answers(blocks)
        | second_answers(blocks, letter.text, own)
    )
    if words.html and draw(st.booleans()):
        plain = draw(plain_answers(blocks, letter.text, known))
        words = Words(f"{plain.way}, and as HTML", plain.text, words.html, plain.banner)
    head = [
        f"From: {draw(st.sampled_from(FROM[BEN]))}",
        f"To: Tak by Mail <{mixed_case(letter.reply_to, draw(st.booleans()))}>",
        f"Subject: Re: {letter.subject}",
        "Message-ID: <1@mail.example.org>",
    ]
    head += [f"In-Reply-To: {letter.id}"] if thread == "both" else []
    head += [f"References: <0@example.test>\r\n {letter.id}"] if known else []
    raw = _whole(head, draw(parts_of(words)))
    return Mail(
        raw,
        BEN,
        MOVES.get(move, ""),
        way=f"{words.way}, {thread}, {letter.id}",
        typed=(words.banner, *typed),
        letter=letter if known else None,
    )


@st.composite
def cut_answers(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """An answer that was cut off on its way: its move is played or not, and nothing else is."""
    mail = draw(answers(letters))
    return replace(mail, raw=mail.raw[: draw(st.integers(0, len(mail.raw)))])


@st.composite
def machine_mails(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """A person's mail on which a machine's sign is put."""
    letter = draw(st.sampled_from(letters))
    typed = draw(st.lists(lines, max_size=4))
    sign = draw(st.integers(0, len(MACHINE) + 1))
    sender = draw(st.sampled_from(FROM[BEN]))
    subject, extra = f"Re: {letter.subject}", []
    if sign < len(MACHINE):
        extra = [mixed_case(MACHINE[sign], draw(st.booleans()))]
    elif sign == len(MACHINE):
        subject = draw(st.sampled_from(MACHINE_SUBJECTS))
    else:
        sender = draw(st.sampled_from(MACHINE_SENDERS))
    head = [f"From: {sender}", f"To: {letter.reply_to}", f"Subject: {subject}", f"In-Reply-To: {letter.id}"]
    head[draw(st.integers(0, 4)) : 0] = extra
    part = draw(odd_parts) if draw(st.booleans()) else text_part("\n".join(typed), "plain", "utf-8", "8bit")
    return Mail(_whole(head, part), BEN, "")


@st.composite
def reports(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """A delivery report about some letters, with what servers put into one, whole or in part."""
    some = draw(st.lists(st.sampled_from(letters), min_size=1, max_size=3))
    action = draw(st.sampled_from(["failed", "delayed", "delivered", "relayed", "", "error"]))
    code = draw(st.sampled_from(["5.1.1", "4.2.2", "2.0.0", "x", ""]))
    fields = f"Reporting-MTA: dns; a\n\nFinal-Recipient: rfc822; {BEN}\nAction: {action}\nStatus: {code}\n"
    ids = "\n".join(f"Message-ID: {letter.id}" for letter in some)
    pieces = [
        text_part(f"{draw(lines)}\nUser unknown {BEN}\n{ids}\nps b4\n", "plain", "utf-8", "8bit"),
        Part((b"Content-Type: message/delivery-status",), fields.encode()),
        Part((b"Content-Type: message/rfc822",), f"{ids}\n\nps b4\n".encode()),
        draw(odd_leaves()),
    ]
    kept = draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=4))
    sender = draw(st.sampled_from([*MACHINE_SENDERS[1:3], f"Ben <{BEN}>"]))
    head = [
        f"From: {sender}",
        "To: tak@example.test",
        f"In-Reply-To: {some[0].id}",
        "Subject: Undelivered Mail",
    ]
    return Mail(_whole(head, multipart("report", kept, "r", "; report-type=delivery-status")), BEN, "")


@st.composite
def odd_mails(draw: st.DrawFn, letters: Sequence[Letter]) -> Mail:
    """A mail from anybody about anything: right, odd, or wrong in its headers, its parts, or both."""
    letter = draw(st.sampled_from(letters))
    sender = draw(st.sampled_from([BEN] * 6 + [ADA, ADA, OTHER, ""]))
    wrong = draw(st.sampled_from(["", "", "", "letter", "none"]))
    reply_to, thread = letter.reply_to, letter.id
    if wrong == "letter":
        # The last letter of a token is changed.
        at = reply_to.index("@") - 1
        changed = "b" if reply_to[at] == "a" else "a"
        token = reply_to[reply_to.index("+") + 1 : at + 1]
        reply_to = reply_to[:at] + changed + reply_to[at + 1 :]
        thread = thread.replace(token, token[:-1] + changed)
    elif wrong == "none":
        reply_to, thread = TAK, "<1@example.test>"
    head = [
        f"From: {draw(st.sampled_from(FROM[sender]))}",
        f"To: {reply_to}",
        f"Subject: {draw(st.sampled_from(['Re: ', '', 'AW: ']))}{letter.subject}",
        f"{draw(st.sampled_from(['In-Reply-To', 'References', 'X']))}: {thread}",
        f"Message-ID: <{draw(st.integers(0, 9))}@mail.example.org>",
    ]
    odd = draw(st.lists(st.sampled_from(HEADERS), max_size=4))
    head = draw(st.permutations(head + odd)) if draw(st.booleans()) else head + odd
    if draw(st.integers(0, 5)) == 0:
        head.pop(draw(st.integers(0, len(head) - 1)))
    if draw(st.integers(0, 9)) == 0:
        head.append(
            f"{draw(st.sampled_from(['Subject', 'X', 'From', 'To', 'References']))}: {draw(st.text(max_size=30))}"
        )
    if draw(st.booleans()):
        part = draw(odd_parts)
    else:
        known = st.sampled_from([f"My answer goes to {one.reply_to}" for one in letters] + [thread])
        typed = [tuple(draw(st.lists(lines | known, min_size=1, max_size=5)))]
        part = draw(
            parts_of(
                draw(
                    plain_answers(typed, letter.text, known=True)
                    | html_answers(typed, letter.text, known=True)
                )
            )
        )
    raw = _whole(head, part)
    if draw(st.integers(0, 5)) == 0:
        raw = damaged(draw, raw)
    return Mail(raw, sender, None if sender == BEN and not wrong else "", token=not wrong)


@st.composite
def damaged_mails(draw: st.DrawFn) -> Mail:
    """A mail of the corpus with some bytes changed, or two of them joined."""
    raw = draw(st.sampled_from(CORPUS))
    if draw(st.integers(0, 3)) == 0:
        other = draw(st.sampled_from(CORPUS))
        raw = raw[: draw(st.integers(0, len(raw)))] + other[draw(st.integers(0, len(other))) :]
    else:
        raw = damaged(draw, raw)
    return Mail(raw, "", None)


def _whole(head: Sequence[str], part: Part) -> bytes:
    lines = [line.encode("utf-8", "surrogateescape") for line in head if line]
    return b"".join(line + b"\r\n" for line in lines) + bytes(part)
