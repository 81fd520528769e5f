"""Notify systemd that the service is ready and alive (sd_notify(3)). Without systemd nothing happens."""

import asyncio
import logging
import os
import socket
from collections.abc import Coroutine, Mapping

log = logging.getLogger(__name__)


class SystemdNotifier:
    """Sends notifications to the socket that the environment names, and knows the interval of its watchdog."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        # The watchdog may be meant for a parent process, whose environment this one has inherited.
        is_meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._micros = int(environment.get("WATCHDOG_USEC", "0")) if is_meant else 0

    def say(self, words: str) -> None:
        """Send a notification, if the environment names a socket."""
        if not self._address:
            return
        # A leading @ means an abstract socket, whose address begins with a zero byte.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
                there.connect(address)
                there.sendall(words.encode())
        except OSError as error:
            log.warning("cannot notify systemd of %s: %s", words, error)

    async def run(self, service: Coroutine[None, None, None]) -> None:
        """Run the service. Send READY once it has begun, and WATCHDOG regularly while its event loop runs."""
        serving = asyncio.create_task(service)
        await asyncio.sleep(0)  # let the service run its first step, after which it handles signals
        self.say("READY=1")
        watched = asyncio.create_task(self._stay_alive())
        try:
            await serving
        finally:
            self.say("STOPPING=1")
            watched.cancel()

    async def _stay_alive(self) -> None:
        while self._address and self._micros:
            self.say("WATCHDOG=1")
            await asyncio.sleep(self._micros / 1_000_000 / 2)
