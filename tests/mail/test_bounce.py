"""Delivery reports are bounces, permanent or temporary. Other mails are no bounces."""

import base64

import pytest

from takmail.mail.message import Bounce
from tests.mail.reports import ID, LETTER, OLDER, UNKNOWN, bounce, recipient, report


def test_postfix() -> None:
    assert bounce(report(UNKNOWN)) == Bounce((ID,), True, "5.1.1, unknown address", "550 5.1.1: User unknown")


def test_sendmail() -> None:
    blocks = (
        "Original-Recipient: rfc822;ben@example.org\nFinal-Recipient: RFC822; ben@example.org\n"
        "Action: failed\nStatus: 5.1.1\nRemote-MTA: DNS; mx.example.org\n"
        "Diagnostic-Code: SMTP; 550 5.1.1 <ben@example.org>... User unknown\n"
        "Last-Attempt-Date: Mon, 1 Jun 2026 10:00:00 GMT"
    )
    told = "   ----- The following addresses had permanent fatal errors -----\n<ben@example.org>"
    found = bounce(report(blocks, told=told, returned="message/rfc822", letter=LETTER + "\nps b4\n"))
    assert found == Bounce((ID,), True, "5.1.1, unknown address", "550 5.1.1... User unknown")


def test_exchange_and_outlook_com() -> None:
    blocks = (
        "Final-Recipient: rfc822;ben@example.org\nAction: failed\nStatus: 5.1.10\n"
        "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ben@example.org not found\n"
        "X-Display-Name: Ben"
    )
    sender = "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org>"
    found = bounce(report(blocks, sender=sender, returned="message/rfc822"))
    assert found == Bounce(
        (ID,),
        True,
        "5.1.10, unknown address",
        "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
    )


def test_gmail_names_the_letter_beside_the_recipients() -> None:
    blocks = recipient(
        "failed", "4.4.1", "smtp; The recipient server did not accept our requests to connect."
    )
    about = f"Reporting-MTA: dns; mx.example.org\nX-Original-Message-ID: {ID}"
    found = bounce(report(blocks, about=about, letter="Subject: [tak #12] Your turn\n"))
    assert found == Bounce(
        (ID,), False, "4.4.1, not delivered", "The recipient server did not accept our requests to connect."
    )


def test_an_id_with_an_encoded_word_in_it_is_no_letter_s() -> None:
    about = f"Reporting-MTA: dns; mx.example.org\nX-Original-Message-ID: <=?utf-8?q?{ID[1:-1]}?=>"
    blocks = recipient("failed", "5.1.1", "smtp; 550 unknown")
    assert bounce(report(blocks, about=about, letter="Subject: [tak #12] Your turn\n")) is None


def test_gmx() -> None:
    told = (
        "This message was created automatically by mail delivery software.\n\n"
        "A message that you sent could not be delivered to one or more of its recipients.\n"
        "The following addresses failed:\n\nben@example.org:\n"
        "SMTP error from remote server for RCPT TO command, host: mx.example.org (192.0.2.1) "
        "reason: 550 5.7.1 <ben@example.org>: mailbox is disabled\n\n"
        f"--- The header of the original message is following. ---\n\n{LETTER}"
    )
    mail = f"From: GMX Mailer Daemon <mailer-daemon@example.org>\nSubject: Mail delivery failed\n\n{told}"
    assert bounce(mail) == Bounce(
        (ID,),
        False,
        "5.7.1, refused by policy",
        "SMTP error from remote server for RCPT TO command, host: mx.example.org (192.0.2.1) "
        "reason: 550 5.7.1: mailbox is disabled",
    )


def test_exim() -> None:
    mail = f"""From: Mail Delivery System <Mailer-Daemon@mx.example.org>
X-Failed-Recipients: ben@example.org
Subject: Mail delivery failed: returning message to sender

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ben@example.org
    Unrouteable address

------ This is a copy of the message, including all the headers. ------

Return-path: <tak@example.org>
{LETTER}
ps b4
"""
    assert bounce(mail) == Bounce((ID,), True, "unknown address", "Unrouteable address")


def test_qmail() -> None:
    mail = f"""From: MAILER-DAEMON@mx.example.org
To: tak@example.org
Subject: failure notice

Hi. This is the qmail-send program at mx.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ben@example.org>:
192.0.2.1 does not like recipient.
Remote host said: 550 no mailbox here by that name

--- Below this line is a copy of the message.

Return-Path: <tak@example.org>
{LETTER}
ps b4
"""
    assert bounce(mail) == Bounce(
        (ID,), True, "550, unknown address", "Remote host said: 550 no mailbox here by that name"
    )


