"""The raw bytes of any mail, made an Envelope."""

import re

from takmail.mail.address import addresses_in, the_sender
from takmail.mail.body import readable_text
from takmail.mail.envelope import Envelope
from takmail.mail.headers import Headers, split_head, words_decoded
from takmail.mail.limits import MAX_READ_BYTES, MAX_REFERENCES
from takmail.mail.machine import machine_sign

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,500}>")
_OWN_ID = re.compile(r"<[!-;=?A-~]{1,250}@[!-;=?A-~]{1,250}>")
_RECIPIENT_HEADERS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def read(raw: bytes, own_addresses: frozenset[str]) -> Envelope:
    """The mail in `raw` as an Envelope; never raises, whatever the bytes.

    `own_addresses` are the normal addresses of this service. A mail over one of the bounds in `limits` has
    the headers that could be read, and an empty text. Reply-To never counts: it is not who wrote.
    """
    headers, body = split_head(raw[:MAX_READ_BYTES])
    sender, name = the_sender(headers.all("from"))
    return Envelope(
        message_id=_own_id(headers),
        sender=sender,
        sender_name=name,
        recipients=addresses_in(value for name in _RECIPIENT_HEADERS for value in headers.all(name)),
        subject=words_decoded(headers.first("subject")),
        in_reply_to=_ids(headers, "in-reply-to"),
        references=_ids(headers, "references"),
        text=readable_text(headers, body),
        machine=machine_sign(headers, sender, own_addresses),
    )


def light(raw: bytes) -> tuple[str | None, str]:
    """The Message-ID and the sender of a mail, just as `read` finds them, but cheaply; never raises."""
    headers, _ = split_head(raw[:MAX_READ_BYTES])
    return _own_id(headers), the_sender(headers.all("from"))[0]


def _own_id(headers: Headers) -> str | None:
    """The Message-ID, None when it is missing or malformed (RFC 5322 §3.6.4)."""
    value = headers.first("message-id").strip()
    return value if _OWN_ID.fullmatch(value) else None


def _ids(headers: Headers, name: str) -> tuple[str, ...]:
    found = [one for value in headers.all(name) for one in _MESSAGE_ID.findall(value)]
    return tuple(found[-MAX_REFERENCES:])
