"""A headless Chromium, driven by its own protocol through a pair of pipes: no driver and no port in between.

https://chromedevtools.github.io/devtools-protocol tells the methods and their parameters.
"""

import base64
import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # as root there is none, and what is opened here is our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-extensions",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # nothing is fetched from anywhere
    "--remote-debugging-pipe",
)
_LOWEST = 10
"""The pipes' own numbers are above those that Chromium reads and writes."""


class Chromium:
    """A running browser with one page."""

    def __init__(self, reads: FileIO, writes: FileIO) -> None:
        self._from = reads
        self._to = writes
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Have the browser do something; fails with its own words if it can't."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def open(self, file: Path) -> None:
        """Show a file, and wait until it is there with all its pictures."""
        self.call("Page.navigate", url=file.resolve().as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def set_look(self, width: int, scheme: str) -> None:
        """Show the page in a window of so many CSS pixels, to somebody who wants it `light` or `dark`."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media="screen", features=features)

    def run(self, script: str) -> Any:
        """The value of an expression on the page, once it is there if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def picture(self) -> bytes:
        """The whole page as a PNG."""
        answer = self.call(
            "Page.captureScreenshot", format="png", captureBeyondViewport=True, optimizeForSpeed=True
        )
        return base64.b64decode(answer["data"])

    def _next(self) -> dict[str, Any]:
        """The next message of the browser's, an answer or an event."""
        while b"\0" not in self._rest:
            more = self._from.read(1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@contextmanager
def chromium() -> Iterator[Chromium]:
    """A browser with a profile of its own, gone at the end."""
    program = shutil.which("chromium")
    assert program, "there is no Chromium: tests/browser/install.sh"
    theirs, ours = _pipe(), _pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        child = os.posix_spawn(
            program,
            [program, *_ARGUMENTS, f"--user-data-dir={profile}", "about:blank"],
            os.environ | {"HOME": profile},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, theirs[0], 3),
                (os.POSIX_SPAWN_DUP2, ours[1], 4),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setpgroup=0,
        )
        os.close(theirs[0])
        os.close(ours[1])
        try:
            with FileIO(ours[0]) as reads, FileIO(theirs[1], "w") as writes:
                yield Chromium(reads, writes)
        finally:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _pipe() -> tuple[int, int]:
    """The two ends of a pipe, to read and to write."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _LOWEST) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
