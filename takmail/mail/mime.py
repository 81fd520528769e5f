"""Split a mail into its MIME parts (RFC 2046), without recursion and within limits.

The standard library's parser recurses into nested multiparts and takes quadratic time for hostile parameters. For that
reason only its header parser is used.
"""

import base64
import binascii
import quopri
import re
import string
from dataclasses import dataclass

from takmail.limits.mails import (
    DEFAULT_LIMITS,
    MAX_ENCODING_FACTOR,
    MAX_SEARCH_FACTOR,
    Excess,
    Limits,
    OverLimit,
)
from takmail.mail.headers import Headers, line_count, media_type, parse_head_at

# The end of base64 data is its padding, or a blank line before a line that is no base64. A mailing list has appended
# its footer there.
_END_OF_BASE64 = re.compile(rb"=|\n[ \t\r]*\n(?=[^\n]*[^A-Za-z0-9+/=\s])")
_BASE64 = f"{string.ascii_letters}{string.digits}+/".encode()
_NO_BASE64 = bytes(set(range(256)) - set(_BASE64))
_END_OF_BOUNDARY = re.compile(rb"(--)?[ \t]*+\r?(?=\n|\Z)")


@dataclass(frozen=True, slots=True)
class Part:
    """A part that is not a multipart: its headers, media type, parameters and encoded body.

    The body is a view of the mail's body from `start` on, because copying each of hundreds of parts would be
    expensive.
    """

    headers: Headers
    kind: str
    parameters: dict[str, str]
    body: memoryview
    start: int

    @property
    def attached(self) -> bool:
        """Whether the part is an attachment (RFC 2183 §2.2)."""
        return self.headers.first("content-disposition").partition(";")[0].strip().lower() == "attachment"

    def payload(self, at_most: int) -> bytes:
        """Return the first `at_most` bytes of the body, decoded as far as possible (RFC 2045 §6).

        At most `LONGEST_CODE * at_most` encoded bytes are read. Never raises.
        """
        encoded = self.body[: MAX_ENCODING_FACTOR * at_most]
        match self.headers.first("content-transfer-encoding").strip().lower():
            case "base64":
                return _from_base64(bytes(encoded))[:at_most]
            case "quoted-printable":
                return quopri.decodestring(bytes(encoded))[:at_most]
            case _:
                return bytes(encoded[:at_most])


def leaf_parts(headers: Headers, body: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Part, ...]:
    """Return the parts of a mail that aren't multiparts, in order.

    A multipart without a boundary counts as plain text. Attached mails are not split. Raises OverLimit for too many
    parts, parts that are nested too deeply, too long header blocks, or too many lines that look like boundaries.
    """
    found: list[Part] = []
    whole = memoryview(body)
    searched = 0
    lines_left, boundaries_left = limits.part_header_lines, limits.boundaries
    # This is a stack: the parts of a multipart are pushed in reverse, so that they are popped in order.
    waiting: list[tuple[Headers, int, int, int, str]] = [(headers, 0, len(body), 0, "text/plain")]
    while waiting:
        head, start, end, depth, default = waiting.pop()
        kind, parameters = media_type(head, default)
        pieces = None
        if kind.startswith("multipart/"):
            searched += end - start
            if searched > MAX_SEARCH_FACTOR * limits.mail_bytes:
                raise OverLimit(Excess.DEPTH)
            tried, pieces = _pieces(
                body, start, end, parameters.get("boundary", ""), limits.mime_parts, boundaries_left
            )
            boundaries_left -= tried
        if pieces is None:
            kind = "text/plain" if kind.startswith("multipart/") else kind
            found.append(Part(head, kind, parameters, whole[start:end], start))
            continue
        if depth >= limits.mime_depth:
            raise OverLimit(Excess.DEPTH)
        if len(found) + len(waiting) + len(pieces) > limits.mime_parts:
            raise OverLimit(Excess.PARTS)
        inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for first, last in reversed(pieces):
            inside, below = parse_head_at(body, first, last, limits, lines_left)
            if below is None:
                raise OverLimit(Excess.HEADER)
            lines_left = max(lines_left - line_count(body, first, below), 0)
            waiting.append((inside, below, last, depth + 1, inner))
    return tuple(found)


def _pieces(
    raw: bytes, start: int, end: int, boundary: str, at_most: int, most_tries: int
) -> tuple[int, list[tuple[int, int]] | None]:
    """Return the number of lines that start like a boundary, and the spans between boundaries (RFC 2046 §5.1.1).

    The closing boundary may be missing. If there is no boundary from `start` to `end`, None is returned in place of the
    spans. Raises OverLimit if more than `most_tries` lines start like a boundary.
    """
    if not boundary:
        return 0, None
    tries = 0
    line = b"--" + boundary.encode("utf-8", "surrogateescape")
    pieces: list[tuple[int, int]] = []
    begun: int | None = None
    # Only the first line has no line end before it.
    at = start if raw.startswith(line, start, end) else _next_line(raw, line, start, end)
    while at >= 0:
        tries += 1
        if tries > most_tries:
            raise OverLimit(Excess.WORK)
        found = _END_OF_BOUNDARY.match(raw, at + len(line), end)
        if found:
            if begun is not None:
                # The line end before a boundary belongs to the boundary.
                before = at - 1 - (raw[at - 2 : at - 1] == b"\r")
                pieces.append((begun, max(begun, before)))
            begun = min(found.end() + 1, end)
            if found[1] or len(pieces) > at_most:
                return tries, pieces
        # The next boundary may share its line end with this one.
        at = _next_line(raw, line, found.end() if found else at + len(line), end)
    return tries, None if begun is None else [*pieces, (begun, end)]


def _next_line(raw: bytes, line: bytes, start: int, end: int) -> int:
    """Return the index of the next line that begins with `line`, or -1 if there is none."""
    at = raw.find(b"\n" + line, start, end)
    return at if at < 0 else at + 1


def _from_base64(data: bytes) -> bytes:
    end = _END_OF_BASE64.search(data)
    kept = data[: end.start()] if end else data
    kept = kept.translate(None, delete=_NO_BASE64)
    # A single leftover character encodes no byte. It shows that the mail was truncated there.
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]
    try:
        return base64.b64decode(kept + b"=" * (-len(kept) % 4))
    except (binascii.Error, ValueError):
        return b""
