"""The marker in the mailbox: whose it is, and how it survives what servers do to a message."""

import base64
import quopri
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest

from takmail.mail.marker import Marker, Owner, Ownership, digest, marker_message, owner_of, read_marker
from tests.support.tables import each_row

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HERE, ELSEWHERE = "a" * 16, "b" * 16
LAST, BEFORE, UNKNOWN = "1" * 16, "2" * 16, "3" * 16
OURS = Ownership(HERE, 7, LAST, BEFORE)
NEW = Ownership(HERE)


def marker(database: str, generation: int, token: str) -> Marker:
    return Marker(digest("INBOX"), database, generation, token)


@each_row(
    ("found", "ours", "owner", "forbids"),
    [
        (None, NEW, Owner.NOBODY, False),
        (None, OURS, Owner.NOBODY, False),  # somebody has deleted it
        (marker(HERE, 7, LAST), OURS, Owner.OURS, False),
        (marker(HERE, 6, BEFORE), OURS, Owner.OURS, False),  # killed between the two steps
        (marker(HERE, 9, BEFORE), OURS, Owner.OURS, False),  # taken over on purpose, and killed
        (marker(HERE, 5, UNKNOWN), OURS, Owner.BEFORE, False),
        (marker(HERE, 7, UNKNOWN), OURS, Owner.COPY, True),  # both have raised the same generation
        (marker(HERE, 8, UNKNOWN), OURS, Owner.COPY, True),  # this database is the older copy
        (marker(HERE, 1, UNKNOWN), NEW, Owner.COPY, True),
        (marker(ELSEWHERE, 1, UNKNOWN), OURS, Owner.OTHER, True),
        (marker(ELSEWHERE, 7, LAST), OURS, Owner.OTHER, True),
        (marker(ELSEWHERE, 1, UNKNOWN), NEW, Owner.OTHER, True),
    ],
)
def test_whose_a_marker_is(found: Marker | None, ours: Ownership, owner: Owner, forbids: bool) -> None:
    assert owner_of(found, ours) is owner
    assert owner.forbids is forbids


WRITTEN = replace(marker(HERE, 12, LAST), by="2026-11-21 on vps, for sqlite:////games.sqlite")
RAW = marker_message(
    WRITTEN, "takmail reads this mailbox", f"Leave it.\n\nWritten: {WRITTEN.by}", "tak@x.org", NOON
)


def encoded(cte: bytes, body: bytes) -> bytes:
    head = RAW.partition(b"\r\n\r\n")[0].replace(b"8bit", cte)
    return head + b"\r\n\r\n" + body


BODY = RAW.partition(b"\r\n\r\n")[2]
HEADLESS = b"Subject: takmail\r\n\r\n" + BODY


@pytest.mark.parametrize(
    ("raw", "by"),
    [
        (RAW, WRITTEN.by),
        (HEADLESS, WRITTEN.by),
        (encoded(b"quoted-printable", quopri.encodestring(BODY)), WRITTEN.by),
        (encoded(b"base64", base64.encodebytes(BODY)), ""),
    ],
    ids=["whole", "without headers", "quoted-printable", "base64"],
)
def test_it_is_read_whatever_a_server_does_to_it(raw: bytes, by: str) -> None:
    assert read_marker(raw) == replace(WRITTEN, by=by)


@pytest.mark.parametrize("raw", [b"", b"Subject: takmail-marker\r\n\r\nHello", RAW[:40]])
def test_another_message_is_no_marker(raw: bytes) -> None:
    assert read_marker(raw) is None


def test_moved_to_the_mailbox_it_is_no_mail_to_answer() -> None:
    message = message_from_bytes(RAW, policy=policy.default)
    assert (message["Auto-Submitted"], message["X-Takmail"]) == ("auto-generated", "1")
    assert "Leave it." in str(message.get_content())
    assert not message.defects


def test_inbox_is_the_same_in_any_case_and_other_folders_are_not() -> None:
    assert digest("inbox") == digest("INBOX")
    assert digest("Tak") != digest("tak")
