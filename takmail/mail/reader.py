"""The raw bytes of any mail, made an Message."""

from dataclasses import dataclass, replace

from takmail.mail.address import addresses_in, the_sender
from takmail.mail.authentication import vouches
from takmail.mail.automatic import machine_sign
from takmail.mail.body import readable_text
from takmail.mail.bounce import bounce_in
from takmail.mail.headers import Headers, first_headers, words_decoded
from takmail.mail.limits import MAX_HEADER_CHARS, MAX_REFERENCES, USUAL, Excess, Limits, OverLimit
from takmail.mail.message import MachineSign, Message
from takmail.mail.message_ids import IN_THREAD, MESSAGE_ID
from takmail.mail.mime import leaves
from takmail.mail.unreadable import why_unread

_ANY_NESTING = Limits(address_nesting=MAX_HEADER_CHARS)
_RECIPIENT_HEADERS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def read(
    raw: bytes,
    own_addresses: frozenset[str],
    limits: Limits = USUAL,
    size: int | None = None,
    authserv_id: str | None = None,
) -> Message:
    """The mail in `raw` as an Message; never raises, whatever the bytes.

    `own_addresses` are the normal addresses of this service; `size` is the length of the whole mail in bytes where
    `raw` is only its beginning; `authserv_id` names the server whose word about the From is believed. A mail over
    one of the limits has the headers that could be read, and an empty text. Reply-To never counts: it is not who wrote.
    """
    return read_body(read_head(raw, own_addresses, limits, size, authserv_id), limits)


@dataclass(frozen=True, slots=True)
class ToRead:
    """A mail that is still to be read: the arguments of `read`."""

    raw: bytes
    own_addresses: frozenset[str]
    limits: Limits
    size: int
    authserv_id: str | None

    def read(self) -> Message:
        """The mail as an Message."""
        return read(self.raw, self.own_addresses, self.limits, self.size, self.authserv_id)

    def read_head(self) -> "Head":
        """What its headers tell."""
        return read_head(self.raw, self.own_addresses, self.limits, self.size, self.authserv_id)


@dataclass(frozen=True, slots=True)
class Head:
    """A mail of which only the headers are read: what they tell, and what they and the body are."""

    mail: Message
    headers: Headers
    body: bytes


def read_head(
    raw: bytes,
    own_addresses: frozenset[str],
    limits: Limits = USUAL,
    size: int | None = None,
    authserv_id: str | None = None,
) -> Head:
    """What the headers of a mail tell, in a bounded number of steps; never raises. Takes what `read` takes."""
    headers, body = first_headers(raw, limits)
    mail = _headed(headers, own_addresses, limits)
    if mail.excess is None and max(len(raw), size or 0) > limits.mail_bytes:
        mail = replace(mail, excess=Excess.MAIL)
    elif mail.excess is None and body is None:
        mail = replace(mail, excess=Excess.HEADER)
    vouched = vouches(headers, authserv_id, mail.sender)
    return Head(replace(mail, vouched=vouched), headers, body or b"")


def read_body(head: Head, limits: Limits = USUAL) -> Message:
    """The mail with what its body tells, unless its headers are over a limit already; never raises."""
    if head.mail.excess is not None:
        return head.mail
    if len(head.body) > limits.mail_bytes:
        return replace(head.mail, excess=Excess.MAIL)
    try:
        return _filled(head.mail, head.headers, head.body, limits)
    except OverLimit as over:
        return replace(head.mail, excess=over.excess)


def _headed(headers: Headers, own_addresses: frozenset[str], limits: Limits) -> Message:
    """What the headers tell of a mail."""
    sender = name = ""
    recipients: tuple[str, ...] = ()
    excess = None
    try:
        sender, name = the_sender(headers.all("from"), limits)
        recipients = addresses_in((one for name in _RECIPIENT_HEADERS for one in headers.all(name)), limits)
    except OverLimit as over:
        excess = over.excess
    return Message(
        message_id=_own_id(headers),
        sender=sender,
        sender_name=name,
        recipients=recipients,
        subject=words_decoded(headers.first("subject")),
        in_reply_to=_ids(headers, "in-reply-to"),
        references=_ids(headers, "references"),
        text="",
        machine=machine_sign(headers, sender, own_addresses),
        excess=excess,
    )


def _filled(mail: Message, headers: Headers, body: bytes, limits: Limits) -> Message:
    """The mail with what its body tells."""
    parts = leaves(headers, body, limits)
    text = readable_text(parts, limits)
    unread = why_unread(parts, text)
    bounce = bounce_in(headers, parts) if mail.machine == MachineSign.REPORT else None
    return replace(mail, text="" if unread else text, unread=unread, bounce=bounce)


def light(raw: bytes) -> tuple[str | None, str]:
    """The Message-ID and the sender of a mail, as `read` finds them under any limits, but cheaply; never raises."""
    headers, _ = first_headers(raw)
    sender, _ = the_sender(headers.all("from"), _ANY_NESTING)
    return _own_id(headers), sender


def _own_id(headers: Headers) -> str | None:
    """The Message-ID, None when it is missing or malformed (RFC 5322 §3.6.4)."""
    value = headers.first("message-id").strip()
    return value if MESSAGE_ID.fullmatch(value) else None


def _ids(headers: Headers, name: str) -> tuple[str, ...]:
    found = [one for value in headers.all(name) for one in IN_THREAD.findall(value)]
    return tuple(found[-MAX_REFERENCES:])
