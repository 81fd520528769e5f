"""`takmail serve` as a process of its own, measured from outside."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread

from bench.town import Town

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 600.0
"""Seconds without a line of the log after which something must be wrong."""
_SENT = re.compile(r"letter (\d+): sent")


class Served:
    """The process; `sent` is when each letter was noted as sent, by its number (seconds of `perf_counter`)."""

    def __init__(self, config: Path) -> None:
        self.lines: list[str] = []
        self.sent: dict[int, float] = {}
        self._news = Condition()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "takmail", "serve", "--config", config],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        self._ear = Thread(target=self._listen, daemon=True)
        self._ear.start()

    def says(self, words: str, times: int = 1) -> None:
        """Wait until so many lines have these words."""
        self._until(lambda: sum(words in line for line in self.lines) >= times)

    def has_sent(self, letters: int) -> float:
        """Wait until so many letters have left since the start; gives when the last of them did."""
        self._until(lambda: len(self.sent) >= letters)
        return sorted(self.sent.values())[letters - 1]

    def hold(self) -> None:
        """Let the process stand still."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it in peace."""
        self.go_on()
        self._process.terminate()
        self._process.wait(30)
        self._ear.join()

    @property
    def processor_seconds(self) -> float:
        """Time of the processor so far, of the program's own and the system's for it."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def most_mib(self) -> float:
        """The most memory that it has had at once (VmHWM), in MiB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    def _until(self, happened: object) -> None:
        assert callable(happened)
        with self._news:
            while not happened():
                if not self._news.wait(PATIENCE) or self._process.poll() is not None:
                    raise RuntimeError("takmail does not go on:\n" + "\n".join(self.lines[-20:]))

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            now = time.perf_counter()
            with self._news:
                if found := _SENT.search(line):
                    self.sent[int(found[1])] = now
                else:
                    self.lines.append(line.rstrip())
                self._news.notify_all()
        with self._news:
            self._news.notify_all()


@contextmanager
def served(folder: Path, town: Town, address: str, letters: str, connections: int) -> Iterator[Served]:
    """takmail at work on an address of the town, with a database in the folder, until the end of the block."""
    folder.mkdir()
    host, servers = f'host = "{town.servers.host}"\ntls = "none"\n', town.servers
    config = folder / "config.toml"
    config.write_text(
        f'[service]\naddress = "{address}"\nletters = "{letters}"\n\n'
        f'[imap]\n{host}port = {servers.imap_port}\nuser = "{address}"\npassword = "{servers.password}"\n\n'
        f"[smtp]\n{host}port = {servers.smtp_port}\nconnections = {connections}\n\n"
        "[limits]\nanswers_per_hour = 100000\nletters_per_day = 100000\n"
    )
    process = Served(config)
    try:
        process.says("reading INBOX")
        yield process
    finally:
        process.stop()
