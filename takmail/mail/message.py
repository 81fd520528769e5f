"""An incoming mail, reduced to what takmail uses of it."""

from dataclasses import dataclass
from enum import Enum, StrEnum

from takmail.mail.limits import Excess


class MachineSign(Enum):
    """What shows that a machine wrote a mail; such a mail is never answered (RFC 3834 §2)."""

    AUTO_SUBMITTED = "auto-submitted"
    NULL_RETURN_PATH = "null-return-path"
    PRECEDENCE = "precedence"
    LIST = "list"
    REPORT = "report"
    OWN = "own"
    CHALLENGE = "challenge"
    OUT_OF_OFFICE = "out-of-office"
    NO_REPLY = "no-reply"
    NO_SENDER = "no-sender"


class Unread(StrEnum):
    """What hides the words of a mail: encryption, a signature around them (S/MIME), Outlook's own form, or a file."""

    ENCRYPTED = "encrypted"
    SEALED = "sealed"
    WINMAIL = "winmail"
    ATTACHED = "attached"


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter that came back: what a delivery report says (RFC 3464).

    `letters` are the Message-IDs of what was returned, with their angle brackets, `replies` the normal addresses that
    answers to it were to go to. `permanent` tells whether it
    failed for good and for its reader's sake, so not where a server refused us or the letter. `reason` is a status code
    and words of ours ("5.1.1, unknown address"); `words` are the server's own, one printable line of at most 200
    characters without addresses, and a stranger's: for the operator to see, and not for a log.
    """

    letters: tuple[str, ...]
    permanent: bool
    reason: str
    words: str = ""
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed mail.

    Addresses are bare (`ada@example.org`), with no display name and lower-cased; Message-IDs keep their angle brackets;
    `references` stand oldest first. `text` is the whole readable text with "\\n" line ends, quoted letters
    included. `machine` is None for a mail that a person wrote; `vouched` tells that our own mail server says dmarc=pass
    for the sender's domain; `unread` says why there are no words in a mail that has some, `bounce` which letter a
    delivery report tells of, `excess` which limit the mail is over: then it has no text.
    """

    message_id: str | None
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    text: str
    machine: MachineSign | None = None
    vouched: bool = False
    unread: Unread | None = None
    bounce: Bounce | None = None
    excess: Excess | None = None
