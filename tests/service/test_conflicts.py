"""A mail whose outcome conflicts with another transaction is processed again, but only a limited number of times."""

import pytest
from psycopg.errors import DeadlockDetected
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session

from takmail.pipeline.process import Conflict
from takmail.store import causes
from takmail.store.database import Store
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.support.damaged import put, shunted
from tests.support.harness import ADA, Harness, turns


@pytest.fixture
def game(harness: Harness) -> Harness:
    harness.begin()
    return harness


def test_what_others_have_changed_meanwhile_is_decided_anew(
    game: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, tried = causes.write, []

    def in_the_way(*what: object, **how: object) -> None:
        tried.append(how)
        if len(tried) < causes.ATTEMPTS:
            raise Conflict("game 1")
        write(*what, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(causes, "write", in_the_way)
    put(game, ADA, "ps a1")
    assert turns(game) == ["ps a1"]
    assert len(tried) == causes.ATTEMPTS
    with game.store.transaction() as session:
        row = session.get_one(InboxRow, 4)
        assert (row.state, row.attempts, row.errors) == (MailState.PLAYED, 1, 0)


@pytest.mark.parametrize("cause", [None, IntegrityError(None, None, Exception("UNIQUE"))])
def test_what_stays_in_the_way_has_the_mail_kept_and_not_those_behind_it(
    game: Harness, monkeypatch: pytest.MonkeyPatch, cause: Exception | None
) -> None:
    write, tried = causes.write, []

    def stays(*what: object, claimed_by: str, **how: object) -> object:
        if len(tried) < 3 * causes.ATTEMPTS:
            tried.append(claimed_by)
            raise Conflict("it is there") from cause
        return write(*what, claimed_by=claimed_by, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(causes, "write", stays)
    game.mail_worker.keep_one(game.mail(ADA, "ps a1", game.last(ADA)).as_bytes())
    game.mail_worker.keep_one(game.mail(ADA, "ps b1", game.last(ADA)).as_bytes())
    assert game.mail_worker.work() > 1
    (mail,) = shunted(game)
    assert mail.errors == 3
    assert turns(game) == ["ps b1"]


def test_two_transactions_that_wait_for_each_other_are_tried_again(store: Store) -> None:
    collided, tried = OperationalError("", {}, DeadlockDetected()), []

    def work(session: Session) -> str:
        tried.append(session)
        if len(tried) == 1:
            raise collided
        return "done"

    assert causes.with_retries(store, work) == "done"
    assert len(tried) == 2
