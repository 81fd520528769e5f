"""Build the body of a letter from MIME parts (RFC 2045, 2046, 2387): texts, pictures and files.

The headers of the parts are fixed and ASCII, so they are written directly. The standard library would parse each header
and look at every line of a picture. That took longer than all other steps of building a letter.
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_LINE = 998
"""The maximum length of a line that every mail server accepts, in bytes (RFC 5322 §2.1.1)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the HTML part refers to by `cid`; `kind` is `png` or `gif`.

    `cid` is the Content-ID without angle brackets.
    """

    cid: str
    name: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that is attached to the letter; `kind` is the subtype of `text/`, and `name` is ASCII."""

    name: str
    kind: str
    text: str


def build_body(
    text: str | None, html: str | None, pictures: Sequence[Picture], files: Sequence[Attachment], border: str
) -> bytes:
    """Return the body with its headers and CRLF line ends, in as few parts as possible.

    `border` is a text from which the boundaries between the parts are made.
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
    # Quoted-printable is used only if necessary, because programs that implement only the Tak by Mail rules read raw
    # lines.
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
    # The type of a multipart/related is that of its first part (RFC 2387 §3.1).
    root = '; type="text/html"' if kind == "related" else ""
    # No line of quoted-printable or base64 contains "=_" (RFC 2045 §6.7), and no text can predict the digits after it.
    inner = "".join(f"--=_{border}\n{part}\n" for part in parts)
    return _part(
        (f'Content-Type: multipart/{kind}{root};\n boundary="=_{border}"',), f"{inner}--=_{border}--\n"
    )
