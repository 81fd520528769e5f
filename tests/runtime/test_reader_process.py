"""The reader process ends if a mail exceeds a limit, and the next mail gets a new process."""

import resource
import threading
from multiprocessing.connection import Pipe
from types import SimpleNamespace
from typing import Any

import pytest

from takmail.limits.mails import DEFAULT_LIMITS, Excess, Limits
from takmail.mail.reader import MailToRead, read
from takmail.runtime import child_process, reader_process
from takmail.runtime.child_process import ChildFailed, ChildProcess, Closed, LimitExceeded
from takmail.runtime.reader_process import ReaderProcess
from tests.support.hostile import formatting_by_blocks, plain

NO_LIMITS = Limits(mail_bytes=10**9, text_bytes=10**9, text_lines=10**9, html_tags=10**9)
PAGE = b"From: ada@example.org\nContent-Type: text/html\n\n" + b"<p>a &amp; <b>b" * 1_500_000
"""A mail that takes seconds and hundreds of MiB to read without limits."""
MIB = 1024 * 1024


def to_read(raw: bytes, limits: Limits = DEFAULT_LIMITS) -> MailToRead:
    return MailToRead(raw, frozenset(), limits, len(raw), None)


def test_a_mail_is_read_as_it_would_be_here() -> None:
    process = ReaderProcess()
    for raw in (plain("ps b4"), formatting_by_blocks(1_000), b"", b"\xff" * 1_000):
        assert process.read(to_read(raw)) == read(raw, frozenset(), size=len(raw))
    assert process.read(to_read(plain("x" * 300_000))).excess == Excess.TEXT


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        (
            {"cpu_seconds": 0, "memory_bytes": 4_096 * MIB},
            "it took more than 0 seconds of processor time to read",
        ),
        ({"memory_bytes": 64 * MIB}, "it took too much memory to read"),
    ],
)
def test_a_mail_that_takes_too_much_ends_the_process_and_no_other_mail(
    bounds: dict[str, int], reason: str
) -> None:
    process = ReaderProcess(**bounds)
    with pytest.raises(LimitExceeded, match=f"^{reason}$"):
        process.read(to_read(PAGE, NO_LIMITS))
    assert process.read(to_read(plain("ps b4"))) == read(plain("ps b4"), frozenset())


def test_each_mail_has_its_whole_time_however_many_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, used, (here, there) = [], iter((0.5, 1.75, 60.0)), Pipe()

    def getrusage(_who: int) -> SimpleNamespace:
        return SimpleNamespace(ru_utime=next(used), ru_stime=0.5)

    monkeypatch.setattr(child_process.signal, "signal", lambda *_: None)
    monkeypatch.setattr(child_process.resource, "getrusage", getrusage)
    monkeypatch.setattr(child_process, "_set_limit", lambda *limit: limits.append(limit))
    mail = to_read(plain("ps b4"))
    for _ in range(3):
        here.send(mail.read)
    with there:
        answering = threading.Thread(target=child_process._answer_all, args=(there, 5, MIB))
        answering.start()
        assert [here.recv() for _ in range(4)] == [child_process.READY, *[mail.read()] * 3]
        here.close()
        answering.join()
    assert [most for what, most in limits if what == resource.RLIMIT_CPU] == [1 + 6, 2 + 6, 60 + 6]


def mortal(patch: pytest.MonkeyPatch, deaths: int) -> ReaderProcess:
    """Return a reader whose first processes are killed from outside."""
    start, left = ChildProcess._start, [None] * deaths

    def dying(self: ChildProcess) -> Any:
        child = start(self)
        if left:
            left.pop()
            child.process.kill()
            child.process.wait()
        return child

    patch.setattr(ChildProcess, "_start", dying)
    return ReaderProcess()


def test_a_process_that_is_killed_once_is_no_fault_of_the_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mortal(monkeypatch, 1).read(to_read(plain("ps b4"))) == read(plain("ps b4"), frozenset())


def test_a_mail_on_which_two_processes_are_killed_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    process = mortal(monkeypatch, 2)
    with pytest.raises(LimitExceeded, match="2 processes that read it were killed"):
        process.read(to_read(plain("ps b4")))
    assert process.read(to_read(plain("ps b4"))) == read(plain("ps b4"), frozenset())


def test_where_no_process_is_ready_to_read_the_mail_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    process = ReaderProcess()
    with monkeypatch.context() as patch:
        patch.setattr(child_process.sys, "executable", "/bin/false")
        with pytest.raises(OSError, match="nothing"):
            process.read(to_read(plain("ps b4")))
        patch.setattr(child_process.sys, "executable", "/nowhere")
        with pytest.raises(OSError, match="nowhere"):
            process.read(to_read(plain("ps b4")))
    assert process.read(to_read(plain("ps b4"))) == read(plain("ps b4"), frozenset())


def test_a_process_of_another_takmail_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "READY", "takmail 0.0 is ready")
    with pytest.raises(OSError, match=r"takmail 0\.0 is ready"):
        ReaderProcess().read(to_read(plain("ps b4")))


def test_what_it_raises_is_raised_here() -> None:
    with pytest.raises(ChildFailed, match="TypeError"):
        ReaderProcess().read(MailToRead(5, frozenset(), DEFAULT_LIMITS, 1, None))  # type: ignore[arg-type]


def test_it_can_be_ended_while_it_reads() -> None:
    process = ReaderProcess()
    process.read(to_read(plain("x")))

    def read_on() -> None:
        while True:
            process.read(to_read(PAGE, NO_LIMITS))

    threading.Timer(0, process.close).start()
    with pytest.raises(Closed):
        read_on()


def test_one_that_says_nothing_is_waited_for_no_longer_than_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "WATCHED_SECONDS", 0)
    with pytest.raises(LimitExceeded, match="it took more than 0 seconds to read"):
        ReaderProcess().read(to_read(PAGE, NO_LIMITS))
