"""Parse delivery reports: which letters bounced, and why (RFC 3464, RFC 6533, and older formats)."""

import html
import re
from collections.abc import Container, Iterator, Sequence
from itertools import takewhile

from takmail.limits.mails import (
    MAX_ENCODING_FACTOR,
    MAX_HEAD_BYTES,
    MAX_REPORT_TEXT_BYTES,
    MAX_REPORTED_LETTERS,
    MAX_REPORTED_RECIPIENTS,
)
from takmail.mail.address import addresses_in, single_sender
from takmail.mail.automatic import is_automatic_subject, is_daemon, is_failure_subject
from takmail.mail.charsets import decoded
from takmail.mail.headers import Headers, decode_words, first_headers, media_type, one_line
from takmail.mail.message import Bounce
from takmail.mail.message_ids import MESSAGE_ID
from takmail.mail.mime import Part
from takmail.mail.smtp_refusal import Refusal, RefusalCause, classify

_MAX_WORDS_CHARS = 200
_MAX_LINES = 20
_LONG_LINE = 1_000
"""The maximum number of characters of a line in which a reason is searched."""

_STATUS = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED = frozenset(
    {"message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"}
    | {"message/global-headers"}
)
# Read receipts and spam complaints. The mails that they are about were delivered.
_ARRIVED = frozenset(
    {"message/disposition-notification", "message/global-disposition-notification", "message/feedback-report"}
)

_ID_LINE = re.compile(
    r"^[ \t>|]*(?:x-)?(?:original-)?message-id[ \t]*:[ \t]*(?:\r?\n[ \t>|]*)?" + f"({MESSAGE_ID.pattern})",
    re.IGNORECASE | re.MULTILINE,
)
_CODE = re.compile(r"(?<![\d.-])([45])(?:\d\d(?![\d.])|\.\d{1,3}\.\d{1,3}(?!\.?\d))")
_REASON = re.compile(
    r"unknown|no such|not exist|doesn't exist|not found|couldn't find|rejected|refused|denied|quota"
    r"|mailbox (?:is )?full|unrouteable|unroutable|disabled|unavailable|invalid|timed? ?out|exceeded|relay",
    re.IGNORECASE,
)
_TEMPORARY = re.compile(
    r"\bdelayed\b|\bwarning\b|still trying|will (?:be retried|retry|keep trying|continue to try)"
    r"|not yet (?:been )?deliver|verzögert|noch nicht zugestellt|retardé|différé|retrasad|ritardat"
    r"|vertraagd|задерж",
    re.IGNORECASE,
)
_HEADER_LINE = re.compile(r"[ \t>|]*[A-Za-z][A-Za-z0-9-]{0,60}:|[ \t]+\S")
_RECIPIENT_LINE = re.compile(
    r"[ \t]*(?:<[^<>\s]{1,320}@[^<>\s]{1,320}>|[^<>\s]{1,320}@[^<>\s]{1,320}?):?[ \t]*"
)
_HTML_LINE_BREAK = re.compile(r"<(?:br|/?(?:p|div|tr|li|pre))\b[^<>]*>", re.IGNORECASE)
# Addresses may also be encoded, as in `ben=40example.org` and `ben+40example.org` (RFC 3461 §4, RFC 6533 §3).
_AT_SIGN = r"(?:@|＠|=40|\+40|%40)"
_ADDRESS = re.compile(
    rf"<[^<>\n]{{0,320}}{_AT_SIGN}[^<>\n]{{0,320}}>|(?:\"[^\"\n]{{0,64}}\")?[^\s<>\"()\[\],;:]{{0,320}}{_AT_SIGN}[^\s<>\"()\],;]{{0,320}}"
)

_Verdict = tuple[bool, Refusal, str]
"""Whether the failure is permanent, why the server refused the letter, and the server's own words."""


