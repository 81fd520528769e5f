"""A mail with whose outcome something is in the way: it is worked on anew, and never for ever."""

import pytest
from sqlalchemy.exc import IntegrityError

from takmail.commands.kinds import MailState
from takmail.pipeline.values import Conflict
from takmail.runtime import causes
from takmail.store.tables import IntakeRow
from tests.damaged import put, shunted
from tests.office import ADA, Office, turns


@pytest.fixture
def game(office: Office) -> Office:
    office.begin()
    return office


def test_what_others_have_changed_meanwhile_is_decided_anew(
    game: Office, monkeypatch: pytest.MonkeyPatch
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
        row = session.get_one(IntakeRow, 4)
        assert (row.state, row.attempts, row.raised) == (MailState.PLAYED, 1, 0)


def test_what_is_there_already_and_stays_there_has_the_mail_kept(
    game: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_there(*_what: object, **_how: object) -> None:
        raise Conflict("it is there") from IntegrityError(None, None, Exception("UNIQUE"))

    with monkeypatch.context() as patch:
        patch.setattr(causes, "write", is_there)
        assert put(game, ADA, "ps a1") == []
    (mail,) = shunted(game)
    assert mail.raised == 3
    put(game, ADA, "ps b1")
    assert turns(game) == ["ps b1"]
