"""Parse the header block of a mail defensively."""

import base64
import binascii
import quopri
import re
import unicodedata
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import islice

from takmail.limits.mails import (
    DEFAULT_LIMITS,
    MAX_DECODED_CHARS,
    MAX_HEADER_CHARS,
    Excess,
    Limits,
    OverLimit,
)
from takmail.mail.charsets import decoded

_END_OF_HEAD = re.compile(rb"\r\n\r\n|\n\r?\n|\r\r")
_LINE_ENDS = re.compile(rb"[\r\n]+")
_LINE_END = re.compile(rb"\r\n?|\n")
_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?]*)\?=")
_EXEMPT_FROM_LENGTH_LIMIT = ("authentication-results",)
"""The headers that count even if they are too long. Dropping the topmost would expose a forged header below it."""
_MAX_PARAMETERS = 20  # the maximum number of parameters of a Content-Type that are read
_UTC_OFFSET = re.compile(r"[0-9]:[0-9]{2}\s+([+-])([0-9]{2}[0-5][0-9])\s*(?:\(|$)")
"""The end of a Date header: the time, the offset from UTC (RFC 5322 §3.3), and perhaps a comment."""
_LARGEST_OFFSET = "1400"
_PARAMETER = re.compile(r";\s*([\w*-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;\s]*))")


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers of a mail or a part, in order. Names are in lower case, and values are unfolded."""

    items: tuple[tuple[str, str], ...]

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the header `name` (in lower case)."""
        return tuple([value for key, value in self.items if key == name])

    def first(self, name: str) -> str:
        """Return the first value of the header `name` (in lower case), or '' if there is none."""
        for key, value in self.items:
            if key == name:
                return value
        return ""

    def names(self) -> frozenset[str]:
        """Return the names of all headers, in lower case."""
        return frozenset([key for key, _ in self.items])


def split_head(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Headers, bytes]:
    """Return the headers at the start of `raw`, and the bytes after the blank line (RFC 5322 §2.1).

    Raises OverLimit if the headers don't end within `limits.header_bytes` and `limits.header_lines`.
    """
    headers, body = first_headers(raw, limits)
    if body is None:
        raise OverLimit(Excess.HEADER)
    return headers, body


def first_headers(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Headers, bytes | None]:
    """Split like `split_head`, but for a header block over the limits return its first headers and None."""
    headers, start = parse_head_at(raw, 0, len(raw), limits, limits.header_lines)
    return headers, None if start is None else raw[start:]


def parse_head_at(
    raw: bytes, start: int, end: int, limits: Limits, most_lines: int
) -> tuple[Headers, int | None]:
    """Return the headers of the bytes from `start` to `end`, and the index at which the body starts.

    The index is None if the headers exceed a limit. At most the first `most_lines` lines are read.
    """
    if raw.startswith((b"\n", b"\r\n"), start, end):
        blank = _LINE_ENDS.match(raw, start, end)
        return Headers(()), blank.end() if blank else start
    last = min(end, start + limits.header_bytes)
    found = _END_OF_HEAD.search(raw, start, last)
    stop = last if found is None else found.start()
    if line_count(raw, start, stop) > most_lines:
        ends = islice(_LINE_END.finditer(raw, start, stop), most_lines)
        stop = max((end.end() for end in ends), default=start)
        return Headers(_items(raw[start:stop])), None
    headers = Headers(_items(raw[start:stop]))
    if found is None:
        return headers, end if last == end else None
    return headers, found.end()


def line_count(raw: bytes, start: int, end: int) -> int:
    """Return the number of line ends (CR, LF or CRLF). If `raw` mixes them, the true number may be twice as large."""
    return max(raw.count(b"\n", start, end), raw.count(b"\r", start, end))


def _items(head: bytes) -> tuple[tuple[str, str], ...]:
    parsed = BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")
    return tuple(
        (name.lower(), _unfolded(str(value)))
        for name, value in parsed.raw_items()
        if len(str(value)) <= MAX_HEADER_CHARS or name.lower() in _EXEMPT_FROM_LENGTH_LIMIT
    )


def _unfolded(value: str) -> str:
    """Return a header value as one line of text, whatever bytes and line ends it contains."""
    if value.isascii() and value.isprintable():
        return value.strip()
    text = decoded(value.encode("utf-8", "surrogateescape"), "utf-8")
    return " ".join(re.split(r"[\r\n]+[ \t]*", text)).strip()


def decode_words(value: str) -> str:
    """Decode the encoded words (RFC 2047) of a Subject or a display name, and return one line.

    Only the first `MAX_DECODED_CHARS` characters are used. Words that can't be decoded stay as they are. Control
    characters are removed.
    """
    value = value[:MAX_DECODED_CHARS]
    if "=?" not in value:
        return one_line(value)
    pieces: list[str] = []
    pending, charset, at = b"", "", 0
    for word in _ENCODED_WORD.finditer(value):
        data = _word_bytes(word[2].lower(), word[3])
        if data is None:
            continue
        # A space between two encoded words is not part of the text, and a multi-byte character may be split between the
        # words.
        between = value[at : word.start()]
        if between.strip() or not pending or word[1].lower() != charset:
            pieces += [decoded(pending, charset), between if between.strip() or not pending else ""]
            pending = b""
        pending, charset, at = pending + data, word[1].lower(), word.end()
    return one_line("".join([*pieces, decoded(pending, charset), value[at:]]))


def _word_bytes(encoding: str, text: str) -> bytes | None:
    if encoding == "q":
        return quopri.decodestring(text.encode("utf-8", "replace"), header=True)
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def one_line(text: str) -> str:
    """Return the text on one line, with single spaces, and without control, invisible and bidirectional characters."""
    if text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text)
    return " ".join("".join(c for c in spaced if unicodedata.category(c)[0] != "C").split())


def utc_offset(headers: Headers) -> str | None:
    """Return the offset from UTC in the Date header, such as `+0100`.

    It is None if the header has none, one of more than 14 hours, or `-0000`, which says that it is unknown.
    """
    found = _UTC_OFFSET.search(headers.first("date")[:MAX_DECODED_CHARS])
    if found is None or found[2] > _LARGEST_OFFSET or found[1] + found[2] == "-0000":
        return None
    return found[1] + found[2]


def first_word(value: str) -> str:
    """Return the value without comments and parameters, in lower case: `No (really); x=y` becomes `no`."""
    return value.partition(";")[0].partition("(")[0].strip().lower()


def media_type(headers: Headers, default: str = "text/plain") -> tuple[str, dict[str, str]]:
    """Return the Content-Type in lower case, or `default` if it is malformed, and its parameters (RFC 2045 §5.1)."""
    value = headers.first("content-type")[:MAX_DECODED_CHARS]
    kind = value.partition(";")[0].strip().lower()
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind):
        kind = default
    parameters: dict[str, str] = {}
    for found in islice(_PARAMETER.finditer(value), _MAX_PARAMETERS):
        name, quoted, plain = (one or "" for one in found.groups())
        # In charset*=us-ascii''utf-8 (RFC 2231 §4) the value follows the last apostrophe.
        text = re.sub(r"\\(.)", r"\1", quoted) or plain
        key = name.lower()
        parameters.setdefault(key.rstrip("*"), text.rpartition("'")[2] if key.endswith("*") else text)
    return kind, parameters
