"""Other mails are still processed after a mail whose error can't be stored."""

import pytest
from sqlmodel import Session, col, select

from takmail.letters.services import Services
from takmail.mail.message import Mail
from takmail.pipeline import process
from takmail.pipeline.process import Outcome
from takmail.runtime.mail_worker import MailWorker
from takmail.store import inbox
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from takmail.world.world import Snapshot
from tests.support.harness import ADA, BEN, Harness, ReadsHere, turns

WORDS = "at \x00 and \udc80"


def raises(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each mail of Ada's raise with these words."""
    done = process.process

    def done_or_raised(
        services: Services, snapshot: Snapshot, message: Mail, why_unread: str | None, *, has_body: bool
    ) -> Outcome | None:
        if message.sender == ADA:
            raise RuntimeError(words)
        return done(services, snapshot, message, why_unread, has_body=has_body)

    monkeypatch.setattr(process, "process", done_or_raised)


def mails(harness: Harness) -> list[InboxRow]:
    with harness.store.transaction() as session:
        return list(session.exec(select(InboxRow).order_by(col(InboxRow.id))))


def put_two(harness: Harness) -> None:
    """Store a mail whose processing raises, and a later one whose processing doesn't."""
    harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "new 5 vs someone@example.org").as_bytes())
    harness.mail_worker.keep_one(harness.mail(f"Ben <{BEN}>", "help").as_bytes())


def test_what_an_error_says_is_stored_as_far_as_a_database_holds_it(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(WORDS, monkeypatch)
    put_two(harness)
    harness.mail_worker.work()
    raised, answered = mails(harness)
    assert (raised.state, raised.errors, raised.attempts) == (MailState.SHUNTED, 3, 3)
    assert raised.note.endswith("RuntimeError: at ? and ?\n")
    assert answered.state == MailState.ANSWERED


def test_every_note_is_stored_so(harness: Harness) -> None:
    put_two(harness)
    with harness.store.transaction() as session:
        inbox.end(session, 1, MailState.REJECTED, WORDS)
    assert mails(harness)[0].note == "at ? and ?"


@pytest.mark.parametrize("restarts", [False, True])
def test_a_mail_whose_error_cannot_be_stored_is_skipped_until_the_next_start(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, restarts: bool
) -> None:
    with monkeypatch.context() as patch:
        raises("a player's words", patch)
        patch.setattr(inbox, "record_error", unable)
        put_two(harness)
        assert harness.mail_worker.work() == 2
        first, answered = mails(harness)
        assert (first.state, first.errors, answered.state) == (MailState.NEW, 0, MailState.ANSWERED)
        assert "skipping the mail until the next start" in caplog.text
        assert "player's words" not in caplog.text
        assert harness.mail_worker.work() == 0
    if restarts:
        harness.mail_worker = MailWorker(
            harness.store, harness.causes, reader=ReadsHere(), is_gone=lambda _: True
        )
    assert harness.mail_worker.work() == int(restarts)
    assert mails(harness)[0].state == (MailState.ANSWERED if restarts else MailState.NEW)


def unable(session: Session, *_: object) -> bool:
    """Replaces the function that stores a mail's error."""
    raise TypeError(session)


def test_a_mail_of_the_same_game_waits_behind_one_that_is_left_alone(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    with monkeypatch.context() as patch:
        raises("words", patch)
        patch.setattr(inbox, "record_error", unable)
        for turn in ("ps a1", "ps b1"):
            harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", turn, harness.last(ADA)).as_bytes())
        assert harness.mail_worker.work() == 1
    assert harness.mail_worker.work() == 0
    assert turns(harness) == []
