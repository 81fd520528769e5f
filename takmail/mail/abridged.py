"""Leave out of long mails what is never read: attachments before a mail is stored, and more once it is decided."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.limits.mails import MAX_HEAD_BYTES, Limits, OverLimit
from takmail.mail.body import text_and_parts
from takmail.mail.bounce import is_of_report
from takmail.mail.headers import parse_head_at
from takmail.mail.message import MachineSign
from takmail.mail.mime import Part, leaf_parts
from takmail.mail.reaction import MAX_REACTION_BYTES, is_reaction
from takmail.mail.reader import Head

_AS_TEXT = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
"""The headers of a mail whose body was replaced. They stand before all others, as the first of a name counts."""


def abridged(raw: bytes, head: Head, limits: Limits) -> bytes:
    """Return a mail without the bodies of the parts that are never read, such as attachments.

    All else is read as before, in as few steps as for a cheap mail. `head` are the mail's headers. Raises OverLimit if
    the mail exceeds a limit, or would take more steps.
    """
    if head.mail.excess is not None:
        raise OverLimit(head.mail.excess)
    cheap = replace(limits.stricter(), mail_bytes=limits.mail_bytes)
    parts = leaf_parts(head.headers, head.body, cheap)
    is_report = head.mail.machine is MachineSign.REPORT
    texts = {part.start for part in _texts(parts, cheap, is_report=is_report)}
    of_body = len(raw) - len(head.body)
    pieces, end = [], 0
    for part in parts:
        size = len(part.body)
        kept = size if part.start in texts else min(size, _bytes_read(part, is_report=is_report))
        if kept < size:
            pieces.append(raw[end : of_body + part.start + kept])
            end = of_body + part.start + size
    return b"".join((*pieces, raw[end:]))


def _texts(parts: Sequence[Part], limits: Limits, *, is_report: bool) -> Sequence[Part]:
    """Return the parts with the text of a mail. If finding them takes many steps, these are all that may have it."""
    if is_report:
        return [part for part in parts if part.kind.startswith("text/")]
    try:
        return text_and_parts(parts, limits)[1]
    except OverLimit:
        return [part for part in parts if part.kind in ("text/plain", "text/html") and not part.attached]


def _bytes_read(part: Part, *, is_report: bool) -> int:
    """Return how many bytes are read of a part without text."""
    if is_reaction(part):
        return MAX_REACTION_BYTES
    return MAX_HEAD_BYTES if is_report and is_of_report(part) else 0


def with_text_only(raw: bytes, text: str, limits: Limits) -> bytes:
    """Return the headers of a mail with its readable `text` as the body. Both are read as before."""
    _, body = parse_head_at(raw, 0, len(raw), limits, limits.header_lines)
    # A line of the format mbox may stand before the headers.
    first = raw.index(b"\n") + 1 if raw.startswith(b"From ") else 0
    return raw[:first] + _AS_TEXT + raw[first:body] + text.encode(errors="replace")
