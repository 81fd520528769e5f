"""Write arguments of IMAP commands, and parse the server's answers (RFC 3501)."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

# The type of a server's answer: its lines as bytes, and between them its literals as bytearrays.
Lines = Sequence[bytes | bytearray]

_FETCH = re.compile(rb"(?:\* )?\d+ FETCH \(", re.IGNORECASE)
_UID = re.compile(rb"[( ]UID (\d+)", re.IGNORECASE)
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)", re.IGNORECASE)
_DATE = re.compile(rb'INTERNALDATE "([ 0-3][0-9]-[a-z]{3}-[0-9]{4} [0-9:]{8} [+-][0-9]{4})"', re.IGNORECASE)
"""The `date-time` of RFC 3501 §9."""
_SHORT_BODY = re.compile(rb'BODY\[\](?:<\d+>)? (?:NIL|"((?:[^"\\]|\\.)*)")', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FetchedMail:
    """A mail that was fetched from the mailbox.

    `raw` is the whole mail, or its beginning if it was cut. `size` is the full length in bytes that the server reports.
    `received` is when the mailbox received the mail, in UTC, or None if the server says nothing that can be read.
    """

    uid: int
    size: int
    raw: bytes
    received: datetime | None


class FolderState(NamedTuple):
    """What changes if a message comes to a folder or leaves it. A number that the server doesn't tell is None."""

    uid_validity: int | None
    uid_next: int | None
    messages: int | None


def quoted(text: str) -> str:
    """Return `text` as an IMAP quoted string (RFC 3501 §9)."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def mailbox_name(name: str) -> str:
    """Encode a folder's name in modified UTF-7 (RFC 3501 §5.1.3), as a quoted string."""
    return quoted(
        "".join(_utf7(is_printable, "".join(run)) for is_printable, run in groupby(name, _is_printable))
    )


def _is_printable(char: str) -> bool:
    return " " <= char <= "~"


def _utf7(is_printable: bool, run: str) -> str:
    if is_printable:
        return run.replace("&", "&-")
    return "&" + b64encode(run.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"


def uid_set(uids: Iterable[int]) -> str:
    """Return UIDs as an IMAP sequence set with ranges, such as `101:150,153`."""
    runs: list[list[int]] = []
    for uid in sorted(set(uids)):
        if runs and uid == runs[-1][1] + 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    return ",".join(str(low) if low == high else f"{low}:{high}" for low, high in runs)


def read_uids(lines: Lines) -> Iterator[int]:
    """Yield the UIDs in an answer to UID SEARCH, whose last line is the tagged response."""
    for line in lines[:-1]:
        yield from (int(word) for word in bytes(line).split() if word.isdigit())


def read_number(name: str, lines: Lines) -> int | None:
    """Return the number of a response code such as `[UIDNEXT 4392]`, or None."""
    found = re.search(rb"\[%b (\d+)\]" % name.encode(), b"\n".join(lines), re.IGNORECASE)
    return int(found[1]) if found else None


def read_folder_state(lines: Lines) -> FolderState:
    """Return the state in an answer to SELECT, or to STATUS for MESSAGES, UIDNEXT and UIDVALIDITY."""
    text = b"\n".join(lines)

    def number(*patterns: bytes) -> int | None:
        found = next(filter(None, (re.search(pattern, text, re.IGNORECASE) for pattern in patterns)), None)
        return int(found[1]) if found else None

    return FolderState(
        number(rb"\bUIDVALIDITY (\d+)"),
        number(rb"\bUIDNEXT (\d+)"),
        number(rb"\bMESSAGES (\d+)", rb"^(?:\* )?(\d+) EXISTS\b", rb"\n(?:\* )?(\d+) EXISTS\b"),
    )


def read_mails(lines: Lines) -> Iterator[FetchedMail]:
    """Yield the mails in an answer to UID FETCH. Unsolicited data in the answer, such as flags, is ignored."""
    text, literal = b"", None
    for line in lines[:-1]:
        if isinstance(line, bytearray):
            literal = bytes(line)
        elif _FETCH.match(line):
            yield from _read_mail(text, literal)
            text, literal = line, None
        else:
            text += line
    yield from _read_mail(text, literal)


def read_sizes(lines: Lines) -> Iterator[tuple[int, int]]:
    """Yield the UID and the size in bytes of each mail for which an answer to UID FETCH has both."""
    for line in lines[:-1]:
        if _FETCH.match(line):
            uid, size = _UID.search(line), _SIZE.search(line)
            if uid and size:
                yield int(uid[1]), int(size[1])


def _read_mail(text: bytes, literal: bytes | None) -> Iterator[FetchedMail]:
    short = _SHORT_BODY.search(text)
    if literal is None and short:
        # A server may send a short mail as a quoted string, and an empty one as NIL.
        literal = re.sub(rb"\\(.)", rb"\1", short[1] or b"")
        text = text[: short.start()] + text[short.end() :]
    uid = _UID.search(text)
    if uid is None or literal is None:
        return
    size, date = _SIZE.search(text), _DATE.search(text)
    yield FetchedMail(
        uid=int(uid[1]),
        size=int(size[1]) if size else len(literal),
        raw=literal,
        received=_read_date(date[1].decode()) if date else None,
    )


def _read_date(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
