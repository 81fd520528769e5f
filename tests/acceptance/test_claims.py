"""A mail is claimed before it is read. Attempts are counted, and a harmless mail is handled after any number."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import select

from takmail.limits.letters import RateLimits
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead
from takmail.pipeline import process
from takmail.runtime import reader_process
from takmail.runtime.child_process import LimitExceeded
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.reader_process import ReaderProcess
from takmail.store import inbox
from takmail.store.causes import Causes
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.support.harness import ADA, BEN, Harness, said, turns
from tests.support.hostile import plain, single
from tests.support.scenes import played_once

STRANGER = "Somebody <somebody@example.net>"
LONG = "It is a fine day.\n" * 5_000
"""A text that is so long that a separate process reads it."""


class Killed(BaseException):
    """The process was killed. Code that handles ordinary exceptions must not run."""


def die(*_: object, **__: object) -> None:
    """Replace a function, so that the process is killed when it is called."""
    raise Killed


class Reader(ReaderProcess):
    """A reader that records the mails it gets. A mail with the word `hostile` exceeds its limits."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[bytes] = []

    def read(self, mail: MailToRead) -> Mail:
        self.given.append(mail.raw)
        if b"hostile" in mail.raw:
            raise LimitExceeded("it took too much memory to read")
        return mail.read()


class Waiting(Reader):
    """A reader that reports when it has got a mail, and then waits until it may return the mail."""

    def __init__(self) -> None:
        super().__init__()
        self.has_one = threading.Event()
        self.goes_on = threading.Event()

    def read(self, mail: MailToRead) -> Mail:
        self.has_one.set()
        self.goes_on.wait()
        return super().read(mail)

    def close(self) -> None:
        super().close()
        self.goes_on.set()


def started(harness: Harness, reader: Reader | None = None) -> tuple[MailWorker, Reader]:
    """Return the worker of another process on the same database. The previous process has ended."""
    reader = reader or Reader()
    return MailWorker(
        harness.store, Causes(harness.services, harness.time_source), reader=reader, is_gone=lambda _: True
    ), reader


def row(harness: Harness, number: int) -> InboxRow:
    with harness.store.transaction() as session:
        return session.get_one(InboxRow, number)


@pytest.fixture
@played_once
def game(harness: Harness) -> Harness:
    harness.begin_and_play("ps a1", "ps e5")
    return harness


@pytest.mark.parametrize("where", [(reader_process, "read_body"), (process, "stopped"), (process, "process")])
def test_a_mail_that_was_claimed_at_any_number_of_kills_is_handled(
    game: Harness, monkeypatch: pytest.MonkeyPatch, where: tuple[Any, str]
) -> None:
    number = game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes())
    with monkeypatch.context() as patch:
        patch.setattr(*where, die)
        for attempt in range(1, 20):
            one, reader = started(game)
            try:
                one.work()
            except Killed:
                assert row(game, number).attempts == attempt
                is_read = where[0] is process and attempt > 1
                assert bool(reader.given) == is_read, "from the second attempt on another process reads it"
            else:
                assert where == (reader_process, "read_body")
                assert (attempt, len(reader.given)) == (2, 1)
                break
    started(game)[0].work()
    assert row(game, number).state == MailState.PLAYED
    assert turns(game) == ["ps a1", "ps e5", "ps c3"]


def test_the_attempt_is_counted_before_a_byte_is_read(game: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    number = game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes())
    monkeypatch.setattr(MailToRead, "read_head", die)
    with pytest.raises(Killed):
        game.mail_worker.work()
    it = row(game, number)
    assert (it.state, it.attempts, bool(it.claimed_by), it.claimed_at) == ("new", 1, True, game.now)


def test_no_transaction_is_open_while_a_body_is_read(game: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    number = game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes())
    read_body = reader_process.read_body

    def noted(*how: Any) -> Mail:
        with (
            game.store.transaction() as session
        ):  # SQLite has one writer at a time, and this would wait for it
            assert session.get_one(InboxRow, number).claimed_by
        return read_body(*how)

    monkeypatch.setattr(reader_process, "read_body", noted)
    game.mail_worker.work()
    assert row(game, number).state == MailState.PLAYED


def test_a_mail_that_takes_too_much_to_read_is_shunted_at_once_and_no_other_waits_for_it(
    game: Harness,
) -> None:
    one, reader = started(game)
    hostile = one.keep_one(single("<b>" * 3_000 + "hostile"))
    other = one.keep_one(game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes())
    assert one.work() == 2
    it = row(game, hostile)
    assert (it.state, it.note, it.is_costly, it.attempts) == (
        "shunted",
        "it took too much memory to read",
        True,
        1,
    )
    assert (row(game, other).state, len(reader.given)) == ("played", 1)
    assert {letter.to for letter in game.collect()} == {ADA, BEN}, "a stranger gets no letter"


def test_a_mail_waits_where_no_process_can_be_started_to_read_it(game: Harness) -> None:
    class Absent(Reader):
        def read(self, mail: MailToRead) -> Mail:
            del mail
            raise OSError("no more processes")

    one, _ = started(game, Absent())
    number = one.keep_one(plain(f"help\n{LONG}"))
    with pytest.raises(OSError, match="no more processes"):
        one.work()
    it = row(game, number)
    assert (it.state, it.attempts, it.errors, it.claimed_by) == ("new", 0, 0, "")


def test_a_player_is_told_once_a_day_that_a_mail_could_not_be_read(game: Harness) -> None:
    one, _ = started(game)

    def told(seconds: int = 0) -> list[str]:
        game.now = game.now.replace(second=seconds)
        words = f"hostile {seconds}\n{LONG}"
        one.keep_one(game.mail(f"Ada <{ADA}>", words, game.last(ADA)).as_bytes())
        one.work()
        return [f"{letter.to}: {said(letter)}" for letter in game.collect()]

    (first,) = told()
    assert first.startswith(f"{ADA}: Not read: I could not read your mail, so nothing in it is done.")
    assert "plain text" in first
    assert told(1) == told(2) == []
    game.now = game.now.replace(day=22, second=1)
    assert len(told(3)) == 1
    assert told(4) == []


