"""Two takmails that were made to write to each other stop by themselves."""

from email.message import EmailMessage
from pathlib import Path

import aiosmtplib
import pytest

from takmail.config import ImapSettings, ServiceSettings, Settings, SmtpSettings, StoreSettings
from takmail.runtime.bootstrap import App
from tests.support.databases import url_in
from tests.support.mail_system import MailSystem
from tests.support.network import bury, one_round
from tests.support.width import some_of

HERE = "tak@example.org"
THERE = "tak@example.test"


def takmail(system: MailSystem, folder: Path, address: str) -> App:
    """Return a separate takmail at `address`."""
    home = folder / address
    home.mkdir()
    login = {"host": system.host, "user": address, "password": "secret", "tls": "none"}
    settings = Settings(
        service=ServiceSettings(address=address, key_file=home / "takmail.key"),
        imap=ImapSettings(port=system.imap_port, first_start="all", **login),  # type: ignore[arg-type]
        smtp=SmtpSettings(port=system.smtp_port, **login),  # type: ignore[arg-type]
        store=StoreSettings(url=url_in(home)),
    )
    return App(settings)


async def hand_in(system: MailSystem, text: str, **headers: str) -> None:
    """Deliver a forged mail from the address of one takmail to the other takmail."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = HERE, THERE, "Shall we?"
    mail["Message-ID"] = "<by-hand@mail.example.org>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    await aiosmtplib.send(
        mail,
        hostname=system.host,
        port=system.smtp_port,
        username=HERE,
        password="secret",
        start_tls=False,
    )


@pytest.mark.parametrize(
    "text",
    some_of(
        [
            "hello",
            "help",
            "rules\nps b4",
            f"new 5 vs {HERE}",
            f"new 5 vs {THERE}",
            "new 5 vs ben@example.org",
        ],
        2,
    ),
)
async def test_each_writes_one_letter_at_most(tmp_path: Path, text: str) -> None:
    passwords = dict.fromkeys((HERE, THERE, "ben@example.org"), "secret")
    async with MailSystem(passwords) as system:
        apps = [takmail(system, tmp_path, address) for address in (HERE, THERE)]
        await hand_in(system, text)
        for _ in range(3):
            for app in apps:
                await one_round(app)
        got = {address: await system.mails(address, "Processed") for address in (HERE, THERE)}
        assert len(got[THERE]) == 1  # what was written by hand, and nothing of the other takmail's
        assert len(got[HERE]) == 1
        assert b"X-Takmail: 1" in got[HERE][0]
        for app in apps:
            await bury(app)
