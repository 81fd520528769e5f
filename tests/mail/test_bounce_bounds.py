"""A delivery report can't disclose an address, add a long text, or take long to read."""

from collections.abc import Callable
from functools import partial

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from tests.mail.reports import UNKNOWN, bounce, recipient, report
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row
from tests.support.width import some_of


@each_row(
    "said",
    [
        "550 <ben@example.org> is gone",
        "550 ben@example.org is gone",
        '550 <"ben b"@example.org> is gone',
        '550 "ben b"@example.org is gone',
        "550 (ben@example.org) is gone",
        "550 rfc822=ben@example.org is gone",
        "550 SRS0=x=y=example.org=ben@example.test is gone",
        "550 mailto:ben=40example.org is gone",
        "550 ben＠example.org is gone",
        "550 [ben@example.org] is gone\x07\u202e\u2028",
    ],
)
def test_the_server_s_words_hold_no_address(said: str) -> None:
    found = bounce(report(recipient("failed", "5.0.0", f"smtp; {said}")))
    assert found is not None
    assert not any(part in found.words for part in ("ben", "@", "＠", "example"))
    assert "is gone" in found.words
    assert found.words.isprintable()


def test_the_server_s_words_are_short() -> None:
    for said in ("x" * 5000, "x " * 5000, "é" * 300):
        found = bounce(report(recipient("failed", "5.0.0", f"smtp; {said}")))
        assert found is not None
        assert len(found.words) <= 200


def test_at_most_twenty_letters() -> None:
    ids = "".join(f"Message-ID: <{n}@example.org>\n" for n in range(100))
    found = bounce(report(UNKNOWN, letter=ids))
    assert found is not None
    assert found.letters == tuple(f"<{n}@example.org>" for n in range(20))


@pytest.mark.many
@pytest.mark.parametrize(
    "line",
    some_of(
        [
            "Message-ID: <",
            "Message-ID: <" + "a" * 200,
            "> " * 40,
            "550 ",
            "<a" * 40,
            "Action: failed",
            "Action: failed\n",
            "a" * 100 + "@",
            " " * 80,
            "Diagnostic-Code: smtp; " + "ben@" * 20,
            "<br" * 20,
        ],
        3,
    ),
)
def test_a_hostile_report_takes_no_time(line: str) -> None:
    def plain(lines: str, more: str = "") -> str:
        return f"From: MAILER-DAEMON@example.org\nSubject: {'fail ' * (len(lines) // 25)}\n{more}\n{lines}"

    mails: list[Callable[[str], str]] = [
        report,
        lambda lines: report(UNKNOWN, told=lines),
        lambda lines: report(UNKNOWN, letter=lines),
        plain,
        lambda lines: plain(lines.replace("\n", " ")),
        lambda lines: plain(lines, "Content-Type: text/html\n"),
    ]

    def read_one(mail: Callable[[str], str], characters: int) -> None:
        bounce(mail(f"{line}\n" * (characters // (len(line) + 1))).encode())

    for mail in mails:
        assert_in_proportion(partial(read_one, mail), DEFAULT_LIMITS.text_bytes)