def test_a_mail_in_somebodys_name_that_cannot_be_read_is_not_told_to_them(game: Harness) -> None:
    one, _ = started(game)
    one.keep_one(single(f"hostile {LONG}", sender=ADA))
    one.work()
    assert game.collect() == []


@pytest.mark.parametrize(
    ("headers", "state"),
    [
        ("Auto-Submitted: auto-replied\r\n", MailState.MACHINE),
        ("Precedence: bulk\r\n", MailState.MACHINE),
        ("", MailState.REJECTED),
    ],
)
def test_a_mail_that_ends_by_its_headers_is_read_no_further(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, headers: str, state: MailState
) -> None:
    harness.confirms = False
    harness.services = replace(harness.services, rates=RateLimits(300, 30, 1))
    harness.mail_worker = MailWorker(harness.store, harness.causes)
    harness.send(STRANGER, "help")  # the one answer of this hour
    one, reader = started(harness)

    def never(*_: object) -> None:
        raise AssertionError("its body is read")

    monkeypatch.setattr(reader_process, "read_body", never)
    number = one.keep_one(single("x" * 100_000, headers=headers))
    one.work()
    assert (row(harness, number).state, reader.given) == (state, [])


def test_of_a_delivery_report_the_body_is_read_though_a_machine_wrote_it(harness: Harness) -> None:
    one, reader = started(harness)
    report = single("x" * 200_000, headers="Return-Path: <>\r\n").replace(
        b"Subject: hello", b"Subject: Undelivered Mail Returned to Sender"
    )
    number = one.keep_one(report)
    one.work()
    assert (row(harness, number).state, len(reader.given)) == ("machine", 1)


async def test_other_mails_go_on_while_one_is_read_apart_and_those_of_its_game_wait(game: Harness) -> None:
    waiting = Waiting()
    one, _ = started(game, waiting)
    dear = one.keep_one(game.mail(f"Ada <{ADA}>", f"ps c3\n\n{LONG}", game.last(ADA)).as_bytes())
    next_one = one.keep_one(game.mail(f"Ben <{BEN}>", "rs", game.last(BEN)).as_bytes())
    other = one.keep_one(plain("help"))
    assert await one.work_in_turns() == 2
    assert [row(game, number).state for number in (dear, next_one, other)] == ["new", "new", "answered"]
    assert one.reads_apart
    waiting.goes_on.set()
    while one.reads_apart:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.001)
    assert await one.work_in_turns() == 1
    assert turns(game)[2:] == ["ps c3"]
    assert "0 0 s 0 0" in game.collect()[-1].lines, "what he asked for shows the turn of the mail before his"


async def test_a_stop_gives_back_the_mail_that_is_being_read(game: Harness) -> None:
    waiting = Waiting()
    one, _ = started(game, waiting)
    number = one.keep_one(plain(f"help\n{LONG}"))
    assert await one.work_in_turns() == 1
    await asyncio.to_thread(waiting.has_one.wait)
    await one.close()
    it = row(game, number)
    assert (it.state, it.attempts, it.claimed_by) == ("new", 0, "")


def test_what_another_process_has_claimed_is_left_to_it_until_it_is_gone(game: Harness) -> None:
    number = game.mail_worker.keep_one(plain("help"))
    with game.store.transaction() as session:
        assert inbox.claim(session, game.now, "another") is not None
    alive = MailWorker(
        game.store, Causes(game.services, game.time_source), reader=Reader(), is_gone=lambda _: False
    )
    assert alive.work() == 0
    game.now = game.now.replace(minute=11)  # so long that it must have ended, on whatever machine
    assert alive.work() == 1
    assert row(game, number).state == MailState.ANSWERED


def test_a_process_that_has_lost_a_mail_to_another_one_stores_nothing(
    game: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes())
    read_body = reader_process.read_body

    def slow(*how: Any) -> Mail:
        """Read slowly, so that another process claims and handles the mail in the meantime."""
        monkeypatch.setattr(reader_process, "read_body", read_body)
        assert started(game)[0].work() == 1
        return read_body(*how)

    monkeypatch.setattr(reader_process, "read_body", slow)
    game.mail_worker.work()
    assert turns(game) == ["ps a1", "ps e5", "ps c3"]
    assert sorted(letter.to for letter in game.collect()) == [ADA, BEN]


def test_every_mail_that_was_put_back_is_read_apart(game: Harness) -> None:
    one, reader = started(game)
    number = one.keep_one(single("<b>" * 3_000 + "hostile"))
    one.work()
    with game.store.transaction() as session:
        found = session.exec(select(InboxRow).where(InboxRow.id == number)).one()
        inbox.put_back(found, None, is_from_person=False)
    one.work()
    assert len(reader.given) == 2
    assert row(game, number).is_costly


def test_headers_that_make_it_raise_shunt_their_mail_and_no_other(
    game: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_head = MailToRead.read_head

    def broken(mail: MailToRead) -> Any:
        if b"odd" in mail.raw:
            raise RuntimeError("a fault in the program")
        return read_head(mail)

    monkeypatch.setattr(MailToRead, "read_head", broken)
    numbers = [game.mail_worker.keep_one(plain(word)) for word in ("odd", "help")]
    game.mail_worker.work()
    assert [row(game, number).state for number in numbers] == ["shunted", "answered"]
    assert row(game, numbers[0]).errors == inbox.ATTEMPTS
