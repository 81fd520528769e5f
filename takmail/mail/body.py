"""Extract the readable text of a mail."""

import re
from collections.abc import Sequence
from itertools import groupby

from takmail.limits.mails import MAX_ENCODING_FACTOR, MAX_HTML_FACTOR, Excess, Limits, OverLimit
from takmail.mail.charsets import decoded
from takmail.mail.html_text import text_of_html
from takmail.mail.mime import Part


def unflow(text: str, delsp: bool) -> str:
    r"""Return format=flowed text without its soft line breaks, with quote prefixes in the usual form (`> > `).

    If `delsp` is true, the space before a soft line break is removed (RFC 3676 §4.1). `text` has "\n" line ends.
    """
    lines = (_unquoted(line) for line in text.split("\n"))
    out: list[str] = []
    for depth, group in groupby(lines, key=lambda line: line[0]):
        open_line: str | None = None
        for _, line in group:
            # The signature separator ends in a space, but is never part of a flowed paragraph (RFC 3676 §4.3).
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


_STUB_CHARS = 400  # a text of this length does more than refer to the HTML part
_MENTIONS_HTML = re.compile(r"\bHTML\b", re.IGNORECASE)
_LINE_END = re.compile("\r\n|[\r\v\f\u2028\u2029]")
# Python treats these characters as line ends. In mails they are damaged forms of `“`, `”` and `…`. A line break in
# their place would split a quoted line, and the second half would lose its prefix.
_CHARACTER_FIXES = str.maketrans({"\0": "", "\x1c": '"', "\x1d": '"', "\x1e": " ", "\x85": "…"})


def readable_text(parts: Sequence[Part], limits: Limits) -> str:
    r"""Return the text that a person sees in a mail of these parts, with "\n" line ends and without NULs.

    The text is that of the first text/plain part that is neither blank nor an attachment, and of the text parts that
    continue it below a picture. If there is no such part, the first such text/html part is converted to text. Raises
    OverLimit if the text is longer than the limits allow.
    """
    text, _ = text_and_parts(parts, limits)
    if text.count("\n") >= limits.text_lines:
        raise OverLimit(Excess.WORK)
    return text


def text_and_parts(parts: Sequence[Part], limits: Limits) -> tuple[str, Sequence[Part]]:
    """Return the readable text without checking its number of lines, and the parts from which it is read."""
    shown = [part for part in parts if not part.attached]
    text, plain = _text_of_kind("text/plain", shown, limits)
    if text and not _is_stub(text):
        return text, plain
    from_html, pages = _text_of_kind("text/html", shown, limits)
    return from_html or text, (*plain, *pages)


def _text_of_kind(kind: str, shown: Sequence[Part], limits: Limits) -> tuple[str, Sequence[Part]]:
    """Return the text of the first parts of this kind that are not blank, and these parts. It is '' without any."""
    is_html = kind == "text/html"
    left = limits.text_bytes * (MAX_HTML_FACTOR if is_html and not limits.rejects_oversize else 1)
    tags_left = limits.html_tags
    pieces: dict[str, tuple[str, Part]] = {}
    for part in shown:
        if pieces and not _may_continue(part, kind):
            break
        if part.kind != kind or (pieces and _is_file(part)):
            continue
        payload = _payload(part, left)
        # Decoding a blank part takes time, too, so its encoded length counts.
        left -= max(len(payload), len(part.body) // MAX_ENCODING_FACTOR)
        written = _text(part, payload)
        text = _from_html(written, tags_left, limits) if is_html else _from_plain(part, written)
        tags_left = max(tags_left - written.count("<"), 0)
        # Two alternatives of the same kind may have the same text, which is kept only once.
        if text.strip():
            pieces.setdefault(text.strip(), (text, part))
        if sum(map(len, pieces)) > limits.text_bytes:
            raise OverLimit(Excess.TEXT)
    return "\n".join(text for text, _ in pieces.values()), [part for _, part in pieces.values()]


def _is_stub(text: str) -> bool:
    """Return whether a short text only refers to the HTML part of the mail.

    A person's short text may match by mistake. Then nothing is lost, because the HTML part, which is used instead,
    contains it too.
    """
    return len(text) < _STUB_CHARS and bool(_MENTIONS_HTML.search(text))


def _may_continue(part: Part, kind: str) -> bool:
    """Return whether this part, or a part after it, may continue the text found so far.

    A text part of another kind is an alternative to the text.
    """
    return part.kind == kind or not part.kind.startswith("text/")


def _is_file(part: Part) -> bool:
    """Return whether a part is a file that is displayed inline (RFC 2183 §2.1), as Apple Mail sends files."""
    return "name" in part.parameters or "filename" in part.headers.first("content-disposition").lower()


def _from_plain(part: Part, text: str) -> str:
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
    return text


def _from_html(html: str, tags_left: int, limits: Limits) -> str:
    """Return the part's text, read up to `tags_left` tags.

    Every "<" counts as a tag. If the part has too many tags and `limits.rejects_oversize` is set, this raises
    OverLimit.
    """
    if html.count("<") > tags_left:
        if limits.rejects_oversize:
            raise OverLimit(Excess.WORK)
        at = -1
        for _ in range(tags_left + 1):
            at = html.index("<", at + 1)
        html = html[:at]
    return text_of_html(html)


def _payload(part: Part, at_most: int) -> bytes:
    """Return all decoded bytes of a part. Raises OverLimit if they are more than `at_most`, or too much to decode."""
    if (
        len(part.body) <= MAX_ENCODING_FACTOR * at_most
        and len(payload := part.payload(at_most + 1)) <= at_most
    ):
        return payload
    raise OverLimit(Excess.TEXT)


def _text(part: Part, payload: bytes) -> str:
    text = decoded(payload, part.parameters.get("charset", "us-ascii"))
    return _LINE_END.sub("\n", text.translate(_CHARACTER_FIXES))
