"""Every address has a single normal form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.limits.mails import MAX_HEADER_ADDRESSES
from takmail.mail.address import addresses_in, mask_addresses, normal_address
from tests.support.tables import each_row


@each_row(
    ("text", "normal"),
    [
        ("ada@example.org", "ada@example.org"),
        (" <Ada@EXAMPLE.Org> ", "ada@example.org"),
        ("mailto:ada@example.org", "ada@example.org"),
        ("<MAILTO:ada@example.org>", "ada@example.org"),
        ("ada+tak@xn--bcher-kva.example", "ada+tak@xn--bcher-kva.example"),
        ("ada@BÜCHER.example", "ada@bücher.example"),
        ("a..b.@example.org", "a..b.@example.org"),
        ("=?utf-8?q?ada?=@example.org", ""),
        ("ada", ""),
        ("", ""),
        ("@example.org", ""),
        ("ada@", ""),
        ("ada@ben@example.org", ""),
        ("ada@example..org", ""),
        ("ada@-example.org", ""),
        ("ada ben@example.org", ""),
        ("ada@example.org\nben@example.org", ""),
        ("ada@exam\u200bple.org", ""),
        (f"{'a' * 250}@example.org", ""),
    ],
)
def test_an_address_has_one_form_and_what_is_none_has_no_form(text: str, normal: str) -> None:
    assert normal_address(text) == normal


def test_the_turkish_capital_i_is_one_letter_however_it_is_written_and_no_other() -> None:
    spellings = [
        "İda@example.org",
        "I\u0307da@example.org",
        "i\u0307da@example.org",
        "İDA@example.org".lower(),
    ]
    normal = {normal_address(text) for text in spellings[:3]}
    assert len(normal) == 1
    assert "" not in normal
    assert normal_address("ida@example.org") not in normal
    assert normal_address("ıda@example.org") not in normal | {"ida@example.org"}
    assert normal_address("İDA@example.org") == normal_address(spellings[3])


def test_no_other_letter_passes_for_an_ascii_one() -> None:
    assert normal_address("\u212aen@example.org") == ""
    assert normal_address("stra\u00dfe@example.org") != normal_address("strasse@example.org")


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_form_of_a_form_is_itself(local: str, domain: str) -> None:
    normal = normal_address(f"{local}@{domain}")
    assert normal_address(normal) == normal
    assert not any(c.isspace() for c in normal)


@given(st.text("abcxyzABCXYZ019.+-_", min_size=1, max_size=20))
def test_case_makes_no_difference(local: str) -> None:
    assert normal_address(f"{local}@Example.org") == normal_address(f"{local.swapcase()}@eXAMPLE.ORG") != ""


def test_no_more_addresses_are_read_than_anybody_writes_to() -> None:
    some = tuple(f"a{number}@example.org" for number in range(MAX_HEADER_ADDRESSES))
    assert addresses_in([", ".join((*some, "ben@example.org"))]) == some


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ben@example.org", "ben@..."),
        ("ben@b2.example", "ben@..."),
        ("ben@b2-c.example, ada@b22.example", "ben@..., ada@..."),
        ("ben@b2\u0301.example", "ben@..."),
        ("z@e4. Then r@E5", "z@e4. Then r@E5"),
    ],
)
def test_an_address_is_shown_without_its_domain_and_a_placing_as_it_is(text: str, shown: str) -> None:
    assert mask_addresses(text) == shown
