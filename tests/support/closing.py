"""A sender and a socket that are closed at the end of a block."""

from typing import Self

from takmail.runtime.net import lmtp_socket, smtp


class Sender(smtp.SmtpSender):
    """A sender that is closed at the end of an `async with` block."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class LmtpSocket(lmtp_socket.LmtpSocket):
    """A socket that listens during an `async with` block."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
