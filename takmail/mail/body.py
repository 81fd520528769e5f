"""The readable text of a mail."""

import re

from takmail.mail.charsets import decoded
from takmail.mail.flowed import unflowed
from takmail.mail.headers import Headers
from takmail.mail.hypertext import text_of_html
from takmail.mail.limits import MAX_TEXT_CHARS
from takmail.mail.mime import Part, leaves

_LINE_END = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def readable_text(headers: Headers, body: bytes) -> str:
    """The text that a person sees in a mail, with "\\n" line ends and without NULs, at most `MAX_TEXT_CHARS`.

    That is the first text/plain part that isn't blank nor an attachment, else the first such text/html part
    as text. Never raises.
    """
    shown = [part for part in leaves(headers, body) if not part.attached]
    for kind, reading in (("text/plain", _plain), ("text/html", _hyper)):
        for part in shown:
            if part.kind == kind and (text := reading(part)).strip():
                return text[:MAX_TEXT_CHARS]
    return ""


def _plain(part: Part) -> str:
    text = _text(part)
    if part.parameters.get("format", "").lower() == "flowed":
        text = unflowed(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
    return text


def _hyper(part: Part) -> str:
    return text_of_html(_text(part))


def _text(part: Part) -> str:
    text = decoded(part.payload(), part.parameters.get("charset", "us-ascii"))
    return _LINE_END.sub("\n", text.replace("\0", ""))[:MAX_TEXT_CHARS]
