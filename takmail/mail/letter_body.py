"""The body of a letter as MIME parts (RFC 2045, 2046, 2387): texts, pictures, files, and what holds them together.

Their few headers are ours and plain ASCII, so they are written as they are: the library would read each of them first
and look at every line of a picture, which took longer than all the rest of a letter.
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_LINE = 998
"""Characters of a line that every mail server takes (RFC 5322 §2.1.1)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the HTML side shows by its `cid`, without angle brackets; `kind` is `png` or `gif`."""

    cid: str
    name: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text that hangs on the letter as a file; `kind` is what it is beside `text/`, `name` is ASCII."""

    name: str
    kind: str
    text: str


def body(
    text: str | None, html: str | None, pictures: Sequence[Picture], files: Sequence[Attachment], border: str
) -> bytes:
    """All of it in as few parts as it takes, with their headers and CRLF line ends.

    `border` is a text from which the borders between the parts are made.
    """
    sides = [] if text is None else [_text(text, "plain")]
    if html is not None:
        page = _text(html, "html")
        sides.append(
            _joined("related", [page, *map(_picture, pictures)], f"1_{border}") if pictures else page
        )
    both = sides[0] if len(sides) == 1 else _joined("alternative", sides, f"2_{border}")
    whole = _joined("mixed", [both, *map(_file, files)], f"3_{border}") if files else both
    return whole.encode("ascii").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _part(headers: Sequence[str], payload: str) -> str:
    return "\n".join((*headers, "", payload))


def _text(text: str, kind: str, *headers: str) -> str:
    # Quoted-printable only where it must be: a program that plays by the book reads raw lines.
    is_plain = text.isascii() and all(len(line) <= _MOST_LINE for line in text.split("\n"))
    return _part(
        (
            f'Content-Type: text/{kind}; charset="utf-8"',
            f"Content-Transfer-Encoding: {'7bit' if is_plain else 'quoted-printable'}",
            *headers,
        ),
        text if is_plain else b2a_qp(text.encode()).decode("ascii"),
    )


def _picture(picture: Picture) -> str:
    return _part(
        (
            f'Content-Type: image/{picture.kind}; name="{picture.name}"',
            "Content-Transfer-Encoding: base64",
            f"Content-ID: <{picture.cid}>",
            f'Content-Disposition: inline; filename="{picture.name}"',
        ),
        encodebytes(picture.data).decode("ascii"),
    )


def _file(file: Attachment) -> str:
    return _text(file.text, file.kind, f'Content-Disposition: attachment; filename="{file.name}"')


def _joined(kind: str, parts: Sequence[str], border: str) -> str:
    # What is related is of the type of its first part (RFC 2387 §3.1).
    root = '; type="text/html"' if kind == "related" else ""
    # No line of quoted-printable or base64 holds "=_" (RFC 2045 §6.7), and no text can know what follows it here.
    inner = "".join(f"--=_{border}\n{part}\n" for part in parts)
    return _part(
        (f'Content-Type: multipart/{kind}{root};\n boundary="=_{border}"',), f"{inner}--=_{border}--\n"
    )
