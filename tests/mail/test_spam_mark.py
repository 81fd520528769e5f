"""The marks of spam filters, and whose they are."""

import pytest

from takmail.mail.reader import read
from tests.support.tables import each_row

OURS = frozenset({"tak@example.org"})
RECEIVED = "Received: from mail.example.net by mx.example.org; Sat, 21 Nov 2026 12:00:00 +0000\n"
SENT = "Received: from laptop by mail.example.net; Sat, 21 Nov 2026 11:59:00 +0000\n"
RESULTS = "Authentication-Results: mx.example.org; dmarc=none\n"
MARK = "X-Spam-Flag: YES\n"
REST = "From: ada@example.net\nTo: tak@example.org\nSubject: Tak\n"


def is_spam(head: str, authserv_id: str | None = None) -> bool:
    return read(f"{head}\nhelp\n".encode(), OURS, authserv_id=authserv_id).is_spam


@each_row(
    ("header", "marked"),
    [
        ("X-Spam-Flag: YES", True),
        ("X-Spam-Flag: yes", True),
        ("X-Spam-Flag: NO", False),
        ("X-Spam-Status: Yes, score=7.1 required=5.0 tests=BAYES_99", True),
        ("X-Spam-Status: No, score=1.2 required=5.0\n tests=YES", False),
        ("X-Spam-Level: *****", False),
        ("X-Spam: Yes", True),
        ("X-Spam: yesterday", False),
        ("X-MS-Exchange-Organization-SCL: 5", True),
        ("X-MS-Exchange-Organization-SCL: 9", True),
        ("X-MS-Exchange-Organization-SCL: 4", False),
        ("X-MS-Exchange-Organization-SCL: -1", False),
        ("X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:US;LANG:en;SCL:5;SRV:;\n IPV:NLI;SFV:SPM", True),
        ("X-Forefront-Antispam-Report: SCL:9", True),
        ("X-Forefront-Antispam-Report: CIP:192.0.2.1;SCL:1;SRV:", False),
        ("X-Forefront-Antispam-Report: CIP:192.0.2.1;XSCL:7;", False),
        ("Subject: X-Spam-Flag: YES", False),
    ],
)
def test_a_mark_is_read(header: str, marked: bool) -> None:
    assert is_spam(f"{header}\n{REST}") is marked
    assert is_spam(f"{RECEIVED}{REST}{header}\n", "mx.example.org") is marked


@pytest.mark.parametrize(
    ("head", "marked"),
    [
        (MARK + RECEIVED + SENT + REST, True),
        (RECEIVED + SENT + REST + MARK, True),
        (MARK + RESULTS + RECEIVED + REST, True),
        (RECEIVED + MARK + RESULTS + RECEIVED + SENT + REST, True),
        (RESULTS + RECEIVED + MARK + SENT + REST, False),
        (RECEIVED + RECEIVED + MARK + SENT + REST, False),
    ],
)
def test_what_the_sender_s_provider_has_marked_does_not_count(head: str, marked: bool) -> None:
    assert is_spam(head, "mx.example.org") is marked


def test_results_of_another_server_lend_no_mark_their_place() -> None:
    assert not is_spam(RECEIVED + MARK + RESULTS + SENT + REST, "mx.example.com")
    assert not is_spam(RECEIVED + MARK + RESULTS + SENT + REST)
