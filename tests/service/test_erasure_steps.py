"""`forget me`, step by step: what is searched, in which order, and what is left unchanged."""

import sqlite3
from collections.abc import Sequence

import pytest
from sqlalchemy import update
from sqlmodel import select

from takmail.commands.kinds import LetterState, MailState
from takmail.runtime import erasure
from takmail.runtime.erasure import Eraser
from takmail.store import dispatch, erasure_progress
from takmail.store.database import Store
from takmail.store.tables import ErasureRow, InboxRow, OutboxRow
from tests.support.harness import ADA, Harness
from tests.support.scenes import played_once

NAME = "Ada Unmistakable"
OTHER = "other@example.org"


@pytest.fixture
@played_once
def known(harness: Harness) -> None:
    """Ada is a player, in no game."""
    harness.send(f"{NAME} <{ADA}>", "new 5 vs ben@example.org")


def mails_of_others(harness: Harness, *texts: str, state: MailState = MailState.ANSWERED) -> list[int]:
    """Store mails in these states. Return their numbers."""
    found = []
    for text in texts:
        with harness.store.transaction() as session:
            row = InboxRow(
                mailbox="",
                raw=f"From: Other <{OTHER}>\r\n\r\n{text}".encode(),
                sender=OTHER,
                fingerprint=f"{text[:20]} {state} {len(found)} {session.exec(select(InboxRow.id)).all()[-1]}",
                received_at=harness.now,
                state=state,
            )
            session.add(row)
            session.flush()
            found.append(row.id or 0)
    return found


def letters_to_others(harness: Harness, count: int, text: str, state: LetterState) -> list[int]:
    """Store letters to a player who has no game with Ada. Return their numbers."""
    with harness.store.transaction() as session:
        rows = [
            OutboxRow(
                message_id=f"<{state}.{number}@example.org>",
                mail_from="",
                mail_to=OTHER,
                raw=text.encode(),
                text=text,
                state=state,
                due_at=harness.now,
                created_at=harness.now,
            )
            for number in range(count)
        ]
        session.add_all(rows)
        session.flush()
        return [row.id or 0 for row in rows]


def ask(harness: Harness) -> None:
    """Let Ada ask for erasure and confirm it."""
    for words in ("forget me", "yes"):
        harness.mail_worker.keep_one(harness.mail(f"{NAME} <{ADA}>", words, harness.last(ADA)).as_bytes())
        harness.mail_worker.work()
        harness.collect()
    assert noted_down(harness)


def noted_down(harness: Harness) -> Sequence[ErasureRow]:
    """Return the pending erasures."""
    with harness.store.transaction() as session:
        return session.exec(select(ErasureRow)).all()


def reduced(harness: Harness, numbers: Sequence[int]) -> list[bool]:
    """Return which of these mails are reduced."""
    with harness.store.transaction() as session:
        return [session.get_one(InboxRow, number).is_reduced for number in numbers]


def be(harness: Harness, numbers: Sequence[int], state: MailState) -> None:
    """Change the state of these mails."""
    with harness.store.transaction() as session:
        for number in numbers:
            session.get_one(InboxRow, number).state = state


def test_more_mails_than_one_step_takes_are_all_looked_at(known: Harness) -> None:
    many = mails_of_others(
        known, *[f"{number} of {ADA}" for number in range(2 * erasure_progress.AT_ONCE + 1)]
    )
    ask(known)
    known.eraser.work()
    assert all(reduced(known, many))


