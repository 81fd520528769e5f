"""A letter as lines of text: all of it, but for what is drawn and for how its bytes are put into ASCII."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from hashlib import sha256

_BORDER = re.compile(r'boundary="([^"]*)"')


def shown(raw: bytes) -> str:
    """A letter's headers in their order, each on one line, and its parts, texts decoded and pictures as digests."""
    text = "\n".join(_part(message_from_bytes(raw, policy=policy.compat32)))
    # Only the header that names a border tells which one it is.
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
    # Bare ends of lines are shown, as all of them are to be CRLF.
    yield re.sub(r"(?<!\r)\n", "[LF]\n", words).replace("\r\n", "\n")
