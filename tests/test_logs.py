"""The log as the operator sees it."""

import logging
import sys

import pytest

from takmail.logs import Discreet

TAK = "tak@example.org"


def logged(message: str, *, error: BaseException | None = None) -> str:
    trouble = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("takmail", logging.WARNING, "", 1, message, None, trouble)
    return Discreet(TAK).format(record)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("550 <ada@example.org>: no such user", "550 <…>: no such user"),
        ("'ada@example.org' is not an address", "'…' is not an address"),
        ("to Ada.Example+tak@mail.example.org, later", "to …, later"),
        ("serving tak@example.org", "serving tak@example.org"),
        ("the login of TAK@example.org was refused.", "the login of TAK@example.org was refused."),
        ("tak+12.abcdefghijklmnop@example.org", "…"),
        ("<12.abcdefghijklmnop.7.0a1b@example.org>", "<…>"),
        ("Subject: [tak #12.abcdefghijklmnop] 5x5", "Subject: [tak #…] 5x5"),
        ("letter 12: sent in 0.25 seconds", "letter 12: sent in 0.25 seconds"),
    ],
)
def test_addresses_and_tokens_are_left_out_of_the_log(message: str, shown: str) -> None:
    assert logged(message) == f"WARNING {shown}"


def test_they_are_left_out_of_tracebacks_too() -> None:
    try:
        raise ValueError("ada@example.org")
    except ValueError:
        _, error, _ = sys.exc_info()
    said = logged("mail 3 can't be dealt with", error=error)
    assert "ValueError: …" in said
    assert "ada@" not in said.replace('raise ValueError("ada@example.org")', "")
