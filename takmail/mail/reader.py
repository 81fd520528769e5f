"""Parse the raw bytes of any mail into a `Mail`."""

from dataclasses import dataclass

from takmail.games.readonly import replace
from takmail.limits.mails import DEFAULT_LIMITS, MAX_HEADER_CHARS, MAX_REFERENCES, Excess, Limits, OverLimit
from takmail.mail.address import addresses_in, people_in, single_sender
from takmail.mail.authentication import dmarc_result
from takmail.mail.automatic import is_calendar, machine_sign
from takmail.mail.body import readable_text
from takmail.mail.bounce import parse_bounce
from takmail.mail.headers import Headers, decode_words, first_headers, utc_offset
from takmail.mail.message import MachineSign, Mail, MailBody, ThreadHeaders
from takmail.mail.message_ids import IN_THREAD, MESSAGE_ID
from takmail.mail.mime import leaf_parts
from takmail.mail.reaction import reaction_part
from takmail.mail.spam_mark import is_marked_as_spam
from takmail.mail.unreadable import unreadable_reason

_ANY_NESTING = Limits(address_nesting=MAX_HEADER_CHARS)
_RECIPIENT_HEADERS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_READER_HEADERS = ("to", "cc", "resent-to", "resent-cc")


def read(
    raw: bytes,
    own_addresses: frozenset[str],
    limits: Limits = DEFAULT_LIMITS,
    size: int | None = None,
    authserv_id: str | None = None,
) -> Mail:
    """Parse `raw` into a `Mail`; never raises, whatever the bytes.

    `own_addresses` are the normal addresses of this service. `size` is the length of the whole mail in bytes if `raw`
    is only its beginning. `authserv_id` names the server whose Authentication-Results are believed. For a mail over a
    limit, the result has the headers that could be parsed and an empty text. Reply-To is ignored, because it doesn't
    name the author.
    """
    return read_body(read_head(raw, own_addresses, limits, size, authserv_id), limits)


@dataclass(frozen=True, slots=True)
class MailToRead:
    """A mail to parse, with the arguments of `read`.

    `excess` is the limit that it exceeded when it came. If there is one, only its headers are there.
    """

    raw: bytes
    own_addresses: frozenset[str]
    limits: Limits
    size: int
    authserv_id: str | None
    excess: Excess | None = None

    def read(self) -> Mail:
        """Return the mail as a `Mail`."""
        return read_body(self.read_head(), self.limits)

    def read_head(self) -> "Head":
        """Parse only the headers."""
        head = read_head(self.raw, self.own_addresses, self.limits, self.size, self.authserv_id)
        if self.excess is None or head.mail.excess is not None:
            return head
        return replace(head, mail=replace(head.mail, excess=self.excess))


@dataclass(frozen=True, slots=True)
class Head:
    """A mail with parsed headers and an unparsed body."""

    mail: Mail
    headers: Headers
    body: bytes


def read_head(
    raw: bytes,
    own_addresses: frozenset[str],
    limits: Limits = DEFAULT_LIMITS,
    size: int | None = None,
    authserv_id: str | None = None,
) -> Head:
    """Parse the headers of a mail, in a bounded number of steps; never raises. The arguments are those of `read`."""
    headers, body = first_headers(raw, limits)
    mail = _message_of_headers(headers, own_addresses, limits)
    if mail.excess is None and max(len(raw), size or 0) > limits.mail_bytes:
        mail = replace(mail, excess=Excess.MAIL)
    elif mail.excess is None and body is None:
        mail = replace(mail, excess=Excess.HEADER)
    dmarc = dmarc_result(headers, authserv_id, mail.sender)
    is_spam = is_marked_as_spam(headers, authserv_id)
    return Head(replace(mail, dmarc=dmarc, is_spam=is_spam), headers, body or b"")


def read_body(head: Head, limits: Limits = DEFAULT_LIMITS) -> Mail:
    """Return the mail with the contents of its body, unless its headers exceed a limit; never raises."""
    if head.mail.excess is not None:
        return head.mail
    if len(head.body) > limits.mail_bytes:
        return replace(head.mail, excess=Excess.MAIL)
    try:
        return _with_body(head.mail, head.headers, head.body, limits)
    except OverLimit as over:
        return replace(head.mail, excess=over.excess)


def _message_of_headers(headers: Headers, own_addresses: frozenset[str], limits: Limits) -> Mail:
    """Return a `Mail` from the headers alone."""
    sender = name = ""
    recipients: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    excess = None
    try:
        sender, name = single_sender(headers.all("from"), limits)
        recipients = addresses_in((one for name in _RECIPIENT_HEADERS for one in headers.all(name)), limits)
        readers = people_in((one for name in _READER_HEADERS for one in headers.all(name)), limits)
    except OverLimit as over:
        excess = over.excess
    subject = decode_words(headers.first("subject"))
    return Mail(
        message_id=_own_id(headers),
        sender=sender,
        sender_name=name,
        recipients=recipients,
        subject=subject,
        thread=ThreadHeaders(_ids(headers, "in-reply-to"), _ids(headers, "references")),
        machine=machine_sign(headers, subject, sender, own_addresses),
        excess=excess,
        readers=readers,
        utc_offset=utc_offset(headers),
    )


def _with_body(mail: Mail, headers: Headers, body: bytes, limits: Limits) -> Mail:
    """Return the mail with the contents of its body. Raises OverLimit if the body exceeds a limit."""
    parts = leaf_parts(headers, body, limits)
    text = readable_text(parts, limits)
    unread = unreadable_reason(parts, text)
    bounce = parse_bounce(headers, parts) if mail.machine == MachineSign.REPORT else None
    machine = mail.machine or (MachineSign.CALENDAR if is_calendar(parts) else None)
    content = MailBody("" if unread else text, unread, bounce, reaction_part(parts))
    return replace(mail, machine=machine, body=content)


def read_id_and_sender(raw: bytes) -> tuple[str | None, str]:
    """Return the Message-ID and the sender of a mail, as `read` does under any limits; never raises.

    This is cheap, because nothing else is parsed.
    """
    headers, _ = first_headers(raw)
    sender, _ = single_sender(headers.all("from"), _ANY_NESTING)
    return _own_id(headers), sender


def _own_id(headers: Headers) -> str | None:
    """Return the Message-ID; None if it is missing or malformed (RFC 5322 §3.6.4)."""
    value = headers.first("message-id").strip()
    return value if MESSAGE_ID.fullmatch(value) else None


def _ids(headers: Headers, name: str) -> tuple[str, ...]:
    found = [one for value in headers.all(name) for one in IN_THREAD.findall(value)]
    return tuple(found[-MAX_REFERENCES:])