def test_the_words_of_a_plain_report_stand_above_the_copy() -> None:
    mail = (
        "From: MAILER-DAEMON@mx.example.org\nSubject: failure notice\n\nHi. This is the qmail-send program.\n\n"
        "<ben@example.org>:\nno mailbox here by that name\n\n--- Below this line is a copy of the message.\n\n"
        f"Reply-To: Tak by Mail (relay) <tak@example.org>\n{LETTER}"
    )
    assert bounce(mail) == Bounce((ID,), True, "unknown address", "no mailbox here by that name")


def test_exchange_of_old_in_html() -> None:
    told = f"<p>Could not reach Ben: <b>550</b> unknown</p><div><b>Message-ID:</b> <i>&lt;{ID[1:-1]}&gt;</i></div>"
    mail = f"From: postmaster@example.org\nSubject: Undeliverable: tak\nContent-Type: text/html\n\n{told}"
    assert bounce(mail) == Bounce((ID,), True, "550, not delivered", "Could not reach Ben: 550 unknown")


def test_plain_words_in_base64_with_the_id_on_a_line_of_its_own() -> None:
    told = base64.b64encode(f"> no such user\n> Message-Id:\n>  {ID}\n".encode()).decode()
    mail = f"From: Ada <ada@example.org>\nSubject: Mail delivery failed\nContent-Transfer-Encoding: base64\n\n{told}"
    assert bounce(mail) == Bounce((ID,), True, "unknown address", "> no such user")


def test_utf_8() -> None:
    blocks = (
        "Final-Recipient: utf-8; bén@éxample.org\nAction: failed\nStatus: 5.1.1\n"
        "Diagnostic-Code: smtp; 550 5.1.1 <bén@éxample.org>: bén+40éxample.org empfängt nichts"
    )
    found = bounce(report(blocks, status="message/global-delivery-status", returned="message/global-headers"))
    assert found == Bounce((ID,), True, "5.1.1, unknown address", "550 5.1.1: empfängt nichts")


def test_eight_bits_without_a_charset() -> None:
    mail = report(recipient("failed", "5.1.1", "smtp; 550 unbekannter Empfänger")).replace("\n", "\r\n")
    assert bounce(mail.encode("latin-1")) == Bounce(
        (ID,), True, "5.1.1, unknown address", "550 unbekannter Empfänger"
    )


def test_status_blocks_in_base64() -> None:
    blocks = base64.b64encode(f"Reporting-MTA: dns; a\n\n{UNKNOWN}\n".encode()).decode()
    kind = "message/delivery-status\nContent-Transfer-Encoding: base64"
    found = bounce(report("", status=kind, about=blocks))
    assert found == Bounce((ID,), True, "5.1.1, unknown address", "550 5.1.1: User unknown")


def test_two_recipients() -> None:
    full = recipient("failed", "4.2.2", "smtp; 452 4.2.2 Mailbox full", "ada@example.org")
    there = recipient("relayed", "2.0.0", who="ada@example.org")
    assert bounce(report(f"{full}\n\n{UNKNOWN}")) == Bounce(
        (ID,), True, "5.1.1, unknown address", "550 5.1.1: User unknown"
    )
    assert bounce(report(f"{there}\n\n{UNKNOWN}")) == Bounce(
        (ID,), True, "5.1.1, unknown address", "550 5.1.1: User unknown"
    )
    assert bounce(report(f"{there}\n\n{full}")) == Bounce(
        (ID,), False, "4.2.2, mailbox full", "452 4.2.2 Mailbox full"
    )


@pytest.mark.parametrize(
    ("block", "permanent"),
    [
        ("Action: failed\nStatus: 5.0.0", True),
        ("Action: Failed (for good)\nStatus: 5.2.2 (mailbox full)", True),
        ("Action: failed\nStatus: 4.4.7", False),
        ("Action: failed", True),
        ("Action: failed\nDiagnostic-Code: smtp; 451 later", False),
        ("Action: error\nStatus: 5.1.1", True),
        ("Status: 5.1.1", True),
    ],
)
def test_for_good_is_what_its_status_says(block: str, permanent: bool) -> None:
    found = bounce(report(f"Final-Recipient: rfc822; ben@example.org\n{block}"))
    assert found is not None
    assert found.permanent is permanent


@pytest.mark.parametrize(
    "block",
    [
        recipient("delayed", "4.4.1", "smtp; 451 4.4.1 no answer"),
        recipient("delivered", "2.0.0"),
        recipient("relayed", "2.0.0"),
        recipient("expanded", "2.0.0"),
        "Final-Recipient: rfc822; ben@example.org\nStatus: 4.4.1",
    ],
)
def test_delayed_or_delivered_is_no_bounce(block: str) -> None:
    assert bounce(report(block)) is None