def parse_bounce(headers: Headers, parts: Sequence[Part]) -> Bounce | None:
    """Return the bounce that a mail of these parts reports; None if it reports no failure or names no letter.

    Reports of a delay or a success, and read receipts, are no bounces.
    """
    if _report_type(headers) not in ("", "delivery-status"):
        return None
    if any(part.kind in _ARRIVED for part in parts):
        return None
    blocks = _blocks(parts)
    verdict = _by_status(blocks)
    text = _text(parts)
    if not any(_action(block) for block in blocks):
        subject = decode_words(headers.first("subject"))
        is_failure = (_from_server(headers) and "success" not in subject.lower()) or is_failure_subject(
            subject
        )
        verdict = _by_text(subject, text) if is_failure and not is_automatic_subject(subject) else None
    if verdict is None:
        return None
    returned = _returned(parts)
    letters = _letters(headers, returned, blocks, text)
    replies = addresses_in(value for head in returned for value in head.all("reply-to"))
    if not letters and not replies:
        return None
    is_permanent, refusal, words = verdict
    return Bounce(
        letters,
        is_permanent and refusal.refuses_recipient,
        str(refusal),
        _redacted_line(words),
        replies,
        is_limit=refusal.cause is RefusalCause.LIMIT,
    )


def is_of_report(part: Part) -> bool:
    """Return whether a part of a delivery report says what happened, or is the returned mail."""
    return part.kind in _STATUS or part.kind in _RETURNED


