"""Limits on the size of incoming mails, and on the work that a stranger's mail can cause.

The operator can set the fields of `Limits`, except those that limit the work. A mail over a limit is rejected. The
constants of this module only limit how much is read of a mail that is within the limits.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum size of a mail, in several dimensions.

    `mail_bytes` is the maximum size of the whole mail, as the server reports it. `text_bytes` is that of the readable
    text, and `header_bytes` that of the header block of a mail or a part. `mime_depth` is the maximum depth of nested
    multiparts, and `mime_parts` the maximum number of parts. `address_nesting` is the maximum depth of nested comments
    in an address.

    The other fields limit the work that a few bytes can cause, over all parts of a mail together. They are maximum
    numbers: `header_lines` of the mail's own headers, `part_header_lines` of the parts' headers, `boundaries` that are
    tried, `text_lines` of readable text, and `html_tags`. Text after the last permitted tag is dropped. If
    `rejects_oversize` is true, such a mail is rejected instead, so that it can be read again within other limits.
    """

    mail_bytes: int = 10 * 1024 * 1024
    text_bytes: int = 256 * 1024
    header_bytes: int = 256 * 1024
    mime_depth: int = 20
    mime_parts: int = 500
    address_nesting: int = 20
    header_lines: int = 5_000
    part_header_lines: int = 20_000
    boundaries: int = 20_000
    text_lines: int = 20_000
    html_tags: int = 10_000
    rejects_oversize: bool = False

    def kept(self, raw: bytes, size: int) -> bytes:
        """Return what is stored of a mail of `size` bytes: all of `raw`, or its beginning if the mail is too long."""
        return raw if size <= self.mail_bytes else raw[: self.header_bytes]

    def stricter(self) -> "Limits":
        """Return stricter limits, within which any mail is cheap to read."""
        return replace(
            self,
            mail_bytes=min(self.mail_bytes, 1024 * 1024),
            text_bytes=min(self.text_bytes, 64 * 1024),
            part_header_lines=2_000,
            boundaries=2_000,
            text_lines=2_000,
            html_tags=2_000,
            rejects_oversize=True,
        )


DEFAULT_LIMITS = Limits()
"""The default limits."""


class Excess(StrEnum):
    """The limit that a mail exceeds."""

    MAIL = "mail_bytes"
    TEXT = "text_bytes"
    HEADER = "header_bytes"
    DEPTH = "mime_depth"
    PARTS = "mime_parts"
    NESTING = "address_nesting"
    WORK = "work"


class OverLimit(Exception):  # noqa: N818  (it says what happened)
    """Raised for a mail that exceeds a limit, so that no more of it is read; `excess` is the limit."""

    def __init__(self, excess: Excess) -> None:
        super().__init__(excess.value)
        self.excess = excess


HTML_FOR_TEXT = 8
"""The maximum number of bytes of HTML for each permitted byte of text."""

MAX_HEADER_CHARS = 64 * 1024
"""The maximum length of an unfolded header, in characters. A longer header counts as absent."""

MAX_DECODED_CHARS = 2_000
"""The maximum number of characters of a Subject, a name or a Content-Type that are read."""

MAX_ADDRESSES = 200
"""The maximum number of addresses that are read from all headers of one kind."""

MAX_REFERENCES = 100
"""The maximum number of Message-IDs, the newest ones, that are read from References and from In-Reply-To."""

MAX_NAME_CHARS = 60
"""The maximum length of a display name, in characters."""
