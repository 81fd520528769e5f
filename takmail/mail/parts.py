"""The body of a letter as MIME parts (RFC 2045, 2046, 2387): texts, pictures, files, and what holds them together.

Their few headers are ours and plain ASCII, so they are not put through the library's reading of headers: that would
take longer than all the rest of a letter.
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from email.policy import compat32
from typing import TypeAlias

Part: TypeAlias = "Message[str, str]"
"""A part of a mail, or the whole of its body."""

_AS_THEY_ARE = compat32.clone(linesep="\r\n", max_line_length=None)

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
    return whole.as_bytes(policy=_AS_THEY_ARE)


def _text(text: str, kind: str) -> Part:
    part: Part = Message()
    # Quoted-printable only where it must be: a program that plays by the book reads raw lines.
    is_plain = text.isascii() and all(len(line) <= _MOST_LINE for line in text.split("\n"))
    part["Content-Type"] = f'text/{kind}; charset="utf-8"'
    part["Content-Transfer-Encoding"] = "7bit" if is_plain else "quoted-printable"
    part.set_payload(text if is_plain else b2a_qp(text.encode()).decode("ascii"))
    return part


def _picture(picture: Picture) -> Part:
    part: Part = Message()
    part["Content-Type"] = f'image/{picture.kind}; name="{picture.name}"'
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-ID"] = f"<{picture.cid}>"
    part["Content-Disposition"] = f'inline; filename="{picture.name}"'
    part.set_payload(encodebytes(picture.data).decode("ascii"))
    return part


def _file(file: Attachment) -> Part:
    part = _text(file.text, file.kind)
    part["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return part


def _joined(kind: str, parts: Sequence[Part], border: str) -> Part:
    whole: Part = Message()
    # What is related is of the type of its first part (RFC 2387 §3.1).
    root = '; type="text/html"' if kind == "related" else ""
    # No line of quoted-printable or base64 holds "=_" (RFC 2045 §6.7), so none of ours is taken for a border.
    whole["Content-Type"] = f'multipart/{kind}{root}; boundary="=_{border}"'
    whole.set_payload(list(parts))
    return whole
