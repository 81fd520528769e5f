"""Receive mails by LMTP and store them in the inbox. The client gets its reply once the mail is on disk."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from takmail.letters.services import Services
from takmail.limits.mails import MAX_LMTP_MEMORY_BYTES
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.lmtp import LmtpHandler, MemoryBudget
from takmail.runtime.net.lmtp_socket import LmtpAddress, LmtpSocket
from takmail.runtime.outages import first_line
from takmail.store.database import UNAVAILABLE

log = logging.getLogger(__name__)


REFUSAL_SECONDS = 5.0
"""How long mails are refused after the database was unavailable, in seconds. An attempt would delay all other mails."""

_NO_ROOM = "451 4.7.1 Too much mail of strangers today; try again later"
_LATER = "451 4.3.0 It can't be kept now; try again later"


@dataclass(frozen=True, slots=True)
class _Pending:
    """A mail whose client waits for the reply. `size` is the mail's full length, as `raw` may be cut."""

    raw: bytes
    size: int
    answer: asyncio.Future[str]


class LmtpReceiver:
    """Accepts mails over LMTP. `seconds` returns monotonic seconds."""

    def __init__(self, mail_worker: MailWorker, seconds: Callable[[], float] = time.monotonic) -> None:
        self._mail_worker = mail_worker
        self._seconds = seconds
        self._refuses_until = seconds()
        self._waiting: list[_Pending] = []

    def door(self, place: LmtpAddress, services: Services) -> LmtpSocket:
        """Return a socket at `place` that passes mails to `accept`."""
        return LmtpSocket(
            place,
            LmtpHandler(
                services.key.is_own, self.accept, services.limits, MemoryBudget(MAX_LMTP_MEMORY_BYTES)
            ),
        )

    async def accept(self, raw: bytes, size: int) -> str:
        """Store a mail and return the reply to the client, which is 250 only after the commit.

        `size` is the mail's full length, as `raw` may be cut.
        """
        loop = asyncio.get_running_loop()
        mail = _Pending(raw, size, loop.create_future())
        self._waiting.append(mail)
        if len(self._waiting) == 1:
            # The next turn of the event loop stores the mails of all clients in one commit.
            loop.call_soon(self._keep)
        return await mail.answer

    def _keep(self) -> None:
        """Store all waiting mails and set their replies."""
        waiting, self._waiting = self._waiting, []
        self._store_and_answer(waiting)

    def _store_and_answer(self, mails: Sequence[_Pending]) -> None:
        """Store these mails and set their replies. Use one commit, or one for each mail if that fails."""
        try:
            answers = self._store(mails)
        except BaseException as error:  # passed to the waiting task
            if len(mails) > 1:
                for mail in mails:
                    self._store_and_answer([mail])
            elif not mails[0].answer.done():
                mails[0].answer.set_exception(error)
            return
        for mail, answer in zip(mails, answers, strict=True):
            if not mail.answer.done():  # the waiting task may have been cancelled
                mail.answer.set_result(answer)

    def _store(self, mails: Sequence[_Pending]) -> list[str]:
        """Store these mails, all or none, and return the replies. Raises SQLAlchemyError if one of several fails."""
        if self._seconds() < self._refuses_until:
            return [_LATER] * len(mails)
        try:
            numbers = self._mail_worker.keep([(mail.raw, mail.size) for mail in mails])
        except SQLAlchemyError as error:
            if isinstance(error, UNAVAILABLE):
                self._refuses_until = self._seconds() + REFUSAL_SECONDS
            elif len(mails) > 1:
                raise
            log.warning("a mail is refused for now, and the client will retry: %s", first_line(error))
            return [_LATER] * len(mails)
        return [_NO_ROOM if number is None else f"250 2.0.0 kept as mail {number}" for number in numbers]
