"""How much of a mail is read: bounds on what a stranger can make takmail do.

`Limits` are the operator's to set, but for those of the work; a mail over one of them is rejected. The constants
below only say how much of a mail within them is looked at.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a mail may be, in each way in which it can be large.

    `mail_bytes`: the whole of it, as the server tells it; `text_bytes`: what is to be read of it;
    `header_bytes`: the header block of a mail or a part; `mime_depth`: multiparts inside multiparts; `mime_parts`:
    parts in all; `address_nesting`: comments inside comments of an address.

    The others bound the work where few bytes make much of it, over all parts of a mail together: `header_lines` of
    the mail's own headers, `part_header_lines`, `boundaries` that are looked at, `text_lines`, and `html_tags`: what
    stands behind so many is not read. `is_trial`: such a mail is not read in part either, but again under other limits.
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
    is_trial: bool = False

    def kept(self, raw: bytes, size: int) -> bytes:
        """What is kept of a mail of so many bytes: all of `raw`, or of one that is too long its beginning."""
        return raw if size <= self.mail_bytes else raw[: self.header_bytes]

    def of_cheap_mail(self) -> "Limits":
        """The limits within which a mail costs next to nothing to read, however it is made."""
        return replace(
            self,
            mail_bytes=min(self.mail_bytes, 1024 * 1024),
            text_bytes=min(self.text_bytes, 64 * 1024),
            part_header_lines=2_000,
            boundaries=2_000,
            text_lines=2_000,
            html_tags=2_000,
            is_trial=True,
        )


USUAL = Limits()
"""The limits where the operator sets no others."""


class Excess(StrEnum):
    """Which of the limits a mail is over."""

    MAIL = "mail_bytes"
    TEXT = "text_bytes"
    HEADER = "header_bytes"
    DEPTH = "mime_depth"
    PARTS = "mime_parts"
    NESTING = "address_nesting"
    WORK = "work"


class OverLimit(Exception):  # noqa: N818  (it says what happened)
    """A mail is over a limit, and reading it ends here."""

    def __init__(self, excess: Excess) -> None:
        super().__init__(excess.value)
        self.excess = excess


HTML_FOR_TEXT = 8
"""How many bytes of HTML stand for a byte of text."""

MAX_HEADER_CHARS = 64 * 1024
"""Characters of one unfolded header; a longer one counts as absent."""

MAX_DECODED_CHARS = 2_000
"""Characters of a Subject, a name or a Content-Type that are looked at."""

MAX_ADDRESSES = 200
"""Addresses read from all the headers of a kind."""

MAX_REFERENCES = 100
"""Message-IDs kept from References and from In-Reply-To, the newest ones."""

MAX_NAME_CHARS = 60
"""Characters of a display name."""
