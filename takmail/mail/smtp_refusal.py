"""Classify why a mail server refused a letter, and whether the recipient is the reason (RFC 3463)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from takmail.limits.mails import MAX_RESPONSE_CHARS
from takmail.mail.sending_limit import is_sending_limit

_STATUS = re.compile(r"(?<![\d.-])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
_REPLY = re.compile(r"(?<![\d.-])[45]\d\d(?![\d.])")
_PERSON = r"(?:user|recipient|mailbox|account|address|addressee|alias|person|inbox)s?"
_UNKNOWN = re.compile(
    rf"\b(?:unknown|invalid|no such|no) (?:\w{{1,20}} )?{_PERSON}\b"
    rf"|\b{_PERSON}\b.{{0,60}}\b(?:unknown|not exist|doesn't exist|not (?:be )?found|couldn't be found|disabled"
    r"|inactive|not valid|invalid|unavailable|suspended|closed)\b"
    r"|unrout(?:e)?able address|RecipientNotFound|\bno such (?:person|local)\b|not our customer",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"\brelay|\bblocked\b|\bblocklist|\bblock list|\bspam|\bpolic(?:y|ies)\b|blacklist|\b\w*rbl\b|\bdnsbl\b|reputation"
    r"|\bprohibited\b|\bbanned\b|\bSPF\b|\bDKIM\b|\bDMARC\b|unauthenticated|not authori[sz]ed",
    re.IGNORECASE,
)
# These phrases refuse the sender. Some resemble phrases that refuse a recipient, so they are tested first.
_ABOUT_SENDER = re.compile(
    r"\bsender (?:address|verif|rejected|denied|unknown|domain)|\byour (?:ip|host|domain|server)\b"
    r"|\bclient host\b|\breverse (?:dns|hostname)",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"quota|(?:mailbox|inbox|account) (?:is )?(?:over)?full|insufficient storage", re.IGNORECASE
)
_NO_HOST = re.compile(
    r"(?:host|domain)(?: name)? (?:\S{1,250} )?(?:is )?(?:not (?:be )?found|unknown|does not exist)"
    r"|unknown (?:host|domain)"
    r"|no such (?:host|domain)|NXDOMAIN|name service error|unrout(?:e)?able (?:mail )?domain",
    re.IGNORECASE,
)
_LARGE = re.compile(
    r"too (?:large|big|long)|exceeds? .{0,40}\bsize|size limit|maximum (?:message )?size", re.IGNORECASE
)
_TIMED_OUT = re.compile(r"timed? ?out|expired|too long in the queue|queue too long", re.IGNORECASE)


class RefusalCause(StrEnum):
    """The cause of a refusal as a fixed phrase, because the words of a stranger's server must not be logged."""

    UNKNOWN = "unknown address"
    FULL = "mailbox full"
    POLICY = "refused by policy"
    LIMIT = "a limit on sending"
    NO_HOST = "no such host"
    LARGE = "too large"
    LATE = "timed out"
    OTHER = "not delivered"


# The cause by the subject and detail of a status. 5.1.7 and 5.1.8 are about the sender.
_BY_STATUS = {
    **{f"1.{detail}": RefusalCause.UNKNOWN for detail in (0, 1, 3, 4, 5, 6, 9, 10)},
    "1.2": RefusalCause.NO_HOST,
    "1.7": RefusalCause.POLICY,
    "1.8": RefusalCause.POLICY,
    "2.1": RefusalCause.UNKNOWN,
    "2.2": RefusalCause.FULL,
    "2.3": RefusalCause.LARGE,
    "3.4": RefusalCause.LARGE,
    "4.4": RefusalCause.NO_HOST,
    "4.7": RefusalCause.LATE,
}
_BY_WORDS = (
    (_ABOUT_SENDER, RefusalCause.POLICY),
    (_FULL, RefusalCause.FULL),
    # Postfix writes "User unknown in relay recipient table", so this pattern precedes that of the policy.
    (_UNKNOWN, RefusalCause.UNKNOWN),
    (_POLICY, RefusalCause.POLICY),
)
_FALLBACK_BY_WORDS = (
    (_LARGE, RefusalCause.LARGE),
    (_NO_HOST, RefusalCause.NO_HOST),
    (_TIMED_OUT, RefusalCause.LATE),
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's refusal: its code ('' if it has none), the cause, and whether the recipient is the reason."""

    code: str
    cause: RefusalCause
    refuses_recipient: bool

    def __str__(self) -> str:
        return f"{self.code}, {self.cause}" if self.code else str(self.cause)


def classify(words: str, status: str = "") -> Refusal:
    """Classify a server's response; `status` is the Status field of a report, or ''.

    A letter that is refused for its origin, content or length, or because too many were sent, would be refused for any
    recipient. If nothing shows the cause, the recipient counts as the reason.
    """
    words = words[:MAX_RESPONSE_CHARS]
    given = [*_STATUS.findall(status[:100]), *_STATUS.findall(words)]
    # The status x.0.0 gives only the class. The text often has the full code.
    code = next((one for one in given if not one.endswith(".0.0")), "") or next(iter(given), "")
    is_limit = is_sending_limit(f"{code} {words}", before_recipient=False)
    cause = RefusalCause.LIMIT if is_limit else _cause(code[2:], words)
    reply = _REPLY.search(words)
    shown_code = code or (reply[0] if reply else "")
    if cause in (RefusalCause.POLICY, RefusalCause.LIMIT, RefusalCause.LARGE):
        return Refusal(shown_code, cause, refuses_recipient=False)
    # The recipient is not the reason for problems of their mail system, the protocol or the letter's format (RFC 3463
    # §3.4, §3.6, §3.7).
    is_other_fault = cause is RefusalCause.OTHER and code[2:3] in ("3", "5", "6")
    return Refusal(shown_code, cause, refuses_recipient=not is_other_fault)


def _cause(detail: str, words: str) -> RefusalCause:
    # Policy has its own subject (RFC 3463 §3.8), which takes precedence over the text.
    if detail.startswith("7."):
        return RefusalCause.POLICY
    for pattern, cause in _BY_WORDS:
        if pattern.search(words):
            return cause
    if detail in _BY_STATUS:
        return _BY_STATUS[detail]
    return next((cause for pattern, cause in _FALLBACK_BY_WORDS if pattern.search(words)), RefusalCause.OTHER)
