"""Delivery reports for tests, about a bounced letter to Ben."""

from takmail.mail.bounce import parse_bounce
from takmail.mail.headers import split_head
from takmail.mail.message import Bounce
from takmail.mail.mime import leaf_parts

ID = "<12.abcdefghij234567.4.q0123456789abcdef@example.org>"
OLDER = "<12.abcdefghij234567.3.fedcba9876543210@example.org>"
LETTER = f"""From: Tak <tak@example.org>
To: Ben <ben@example.org>
Subject: [tak #12] Your turn
In-Reply-To: {OLDER}
References: {OLDER}
Message-ID: {ID}
X-Takmail: 1
"""


def bounce(mail: str | bytes) -> Bounce | None:
    raw = mail if isinstance(mail, bytes) else mail.replace("\n", "\r\n").encode()
    headers, body = split_head(raw)
    return parse_bounce(headers, leaf_parts(headers, body))


def report(
    recipients: str,
    *,
    status: str = "message/delivery-status",
    returned: str = "text/rfc822-headers",
    letter: str = LETTER,
    sender: str = "Mail Delivery System <MAILER-DAEMON@mx.example.org>",
    told: str = "I'm sorry to have to inform you that your message could not be delivered.",
    about: str = "Reporting-MTA: dns; mx.example.org",
) -> str:
    return f"""From: {sender}
To: tak@example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="q/1"

This is a MIME-encapsulated message.

--q/1
Content-Type: text/plain; charset=us-ascii

{told}

--q/1
Content-Type: {status}

{about}

{recipients}

--q/1
Content-Type: {returned}

{letter}
--q/1--
"""


def recipient(action: str, status: str, diagnostic: str = "", who: str = "ben@example.org") -> str:
    code = f"\nDiagnostic-Code: {diagnostic}" if diagnostic else ""
    return f"Final-Recipient: rfc822; {who}\nAction: {action}\nStatus: {status}{code}"


UNKNOWN = recipient("failed", "5.1.1", "smtp; 550 5.1.1 <ben@example.org>: User unknown")
