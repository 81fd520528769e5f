"""A mail that raises in words that no database holds, or of which nothing can be noted: the others go on."""

import pytest
from sqlmodel import Session, col, select

from takmail.commands.kinds import MailState
from takmail.commands.queries import Queries
from takmail.commands.services import Services
from takmail.commands.snapshot import Snapshot
from takmail.inbound import Inbound
from takmail.mail.envelope import Envelope
from takmail.pipeline import process
from takmail.pipeline.values import Outcome
from takmail.store import inbox
from takmail.store.tables import IntakeRow
from tests.office import ADA, BEN, Office, turns

WORDS = "at \x00 and \udc80"


def raises(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each mail of Ada's raise in these words."""
    done = process.process

    def done_or_raised(
        services: Services, queries: Queries, snapshot: Snapshot, message: Envelope
    ) -> Outcome:
        if message.sender == ADA:
            raise RuntimeError(words)
        return done(services, queries, snapshot, message)

    monkeypatch.setattr(process, "process", done_or_raised)


def mails(office: Office) -> list[IntakeRow]:
    with office.store.transaction() as session:
        return list(session.exec(select(IntakeRow).order_by(col(IntakeRow.id))))


def put_two(office: Office) -> None:
    """One mail that raises, and one behind it that doesn't."""
    office.inbound.keep_one(office.mail(f"Ada <{ADA}>", "new 5 vs someone@example.org").as_bytes())
    office.inbound.keep_one(office.mail(f"Ben <{BEN}>", "help").as_bytes())


def test_what_an_error_says_is_stored_as_far_as_a_database_holds_it(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises(WORDS, monkeypatch)
    put_two(office)
    office.inbound.work()
    raised, answered = mails(office)
    assert (raised.state, raised.raised, raised.attempts) == (MailState.SHUNTED, 3, 3)
    assert raised.note.endswith("RuntimeError: at ? and ?\n")
    assert answered.state == MailState.ANSWERED


def test_every_note_is_stored_so(office: Office) -> None:
    put_two(office)
    with office.store.transaction() as session:
        inbox.end(session, 1, MailState.REJECTED, WORDS)
    assert mails(office)[0].note == "at ? and ?"


@pytest.mark.parametrize("restarts", [False, True])
def test_one_of_which_nothing_can_be_noted_is_left_alone_until_the_next_start(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, restarts: bool
) -> None:
    with monkeypatch.context() as patch:
        raises("a player's words", patch)
        patch.setattr(inbox, "stumbled", unable)
        put_two(office)
        assert office.inbound.work() == 2
        first, answered = mails(office)
        assert (first.state, first.raised, answered.state) == (MailState.NEW, 0, MailState.ANSWERED)
        assert "left alone" in caplog.text
        assert "player's words" not in caplog.text
        assert office.inbound.work() == 0
    if restarts:
        office.inbound = Inbound(office.store, office.causes, is_gone=lambda _: True)
    assert office.inbound.work() == int(restarts)
    assert mails(office)[0].state == (MailState.ANSWERED if restarts else MailState.NEW)


def unable(session: Session, *_: object) -> bool:
    """Stands in for what notes that a mail raises."""
    raise TypeError(session)


def test_a_mail_of_the_same_game_waits_behind_one_that_is_left_alone(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.begin()
    with monkeypatch.context() as patch:
        raises("words", patch)
        patch.setattr(inbox, "stumbled", unable)
        for turn in ("ps a1", "ps b1"):
            office.inbound.keep_one(office.mail(f"Ada <{ADA}>", turn, office.last(ADA)).as_bytes())
        assert office.inbound.work() == 1
    assert office.inbound.work() == 0
    assert turns(office) == []
