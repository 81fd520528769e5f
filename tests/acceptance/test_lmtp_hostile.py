"""Hostile mails delivered by LMTP end in the same states as hostile mails read by IMAP."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

from takmail.runtime.bootstrap import App
from takmail.runtime.net.imap import FetchedMail
from takmail.store.machine_time import utc_now
from takmail.world.kinds import MailState
from tests.support import corpus
from tests.support.by_lmtp import KEPT, place, rows, serving
from tests.support.cost import PATIENCE
from tests.support.lmtp import SOMEONE, connected
from tests.support.network import TAK, bury, live, logged
from tests.support.width import IS_WIDE


def hostile() -> list[bytes]:
    """Return hostile mails."""
    head = b"From: Ada <ada@example.org>\r\nMessage-ID: <1@mail.example.org>\r\n"
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(500)
    )
    parts = b"--b\r\n\r\nhelp\r\n" * 10_000
    mixed = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    text = b"Content-Type: text/plain; charset=%b\r\n\r\nhelp\r\n"
    return [
        b"",
        b"\r\n",
        b" help\r\n",
        b"help",
        b"\0\xff\r\n\r\n\0",
        head + nested + b"\r\nhelp\r\n",
        head + mixed + parts + b"--b--\r\n",
        head + mixed + b"help\r\n",
        head + b"Content-Type: message/rfc822\r\n\r\n" * 300 + b"\r\nhelp\r\n",
        head + b"\r\n" + b"x" * 5_000_000,
        head + b"X: " + b"y" * 300_000 + b"\r\n\r\nhelp\r\n",
        head + b"\r\nhelp\rhelp\nhelp\r\r\n",
        *(
            head + text % name
            for name in (b"rot13", b"idna", b"undefined", b"no-such", b'"', b"utf-16", b"\xff")
        ),
        head + b"Content-Transfer-Encoding: base64\r\n\r\n!!!!=\r\n",
        b"From: " + b"(" * 3_000 + b"\r\n\r\nhelp\r\n",
        b"From: ada@example.org, ben@example.org\r\n\r\nhelp\r\n",
        b"From: Friends: ada@example.org;\r\n\r\nhelp\r\n",
        "From: \u0410da <\u0430da@example.org>\r\n\r\nhelp\r\n".encode(),
        b"Subject: =?utf-8?b?####?=\r\nDate: 99 Foo 99999\r\nFrom: ada@example.org\r\n\r\nhelp\r\n",
    ]


def told(app: App) -> list[tuple[object, ...]]:
    """Return the stored data of each mail, with its final state and the reason, which could be a traceback."""
    return [(row.state, row.note, row.sender, row.fingerprint, row.raw.rstrip(b"\r\n")) for row in rows(app)]


async def test_the_worst_of_mails_end_as_they_do_by_imap(tmp_path: Path) -> None:
    mails = [*hostile(), *(corpus.raw(name) for name in corpus.NAMES[:: 6 if IS_WIDE else 24])]
    # A mail that is delivered by LMTP always ends with a line end.
    mails = [one if one.endswith(b"\r\n") else one + b"\r\n" for one in mails]
    (tmp_path / "imap").mkdir()
    (tmp_path / "lmtp").mkdir()
    async with live(tmp_path / "imap") as game:
        app = game.app(first_start="all")
        head = f"Return-Path: <{SOMEONE}>\r\nDelivered-To: {TAK}\r\n".encode()
        mailbox = SimpleNamespace(account=app.mailbox.account, uid_validity=1)
        for uid, raw in enumerate(mails, 1):
            fetched = FetchedMail(uid, len(head + raw), head + raw, utc_now())
            app.poller.keep(mailbox, [fetched])  # type: ignore[arg-type]
        app.mail_worker.work()
        by_imap = told(app)
        await bury(app)
    async with live(tmp_path / "lmtp") as game, serving(game) as app, connected(place(game)) as client:
        for number, raw in enumerate(mails, 1):
            # Each mail has to end before the next one comes: the order decides which one is over a limit.
            with logged(f"mail {number}: ") as ended:
                assert await client.sent(raw) == [KEPT.format(number)]
                if rows(app)[-1].state != MailState.DUPLICATE:
                    async with asyncio.timeout(PATIENCE):
                        await ended.wait()
        by_lmtp = told(app)
    assert {state for state, *_ in by_imap} >= {"answered", "duplicate", "machine", "rejected"}
    assert "shunted" not in {state for state, *_ in by_lmtp}
    assert by_lmtp == by_imap
