"""The parts of a mail (RFC 2046), without recursion and within bounds.

The standard library's parser recurses into nested multiparts and reads hostile parameters in quadratic time,
so only its header reader is used.
"""

import base64
import binascii
import quopri
import re
from dataclasses import dataclass

from takmail.mail.headers import Headers, media_type, split_head
from takmail.mail.limits import USUAL, Excess, Limits, OverLimit

# The padding, or a blank line and a line that is no base64: below them a mailing list has put its own words.
_END_OF_BASE64 = re.compile(rb"=|\n[ \t\r]*\n(?=[^\n]*[^A-Za-z0-9+/=\s])")


@dataclass(frozen=True, slots=True)
class Part:
    """A part that is not a multipart: its headers, media type, parameters of the type, and encoded bytes."""

    headers: Headers
    kind: str
    parameters: dict[str, str]
    body: bytes

    @property
    def attached(self) -> bool:
        """Whether it is to be saved rather than shown (RFC 2183 §2.2)."""
        return self.headers.first("content-disposition").partition(";")[0].strip().lower() == "attachment"

    def payload(self) -> bytes:
        """The bytes with the transfer encoding undone, as far as it can be (RFC 2045 §6); never raises."""
        match self.headers.first("content-transfer-encoding").strip().lower():
            case "base64":
                return _from_base64(self.body)
            case "quoted-printable":
                return quopri.decodestring(self.body)
            case _:
                return self.body


def leaves(headers: Headers, body: bytes, limits: Limits = USUAL) -> tuple[Part, ...]:
    """The parts of a mail that aren't multiparts, in order.

    A multipart whose boundary is missing counts as plain text; attached mails are not looked into. Raises
    OverLimit for too many parts, for parts too deep inside one another, and for a part with too long a head.
    """
    found: list[Part] = []
    # Last in, first out: the parts of a multipart are put down in reverse, so that they come up in order.
    waiting: list[tuple[Headers, bytes, int, str]] = [(headers, body, 0, "text/plain")]
    while waiting:
        head, content, depth, default = waiting.pop()
        kind, parameters = media_type(head, default)
        pieces = None
        if kind.startswith("multipart/"):
            pieces = _pieces(content, parameters.get("boundary", ""), limits.mime_parts)
        if pieces is None:
            kind = "text/plain" if kind.startswith("multipart/") else kind
            found.append(Part(head, kind, parameters, content))
            continue
        if depth >= limits.mime_depth:
            raise OverLimit(Excess.DEPTH)
        if len(found) + len(waiting) + len(pieces) > limits.mime_parts:
            raise OverLimit(Excess.PARTS)
        inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        waiting += [(*split_head(piece, limits), depth + 1, inner) for piece in reversed(pieces)]
    return tuple(found)


def _pieces(content: bytes, boundary: str, at_most: int) -> list[bytes] | None:
    """What stands between the boundary lines (RFC 2046 §5.1.1), the last closed or not; None if no line."""
    if not boundary:
        return None
    # Beginning with a character and not with ^, it is searched for ten times as fast in a large attachment.
    line = re.compile(
        rb"\n--" + re.escape(boundary.encode("utf-8", "surrogateescape")) + rb"(--)?[ \t]*\r?(?=\n|\Z)"
    )
    pieces: list[bytes] = []
    start: int | None = None
    content = b"\n" + content
    for found in line.finditer(content):
        if start is not None:
            # The line end before a boundary belongs to the boundary.
            pieces.append(content[start : found.start()].removesuffix(b"\r"))
        start = found.end() + 1
        if found[1] or len(pieces) > at_most:
            return pieces
    if start is None:
        return None
    return [*pieces, content[start:]]


def _from_base64(data: bytes) -> bytes:
    end = _END_OF_BASE64.search(data)
    data = data[: end.start()] if end else data
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    # One letter over four is no byte: the mail was cut off there.
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]
    try:
        return base64.b64decode(kept + b"=" * (-len(kept) % 4))
    except (binascii.Error, ValueError):
        return b""
