"""Classification of a server's refusal, in an SMTP session and in a report."""

from takmail.mail.smtp_refusal import classify
from tests.support.tables import each_row


@each_row(
    ("words", "status", "reason", "of_reader"),
    [
        ("550 5.1.1 User unknown", "5.1.1", "5.1.1, unknown address", True),
        ("550 5.1.1 User unknown in relay recipient table", "", "5.1.1, unknown address", True),
        ("550 unknown user", "", "550, unknown address", True),
        ("550 no mailbox here by that name", "5.0.0", "5.0.0, unknown address", True),
        ("552 5.2.2 over quota", "", "5.2.2, mailbox full", True),
        ("550 5.2.1 disabled", "", "5.2.1, unknown address", True),
        ("Host or domain name not found", "5.4.4", "5.4.4, no such host", True),
        ("too long in the queue", "5.4.7", "5.4.7, timed out", True),
        ("because", "5.0.0", "5.0.0, not delivered", True),
        ("550 5.7.1 unknown user", "5.0.0", "5.7.1, refused by policy", False),
        ("550 relay access denied", "", "550, refused by policy", False),
        ("550 blocked by zen.example.org, a dnsbl", "", "550, refused by policy", False),
        ("550 5.1.1 bad reputation", "", "5.1.1, refused by policy", False),
        ("550 5.1.8 Sender address rejected: Domain not found", "", "5.1.8, refused by policy", False),
        ("552 5.3.4 Message too big", "", "5.3.4, too large", False),
        ("555 5.5.4 Unsupported option", "", "5.5.4, not delivered", False),
    ],
)
def test_only_what_is_about_the_reader_is_the_reader_s(
    words: str, status: str, reason: str, of_reader: bool
) -> None:
    found = classify(words, status)
    assert (str(found), found.refuses_recipient) == (reason, of_reader)


def test_a_long_answer_takes_no_time() -> None:
    for piece in ("user ", "host ", "unknown ", "exceeds ", "5.1", "sender ", "no a "):
        classify(piece * 1_000_000)
