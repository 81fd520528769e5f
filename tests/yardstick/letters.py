"""Describe a letter as lines of text, with everything except its random values and its transfer encodings."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from hashlib import sha256

_BORDER = re.compile(r'boundary="([^"]*)"')


def shown(raw: bytes) -> str:
    """Return a letter's headers in order, each on one line, and its parts. Pictures are shown as digests."""
    text = "\n".join(_part(message_from_bytes(raw, policy=policy.compat32)))
    # The borders of multiparts are random, so they are numbered.
    for number, border in enumerate(dict.fromkeys(_BORDER.findall(text)), 1):
        text = text.replace(border, f"border {number}")
    return text


def _part(part: Message) -> Iterator[str]:
    for name, value in part.items():
        line = re.sub(r"\r?\n(?=[ \t])", "", str(value))
        yield f"{name}: {make_header(decode_header(line)) if '=?' in line else line}"
    yield ""
    if part.is_multipart():
        for inner in part.get_payload():
            assert isinstance(inner, Message)
            yield "-- part"
            yield from _part(inner)
        yield "-- end"
        return
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    if part.get_content_maintype() == "image":
        yield f"{len(payload)} bytes, SHA-256 {sha256(payload).hexdigest()}"
        return
    words = payload.decode(part.get_content_charset("utf-8"), "backslashreplace")
    # Line ends other than CRLF are shown, because there must be none.
    yield re.sub(r"(?<!\r)\n", "[LF]\n", words).replace("\r\n", "\n")
