"""Delivery reports: which letters came back, and why (RFC 3464, RFC 6533, and what older servers write)."""

import html
import re

from takmail.mail.address import the_sender
from takmail.mail.autoreply import is_automatic_subject
from takmail.mail.charsets import decoded
from takmail.mail.envelope import Bounce
from takmail.mail.headers import Headers, media_type, one_line, split_head, words_decoded
from takmail.mail.machine import is_daemon, tells_of_failure
from takmail.mail.mime import Part, leaves

_MAX_TEXT_BYTES = 256 * 1024
"""Bytes of a report's text, of its status blocks and of a returned header that are looked at."""
_MAX_LETTERS = 20
_MAX_RECIPIENTS = 200
_MAX_REASON_CHARS = 200
_LONG_LINE = 1_000
"""Characters of a line that are looked at for a reason."""

_STATUS = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED = frozenset(
    {"message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"}
    | {"message/global-headers"}
)
# A mail was read, or it is called spam: both came to somebody.
_ARRIVED = frozenset(
    {"message/disposition-notification", "message/global-disposition-notification", "message/feedback-report"}
)

_ID = re.compile(r"<[!-;=?A-~]{1,250}@[!-;=?A-~]{1,250}>")
_ID_LINE = re.compile(
    r"^[ \t>|]*(?:x-)?(?:original-)?message-id[ \t]*:[ \t]*(?:\r?\n[ \t>|]*)?" + f"({_ID.pattern})",
    re.IGNORECASE | re.MULTILINE,
)
_CODE = re.compile(r"(?<![\d.-])([45])(?:\d\d(?![\d.])|\.\d{1,3}\.\d{1,3}(?!\.?\d))")
_WHY = re.compile(
    r"unknown|no such|not exist|doesn't exist|not found|couldn't find|rejected|refused|denied|quota"
    r"|mailbox (?:is )?full|unrouteable|unroutable|disabled|unavailable|invalid|timed? ?out|exceeded|relay",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\bdelayed\b|\bwarning\b|still trying|will (?:be retried|retry|keep trying|continue to try)"
    r"|not yet (?:been )?deliver|verzögert|noch nicht zugestellt|retardé|différé|retrasad|ritardat"
    r"|vertraagd|задерж",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br|/?(?:p|div|tr|li|pre))\b[^<>]*>", re.IGNORECASE)
# `ben=40example.org` and `ben+40example.org` are addresses, too (RFC 3461 §4, RFC 6533 §3).
_AT = r"(?:@|＠|=40|\+40|%40)"
_ADDRESS = re.compile(
    rf"<[^<>\n]{{0,320}}{_AT}[^<>\n]{{0,320}}>|(?:\"[^\"\n]{{0,64}}\")?[^\s<>\"()\[\],;:]{{0,320}}{_AT}[^\s<>\"()\],;]{{0,320}}"
)


def bounce_in(headers: Headers, body: bytes) -> Bounce | None:
    """The bounce that a mail is; None for one that tells of no failure, or of no letter.

    So a note about a delay, about success, or that a letter was read, is none. Raises nothing but what `leaves`
    raises for a mail over a limit.
    """
    if _report_type(headers) not in ("", "delivery-status"):
        return None
    parts = leaves(headers, body)
    if any(part.kind in _ARRIVED for part in parts):
        return None
    blocks = [block for part in parts if part.kind in _STATUS for block in _blocks(part)]
    verdict = _by_status(blocks)
    text = _text(parts)
    if not any(_action(block) for block in blocks):
        subject = words_decoded(headers.first("subject"))
        told = (_from_server(headers) and "success" not in subject.lower()) or tells_of_failure(subject)
        verdict = _by_text(subject, text) if told and not is_automatic_subject(subject) else None
    if verdict is None:
        return None
    letters = _letters(headers, parts, blocks, text)
    return Bounce(letters, *verdict) if letters else None


def _blocks(part: Part) -> list[Headers]:
    """The block about the mail and those about its recipients (RFC 3464 §2.1), as far as they can be read."""
    lines = re.split(rb"\n\r?\n|\r\r", part.payload()[:_MAX_TEXT_BYTES], maxsplit=_MAX_RECIPIENTS)
    return [split_head(block)[0] for one in lines if (block := one.strip(b"\r\n"))]