def _payloads(
    parts: Sequence[Part], kinds: Container[str], in_all: int, of_each: int
) -> Iterator[tuple[Part, bytes]]:
    """Yield each part of these kinds with its first bytes, until `in_all` bytes are used up."""
    for part in parts:
        if part.kind not in kinds or in_all <= 0:
            continue
        at_most = min(in_all, of_each)
        data = part.payload(at_most)
        # Data that decodes to nothing takes time, too, so its encoded length counts.
        in_all -= max(len(data), min(at_most, len(part.body) // MAX_ENCODING_FACTOR))
        yield part, data


def _blocks(parts: Sequence[Part]) -> list[Headers]:
    """Return the per-message block and the per-recipient blocks (RFC 3464 §2.1), as far as they can be parsed."""
    whole = b"\n\n".join(data for _, data in _payloads(parts, _STATUS, MAX_HEAD_BYTES, MAX_HEAD_BYTES))
    lines = re.split(rb"\n\r?\n|\r\r", whole, maxsplit=MAX_REPORTED_RECIPIENTS)
    return [first_headers(block)[0] for one in lines if (block := one.strip(b"\r\n"))]


def _action(block: Headers) -> str:
    """Return the action that a block reports, in lower case (RFC 3464 §2.3.3); '' if it is missing."""
    action = block.first("action").partition("(")[0].strip().lower()
    # If a server left out the action, the class of the status (RFC 3463 §2) implies it.
    return action or {"2": "delivered", "4": "delayed", "5": "failed"}.get(
        block.first("status").strip()[:1], ""
    )


def _by_status(blocks: list[Headers]) -> _Verdict | None:
    """Return the verdict of a report's blocks; None if no block reports a failure."""
    # OpenSMTPD writes "error" in place of "failed".
    failed = [block for block in blocks if _action(block).startswith(("fail", "error"))]
    verdicts = [(_is_permanent(block), *_reason(block)) for block in failed]
    return next(
        (one for one in verdicts if one[0] and one[1].refuses_recipient), verdicts[0] if verdicts else None
    )


def _reason(block: Headers) -> tuple[Refusal, str]:
    diagnostic = re.sub(r"^[\w-]{1,40} *; *", "", block.first("diagnostic-code").strip())
    return classify(diagnostic, block.first("status")), diagnostic


def _is_permanent(block: Headers) -> bool:
    """Return whether a failure is permanent.

    Its status code is of class 5 (RFC 3463 §2), or it has no status code.
    """
    found = _CODE.search(block.first("status")[:100]) or _CODE.search(block.first("diagnostic-code")[:2000])
    return found is None or found[1] == "5"


def _text(parts: Sequence[Part]) -> str:
    """Return the report's text for people. If it has no plain text, that is the text of its HTML."""
    for kind in ("text/plain", "text/html"):
        pieces = [
            decoded(data, part.parameters.get("charset", "utf-8"))
            for part, data in _payloads(parts, {kind}, MAX_REPORT_TEXT_BYTES, MAX_REPORT_TEXT_BYTES)
        ]
        text = "\n".join(pieces)
        if kind == "text/html":
            # HTML writes the angle brackets of a Message-ID as entities, so the tags are removed before entities are
            # decoded.
            text = html.unescape(re.sub(r"<[^<>]*>", " ", _HTML_LINE_BREAK.sub("\n", text)))
        if text.strip():
            return text
    return ""


def _from_server(headers: Headers) -> bool:
    """Return whether a mail server wrote the mail. An autoresponder may also quote the headers of a letter."""
    return (
        is_daemon(single_sender(headers.all("from"))[0])
        or "x-failed-recipients" in headers.names()
        or _report_type(headers) == "delivery-status"
    )


def _report_type(headers: Headers) -> str:
    """Return the type of a multipart/report (RFC 6522 §3), in lower case; '' for any other mail."""
    return media_type(headers)[1].get("report-type", "").strip().lower()


def _by_text(subject: str, text: str) -> _Verdict:
    """Return the same kind of verdict as `_by_status`, from the text above the returned mail."""
    above = _before_copy(text)
    lines = [line for line in above if line.strip()]
    for_now = _TEMPORARY.search(subject) or any(map(_TEMPORARY.search, lines))
    about = _below_recipient(above)
    why = next((line for some in (about, lines) for line in some if _CODE.search(line)), None)
    why = why or next((line for some in (about, lines) for line in some if _REASON.search(line)), None)
    why = why or next(iter([*about, *lines]), subject)
    return not for_now, classify(" ".join(about) if why in about else why), why


def _before_copy(text: str) -> list[str]:
    """Return the lines above the headers of the returned mail, which are the lines around its Message-ID."""
    start = _ID_LINE.search(text)
    if start is None:
        return text.splitlines()
    lines = text[: start.start()].splitlines()
    while lines and _HEADER_LINE.match(lines[-1]):
        lines.pop()
    return lines


def _below_recipient(lines: list[str]) -> list[str]:
    """Return the lines below the failed address, up to a blank line. qmail and Exim write the reason there."""
    at = next((n for n, line in enumerate(lines) if _RECIPIENT_LINE.fullmatch(line[:_LONG_LINE])), len(lines))
    return list(takewhile(str.strip, lines[at + 1 : at + 1 + _MAX_LINES]))


def _returned(parts: Sequence[Part]) -> list[Headers]:
    """Return the headers of the returned mails."""
    heads = _payloads(parts, _RETURNED, MAX_HEAD_BYTES, MAX_HEAD_BYTES // 2)
    return [first_headers(data)[0] for _, data in heads]


def _letters(headers: Headers, returned: list[Headers], blocks: list[Headers], text: str) -> tuple[str, ...]:
    """Return the Message-IDs of the returned letters, from the most reliable place that has any.

    In-Reply-To and References of a returned letter name older letters, which were delivered. In-Reply-To of a report
    names the letter that the report is about.
    """
    places = (
        (value for head in returned for value in head.all("message-id")),
        (value for block in blocks for value in block.all("x-original-message-id")),
        (found[1] for found in _ID_LINE.finditer(text)),
        headers.all("in-reply-to") if _from_server(headers) else (),
    )
    for values in places:
        found = dict.fromkeys(one for value in values for one in MESSAGE_ID.findall(value))
        if found:
            return tuple(found)[:MAX_REPORTED_LETTERS]
    return ()


def _redacted_line(text: str) -> str:
    """Return one short printable line without addresses, because addresses are personal data."""
    if len(text) > _LONG_LINE:
        # A truncated address would not be recognised and removed, so the last word is dropped.
        text = text[:_LONG_LINE].rpartition(" ")[0]
    line = one_line(_ADDRESS.sub(" ", text))
    line = re.sub(r" +([:;,.)])", r"\1", line)
    return line.strip(" :;,-")[:_MAX_WORDS_CHARS].strip()
