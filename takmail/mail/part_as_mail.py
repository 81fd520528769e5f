"""Write a part of a mail about several games as a mail of its own."""

from dataclasses import dataclass
from email.headerregistry import Address
from email.policy import SMTP, SMTPUTF8
from hashlib import blake2b

from takmail.mail.letter_headers import Field, serialize_headers


@dataclass(frozen=True, slots=True)
class PartHeaders:
    """What the headers of a part take from its mail, or name in place of it.

    * `sender` and `sender_name` are those of its mail, and so is `date`, the value of the header
    * `recipient` is an address of the service that proves the sender's
    * `message_id` is its own, and `answers` the letter that it answers, None if it answers none
    * `tag` is the Subject, which names its game, '' if it is for none
    * `vouched` is the header by which the mail server vouched for the sender, '' if it did not
    """

    sender: str
    sender_name: str
    date: str
    recipient: str
    message_id: str
    answers: str | None = None
    tag: str = ""
    vouched: str = ""


def as_mail(headers: PartHeaders, text: str) -> bytes:
    """Return a part as a mail of its own, with nothing but what its sender typed for it."""
    local, _, domain = headers.sender.rpartition("@")
    vouched: tuple[Field, ...] = (("Authentication-Results", headers.vouched),) if headers.vouched else ()
    answers: tuple[Field, ...] = () if headers.answers is None else (("In-Reply-To", (headers.answers,)),)
    fields: tuple[Field, ...] = (
        *vouched,
        ("From", Address(headers.sender_name, username=local, domain=domain)),
        ("To", headers.recipient),
        ("Date", headers.date),
        ("Message-ID", (headers.message_id,)),
        *answers,
        ("Subject", headers.tag),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Transfer-Encoding", "8bit"),
    )
    policy = SMTP if headers.sender.isascii() else SMTPUTF8
    body = "".join(f"{line}\r\n" for line in text.split("\n"))
    return serialize_headers(fields, policy) + b"\r\n" + body.encode(errors="replace")


def part_id(message_id: str | None, number: int, domain: str) -> str:
    """Return the Message-ID of a part, which is the same whenever its mail is split."""
    digest = blake2b((message_id or "").encode(errors="replace"), digest_size=8).hexdigest()
    return f"<part{number}.{digest}@{domain}>"
