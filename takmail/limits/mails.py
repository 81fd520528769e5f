"""Limits on the size of incoming mails, and on the work that a stranger's mail can cause.

The operator can set the fields of `Limits`, except those that limit the work: `[limits]` has a key of the same name for
each. A mail over such a limit is rejected. The constants cannot be set. They limit how much is read of other mails, and
the memory and connections that mails take.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum size of a mail, in several dimensions.

    `mail_bytes` is the maximum size of the whole mail, as the server reports it. `text_bytes` is that of the readable
    text, and `header_bytes` that of the header block of a mail or a part. `stranger_bytes_per_day` is how much is
    stored within a day of the mails of all strangers together, and of those that anybody may have written in the name
    of one player. `mime_depth` is the maximum depth of nested
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
    stranger_bytes_per_day: int = 5 * 1024 * 1024
    mime_depth: int = 20
    mime_parts: int = 500
    address_nesting: int = 20
    header_lines: int = 5_000
    part_header_lines: int = 20_000
    boundaries: int = 20_000
    text_lines: int = 20_000
    html_tags: int = 10_000
    rejects_oversize: bool = False

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


MAX_HTML_FACTOR = 8
"""The maximum number of bytes of HTML for each permitted byte of text."""

MAX_HEADER_CHARS = 64 * 1024
"""The maximum length of an unfolded header, in characters. A longer header counts as absent."""

MAX_DECODED_CHARS = 2_000
"""The maximum number of characters of a Subject, a name or a Content-Type that are read. Decoding words is slow."""

MAX_HEADER_ADDRESSES = 200
"""The maximum number of addresses that are read from all headers of one kind. A player's mail has a few."""

MAX_REFERENCES = 100
"""The maximum number of Message-IDs, the newest ones, that are read from References and from In-Reply-To.

Each is looked up. The answered letter is among the newest.
"""

MAX_DISPLAY_NAME_CHARS = 60
"""The maximum length of a display name, in characters."""

MAX_ADDRESS_CHARS = 254
"""The maximum length of a mail address, in characters (RFC 5321, erratum 1690)."""

MAX_HEAD_BYTES = 64 * 1024
"""The maximum number of bytes of headers that are searched before a mail is read. Parsing headers is slow."""

MAX_GLANCE_BYTES = 8 * 1024
"""The number of bytes of a stored mail that are read to find its Subject."""

MAX_REPORT_TEXT_BYTES = 256 * 1024
"""The maximum number of bytes that are read of a delivery report's text."""

MAX_REPORTED_RECIPIENTS = 200
"""The maximum number of recipients of a delivery report that are read."""

MAX_REPORTED_LETTERS = 20
"""The maximum number of letters that one delivery report can name. Each costs a query."""

MAX_RESPONSE_CHARS = 2_000
"""The maximum number of characters of an SMTP server's response that are searched for a reason."""

MAX_RESULTS_CHARS = 8_000
"""The maximum length of Authentication-Results, in characters. A longer one is ignored. Real ones have hundreds."""

MAX_TOKENS_CHECKED = 100
"""The maximum number of possible seat tokens in a text that are checked. All further ones are redacted unchecked."""

MAX_NAMED_GAMES = 5
"""The maximum number of games that are read because headers name them."""

MAX_PARTS = 20
"""The maximum number of parts into which a mail about several games is split. The answer names the games left out."""

PARTS_ANSWERED_AFTER = timedelta(minutes=10)
"""The time after which the parts of a mail are answered, even if some have not been handled yet."""

MAX_QUOTE_MARKS = 20
"""The maximum number of quote prefixes on a line of HTML. Thousands of prefixes on each line would take much memory."""

MAX_ENCODING_FACTOR = 4
"""The maximum number of encoded bytes for a decoded byte. Data that needs more is malformed and not read further."""

MAX_SEARCH_FACTOR = 6
"""The limit on all bytes searched for boundaries, as a multiple of the maximum mail size.

Each nested multipart is searched again. Real mails stay below it, because they have fewer levels of multiparts.
"""

MAX_COMPARED_CHARS = 40_000
"""The maximum number of characters of a text, and of a letter, that are compared to find quoted text."""

MAX_COMPARED_LINES = 3_000
"""The maximum number of lines of a mail that are compared with the letter that it answers. Blank lines don't count."""

MAX_SEARCHED_LINES = 1_000
"""The maximum number of lines of a text that is searched for any letter of takmail. Blank lines don't count."""

MAX_COMPARED_PLACES = 50_000
"""The maximum number of candidate positions in the answered letter, for all lines of a mail together."""

MAX_SEARCHED_PLACES = 8_000
"""The maximum number of candidate positions in each other letter."""

MAX_ATTRIBUTIONS = 100
"""The maximum number of lines of a mail that are tried as the end of an attribution such as "On … wrote:"."""

MAX_SHORT_BODY_BYTES = 32 * 1024
"""The maximum length of a body that is read at once, in bytes. For a longer one, the headers are tried first.

A reply that quotes both sides of a letter is shorter.
"""

MAIL_ROW_BYTES = 1024
"""What a mail takes in the database besides its bytes, about, as far as a budget of bytes is concerned."""

MAX_READER_MEMORY_BYTES = 256 * 1024 * 1024
"""The maximum memory that the process which reads costly mails may allocate after its start."""

MAX_FETCH_BYTES = 16 * 1024 * 1024
"""The maximum number of bytes that one IMAP command fetches, unless a single mail is larger."""

MAX_IMAP_ANSWER_BYTES = 2 * MAX_FETCH_BYTES
"""The maximum number of bytes that an IMAP server may send for one command, whatever it announces."""

MAX_IMAP_ANSWER_LINES = 2_000
"""The maximum number of lines, without those of mails, that an IMAP server may send for one command.

Searching them takes time that is quadratic. A command asks for 50 mails. More lines come if another program changes
thousands of mails, and a new connection has none of them.
"""

MAX_IMAP_LINE_BYTES = 8 * 1024 * 1024
"""The maximum length of an IMAP server's line. The answer to a search is one, with a number for each mail."""

MAX_LMTP_MEMORY_BYTES = 64 * 1024 * 1024
"""The maximum number of bytes of memory for all mails that are being received by LMTP."""

MAX_STORED_BYTES = 2**24 - 1
"""The size in bytes of the largest mail that every supported database can store. The keys for bytes allow no more."""

MAX_LMTP_RECIPIENTS = 100
"""The maximum number of recipients of one mail by LMTP (RFC 5321 §4.5.3.1.8)."""

MAX_LMTP_CONNECTIONS = 100
"""The maximum number of LMTP clients at the same time. Others are told to retry later. Postfix opens 20 connections."""
