"""A letter can be written to every address that takmail accepts."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtplib.email import parse_address
from hypothesis import assume, example, given
from hypothesis import strategies as st

from takmail.mail.address import addresses_in, normal_address
from takmail.mail.headers import split_head
from takmail.mail.letter import OutgoingMail
from takmail.mail.letter_body import Attachment, LetterBody, attached_gif, inline_png, with_parts
from takmail.mail.reader import read
from tests.support.tables import each_row


def letter(to: str, text: str | None = "ps a1\n", html: str | None = None, **of_body: Any) -> OutgoingMail:
    return OutgoingMail(
        to=to,
        to_name="Ada",
        sender="tak@example.test",
        sender_name="Tak by Mail",
        reply_to="tak+1.abc@example.test",
        subject="Tak",
        body=LetterBody(text, html, **of_body),
        message_id="<1@example.test>",
        references=(),
        date=datetime(2026, 11, 21, tzinfo=UTC),
        is_reply=False,
        unsubscribe=("tak+stop.abc@example.test", "stop"),
    )


def readers(to: str) -> tuple[str, ...]:
    """Return the address in the To of the written letter."""
    head, _ = split_head(letter(to).as_bytes())
    return addresses_in(head.all("to"))


@each_row(
    "address",
    [
        "ada@example.org",
        "a..b@example.org",
        ".ada@example.org",
        "ada.@example.org",
        "adä@example.org",
        "ada@bücher.example",
        "ada@xn--bcher-kva.example",
        f"{'a' * 240}@example.org",
        f"{'ä' * 240}@example.org",
    ],
)
def test_a_letter_reaches_every_kind_of_address(address: str) -> None:
    assert normal_address(address) == address
    assert readers(address) == (address,)


WORDS = st.text(st.characters(categories=["L", "N"]) | st.sampled_from(".!#$%&'*+/=?^_`{|}~-"), min_size=1)
NAMES = st.text(st.characters(categories=["L", "N"]) | st.sampled_from("_-."), min_size=1)


@given(WORDS, NAMES)
@example("i\u0307", "x\u0301")
def test_any_letters_and_signs_of_an_address_come_through(local: str, domain: str) -> None:
    address = normal_address(f"{local}@{domain}")
    assume(address)
    assert readers(address) == (address,)
    assert parse_address(address) == address


@pytest.mark.parametrize(("length", "encoding"), [(998, "7bit"), (999, "quoted-printable")])
def test_no_line_is_longer_than_every_server_takes(length: int, encoding: str) -> None:
    text = f"{'x' * length}\nps a1\n"
    raw = letter("ada@example.org", text).as_bytes()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    mail = message_from_bytes(raw, policy=policy.default)
    assert mail["Content-Transfer-Encoding"] == encoding
    assert isinstance(mail, EmailMessage)
    assert mail.get_content().replace("\r\n", "\n") == text


PAGE = "<!DOCTYPE html>\n<p>ps a1 <img src=cid:6-p---s@takmail></p>\n"
PNG, GIF = b"\x89PNG", b"GIF89a" * 40
BOARDS = [inline_png("6-p---s", PNG), inline_png("6-p---", PNG)]
FILES = [attached_gif("game.gif", GIF)]


def sent(one: OutgoingMail) -> bytes:
    """Return a letter with two pictures and an animation, as far as it has room for them."""
    return with_parts(
        one.as_bytes(), BOARDS * one.body.has_pictures, FILES * one.body.has_animation, one.message_id
    )


def parts(one: OutgoingMail) -> list[tuple[str, str]]:
    """Return the MIME types and encodings of a letter's parts."""
    mail = message_from_bytes(sent(one), policy=policy.default)
    return [(part.get_content_type(), str(part["Content-Transfer-Encoding"])) for part in mail.walk()]


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_a_letter_says_in_which_language_it_is(language: str) -> None:
    one = replace(letter("ada@example.org", html=PAGE, has_animation=True), language=language)
    mail = message_from_bytes(sent(one), policy=policy.default)
    assert mail.get_all("Content-Language") == [language]


def test_a_letter_of_text_alone_is_a_plain_mail() -> None:
    assert parts(letter("ada@example.org")) == [("text/plain", "7bit")]


def test_pictures_hang_on_the_html_side_and_files_on_the_whole() -> None:
    both = letter(
        "ada@example.org",
        html=PAGE,
        has_pictures=True,
        has_animation=True,
        attachments=(Attachment("game.ptn", "plain", '[Size "5"]\n'),),
    )
    assert parts(both) == [
        ("multipart/mixed", "None"),
        ("multipart/alternative", "None"),
        ("text/plain", "7bit"),
        ("multipart/related", "None"),
        ("text/html", "7bit"),
        ("image/png", "base64"),
        ("image/png", "base64"),
        ("text/plain", "7bit"),
        ("image/gif", "base64"),
    ]
    mail = message_from_bytes(sent(both), policy=policy.default)
    image = next(part for part in mail.walk() if part.get_content_maintype() == "image")
    assert image["Content-ID"] == "<6-p---s@takmail>"
    assert (image["Content-Disposition"], image.get_filename()) == ("inline", None)
    assert image.get_payload(decode=True) == PNG
    record, animation = mail.iter_attachments()
    assert (record.get_filename(), record.get_content()) == ("game.ptn", '[Size "5"]\r\n')
    assert (animation.get_filename(), animation.get_content()) == ("game.gif", GIF)


