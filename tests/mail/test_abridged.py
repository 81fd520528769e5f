"""Of a long mail only what is read is kept, and that is read as before."""

import base64
from dataclasses import replace

import pytest

from takmail.limits.mails import DEFAULT_LIMITS, Excess, Limits, OverLimit
from takmail.mail.abridged import abridged, with_text_only
from takmail.mail.reader import read, read_head
from tests.support.corpus import NAMES, envelope, raw
from tests.support.players import TAK
from tests.support.tables import each_row

OWN = frozenset({TAK})
HEAD = b"From: Ada <ada@example.org>\r\nTo: tak@example.org\r\nSubject: Tak\r\nMessage-ID: <1@mail.example.org>\r\n"
FILE = base64.encodebytes(b"\x89PNG" * 25_000).replace(b"\n", b"\r\n")
PICTURE = b"Content-Type: image/png; name=board.png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + FILE
TEXT = b"Content-Type: text/plain; charset=utf-8\r\n\r\nps a1\r\n"
PAGE = b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>ps a1</p>\r\n" + b"<!-- -->\r\n" * 10_000


def mail(*parts: bytes, kind: bytes = b"mixed") -> bytes:
    inside = b"".join(b"--B\r\n" + part + b"\r\n" for part in parts)
    return HEAD + b"Content-Type: multipart/" + kind + b"; boundary=B\r\n\r\n" + inside + b"--B--\r\n"


def short(whole: bytes, limits: Limits = DEFAULT_LIMITS) -> bytes:
    return abridged(whole, read_head(whole, OWN, limits), limits)


WITHIN_LIMITS = [name for name in NAMES if envelope(name).excess is None]


@each_row("name", WITHIN_LIMITS)
def test_each_kind_of_mail_is_read_as_before(name: str) -> None:
    whole = raw(name)
    assert read(short(whole), OWN) == read(whole, OWN)


@each_row("name", WITHIN_LIMITS)
def test_with_its_text_alone_each_mail_has_the_same_headers_and_text(name: str) -> None:
    whole = raw(name)
    before = read(whole, OWN)
    after = read(with_text_only(whole, before.body.text, DEFAULT_LIMITS), OWN)
    assert after.body.text == before.body.text
    assert replace(after, machine=before.machine, body=before.body) == before


@pytest.mark.parametrize(
    "whole",
    [
        mail(TEXT, PICTURE),
        mail(TEXT, PICTURE, PICTURE, TEXT.replace(b"a1", b"a2")),
        mail(TEXT, PAGE, kind=b"alternative"),
        mail(TEXT, TEXT.replace(b"text/plain", b"text/plain; name=log.txt") * 2_000),
        mail(TEXT, b"Content-Type: message/rfc822\r\n\r\n" + HEAD + b"\r\n" + FILE),
        mail(TEXT, b"Content-Disposition: attachment\r\n" + PAGE),
        mail(PICTURE),
        HEAD + b"MIME-Version: 1.0\r\n" + PICTURE,
        HEAD + b"Content-Type: application/pkcs7-mime\r\n\r\n" + FILE,
    ],
    ids=lambda whole: f"{len(whole)} bytes",
)
def test_what_is_not_read_is_left_out(whole: bytes) -> None:
    assert len(short(whole)) < 3_000
    assert read(short(whole), OWN) == read(whole, OWN)


def test_of_a_report_the_beginning_of_the_returned_mail_is_left() -> None:
    status = b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
    status += b"Final-Recipient: rfc822; ben@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    returned = b"Content-Type: message/rfc822\r\n\r\nMessage-ID: <7@example.org>\r\n\r\n" + FILE
    whole = mail(TEXT, status, returned, kind=b"report; report-type=delivery-status")
    assert len(whole) > len(short(whole)) > len(status)
    assert read(short(whole), OWN) == read(whole, OWN)
    assert read(whole, OWN).body.bounce is not None


def test_text_that_takes_many_steps_stays_as_it_is() -> None:
    page = b"Content-Type: text/html\r\n\r\n" + b"<b>ps a1 " * 5_000
    assert short(mail(page, PICTURE)) == mail(page, PICTURE[: -len(FILE)])


@pytest.mark.parametrize(
    ("whole", "excess"),
    [
        (HEAD + b"X: " + b"y" * DEFAULT_LIMITS.header_bytes + b"\r\n\r\nps a1", Excess.HEADER),
        (HEAD + b"\r\n" + b"x" * DEFAULT_LIMITS.mail_bytes, Excess.MAIL),
        (mail(*[TEXT] * 501), Excess.PARTS),
        (mail(*[b"A: b\r\n" * 1_001 + TEXT] * 2), Excess.HEADER),
    ],
)
def test_a_mail_over_a_limit_or_of_many_steps_is_not_abridged(whole: bytes, excess: Excess) -> None:
    with pytest.raises(OverLimit) as error:
        short(whole)
    assert error.value.excess == excess
