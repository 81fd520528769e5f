"""A letter can be written to whoever has an address that takmail knows."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtplib.email import parse_address
from hypothesis import assume, example, given
from hypothesis import strategies as st

from takmail.mail.address import addresses_in, normal_address
from takmail.mail.headers import split_head
from takmail.mail.letter import Letter


def letter(to: str, text: str = "ps a1\n") -> Letter:
    return Letter(
        to=to,
        to_name="Ada",
        sender="tak@example.test",
        sender_name="Tak by Mail",
        reply_to="tak+1.abc@example.test",
        subject="Tak",
        text=text,
        message_id="<1@example.test>",
        in_reply_to=None,
        references=(),
        date=datetime(2026, 11, 21, tzinfo=UTC),
        answers=False,
        way_to_stop=("tak+stop.abc@example.test", "stop"),
    )


def readers(to: str) -> tuple[str, ...]:
    """To whom the written letter is addressed."""
    head, _ = split_head(letter(to).as_bytes())
    return addresses_in(head.all("to"))


@pytest.mark.parametrize(
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
