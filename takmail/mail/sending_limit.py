"""Tell a limit on our sending from a refusal of one letter or its recipient, in a mail server's answer.

Servers say it with 4xx and 5xx and under many statuses, as RFC 3463 has none for it. So the words decide, but for a few
statuses of Google's, Microsoft's and NetEase's.
"""

import re

from takmail.limits.mails import MAX_RESPONSE_CHARS

_MAIL = r"(?:messages?|e-?mails?|mails?)"
_SURELY_OURS = re.compile(
    r"\b(?:5\.4\.5"  # Google: mails within a day
    r"|[45]\.1\.90"  # Microsoft: recipients within a day,
    r"|[45]\.7\.(?:7[0-4]\d|23[23])"  # what all users of an organisation may send,
    r"|4\.7\.[56]\d\d)\b"  # an IP address that sends too fast
    r"|\[(?:IP)?TSS?\d\d\]"  # Yahoo
    r"|\b(?:MI:(?:DMC|SFQ|STC)|RP:(?:DRC|QRC|TRC)|HL:I[CF]C)\b"  # NetEase: 163.com, 126.com
    # Words that leave no doubt that it is about what we send.
    r"|(?i:\byou(?:'ve| have) (?:exceeded|reached) your\b|\byour (?:account|domain|tenant) (?:has )?exceeded\b"
    r"|\bsending too fast\b|\bslow down\b|\btry again slower\b"
    r"|\b(?:sending|outgoing|outbound|submission) (?:\w+ ){0,2}(?:limit|quota)\b)"
)
_OUR_LIMIT = re.compile(
    # "sending limit", "daily SMTP relay limit", "message count quota"
    rf"\b(?:send(?:ing|er)?|messaging|submission|relay|daily|hourly|hour|second|rate|login|connections?|thread"
    rf"|transaction|count|bandwidth|{_MAIL})"
    r"(?:'s)? (?:[\w-]+ ){0,3}?(?:over)?(?:limit|quota|threshold)(?:s|ed)?\b"
    # "rate limited", "RecipientRateLimitExceeded", "throttled", "frequency limited", "550 5.7.1 Limit exceeded"
    r"|\b(?:recipient ?)?rate ?(?:over)?limit|\brecipient limit|\bthrottl|\bfrequency limited|submissionquota"
    r"|\bexceeded (?:\w+ )?threshold|\d limit (?:exceeded|reached)|\bcredits exceeded"
    # "limit of 400 rcpts", "quota of outgoing mail", "10 messages per day", "max defers and failures per hour"
    rf"|\b(?:limit|quota) (?:for|of|on) (?:\w+ ){{0,3}}(?:{_MAIL}|recipients|rcpts)"
    r"|\b(?:\d+|max) (?:[\w-]+ ){1,3}(?:per|an?|each) (?:minute|hour|day)"
    # "maximum number of messages", "number of allowed outgoing messages", "unusual amount of unsolicited email"
    rf"|\b(?:number|amount) (?:of )?(?:\w+ ){{0,2}}(?:{_MAIL}|recipients|connections)|\brate (?:.{{1,30}} )?exceeded"
    # "too many emails", "too much mail", "too many login attempts", "too many recipients received this hour"
    rf"|\btoo (?:many|much) (?:\w+ ){{0,3}}(?:connections|sessions|logins?|auth\w*|attempts|{_MAIL})\b"
    r"|\btoo many recipients (?:\w+ ){0,2}(?:hour|today)"
    r"|\bunusual (?:sending|rate)|\bunexpected volume|\bbad outbound sender",
    re.IGNORECASE,
)
_OTHER_LIMIT = re.compile(
    # Who the recipient is, what they get, and have room for.
    r"\b[45]\.(?:1\.[1-6]|2\.2|3\.4|5\.3)\b|\bthis (?:recipient|mailbox)\b|(?<!for )\bthis (?:account|user)\b"
    r"|\breceiv(?:e|ing)\b|\b(?:incoming|inbound|unread)\b|\bon the server\b"
    r"|\brecipient(?:'s)? (?!(?:rate )?limit\b)(?:\w+ ){0,3}(?:exceed|thread|message|hourly|daily|limit|quota)"
    r"|\bover ?quota\b|\b(?:is|mailbox|inbox) full\b|\b(?:disk|storage|space)\b"
    r"|\b(?:account|user)(?:'s)? (?:mail |message )?quota"
    rf"|\b(?:mailbox|inbox) (?:\w+ )?(?:limit|quota)|\b{_MAIL} in (?:\w+ )?(?:mailbox|inbox|account)"
    # What the letter is, what every new letter waits for, and a login that is wrong.
    r"|\b(?:size|bytes|hops?|too (?:big|large|long)|mail data)\b|\bgr[ae]y-?list|\bpassword\b"
    r"|\btoo many (?:\w+ )?recipients(?! (?:\w+ ){0,2}(?:hour|today))",
    re.IGNORECASE,
)
_DELAYED_BY_POLICY = re.compile(r"\b4\.7\.\d")
_ANOTHER_POLICY = re.compile(
    r"\bTLS\b|\bauthentication (?:fail|server)|\bpassword\b|\btoo many (?:\w+ )?errors|\bclient host\b|\bhostname\b",
    re.IGNORECASE,
)


def is_sending_limit(answer: str, *, before_recipient: bool) -> bool:
    """Return whether a server's answer means a limit on how much or how fast we send.

    Before the recipient is named, being delayed by policy (4.7.x) can only be about us. After that it mostly concerns
    one letter, for example in greylisting.
    """
    # A long answer has several lines, and an address may be called anything.
    words = " ".join(word for word in answer[:MAX_RESPONSE_CHARS].split() if "@" not in word)
    is_delayed = before_recipient and _DELAYED_BY_POLICY.search(words) and not _ANOTHER_POLICY.search(words)
    is_limited = _OUR_LIMIT.search(words) and not _OTHER_LIMIT.search(words)
    return bool(_SURELY_OURS.search(words) or is_delayed or is_limited)
