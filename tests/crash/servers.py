"""What befalls the real servers: they are stopped, killed, started again, and told to refuse."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from tests.stack.mailstack import MailStack

_LONGEST = 30.0
"""Seconds that a server may take to start or to stop."""


class Servers:
    """The Dovecot and the Postfix of a stack, to be handled as an operator does, or worse."""

    def __init__(self, stack: MailStack) -> None:
        self._folder = stack.folder
        self._dovecot = str(stack.folder / "dovecot" / "dovecot.conf")
        self._postfix = str(stack.folder / "postfix")

    async def restart_dovecot(self) -> None:
        """Stop it, and start it again when it is gone."""
        await _run("doveadm", "-c", self._dovecot, "stop")
        await self._start_dovecot()

    async def reload_dovecot(self) -> None:
        """Have it end its old processes and begin with new ones."""
        await _run("doveadm", "-c", self._dovecot, "reload")

    async def kill_dovecot(self, *, master: bool) -> None:
        """Kill all of its processes; of the master's too, if that is to die, and then it is started again."""
        pid = int((self._folder / "run" / "master.pid").read_text())
        children = _children(pid)
        for one in [pid, *children] if master else children:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        if master:
            await self._start_dovecot()
        await self.flush()

    async def restart_postfix(self) -> None:
        """Stop it and start it again; whoever is connected is hung up on."""
        await _run("postfix", "-c", self._postfix, "stop")
        await _run("postfix", "-c", self._postfix, "start")

    async def set_postfix(self, *settings: str) -> None:
        """Stop it, change settings, and start it again."""
        await _run("postfix", "-c", self._postfix, "stop")
        await _run("postconf", "-c", self._postfix, "-e", *settings)
        await _run("postfix", "-c", self._postfix, "start")

    async def flush(self) -> None:
        """Have Postfix try at once what Dovecot could not take."""
        await _run("postqueue", "-c", self._postfix, "-f")

    async def _start_dovecot(self) -> None:
        async with asyncio.timeout(_LONGEST):
            # The processes of the one before hold its ports until they notice that they are alone.
            while not await _succeeds("dovecot", "-c", self._dovecot):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await self.flush()


def _children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name, in parentheses, may hold anything; the parent comes two words behind it.
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
