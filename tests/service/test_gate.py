"""The stored rows of rejected mails, which exceed a size limit or a limit on the mails of one sender."""

import pytest
from sqlmodel import select

from takmail.limits.mails import Limits
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.support.harness import ADA, Harness, Received, said, turns

SOMEONE = "Someone <someone@example.net>"


@pytest.fixture
def game(harness: Harness) -> Harness:
    harness.begin()
    return harness


def states(harness: Harness) -> list[str]:
    with harness.store.transaction() as session:
        return [str(row.state) for row in session.exec(select(InboxRow)).all()]


def with_file(harness: Harness, size: int, answers: Received) -> bytes:
    mail = harness.mail(f"Ada <{ADA}>", "ps b4", answers)
    mail.add_attachment(b"x" * size, maintype="image", subtype="png", filename="board.png")
    return mail.as_bytes()


def test_a_player_is_told_that_a_mail_is_too_long_and_nothing_is_played(game: Harness) -> None:
    (answer,) = game.deliver(with_file(game, 8_000_000, game.last(ADA)))
    assert "your mail is longer than the 10 MiB that I take" in said(answer)
    assert answer.subject.startswith("[tak #1]")
    assert turns(game) == []
    assert game.note_of(4) == ("rejected", "over the limit: [limits] mail_bytes = 10485760")


def test_a_mail_too_long_is_no_twin_of_the_same_mail_once_it_may_be_as_long(game: Harness) -> None:
    raw = with_file(game, 15_000, game.last(ADA))
    usual = game.services.limits
    game.change(limits=Limits(mail_bytes=10_000))
    game.deliver(raw)
    game.deliver(raw)
    assert states(game)[3:] == ["rejected", "duplicate"]
    game.change(limits=usual)
    game.deliver(raw)
    assert turns(game) == ["ps b4"]


def test_many_mails_of_one_sender_keep_nobody_else_from_playing(game: Harness) -> None:
    for number in range(20):
        game.mail_worker.keep_one(game.mail(SOMEONE, f"help\n{number}").as_bytes())
    game.mail_worker.keep_one(game.mail(f"Ada <{ADA}>", "ps b4", game.last(ADA)).as_bytes())
    for number in range(20, 40):
        game.mail_worker.keep_one(game.mail(SOMEONE, f"help\n{number}").as_bytes())
    game.mail_worker.work()
    assert turns(game) == ["ps b4"]
    assert sum(letter.to == "someone@example.net" for letter in game.collect()) == 5


def test_every_state_is_one_of_the_places(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "ps b4", game.last(ADA))
    assert set(states(game)) <= {str(state) for state in MailState} - {"new"}
    assert game.note_of(4) == ("played", "game 1, turn 1")
    assert game.note_of(3) == ("answered", "game 1, begun")
