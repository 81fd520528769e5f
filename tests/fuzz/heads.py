"""Headers of mails from people, from machines, and from nobody."""

from tests.fuzz.lines import OTHER
from tests.support.players import ADA, BEN, TAK

FROM = {
    BEN: (
        f"Ben <{BEN}>",
        BEN,
        f'"Ben" <{BEN.upper()}>',
        f"=?utf-8?q?Ben?=\r\n <{BEN}>",
        f"<{BEN}>",
        f"{BEN} (Ben)",
    ),
    ADA: (f"Ada <{ADA}>", f"=?utf-8?b?QWRh?= <{ADA}>", ADA),
    OTHER: (f"Other <{OTHER}>", f'"{BEN}" <{OTHER}>', f"Ben <{OTHER}>"),
    "": (
        "",
        f"{BEN}, {ADA}",
        "Ben",
        "Ben <>",
        "undisclosed:;",
        f"Ben <{BEN}",
        "<<>>",
        "(((",
        "=?utf-8?b?Ø?=",
        '"',
    ),
}
"""Forms of the From header by the address of the writer; '' if the header names no writer."""

MACHINE = (
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (rejected)",
    "Return-Path: <>",
    "Precedence: bulk",
    "Precedence: auto_reply",
    "List-Id: <tak.example.org>",
    "List-Unsubscribe: <mailto:a@example.org>",
    "X-Autoreply: yes",
    "X-Autorespond: yes",
    "X-Takmail: 1",
    "X-Failed-Recipients: tak@example.test",
    "X-Post-MessageClass: 9; Autoresponder",
    "Preference: auto-reply",
    "X-Spamarrest-Noauth: 1",
)
"""Headers that only machines write."""
MACHINE_SUBJECTS = ("Automatic reply: tak", "Abwesenheitsnotiz", "Out of Office: Re: tak", "自動返信")
MACHINE_SENDERS = (TAK, "MAILER-DAEMON@example.org", "postmaster@example.org", "no-reply@example.org")

HEADERS = (
    *(
        "Date: Sat, 21 Nov 2026 12:00:00 +0000",
        "Date: yesterday",
        "MIME-Version: 1.0",
        "Reply-To: other@example.org",
    ),
    *(
        "Cc: Ada <ada@example.org>",
        "Sender: other@example.org",
        "Received: from a by b",
        "X-Loop: a",
        "To:",
        "From:",
    ),
    *(
        "DKIM-Signature: v=1;\r\n a=b;\r\n\tc=d",
        "Subject: =?utf-8?q?ps_b4?=",
        "Subject: =?x?q?=ff?=",
        ": x",
        "x",
        " y",
    ),
    *(
        "Content-Type: text/plain",
        "Content-Type: multipart/mixed",
        "Content-Type: text/html; charset",
        "Content-Type:",
    ),
    *(
        "Authentication-Results: example.test; dkim=pass",
        "Importance: high",
        "X-Mailer: Mail",
        "Subject: ps b4",
    ),
    *(
        "Subject: [tak #1] x",
        "Subject: [tak #2] x",
        "Message-ID: <a@b>",
        "Message-ID: x",
        "In-Reply-To: nobody's",
    ),
)
