"""The marker: a message in the mailbox that tells which database's service reads it (decision 59).

Each time a service takes the mailbox over, it draws a random token, and writes a marker with it. Two copies of a
database so have different tokens as soon as both run, although both count the same generations.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from enum import Enum, auto

from takmail.mail.letter import MACHINE_HEADER

_LINE = re.compile(rb"takmail-marker[ .]1[ .]([0-9a-f]{8})[ .]([0-9a-f]{16})[ .](\d{1,9})[ .]([0-9a-f]{16})")
_BY = re.compile(rb"^Written: ([^\r\n]{1,300})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says: which database's service has taken the mailbox over, for which time, and its token.

    `mailbox` is the digest of the folder that is read (`digest`), as several services may share an account. `by` tells
    a person when and where it was written, or is ''.
    """

    mailbox: str
    database: str
    generation: int
    token: str
    by: str = ""

    @property
    def line(self) -> str:
        """The line by which a marker is known."""
        return f"takmail-marker 1 {self.mailbox} {self.database} {self.generation} {self.token}"


@dataclass(frozen=True, slots=True)
class Ownership:
    """What a database knows of its own markers: its random id, and its last generation with its token.

    `previous` is the token of the marker that it replaced, or ''. The service may have died between the step in the
    database and the one in the mailbox, so either of the two may be there.
    """

    database: str
    generation: int = 0
    token: str = ""
    previous: str = ""


class Owner(Enum):
    """Whose the newest marker of a mailbox is.

    * `NOBODY`: there is no marker. The first service makes one, and so does one whose marker a person has deleted.
    * `OURS`: it is one of the two that this database wrote last
    * `BEFORE`: an older one of this database: an old state of the mailbox, or a process that hung while it wrote
    * `COPY`: one of this database that it doesn't know: another copy has gone on, or this one is older
    * `OTHER`: another database's
    """

    NOBODY = auto()
    OURS = auto()
    BEFORE = auto()
    COPY = auto()
    OTHER = auto()

    @property
    def forbids(self) -> bool:
        """Whether a service with this database may not read the mailbox."""
        return self in (Owner.COPY, Owner.OTHER)


def owner_of(marker: Marker | None, ours: Ownership) -> Owner:
    """Return whose a marker is, as far as the database with `ours` knows. None means that there is no marker."""
    if marker is None:
        return Owner.NOBODY
    if marker.database != ours.database:
        return Owner.OTHER
    if marker.token in (ours.token, ours.previous):
        return Owner.OURS
    return Owner.BEFORE if marker.generation < ours.generation else Owner.COPY


def digest(folder: str) -> str:
    """Return the digest of the name of the folder that is read. INBOX has the same name in any case (RFC 3501 §5.1)."""
    name = "INBOX" if folder.upper() == "INBOX" else folder
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def read_marker(raw: bytes) -> Marker | None:
    """Return the marker in a message, or None if it is another message."""
    line = _LINE.search(raw)
    if line is None:
        return None
    mailbox, database, generation, token = (part.decode("ascii") for part in line.groups())
    by = _BY.search(raw)
    return Marker(mailbox, database, int(generation), token, by[1].decode("utf-8", "replace") if by else "")


def marker_message(marker: Marker, subject: str, text: str, address: str, now: datetime) -> bytes:
    """Return a marker as a message. `text` is for people, and `address` is takmail's own."""
    if not address.isascii():
        address = "takmail@localhost"  # not all servers take others in a header
    lines = (
        f"From: takmail <{address}>",
        f"To: takmail <{address}>",
        f"Subject: {subject}",
        f"Date: {format_datetime(now)}",
        # The line once more, as a server may encode the text.
        f"Message-ID: <{marker.line.replace(' ', '.')}@{address.rpartition('@')[2]}>",
        # If somebody moves it to the mailbox, it is no mail to answer.
        "Auto-Submitted: auto-generated",
        f"{MACHINE_HEADER}: 1",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        *text.splitlines(),
        "",
        marker.line,
        "",
    )
    return "\r\n".join(lines).encode()
