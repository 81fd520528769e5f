"""The headers of a letter are what the library would have written, for names, Subjects and threads of any kind."""

from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.mail.head import head

WORDS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=200)


def by_the_library(name: str, value: str | Address) -> bytes:
    mail = EmailMessage(policy=policy.SMTP)
    mail[name] = value
    return mail.as_bytes().removesuffix(b"\r\n")


def read(raw: bytes, name: str) -> str:
    return str(message_from_bytes(raw + b"\r\n", policy=policy.default)[name])


@given(WORDS)
def test_a_subject_reads_as_the_library_would_have_written_it(subject: str) -> None:
    assert read(head([("Subject", subject)], policy.SMTP), "Subject") == read(
        by_the_library("Subject", subject), "Subject"
    )


@given(WORDS)
def test_a_name_reads_as_the_library_would_have_written_it(name: str) -> None:
    to = Address(name, username="ada", domain="example.org")
    assert read(head([("To", to)], policy.SMTP), "To") == read(by_the_library("To", to), "To")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "ps a1",
        " two  blanks ",
        "[tak #1] Ada – Ben, 5x5",
        "=?utf-8?q?hi?= there",
        "x" * 300,
        "<1.abcdefghijklmnop@example.test>",
        f"<{'z' * 200}@example.org> <1@example.test>",
    ],
)
def test_short_and_hard_headers_are_the_same_bytes(value: str) -> None:
    assert head([("Subject", value)], policy.SMTP) == by_the_library("Subject", value)


def test_a_long_thread_is_folded_between_its_letters() -> None:
    thread = [f"<{number}.abcdefghijklmnop@example.test>" for number in range(12)]
    written = head([("References", " ".join(thread))], policy.SMTP)
    assert max(map(len, written.split(b"\r\n"))) <= 78
    assert written.replace(b"\r\n", b"").decode() == f"References: {' '.join(thread)}"


@pytest.mark.parametrize("value", ["ps a1\r\nBcc: other@example.org", "a\nb"])
def test_no_header_can_bring_another_one(value: str) -> None:
    with pytest.raises(ValueError, match="linefeed"):
        head([("Subject", value)], policy.SMTP)


def test_a_subject_that_was_written_before_is_the_same_again_and_another_by_other_rules() -> None:
    fields = [("Subject", "[tak #1] Ada – Ben, 5x5")]
    encoded = head(fields, policy.SMTP)
    assert head(fields, policy.SMTP) == encoded
    assert head(fields, policy.SMTPUTF8) == "Subject: [tak #1] Ada – Ben, 5x5\r\n".encode() != encoded
