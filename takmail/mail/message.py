"""Incoming mails, reduced to what takmail uses."""

from dataclasses import dataclass
from enum import Enum, StrEnum

from takmail.limits.mails import Excess


class MachineSign(Enum):
    """What shows that a machine wrote a mail. takmail never answers such a mail (RFC 3834 §2)."""

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
    RECEIPT = "receipt"
    CALENDAR = "calendar"


class Dmarc(StrEnum):
    """What the receiving mail server reports about the domain of a mail's sender (DMARC, RFC 7489).

    * `fail`: the mail is not authentic, and the domain lets such mails pass or its policy is not known
    * `refuted`: the mail is not authentic, and the domain wants such mails in quarantine or rejected
    * `none`: no report, or one that is not believed
    """

    PASS = "pass"
    FAIL = "fail"
    REFUTED = "refuted"
    NONE = "none"


class UnreadableReason(StrEnum):
    """Why a mail has no readable text: it is encrypted, or its text is in another format that takmail can't read.

    These formats are opaque signatures (S/MIME), Outlook's TNEF, and attached files.
    """

    ENCRYPTED = "encrypted"
    SEALED = "sealed"
    WINMAIL = "winmail"
    ATTACHED = "attached"


@dataclass(frozen=True, slots=True)
class Bounce:
    """A bounced letter, as a delivery report describes it (RFC 3464).

    `letters` are the Message-IDs of the returned mails, with their angle brackets. `reply_to` are the normal
    addresses in the Reply-To of the returned mails. `permanent` is true if the delivery failed permanently because of
    the recipient. It is false if the server refused this service or the letter. If `is_limit` is true, it named a limit
    on how much this service sends. `reason` is a status code and a fixed phrase ("5.1.1, unknown address"). `words` are
    the server's own words: one printable line of at most 200 characters without addresses. They are untrusted. The
    operator may see them, but they must not be logged.
    """

    letters: tuple[str, ...]
    permanent: bool
    reason: str
    words: str = ""
    reply_to: tuple[str, ...] = ()
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class ThreadHeaders:
    """The headers In-Reply-To and References of a mail. Message-IDs keep their angle brackets, and are oldest first."""

    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All Message-IDs, those in In-Reply-To first."""
        return (*self.in_reply_to, *self.references)

    @property
    def newest_first(self) -> tuple[str, ...]:
        """All Message-IDs, the likeliest one that the mail answers first."""
        return (*self.in_reply_to, *reversed(self.references))


@dataclass(frozen=True, slots=True)
class MailBody:
    r"""What the body of a mail says.

    `text` is the whole readable text with "\n" line ends, quoted letters included. `unreadable` is the reason why there
    is none. `bounce` describes the letter that a delivery report is about. `reaction` is the emoji of Gmail's reaction,
    '' if it has none, or None if the mail is none.
    """

    text: str = ""
    unreadable: UnreadableReason | None = None
    bounce: Bounce | None = None
    reaction: str | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """A parsed mail.

    Addresses are bare (`ada@example.org`) and in lower case, without a display name. `message_id` keeps its angle
    brackets. `machine` is None for a mail that a person wrote. `dmarc` is what the receiving mail server says about
    the sender's domain. `is_spam` is true if a spam filter has marked the mail. `excess` is the limit that the mail
    exceeds, and such a mail has no text. `readers` are the people in To and Cc, by their addresses; an address without
    a normal form is as it was written. `utc_offset` is the offset from UTC in the Date header, such as `+0100`, None if
    there is no sensible one.
    """

    message_id: str | None
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    thread: ThreadHeaders = ThreadHeaders()
    body: MailBody = MailBody()
    machine: MachineSign | None = None
    dmarc: Dmarc = Dmarc.NONE
    is_spam: bool = False
    excess: Excess | None = None
    readers: tuple[str, ...] = ()
    utc_offset: str | None = None
