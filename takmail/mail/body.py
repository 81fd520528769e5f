"""The readable text of a mail."""

import re
from collections.abc import Sequence
from itertools import groupby

from takmail.mail.charsets import decoded
from takmail.mail.html_text import text_of_html
from takmail.mail.limits import HTML_FOR_TEXT, Excess, Limits, OverLimit
from takmail.mail.mime import LONGEST_CODE, Part
from takmail.mail.uuencoded import without_uuencoded


def unflowed(text: str, delsp: bool) -> str:
    """The text with its soft line breaks undone, `>` marks kept as they are written by others (`> > `).

    `delsp` tells whether the space before a soft break goes (RFC 3676 §4.1). `text` has "\\n" line ends.
    """
    lines = (_unquoted(line) for line in text.split("\n"))
    out: list[str] = []
    for depth, group in groupby(lines, key=lambda line: line[0]):
        open_line: str | None = None
        for _, line in group:
            # The signature's mark ends in a space and flows neither way (RFC 3676 §4.3).
            if line == "-- ":
                out += [] if open_line is None else [_quoted(depth, open_line)]
                out.append(_quoted(depth, line))
                open_line = None
                continue
            whole = line if open_line is None else open_line + line
            if line.endswith(" "):
                open_line = whole[:-1] if delsp else whole
            else:
                out.append(_quoted(depth, whole))
                open_line = None
        if open_line is not None:
            out.append(_quoted(depth, open_line.rstrip(" ")))
    return "\n".join(out)


def _unquoted(line: str) -> tuple[int, str]:
    rest = line.lstrip(">")
    return len(line) - len(rest), rest.removeprefix(" ")


def _quoted(depth: int, line: str) -> str:
    return "> " * depth + line if depth else line


_STUB_CHARS = 400
_SPEAKS_OF_HTML = re.compile(r"\bHTML\b", re.IGNORECASE)
_LINE_END = re.compile("\r\n|[\r\v\f\u2028\u2029]")
# Python takes these for line ends. In mails they are what programs have left of `“`, `”` and `…`: a quoted line
# broken at them would lose its mark, and show as a line of its own what stood between quotation marks.
_READ_AS = str.maketrans({"\0": "", "\x1c": '"', "\x1d": '"', "\x1e": " ", "\x85": "…"})


def readable_text(parts: Sequence[Part], limits: Limits) -> str:
    """The text that a person sees in a mail of these parts, with "\\n" line ends and without NULs.

    That is the first text/plain part that isn't blank nor an attachment, with what goes on below a picture; else the
    first such text/html part as text. Raises OverLimit where it is longer than the limits allow.
    """
    text = _joined(parts, limits)
    if text.count("\n") >= limits.text_lines:
        raise OverLimit(Excess.WORK)
    return text


def _joined(parts: Sequence[Part], limits: Limits) -> str:
    """The readable text, of any number of lines."""
    shown = [part for part in parts if not part.attached]
    tags_left = limits.html_tags
    stub = ""
    has_html = any(part.kind == "text/html" for part in shown)
    for kind, at_most in (
        ("text/plain", limits.text_bytes),
        ("text/html", limits.text_bytes * (1 if limits.is_trial else HTML_FOR_TEXT)),
    ):
        pieces: dict[str, str] = {}
        left = at_most
        for part in shown:
            if pieces and not _goes_on(part, kind):
                break
            if part.kind != kind or (pieces and _is_file(part)):
                continue
            payload = _payload(part, left)
            # A blank part is work, too.
            left -= max(len(payload), len(part.body) // LONGEST_CODE)
            text = _text(part, payload)
            if kind == "text/html":
                tags_left, text = _from_html(text, tags_left, limits)
            else:
                text = _from_plain(part, text)
            # Two alternatives of one kind say the same.
            if text.strip():
                pieces.setdefault(text.strip(), text)
            if sum(map(len, pieces)) > limits.text_bytes:
                raise OverLimit(Excess.TEXT)
        text = "\n".join(pieces.values())
        if pieces and not (kind == "text/plain" and has_html and _is_stub(text)):
            return text
        stub = stub or text
    return stub


def _is_stub(text: str) -> bool:
    """Whether a program says in place of the text that it is in the HTML; a person who does has it there, too."""
    return len(text) < _STUB_CHARS and bool(_SPEAKS_OF_HTML.search(text))


def _goes_on(part: Part, kind: str) -> bool:
    """Whether the text may go on at or below a part: one of another kind of text is an alternative to it."""
    return part.kind == kind or not part.kind.startswith("text/")


def _is_file(part: Part) -> bool:
    """Whether a part is a file that is shown where it stands (RFC 2183 §2.1), as Apple Mail sends them."""
    return "name" in part.parameters or "filename" in part.headers.first("content-disposition").lower()


def _from_plain(part: Part, text: str) -> str:
    text = without_uuencoded(text)
    if part.parameters.get("format", "").lower() == "flowed":
        return unflowed(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
    return text


def _from_html(html: str, tags_left: int, limits: Limits) -> tuple[int, str]:
    """How many tags may still be read after this part, and its text, as far as they have reached.

    Every "<" counts as a tag. Raises OverLimit where a trial has too few of them.
    """
    count = html.count("<")
    if count > tags_left:
        if limits.is_trial:
            raise OverLimit(Excess.WORK)
        at = -1
        for _ in range(tags_left + 1):
            at = html.index("<", at + 1)
        html = html[:at]
    return max(tags_left - count, 0), without_uuencoded(text_of_html(html))


def _payload(part: Part, at_most: int) -> bytes:
    """All the bytes of a part. Raises OverLimit where they are, or take to decode, more than that."""
    if len(part.body) <= LONGEST_CODE * at_most and len(payload := part.payload(at_most + 1)) <= at_most:
        return payload
    raise OverLimit(Excess.TEXT)


def _text(part: Part, payload: bytes) -> str:
    text = decoded(payload, part.parameters.get("charset", "us-ascii"))
    return _LINE_END.sub("\n", text.translate(_READ_AS))