def test_nobody_can_write_a_border_before_which_pictures_would_go() -> None:
    forged = "--=_1_--\n--=_3_--\n\n" + "--=_1_0123456789abcdef01234567--\n"
    both = letter(
        "ada@example.org",
        forged,
        html=PAGE,
        has_pictures=True,
        has_animation=True,
        attachments=(Attachment("game.ptn", "plain", forged),),
    )
    assert [kind for kind, _ in parts(both)][-5:] == [
        "text/html",
        "image/png",
        "image/png",
        "text/plain",
        "image/gif",
    ]


def test_each_part_that_holds_others_has_a_border_of_its_own_and_says_what_it_begins_with() -> None:
    whole = letter(
        "ada@example.org",
        html=PAGE,
        has_pictures=True,
        attachments=(Attachment("game.ptn", "plain", "1. a1\n"),),
    )
    mail = message_from_bytes(sent(whole), policy=policy.default)
    holding = [part for part in mail.walk() if part.is_multipart()]
    assert [part.get_content_subtype() for part in holding] == ["mixed", "alternative", "related"]
    borders = [part.get_boundary() for part in holding]
    assert len(set(borders)) == 3
    # No boundary is a prefix of another: some programs compare only the beginning of a line.
    assert not [(a, b) for a in borders for b in borders if a != b and str(b).startswith(str(a))]
    assert [part.get_param("type") for part in holding] == [None, None, "text/html"]


def test_html_alone_has_no_text_beside_it() -> None:
    alone = letter("ada@example.org", None, PAGE, has_pictures=True)
    assert [kind for kind, _ in parts(alone)] == ["multipart/related", "text/html", "image/png", "image/png"]
    assert [kind for kind, _ in parts(letter("ada@example.org", None, PAGE))] == ["text/html"]


def test_html_with_long_lines_or_other_letters_is_encoded() -> None:
    long = letter("ada@example.org", html=f"<p>{'a' * 2000}</p>")
    assert parts(long)[-1] == ("text/html", "quoted-printable")


def test_a_letter_is_the_same_bytes_whenever_it_is_made() -> None:
    both = letter("ada@example.org", html=PAGE, has_pictures=True)
    assert both.as_bytes() == both.as_bytes()


CODED = ["=?utf-8?q?", "=?utf-7?q?+2AA-", "=0AX-Evil:=20yes", "=0D=0A", "?=", " ", "a,b", "ä", ".", "-"]
HOSTILE = st.lists(st.sampled_from(CODED) | st.text(st.characters(categories=["L", "N", "P", "S"]))).map(
    "".join
)
HOSTILE_IDS = st.lists(HOSTILE.map("<{}@example.net>".format), max_size=5)
SAID = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("\n=?"))


@given(HOSTILE, HOSTILE, HOSTILE_IDS, SAID)
@example("Ada", "Tak", ["<x=?utf-8?q?=0AX-Evil:=20yes=0A=0ABUY=20PILLS=0A?=@example.net>"], "hi")
@example(
    "=?utf-8?q?=0D=0AX:_y?=", "=?utf-7?q?+2AA-?=", ["<=?utf-7?q?+2AA-?=@example.net>"], "X-Evil: yes\n\nhi"
)
def test_a_letter_says_what_it_was_given_and_no_more(
    name: str, subject: str, ids: list[str], said: str
) -> None:
    """Spaces are ignored, because the standard library's parser adds some between encoded words."""
    mail = read(f"From: a@example.net\nReferences: {' '.join(ids)}\n\nhi\n".encode(), frozenset())
    given_letter = replace(
        letter("ada@example.org", f"{said}\n"),
        to_name=name,
        subject=subject,
        references=mail.thread.references,
        is_reply=True,
    )
    raw = given_letter.as_bytes()
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    parsed = message_from_bytes(raw, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert parsed.keys() == [
        *("From", "To", "Reply-To", "Subject", "Date", "Message-ID"),
        *(("In-Reply-To", "References") if mail.thread.references else ()),
        *("Auto-Submitted", "X-Auto-Response-Suppress", "X-MS-Reactions", "X-Takmail", "MIME-Version"),
        *("Content-Language", "Content-Type", "Content-Transfer-Encoding"),
    ]
    (reader,) = parsed["To"].addresses
    assert reader.addr_spec == "ada@example.org"
    assert reader.display_name.replace(" ", "") == name.replace(" ", "")
    assert str(parsed["Subject"]).replace(" ", "") == subject.replace(" ", "")
    assert str(parsed["Message-ID"]) == "<1@example.test>"
    if mail.thread.references:
        assert str(parsed["In-Reply-To"]).strip() == mail.thread.references[-1]
        assert str(parsed["References"]).split() == list(mail.thread.references)
    assert parsed.get_content().replace("\r\n", "\n") == f"{said}\n"