def test_a_read_receipt_is_no_bounce() -> None:
    mail = report(UNKNOWN, status="message/disposition-notification")
    assert bounce(mail) is None
    assert bounce(mail.replace("type=delivery-status", "type=disposition-notification")) is None


def test_a_complaint_about_spam_is_no_bounce() -> None:
    mail = report("Feedback-Type: abuse", status="message/feedback-report", sender="postmaster@example.org")
    assert bounce(mail) is None
    assert bounce(mail.replace("delivery-status", "feedback-report")) is None


def test_plain_words_about_success_are_no_bounce() -> None:
    mail = f"From: MAILER-DAEMON@example.org\nSubject: Successfully delivered\n\nDone.\n\n{LETTER}"
    assert bounce(mail) is None
    assert bounce(mail.replace("Successfully delivered", "Your mail"))


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("Warning: could not send message for past 4 hours", "The mail waits."),
        ("Mail delivery failed", "It will be retried until Sunday."),
        ("Mail delivery failed", "Your message is delayed."),
        ("Mail delivery failed", "The server is still trying."),
    ],
)
def test_words_about_a_delay_are_no_failure_for_good(subject: str, said: str) -> None:
    mail = f"From: MAILER-DAEMON@example.org\nSubject: {subject}\n\n{said}\n\n{LETTER}\nA warning in the letter.\n"
    assert bounce(mail) == Bounce((ID,), False, "not delivered", said)
    sure = bounce(mail.replace(subject, "Mail delivery failed").replace(said, "No."))
    assert sure == Bounce((ID,), True, "not delivered", "No.")


def test_what_was_cut_off_in_the_middle_is_read_as_far_as_it_goes() -> None:
    whole = (
        report(UNKNOWN, told=f"It could not be delivered.\nMessage-ID: {ID}").replace("\n", "\r\n").encode()
    )
    for end in range(len(whole)):
        found = bounce(whole[:end])
        assert found is None or found.letters == (ID,)
    found = bounce(whole[: whole.index(b"Status: 5")])
    assert found is not None
    assert bounce(whole[: whole.index(b"Action: failed")]) == Bounce(
        (ID,), True, "not delivered", "It could not be delivered."
    )


def test_a_report_without_the_letter_is_about_what_it_answers() -> None:
    mail = report(UNKNOWN, letter="")
    assert bounce(mail) is None
    assert bounce(f"In-Reply-To: {ID}\n{mail}") == Bounce(
        (ID,), True, "5.1.1, unknown address", "550 5.1.1: User unknown"
    )


def test_the_letter_s_references_are_older_letters() -> None:
    assert bounce(report(UNKNOWN, letter=f"References: {OLDER}\nIn-Reply-To: {OLDER}\n")) is None


def test_other_mails_are_no_bounces() -> None:
    for subject in ("Re: [tak #12] Your turn", "Automatic reply: Undelivered", "Out of office", ""):
        mail = f"From: Ben <ben@example.org>\nSubject: {subject}\nIn-Reply-To: {ID}\n\nps b4\n\nMessage-ID: {ID}\n"
        assert bounce(mail) is None
    assert bounce("") is None
    assert bounce(f"From: MAILER-DAEMON@example.org\nSubject: hello\n\n{ID}\n") is None


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (
            "5.1.90",
            "550 5.1.90 Your message can't be sent because you've reached your daily limit for recipients",
        ),
        ("5.1.90", "550 see https://provider.example/limits"),
        ("5.4.5", "550 5.4.5 Daily user sending limit exceeded."),
        ("5.2.0", "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException"),
        ("5.0.0", "550 Domain example.org has exceeded the max emails per hour (25/25 (100%)) allowed."),
    ],
)
def test_a_limit_on_our_sending_is_not_the_recipient_s(status: str, words: str) -> None:
    found = bounce(report(recipient("failed", status, f"smtp; {words}")))
    assert found is not None
    assert (found.permanent, found.is_limit) == (False, True)
    assert found.reason.endswith("a limit on sending")


@pytest.mark.parametrize(
    "words",
    ["552 5.2.2 Mailbox quota exceeded", "550 5.2.121 Recipient's per-hour message receive limit exceeded"],
)
def test_a_limit_of_the_recipient_is_theirs(words: str) -> None:
    found = bounce(report(recipient("failed", words.split()[1], f"smtp; {words}")))
    assert found is not None
    assert (found.permanent, found.is_limit) == (True, False)
