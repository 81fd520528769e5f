"""A player of the demo: a person with a mail program, who knows nothing of takmail but its letters."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from takmail.mail.imap import ImapAccount, Mailbox
from takmail.mail.smtp import Sender, Sent, SmtpAccount

PATIENCE = 10.0
"""Seconds that a player waits for a letter before something must be wrong."""


class Player:
    """Writes over SMTP and reads over IMAP; answers the newest letter and quotes it, as people do."""

    def __init__(self, name: str, address: str, password: str, imap_port: int, smtp_port: int) -> None:
        self.name = name
        self.address = address
        self.letters: list[EmailMessage] = []
        self.written: list[bytes] = []
        self._mailbox = Mailbox(
            ImapAccount("127.0.0.1", imap_port, address, password, tls="none", processed="Read")
        )
        self._sender = Sender(SmtpAccount("127.0.0.1", smtp_port, address, password, tls="none"))
        self._seen = 0

    async def open(self) -> None:
        """Log in."""
        await self._mailbox.open()

    async def close(self) -> None:
        """Log out."""
        await self._mailbox.close()
        await self._sender.close()

    async def write(self, words: str, to: str) -> None:
        """Write a new mail, or answer the newest letter if there is one."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{self.name} <{self.address}>"
        mail["Date"] = format_datetime(datetime.now(UTC))
        mail["Message-ID"] = make_msgid(domain="example.org")
        text = words
        if self.letters:
            letter = self.letters[-1]
            mail["To"] = letter["Reply-To"] or letter["From"]
            mail["Subject"] = f"Re: {letter['Subject']}"
            mail["In-Reply-To"] = letter["Message-ID"]
            mail["References"] = " ".join([*str(letter["References"] or "").split(), letter["Message-ID"]])
            text = f"{words}\n\n{quoted(letter)}"
        else:
            mail["To"] = to
            mail["Subject"] = "A game?"
        mail.set_content(text, cte="quoted-printable")
        raw = mail.as_bytes()
        result = await self._sender.send(raw, self.address, _bare(str(mail["To"])))
        if not isinstance(result, Sent):
            raise RuntimeError(f"the mail of {self.name} did not leave: {result}")
        self.written.append(raw)

    async def read(self, count: int = 1) -> list[EmailMessage]:
        """Wait for so many new letters; raises TimeoutError if they don't come."""
        new: list[EmailMessage] = []
        while len(new) < count:
            uids = await self._mailbox.new_uids(self._seen)
            if not uids and not await self._mailbox.wait(PATIENCE):
                raise TimeoutError(f"{self.name} has waited {PATIENCE:.0f} seconds for a letter")
            for mail in await self._mailbox.fetch(uids):
                letter = message_from_bytes(mail.raw, policy=policy.default)
                assert isinstance(letter, EmailMessage)
                new.append(letter)
                self._seen = mail.uid
        self.letters += new
        return new


def quoted(letter: EmailMessage) -> str:
    """A letter as a mail program puts it below an answer."""
    lines = str(letter.get_content()).splitlines()
    return "\n".join([f"On {letter['Date']}, {letter['From']} wrote:", *(f"> {line}" for line in lines)])


def _bare(address: str) -> str:
    return address.rpartition("<")[2].rstrip(">")
