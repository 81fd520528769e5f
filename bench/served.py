"""Run `takmail serve` in a separate process, and measure it from outside."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread

from bench.town import MailNetwork

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 600.0
"""The number of seconds without a log line after which the run fails."""
_SENT = re.compile(r"letter (\d+): sent")


class Served:
    """A running `takmail serve` of the checkout at `root`, behind the words of `wrapper`, such as those of Valgrind.

    `sent` is the time at which each letter was logged as sent, by its number, in seconds of `perf_counter`. `lines` are
    the other log lines.
    """

    def __init__(self, config: Path, root: Path = ROOT, wrapper: Sequence[str] = ()) -> None:
        self.lines: list[str] = []
        self.sent: dict[int, float] = {}
        self._new_line = Condition()
        self._process = subprocess.Popen(
            [*wrapper, sys.executable, "-m", "takmail", "serve", "--config", config],
            cwd=root,
            # Sets are in the same order in each run.
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reader = Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def says(self, words: str, times: int = 1) -> None:
        """Wait until `times` log lines contain `words`."""
        self._wait_until(lambda: sum(words in line for line in self.lines) >= times)

    def has_sent(self, letters: int) -> float:
        """Wait until this many letters were sent since the start. Return the time of the last one."""
        self._wait_until(lambda: len(self.sent) >= letters)
        return sorted(self.sent.values())[letters - 1]

    def hold(self) -> None:
        """Suspend the process."""
        self.signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume the process."""
        self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        self._process.send_signal(number)

    def stop(self) -> None:
        """Terminate the process, and wait for its end."""
        self.go_on()
        self._process.terminate()
        self._process.wait(30)
        self._reader.join()
        assert self._process.stderr is not None
        self._process.stderr.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def processor_seconds(self) -> float:
        """The processor time so far, user and system, of the process and all its children."""
        return sum(map(_ticks, _tree(self.pid))) / TICKS

    @property
    def most_mib(self) -> float:
        """The peak resident memory (VmHWM), in MiB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    def _wait_until(self, happened: object) -> None:
        assert callable(happened)
        with self._new_line:
            while not happened():
                if not self._new_line.wait(PATIENCE) or self._process.poll() is not None:
                    raise RuntimeError("takmail does not go on:\n" + "\n".join(self.lines[-20:]))

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            now = time.perf_counter()
            with self._new_line:
                if found := _SENT.search(line):
                    self.sent[int(found[1])] = now
                else:
                    self.lines.append(line.rstrip())
                self._new_line.notify_all()
        with self._new_line:
            self._new_line.notify_all()


def _tree(pid: int) -> Iterator[int]:
    """Yield the numbers of a process and of all that it has started and that run."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from _tree(int(child))


def _ticks(pid: int) -> int:
    """Return the processor time of a process and of its children that have ended, in ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


@contextmanager
def served(folder: Path, town: MailNetwork, address: str, letters: str, connections: int) -> Iterator[Served]:
    """Run takmail on the servers of `town` during the block. Its settings and database are in a new `folder`."""
    folder.mkdir()
    host, servers = f'host = "{town.servers.host}"\ntls = "none"\n', town.servers
    config = folder / "config.toml"
    config.write_text(
        f'[service]\naddress = "{address}"\nletters = "{letters}"\n\n'
        f'[imap]\n{host}port = {servers.imap_port}\nuser = "{address}"\npassword = "{servers.password}"\n\n'
        f"[smtp]\n{host}port = {servers.smtp_port}\nconnections = {connections}\n\n"
        "[limits]\nanswers_per_hour = 100000\nletters_per_day = 100000\n"
        # Many games begin at once, each with letters to two strangers.
        "total_stranger_answers_per_hour = 100000\ntotal_stranger_answers_per_day = 100000\n"
        "total_stranger_invitations_per_hour = 100000\ntotal_stranger_invitations_per_day = 100000\n"
    )
    process = Served(config)
    try:
        process.says("reading INBOX")
        yield process
    finally:
        process.stop()
