"""Stop, kill, restart and reconfigure the real servers."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from tests.stack.mailstack import MailStack

_LONGEST = 30.0
"""The maximum number of seconds that a server takes to start or stop."""


class Servers:
    """Controls the Dovecot and the Postfix of a stack."""

    def __init__(self, stack: MailStack) -> None:
        self._folder = stack.folder
        self._dovecot = str(stack.folder / "dovecot" / "dovecot.conf")
        self._postfix = str(stack.folder / "postfix")

    async def restart_dovecot(self) -> None:
        """Stop Dovecot, and start it again once it has ended."""
        await _run("doveadm", "-c", self._dovecot, "stop")
        await self._start_dovecot()

    async def reload_dovecot(self) -> None:
        """Make Dovecot replace its processes with new ones."""
        await _run("doveadm", "-c", self._dovecot, "reload")

    async def kill_dovecot(self, *, master: bool) -> None:
        """Kill all child processes of Dovecot. With `master`, also kill its master process, and start it again."""
        pid = int((self._folder / "run" / "master.pid").read_text())
        children = _children(pid)
        for one in [pid, *children] if master else children:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        if master:
            await self._start_dovecot()
        await self.flush()

    async def restart_postfix(self) -> None:
        """Stop Postfix, which closes all connections, and start it again."""
        await _run("postfix", "-c", self._postfix, "stop")
        await _run("postfix", "-c", self._postfix, "start")

    async def set_postfix(self, *settings: str) -> None:
        """Stop Postfix, change settings, and start it again."""
        await _run("postfix", "-c", self._postfix, "stop")
        await _run("postconf", "-c", self._postfix, "-e", *settings)
        await _run("postfix", "-c", self._postfix, "start")

    async def flush(self) -> None:
        """Make Postfix retry at once the letters that Dovecot could not accept."""
        await _run("postqueue", "-c", self._postfix, "-f")

    async def _start_dovecot(self) -> None:
        async with asyncio.timeout(_LONGEST):
            # The children of the old master keep its ports until they notice that it has ended.
            while not await _succeeds("dovecot", "-c", self._dovecot):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await self.flush()


def _children(pid: int) -> list[int]:
    """Return the running child processes of a process."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name in parentheses may contain anything. The parent is the second word after it.
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


async def _run(*command: str) -> None:
    assert await _succeeds(*command), " ".join(command)


async def _succeeds(*command: str) -> bool:
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    nowhere = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, "PATH": path}, stdin=nowhere, stdout=nowhere, stderr=nowhere
    )
    async with asyncio.timeout(_LONGEST):
        return await process.wait() == 0
