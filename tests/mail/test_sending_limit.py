"""A limit on our sending is told from a refused recipient by the words of the answer, in whatever class it comes."""

import pytest

from takmail.mail.sending_limit import is_sending_limit
from tests.support.limit_texts import LIMITS, NO_LIMITS
from tests.support.tables import each_row


@pytest.mark.parametrize("before_recipient", [True, False])
@each_row("answer", LIMITS.values())
def test_an_answer_about_our_sending_is_a_limit_wherever_it_comes(
    answer: str, before_recipient: bool
) -> None:
    assert is_sending_limit(answer, before_recipient=before_recipient)


@each_row("answer", NO_LIMITS.values())
def test_an_answer_about_a_letter_or_its_recipient_is_none(answer: str) -> None:
    assert not is_sending_limit(answer, before_recipient=False)


@each_row(
    "name",
    [
        "no TLS",
        "old TLS",
        "no SASL",
        "password, QQ",
        "errors",
        "not now",
        "busy",
        "From",
        "no reverse name",
        "protocol",
    ],
)
def test_a_server_that_has_a_fault_has_no_limit(name: str) -> None:
    assert not is_sending_limit(NO_LIMITS[name], before_recipient=True)


@pytest.mark.parametrize(
    "answer", ["421 4.7.0 Try again later, closing connection.", "450 4.7.1 Please wait"]
)
def test_a_policy_that_delays_is_a_limit_before_the_recipient_is_named(answer: str) -> None:
    assert is_sending_limit(answer, before_recipient=True)
    assert not is_sending_limit(answer, before_recipient=False)


def test_only_the_beginning_of_a_long_answer_is_read() -> None:
    for word in ("daily ", "too many ", "limit of ", "recipient ", "1 ", "messages in "):
        assert not is_sending_limit(f"550 {word * 200_000}", before_recipient=False)
