"""Simulate a player of the demo with a mail program. The player knows nothing of takmail except its letters."""

import asyncio
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from takmail.cli.demo.habits import Habit, marked
from takmail.runtime.net.imap import ImapAccount, Mailbox
from takmail.runtime.net.smtp import Sent, SmtpAccount, SmtpSender
from takmail.store.machine_time import TimeSource, utc_now

PATIENCE = 120.0
"""The number of seconds after which a player who waits for a letter reports an error. A letter takes less than one."""

LOOK_AGAIN = 1.0
"""The number of seconds after which a player looks for a letter that the server has not reported.

pymap never reports a mail that arrives after a search and before IDLE.
"""


class Stuck(Exception):  # noqa: N818  (the name says what happened)
    """The demo can't continue. The message is a sentence about what is missing."""


class Player:
    """A player who writes over SMTP and reads over IMAP, and whose mails answer and quote the newest letter.

    * `letters` are the received letters, except copies of earlier ones, which are in `doubles`
    * `received` and `written` are the bytes of all mails in each direction
    """

    def __init__(
        self,
        name: str,
        address: str,
        mailbox: ImapAccount,
        way_out: SmtpAccount,
        habit: Habit = marked,
        patience: float = PATIENCE,
        time_source: TimeSource = utc_now,
    ) -> None:
        self.name = name
        self.address = address
        self.letters: list[EmailMessage] = []
        self.doubles: list[EmailMessage] = []
        self.received: list[bytes] = []
        self.written: list[bytes] = []
        self._habit = habit
        self._patience = patience
        self._now = time_source
        self._mailbox = Mailbox(mailbox)
        self._sender = SmtpSender(way_out)
        self._seen = 0

    async def open(self) -> None:
        """Log in to the mailbox."""
        await self._mailbox.open()

    async def close(self) -> None:
        """Log out, and close the connections."""
        await self._mailbox.close()
        await self._sender.close()

    async def write(self, words: str, to: str, habit: Habit | None = None) -> None:
        """Answer the newest letter, or write a new mail to `to` if there is none. Raises Stuck if it is not sent."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{self.name} <{self.address}>"
        mail["Date"] = format_datetime(self._now())
        mail["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        if self.letters:
            letter = self.letters[-1]
            mail["To"] = letter["Reply-To"] or letter["From"]
            mail["Subject"] = f"Re: {letter['Subject']}"
            mail["In-Reply-To"] = letter["Message-ID"]
            mail["References"] = " ".join([*str(letter["References"] or "").split(), letter["Message-ID"]])
            words = (habit or self._habit)(words, letter)
        else:
            mail["To"] = to
            mail["Subject"] = "A game?"
        mail.set_content(words, cte="quoted-printable")
        await self._send(mail)

    async def _send(self, mail: EmailMessage) -> None:
        raw, to = mail.as_bytes(), mail["To"].addresses[0].addr_spec
        result = await self._sender.send(raw, self.address, to)
        if not isinstance(result, Sent):
            raise Stuck(f"{self.name}'s mail was not sent: {result.reason}")
        self.written.append(raw)

    async def read(self, count: int = 1) -> list[EmailMessage]:
        """Wait for `count` new letters, and return them. Raises Stuck if they don't arrive in time."""
        before = len(self.letters)
        try:
            async with asyncio.timeout(self._patience):
                while len(self.letters) < before + count:
                    if not await self.look():
                        await self._mailbox.wait(LOOK_AGAIN)
        except TimeoutError:
            raise Stuck(f"{self.name} got no letter within {self._patience:.0f} seconds") from None
        return self.letters[before:]

    async def look(self) -> int:
        """Fetch new mails, and return their number, including doubles."""
        mails = await self._mailbox.fetch(await self._mailbox.new_uids(self._seen))
        had = {letter["Message-ID"] for letter in self.letters}
        for mail in mails:
            letter = message_from_bytes(mail.raw, policy=policy.default)
            assert isinstance(letter, EmailMessage)
            (self.doubles if letter["Message-ID"] in had else self.letters).append(letter)
            had.add(letter["Message-ID"])
            self.received.append(mail.raw)
            self._seen = mail.uid
        return len(mails)
