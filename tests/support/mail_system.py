"""The mail system of the demo, whose folders and errors tests look at and cause."""

import asyncio
from collections import defaultdict
from datetime import datetime

from aiosmtpd.smtp import SMTP, Envelope, Session
from pymap.parsing.specials import FetchRequirement

from takmail.cli.demo import mailsystem


class MailSystem(mailsystem.MailSystem):
    """The same, with the mails that it has, and with answers that refuse letters."""

    def __init__(self, users: dict[str, str]) -> None:
        super().__init__(users)
        self._errors: list[str] = []
        self._arrived: defaultdict[str, asyncio.Queue[bytes]] = defaultdict(asyncio.Queue)

    def answer_next(self, answer: str, letters: int = 1) -> None:
        """Answer the next letters with an error such as "451 4.3.0 later", and drop them."""
        self._errors += [answer] * letters

    async def deliver(
        self, address: str, raw: bytes, mail_from: str = "", received: datetime | None = None
    ) -> bytes:
        """Put a mail into the inbox of `address`, as the demo does, and note that it has arrived."""
        stored = await super().deliver(address, raw, mail_from, received)
        self._arrived[self._user(address).identity.name].put_nowait(stored)
        return stored

    async def mails(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """Return all mails in a folder of `address`, oldest first. A missing folder has no mails."""
        async with self._folders(self._user(address)) as folders:
            try:
                mailbox = await folders.get_mailbox(folder)
            except KeyError:
                return []
            messages = [message async for message in mailbox.messages()]
            return [bytes(await message.load_content(FetchRequirement.CONTENT)) for message in messages]

    async def next_mail(self, address: str, timeout: float = 5) -> bytes:  # noqa: ASYNC109  (a wait with a limit)
        """Return the oldest mail to `address` that this method has not returned yet. Wait for one if there is none.

        Raises TimeoutError after `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._arrived[self._user(address).identity.name].get()
        except TimeoutError:
            raise TimeoutError(f"No mail came for {address} within {timeout:g} s.") from None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer a letter with the error that is due, or take it."""
        if self._errors:
            return self._errors.pop(0)
        return await super().handle_DATA(server, session, envelope)