def test_more_bytes_than_one_step_takes_are_all_looked_at(known: Harness) -> None:
    words = "word " * (erasure_progress.BYTES_AT_ONCE // 10)
    many = mails_of_others(known, *[f"{number} of {ADA}, {words}" for number in range(5)])
    ask(known)
    known.eraser.work()
    assert all(reduced(known, many))


def test_more_letters_than_one_step_takes_are_all_looked_at(known: Harness) -> None:
    many = letters_to_others(known, 2 * erasure_progress.AT_ONCE + 1, f"{ADA} is here", LetterState.SENT)
    ask(known)
    known.eraser.work()
    with known.store.transaction() as session:
        assert {session.get_one(OutboxRow, number).text for number in many} == {"a player is here"}


def test_a_letter_that_waits_leaves_whole_and_nothing_is_kept_of_it_then(known: Harness) -> None:
    ask(known)
    with known.store.transaction() as session:
        row = session.exec(select(ErasureRow)).one()
        row.letters = 1_000
    (one,) = letters_to_others(known, 1, f"{ADA} is here", LetterState.QUEUED)
    known.eraser.work()
    with known.store.transaction() as session:
        letter = session.get_one(OutboxRow, one)
        assert (letter.text, letter.raw) == (f"{ADA} is here", f"{ADA} is here".encode())
        assert dispatch.sent(session, [one])
    with known.store.transaction() as session:
        letter = session.get_one(OutboxRow, one)
        assert (letter.text, letter.raw) == ("", b"")


def test_a_mail_that_waits_is_left_alone_and_looked_at_once_it_has_been_handled(known: Harness) -> None:
    below = mails_of_others(known, f"first of {ADA}")
    waiting = mails_of_others(known, f"waits for {ADA}")
    above = mails_of_others(known, f"last of {ADA}")
    ask(known)
    be(known, waiting, MailState.NEW)
    known.eraser.work()
    assert reduced(known, [*waiting, *above]) == [False, True]
    (one,) = noted_down(known)
    assert ADA in one.addresses
    be(known, waiting, MailState.ANSWERED)
    known.eraser.work()
    assert all(reduced(known, [*below, *waiting, *above]))
    assert noted_down(known) == []


def test_a_mail_that_waits_keeps_nobody_from_being_looked_for_in_letters_nor_anybody_behind(
    known: Harness,
) -> None:
    below = mails_of_others(known, f"first of {ADA}", "first of Ben Behind")
    waiting = mails_of_others(known, "waits")
    (letter,) = letters_to_others(known, 1, f"{ADA} is here", LetterState.SENT)
    ask(known)
    be(known, waiting, MailState.NEW)
    with known.store.transaction() as session:
        session.add(ErasureRow(addresses="", names="Ben Behind", label="a player", mails=below[1], letters=0))
    known.eraser.work()
    with known.store.transaction() as session:
        assert session.get_one(OutboxRow, letter).text == "a player is here"
    assert reduced(known, below) == [False, True]
    (one,) = noted_down(known)
    assert one.mails == waiting[0]


def test_a_mail_that_came_after_the_request_is_left_alone(known: Harness) -> None:
    ask(known)
    later = mails_of_others(known, f"I miss {ADA}")
    known.eraser.work()
    assert reduced(known, later) == [False]


def test_a_mail_that_raised_goes_for_an_address_but_not_for_a_name(known: Harness) -> None:
    raised = mails_of_others(known, f"by {ADA}", f"by {NAME}", state=MailState.SHUNTED)
    answered = mails_of_others(known, f"by {NAME}")
    with known.store.transaction() as session:
        session.add(ErasureRow(addresses=ADA, names=NAME, label="a player", mails=answered[0], letters=0))
    known.eraser.work()
    assert reduced(known, [*raised, *answered]) == [True, False, True]


def test_one_step_walks_no_further_than_so_many_numbers_where_nothing_is_kept(
    known: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails_of_others(known, *map(str, range(10)))
    letters_to_others(known, 10, "", LetterState.SENT)
    ask(known)
    monkeypatch.setattr(erasure_progress, "ROWS_AT_ONCE", 3)
    with known.store.transaction() as session:
        session.execute(update(InboxRow).values(is_reduced=True))
        session.execute(update(OutboxRow).values(text="", error=""))
    (before,) = noted_down(known)
    left = before.mails + before.letters
    for _ in known.eraser._steps():
        now = sum(one.mails + one.letters for one in noted_down(known))
        assert left - 3 <= now
        left = now
    assert left == 0


@pytest.mark.sqlite("other databases clean their files by themselves")
def test_a_file_that_could_not_be_written_anew_is_written_later(
    known: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, tries = 0.0, []
    ask(known)
    one = Eraser(known.store, known.services.limits, lambda: now)

    def full(_store: Store, *, thoroughly: bool) -> None:
        tries.append(thoroughly)
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "purge_freed_pages", full)
        for _ in range(3):
            one.work()
        assert tries == [True]
        assert [row.addresses for row in noted_down(known)] == [""]
        assert "VACUUM, tries again: database or disk is full" in caplog.text
        now += erasure.AGAIN.total_seconds()
        one.work()
        assert tries == [True, True]
    now += erasure.AGAIN.total_seconds()
    one.work()
    assert noted_down(known) == []


@pytest.mark.sqlite("what its log holds")
def test_a_log_that_somebody_still_reads_is_not_taken_for_empty(harness: Harness) -> None:
    file = harness.store.engine.url.database
    reader = sqlite3.connect(str(file))
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM inbox").fetchone()
        harness.send(f"{NAME} <{ADA}>", "help")
        assert mails_of_others(harness, "more")  # which the reader does not see
        with harness.store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA busy_timeout = 1")
        with pytest.raises(sqlite3.OperationalError, match="being read"):
            harness.store.purge_freed_pages()
    finally:
        reader.close()
    harness.store.purge_freed_pages()
