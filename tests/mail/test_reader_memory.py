"""The memory that reading a hostile mail takes in addition to the mail's bytes."""

import tracemalloc
from collections.abc import Callable

import pytest

from takmail.mail.reader import read
from tests.support.width import some_of

MIB = 1024 * 1024
JUNK = b"A "
FROM = b"From: MAILER-DAEMON@example.org\nSubject: Undelivered\n"


def single(kind: str, encoding: str, body: bytes) -> bytes:
    return FROM + f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body


def several(kind: str, encoding: str, body: bytes, times: int = 1) -> bytes:
    head = b"Content-Type: multipart/report; report-type=delivery-status; boundary=q\n\n"
    part = f"--q\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body + b"\n"
    return FROM + head + part * times


def nested(levels: int, body: bytes) -> bytes:
    heads = (f"Content-Type: multipart/mixed; boundary=q{n}\n\n--q{n}\n".encode() for n in range(levels))
    return FROM + b"".join(heads) + b"Content-Type: application/pdf\n\n" + body


@pytest.mark.parametrize(
    "mail",
    some_of(
        [
            lambda: several("message/delivery-status", "base64", JUNK * (5 * MIB - 500)),
            lambda: several("message/delivery-status", "quoted-printable", b"=41" * (3 * MIB)),
            lambda: several("message/rfc822", "8bit", b"a:b\n" * 50_000, 40),
            lambda: several("message/delivery-status", "8bit", b"a:b\n" * 2_500, 490),
            lambda: single("text/html", "base64", JUNK * (4 * MIB - 500)),
            lambda: single("text/html", "8bit", b"<p>a &amp; b " * (2 * MIB // 13)),
            lambda: single("text/plain", "base64", JUNK * (MIB // 2)),
            lambda: single("text/plain", "quoted-printable", b"=41" * (MIB // 4)),
            lambda: several("text/plain", "base64", b"   \n" * (MIB // 4), 9),
            lambda: several("text/html", "8bit", b" " * (2 * MIB - 50), 4),
            lambda: nested(7, b"x" * (10 * MIB - 5000)),
            lambda: nested(19, b"\n--q" * (5 * MIB // 2 - 1000)),
        ],
        4,
    ),
)
def test_a_hostile_mail_takes_little_memory(mail: Callable[[], bytes]) -> None:
    raw = mail()
    assert len(raw) <= 10 * MIB
    tracemalloc.start()
    try:
        read(raw, frozenset())
        assert tracemalloc.get_traced_memory()[1] < 40 * MIB
    finally:
        tracemalloc.stop()