def _action(block: Headers) -> str:
    """What happened to the mail for this recipient, in lower case (RFC 3464 §2.3.3); '' if it doesn't say."""
    action = block.first("action").partition("(")[0].strip().lower()
    # The class of the Status (RFC 3463 §2) tells it where a server left the action out.
    return action or {"2": "delivered", "4": "delayed", "5": "failed"}.get(
        block.first("status").strip()[:1], ""
    )


def _by_status(blocks: list[Headers]) -> tuple[bool, str] | None:
    """Whether it is for good, and why, from the blocks of a report; None if none of them tells of a failure."""
    # OpenSMTPD has "error" for "failed".
    failed = [block for block in blocks if _action(block).startswith(("fail", "error"))]
    if not failed:
        return None
    worst = next((block for block in failed if _for_good(block)), None)
    block = worst or failed[0]
    diagnostic = re.sub(r"^[\w-]{1,40} *; *", "", block.first("diagnostic-code").strip())
    return worst is not None, _reason(f"{block.first('status')} {diagnostic}")


def _for_good(block: Headers) -> bool:
    """Whether a failed recipient will fail again: a status of class 5 (RFC 3463 §2), or none of class 4."""
    found = _CODE.search(block.first("status")[:100]) or _CODE.search(block.first("diagnostic-code")[:2000])
    return found is None or found[1] == "5"


def _text(parts: tuple[Part, ...]) -> str:
    """What the report says to a person; of HTML, where it says nothing else, the words."""
    for kind in ("text/plain", "text/html"):
        shown = [part for part in parts if part.kind == kind]
        pieces: list[str] = []
        left = _MAX_TEXT_BYTES
        for part in shown:
            data = part.payload()[:left]
            left -= len(data)
            pieces.append(decoded(data, part.parameters.get("charset", "utf-8")))
        text = "\n".join(pieces)
        if kind == "text/html":
            # A Message-ID is written with entities there, and so is no tag.
            text = html.unescape(re.sub(r"<[^<>]*>", " ", _BREAK.sub("\n", text)))
        if text.strip():
            return text
    return ""


def _from_server(headers: Headers) -> bool:
    """Whether a mail server wrote the mail, and no autoresponder, which may quote a header, too."""
    return (
        is_daemon(the_sender(headers.all("from"))[0])
        or "x-failed-recipients" in headers.names()
        or _report_type(headers) == "delivery-status"
    )


def _report_type(headers: Headers) -> str:
    """Which kind of report a multipart/report is (RFC 6522 §3), in lower case; '' for any other mail."""
    return media_type(headers)[1].get("report-type", "").strip().lower()


def _by_text(subject: str, text: str) -> tuple[bool, str]:
    """As `_by_status`, from what stands before the returned mail in the text."""
    start = _ID_LINE.search(text)
    told = text[: start.start()] if start else text
    for_now = _FOR_NOW.search(subject) or _FOR_NOW.search(told)
    lines = [line for line in told.splitlines() if line.strip()]
    why = next((line for line in lines if _CODE.search(line)), None)
    why = why or next((line for line in lines if _WHY.search(line)), None)
    return for_now is None, _reason(why or (lines[0] if lines else subject))


def _letters(headers: Headers, parts: tuple[Part, ...], blocks: list[Headers], text: str) -> tuple[str, ...]:
    """The Message-IDs of what came back, from the surest place that has any.

    In-Reply-To and References of a returned letter name older letters, which arrived; In-Reply-To of a report
    names what it is about.
    """
    returned = [split_head(part.payload()[:_MAX_TEXT_BYTES])[0] for part in parts if part.kind in _RETURNED]
    places = (
        (value for head in returned for value in head.all("message-id")),
        (value for block in blocks for value in block.all("x-original-message-id")),
        (found[1] for found in _ID_LINE.finditer(text)),
        headers.all("in-reply-to") if _from_server(headers) else (),
    )
    for values in places:
        found = dict.fromkeys(one for value in values for one in _ID.findall(value))
        if found:
            return tuple(found)[:_MAX_LETTERS]
    return ()


def _reason(text: str) -> str:
    """One short printable line without addresses, which are nobody's business but their owner's."""
    if len(text) > _LONG_LINE:
        # An address that is cut in two would not be known for one.
        text = text[:_LONG_LINE].rpartition(" ")[0]
    line = one_line(_ADDRESS.sub(" ", text))
    line = re.sub(r" +([:;,.)])", r"\1", line)
    return line.strip(" :;,-")[:_MAX_REASON_CHARS].strip()
