"""Outgoing letters: one mail to one person, serialized to bytes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime
from urllib.parse import quote

from takmail.mail.letter_body import LetterBody
from takmail.mail.letter_headers import Field, serialize_headers

MACHINE_HEADER = "X-Takmail"
"""The header on every letter of takmail, by which one takmail service recognises the letters of another."""


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A letter as a mail.

    `to`, `sender` and `reply_to` are bare addresses. `message_id` and `references` keep their angle brackets; the last
    of `references` is the mail that the letter replies to. `date` is UTC-aware. `is_reply` is true if the letter
    answers a mail of its recipient. `unsubscribe` is the address and the Subject of a mail that unsubscribes the
    recipient. `language` is that of the body, as in the header Content-Language (RFC 3282). `reply_to_name` is the name
    under which address books keep the address for answers, '' if it is that of the sender.
    """

    to: str
    to_name: str
    sender: str
    sender_name: str
    reply_to: str
    subject: str
    body: LetterBody
    message_id: str
    references: tuple[str, ...]
    date: datetime
    is_reply: bool
    unsubscribe: tuple[str, str]
    language: str = "en"
    reply_to_name: str = ""

    def as_bytes(self) -> bytes:
        """Return the letter as a mail with CRLF line ends (RFC 5322), marked as automatic (RFC 3834 §5)."""
        # An address can't be written in encoded words (RFC 2047 §5), so a non-ASCII address needs RFC 6532.
        plain = (self.sender + self.to + self.reply_to).isascii()
        headers = serialize_headers(self._fields(), SMTP if plain else SMTPUTF8)
        return headers + self.body.as_bytes(self.message_id)

    def _fields(self) -> Iterator[Field]:
        yield "From", _address(self.sender_name, self.sender)
        yield "To", _address(self.to_name, self.to)
        if self.reply_to != self.sender:
            yield "Reply-To", _address(self.reply_to_name or self.sender_name, self.reply_to)
        yield "Subject", self.subject
        yield "Date", format_datetime(self.date)
        yield "Message-ID", (self.message_id,)
        if self.references:
            yield "In-Reply-To", self.references[-1:]
            yield "References", self.references
        yield "Auto-Submitted", "auto-replied" if self.is_reply else "auto-generated"
        # Without this header, Exchange answers with an out-of-office note.
        yield "X-Auto-Response-Suppress", "All"
        # Without this header, Outlook offers to answer with a reaction, which comes as a mail of its own.
        yield "X-MS-Reactions", "disallow"
        yield MACHINE_HEADER, "1"
        if not self.is_reply:
            address, subject = self.unsubscribe
            # There is no URL, because a mail scanner could open it. Only a mail unsubscribes (RFC 2369 §3.2).
            yield "List-Unsubscribe", f"<mailto:{quote(address, safe='@')}?subject={quote(subject)}>"
        yield "MIME-Version", "1.0"
        yield "Content-Language", self.language


def _address(name: str, bare: str) -> Address:
    # Old mobile addresses have misplaced dots (`a..b.@`), which `addr_spec` rejects. They are sent unchanged.
    local, _, domain = bare.rpartition("@")
    return Address(name, username=local, domain=domain)
