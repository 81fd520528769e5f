"""Listen for mails by LMTP while `serve` runs. If another takmail listens at the socket, wait until it ends."""

import asyncio
import logging

from takmail.runtime.net.lmtp_socket import AddressInUse, CannotListen, LmtpSocket
from takmail.runtime.outages import Outages, wait_for
from takmail.store import leases

log = logging.getLogger(__name__)


class LmtpListener:
    """Opens a socket for LMTP and keeps it open. `socket` is None if the settings name none."""

    def __init__(self, socket: LmtpSocket | None, outages: Outages) -> None:
        self._socket = socket
        self._outages = outages

    async def open(self) -> bool:
        """Open the socket, if there is one. Return False if another takmail listens there. Raises CannotListen."""
        if self._socket is None:
            return True
        try:
            await self._socket.open()
        except AddressInUse as taken:
            log.debug("%s", taken)
            return False
        log.info("listening at %s", self._socket.place)
        return True

    async def listen(self, stop: asyncio.Event, is_open: bool) -> None:
        """Receive mails until `stop` is set. `is_open` is what `open` has returned."""
        if self._socket is not None and not is_open:
            log.info(
                "another takmail listens at %s; this one waits until the other one ends", self._socket.place
            )
        while not is_open and not stop.is_set():
            await wait_for(stop, leases.RENEWED_EVERY)
            try:
                is_open = not stop.is_set() and await self.open()
                if is_open:
                    self._outages.resumed("LMTP receiver")
            except CannotListen as error:
                await self._outages.pause("LMTP receiver", leases.RENEWED_EVERY, error, stop)
        await stop.wait()
        if self._socket is not None and is_open:
            await self._socket.close()
