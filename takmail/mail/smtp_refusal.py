"""Why a mail server took no letter, and whether that is about its reader (RFC 3463)."""

import re
from dataclasses import dataclass
from enum import StrEnum

_LOOKED_AT = 2_000
"""Characters of a server's words that are looked at."""

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
# Of us these speak, though with the words that others have for a reader.
_ABOUT_US = re.compile(
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
_LATE = re.compile(r"timed? ?out|expired|too long in the queue|queue too long", re.IGNORECASE)


class Cause(StrEnum):
    """Why, in words of ours: those of a stranger's server belong in no log."""

    UNKNOWN = "unknown address"
    FULL = "mailbox full"
    POLICY = "refused by policy"
    NO_HOST = "no such host"
    LARGE = "too large"
    LATE = "timed out"
    OTHER = "not delivered"


# By subject and detail of a status; 5.1.7 and 5.1.8 are about the sender.
_BY_STATUS = {
    **{f"1.{detail}": Cause.UNKNOWN for detail in (0, 1, 3, 4, 5, 6, 9, 10)},
    "1.2": Cause.NO_HOST,
    "1.7": Cause.POLICY,
    "1.8": Cause.POLICY,
    "2.1": Cause.UNKNOWN,
    "2.2": Cause.FULL,
    "2.3": Cause.LARGE,
    "3.4": Cause.LARGE,
    "4.4": Cause.NO_HOST,
    "4.7": Cause.LATE,
}
_BY_WORDS = (
    (_ABOUT_US, Cause.POLICY),
    (_FULL, Cause.FULL),
    # Postfix says "User unknown in relay recipient table", so this comes first.
    (_UNKNOWN, Cause.UNKNOWN),
    (_POLICY, Cause.POLICY),
)
_WHERE_NO_STATUS_SAYS = ((_LARGE, Cause.LARGE), (_NO_HOST, Cause.NO_HOST), (_LATE, Cause.LATE))


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a server's answer comes to: its code ('' if it has none), the cause, and whether that is the reader's."""

    code: str
    cause: Cause
    of_reader: bool

    def __str__(self) -> str:
        return f"{self.code}, {self.cause}" if self.code else str(self.cause)


def judged(words: str, status: str = "") -> Refusal:
    """What a server meant with its words, and with the Status beside them in a report.

    A letter that is refused for where it comes from, for what it is or for its length would have been refused to
    any reader. Where nothing tells, it counts as the reader's.
    """
    words = words[:_LOOKED_AT]
    given = [*_STATUS.findall(status[:100]), *_STATUS.findall(words)]
    # x.0.0 says nothing but its class; the words behind it often have the whole.
    code = next((one for one in given if not one.endswith(".0.0")), "") or next(iter(given), "")
    cause = _cause(code[2:], words)
    reply = _REPLY.search(words)
    told = code or (reply[0] if reply else "")
    if cause in (Cause.POLICY, Cause.LARGE):
        return Refusal(told, cause, of_reader=False)
    # Their system, our protocol and the letter's form (RFC 3463 §3.4, §3.6, §3.7) are none of the reader's.
    others = cause is Cause.OTHER and code[2:3] in ("3", "5", "6")
    return Refusal(told, cause, of_reader=not others)


def _cause(detail: str, words: str) -> Cause:
    # Policy has a subject of its own (RFC 3463 §3.8), whatever is said beside it.
    if detail.startswith("7."):
        return Cause.POLICY
    for pattern, cause in _BY_WORDS:
        if pattern.search(words):
            return cause
    if detail in _BY_STATUS:
        return _BY_STATUS[detail]
    return next((cause for pattern, cause in _WHERE_NO_STATUS_SAYS if pattern.search(words)), Cause.OTHER)
