"""From whoever hands mails over by LMTP to the intake queue: a mail is accepted once it is on the disk."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from takmail.letters.services import Services
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.lmtp import LmtpHandler, MemoryBudget
from takmail.runtime.net.lmtp_socket import LmtpAddress, LmtpSocket
from takmail.runtime.outages import first_line
from takmail.store.database import AWAY

log = logging.getLogger(__name__)

ROOM_BYTES = 64 * 1024 * 1024
"""What all mails that are being handed over may take up together."""

REST_SECONDS = 5.0
"""How long no mail is taken after the database was found away, as each would keep all others waiting for it."""

_LATER = "451 4.3.0 It can't be kept now; try again later"


@dataclass(frozen=True, slots=True)
class _Handed:
    """A mail, or the beginning of one of `size` bytes, for which somebody waits for the answer."""

    raw: bytes
    size: int
    answer: asyncio.Future[str]


class LmtpReceiver:
    """The way in for mails that are handed over; `seconds` is a clock that is never set."""

    def __init__(self, inbound: MailWorker, seconds: Callable[[], float] = time.monotonic) -> None:
        self._inbound = inbound
        self._seconds = seconds
        self._rests_until = seconds()
        self._waiting: list[_Handed] = []

    def door(self, place: LmtpAddress, services: Services) -> LmtpSocket:
        """Where it listens."""
        return LmtpSocket(
            place, LmtpHandler(services.key.is_own, self.accept, services.limits, MemoryBudget(ROOM_BYTES))
        )

    async def accept(self, raw: bytes, size: int) -> str:
        """Keep a mail, or the beginning of one of `size` bytes, and give the answer: 250 only after the commit."""
        loop = asyncio.get_running_loop()
        mail = _Handed(raw, size, loop.create_future())
        self._waiting.append(mail)
        if len(self._waiting) == 1:
            # What other clients have sent meanwhile comes before that, and is kept by the same commit.
            loop.call_soon(self._keep)
        return await mail.answer

    def _keep(self) -> None:
        """Keep all that wait, and answer."""
        waiting, self._waiting = self._waiting, []
        self._settle(waiting)

    def _settle(self, mails: Sequence[_Handed]) -> None:
        """Keep these mails by one commit, or each by its own where one of them keeps the others from it; and answer."""
        try:
            answers = self._answers(mails)
        except BaseException as error:  # it is raised to whoever waits
            if len(mails) > 1:
                for mail in mails:
                    self._settle([mail])
            elif not mails[0].answer.done():
                mails[0].answer.set_exception(error)
            return
        for mail, answer in zip(mails, answers, strict=True):
            if not mail.answer.done():  # whoever waited for it may be gone
                mail.answer.set_result(answer)

    def _answers(self, mails: Sequence[_Handed]) -> list[str]:
        """Keep these mails, all of them or none. Raises what is one mail's fault, where there are several."""
        if self._seconds() < self._rests_until:
            return [_LATER] * len(mails)
        try:
            numbers = self._inbound.keep([(mail.raw, mail.size) for mail in mails])
        except SQLAlchemyError as error:
            if isinstance(error, AWAY):
                self._rests_until = self._seconds() + REST_SECONDS
            elif len(mails) > 1:
                raise
            log.warning("a mail is not taken, and will be handed over again: %s", first_line(error))
            return [_LATER] * len(mails)
        return [f"250 2.0.0 kept as mail {number}" for number in numbers]
