"""Build the body of a letter from MIME parts (RFC 2045, 2046, 2387): texts and files, and pictures added later.

The headers of the parts are fixed and ASCII, so they are written directly. The standard library would parse each header
and look at every line of a picture. That took longer than all other steps of building a letter.
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

_RELATED, _MIXED = "1_", "3_"
"""The beginnings of the boundaries around the HTML part with its pictures, and around all parts with the files."""

_MOST_LINE = 998
"""The maximum length of a line that every mail server accepts, in bytes (RFC 5322 §2.1.1)."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that is attached to the letter; `kind` is the subtype of `text/`, and `name` is ASCII."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class LetterBody:
    """The body of a letter. At least one of `text` and `html` is set.

    `has_pictures` and `has_animation` make room for the parts that `with_parts` adds before the letter is sent.
    """

    text: str | None
    html: str | None = None
    attachments: tuple[Attachment, ...] = ()
    has_pictures: bool = False
    has_animation: bool = False

    def as_bytes(self, message_id: str) -> bytes:
        """Return the body with its headers and CRLF line ends, in as few parts as possible."""
        border = _border(message_id)
        sides = [] if self.text is None else [_text(self.text, "plain")]
        if self.html is not None:
            page = _text(self.html, "html")
            sides.append(_joined("related", [page], f"{_RELATED}{border}") if self.has_pictures else page)
        both = sides[0] if len(sides) == 1 else _joined("alternative", sides, f"2_{border}")
        if self.attachments or self.has_animation:
            both = _joined("mixed", [both, *map(_file, self.attachments)], f"{_MIXED}{border}")
        return _encoded(both)


def with_parts(raw: bytes, pictures: Sequence[str], files: Sequence[str], message_id: str) -> bytes:
    """Return a mail with pictures added to its HTML part, and files added behind all parts.

    The mail must have been made with room for them (`LetterBody`).
    """
    for added, kind in ((pictures, _RELATED), (files, _MIXED)):
        if added:
            between = f"--=_{kind}{_border(message_id)}"
            parts = b"".join(_encoded(f"{between}\n{part}\n") for part in added)
            end = raw.rindex(f"{between}--".encode("ascii"))
            raw = raw[:end] + parts + raw[end:]
    return raw


def _border(message_id: str) -> str:
    """Return the end of the boundaries. A letter written again is the same to the byte."""
    return sha256(message_id.encode()).hexdigest()[:24]


def _encoded(part: str) -> bytes:
    return part.encode("ascii").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _part(headers: Sequence[str], payload: str) -> str:
    return "\n".join((*headers, "", payload))


def _text(text: str, kind: str, *headers: str) -> str:
    # Quoted-printable is used only if necessary, because programs that implement only the Tak by Mail rules read raw
    # lines.
    is_plain = text.isascii() and max(map(len, text.split("\n"))) <= _MOST_LINE
    return _part(
        (
            f'Content-Type: text/{kind}; charset="utf-8"',
            f"Content-Transfer-Encoding: {'7bit' if is_plain else 'quoted-printable'}",
            *headers,
        ),
        text if is_plain else b2a_qp(text.encode()).decode("ascii"),
    )


def content_id(picture: str) -> str:
    """Return the Content-ID of a picture, without angle brackets.

    It is the same in all mails, because a name stands for the same picture for ever.
    """
    return f"{picture}@takmail"


def inline_png(picture: str, data: bytes) -> str:
    """Return the part with a picture in the HTML part. It has no file name, so that few programs list it as a file."""
    return _part(
        (
            "Content-Type: image/png",
            "Content-Transfer-Encoding: base64",
            f"Content-ID: <{content_id(picture)}>",
            "Content-Disposition: inline",
        ),
        encodebytes(data).decode("ascii"),
    )


def attached_gif(name: str, data: bytes) -> str:
    """Return the part with an animation as a file; `name` is ASCII."""
    return _part(
        (
            "Content-Type: image/gif",
            "Content-Transfer-Encoding: base64",
            f'Content-Disposition: attachment; filename="{name}"',
        ),
        encodebytes(data).decode("ascii"),
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
