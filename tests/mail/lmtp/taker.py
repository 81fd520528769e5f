"""A stand-in for the service that accepts mails from the LMTP receiver."""

from dataclasses import dataclass, field
from pathlib import Path

from takmail.limits.mails import Limits
from takmail.runtime.net.lmtp import LmtpHandler, MemoryBudget
from takmail.runtime.net.lmtp_socket import LmtpAddress
from tests.support.closing import LmtpSocket
from tests.support.lmtp import TAK

MAIL = b"From: Someone <someone@example.net>\r\nSubject: Tak\r\n\r\nhelp\r\n"
TRACE = b"Return-Path: <someone@example.net>\r\nDelivered-To: tak@example.org\r\n"
SMALL = Limits(mail_bytes=100_000, header_bytes=5_000)


@dataclass
class Taker:
    """A stand-in that accepts mails; `answer` is the response to each of them."""

    place: Path
    limits: Limits = SMALL
    room: MemoryBudget = field(default_factory=lambda: MemoryBudget(1_000_000))
    mails: list[tuple[bytes, int]] = field(default_factory=list)
    answer: str = "250 2.0.0 kept"

    async def accept(self, raw: bytes, size: int) -> str:
        self.mails.append((raw, size))
        return self.answer

    def door(self) -> LmtpSocket:
        def is_own(address: str) -> bool:
            return address == TAK or (address.startswith("tak+") and address.endswith("@example.org"))

        return LmtpSocket(
            LmtpAddress(self.place, 0o600, "", None), LmtpHandler(is_own, self.accept, self.limits, self.room)
        )
