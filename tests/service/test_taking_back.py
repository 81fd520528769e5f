"""`undo` takes back a turn at once if its letter can't have been read. Otherwise the opponent is asked."""

from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.runtime.mail_worker import MailWorker
from takmail.store import dispatch, outbox
from takmail.store.tables import OutboxRow, PendingRow
from takmail.world.kinds import LetterState
from takmail.world.waiting import CONSENTS
from tests.support.harness import ADA, BEN, Harness, Received, said
from tests.support.memory_harness import turns
from tests.support.scenes import played_once
from tests.support.sending import TakesLetters

_ADA, _BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    """Ada and Ben have played two turns, and Ada is to move. All letters are sent."""
    harness.begin_and_play("ps a1", "ps e5")
    leave(harness)


def leave(harness: Harness) -> list[int]:
    """Send all letters that may be sent, and return them."""
    left = []
    with harness.store.transaction() as session:
        while claimed := [one.id for one in dispatch.claim(session, harness.now + timedelta(days=1))]:
            dispatch.sent(session, claimed)
            left += claimed
    return left


def ada(harness: Harness, text: str) -> list[Received]:
    return harness.send(_ADA, text, harness.last(ADA))


def ben(harness: Harness, text: str) -> list[Received]:
    return harness.send(_BEN, text, harness.last(BEN))


def test_a_move_whose_letter_has_not_left_is_taken_back_at_once(game: Harness) -> None:
    ada(game, "ps c3\n\nIt rains here.")
    unsent = game.last(BEN)
    (answer,) = ada(game, "undo")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert ", your turn: " in said(answer)
    assert turns(game) == ["ps a1", "ps e5"]
    _, news = ada(game, "ps d3")
    assert "  | It rains here." in news.text
    assert unsent.id not in str(news.mail["References"]) + str(news.mail["In-Reply-To"])
    with game.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == unsent.id)).one()
        assert row.state == LetterState.WITHDRAWN
        assert row.id not in [one.id for one in outbox.unsent(session, 1)]
        number = row.id
    assert number not in leave(game)


def test_a_move_whose_letter_is_already_with_the_delivery_worker_is_taken_back_with_leave_only(
    game: Harness,
) -> None:
    game.mail_worker = MailWorker(game.store, game.causes, delivery=TakesLetters())
    ada(game, "ps c3")
    _, news = ada(game, "undo")
    assert "Ada would like to take turn 3 back" in said(news)
    assert turns(game) == ["ps a1", "ps e5", "ps c3"]


@pytest.mark.parametrize("state", ["sent", "claimed", "tried before"])
def test_a_move_whose_letter_may_have_left_is_taken_back_with_leave_only(game: Harness, state: str) -> None:
    leave(game)
    ada(game, "ps c3")
    with game.store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.QUEUED)):
            row.claimed_by = "serve"
            row.state = LetterState.SENT if state == "sent" else LetterState.QUEUED
            row.error = "timed out" if state == "tried before" else ""
    _, news = ada(game, "undo")
    assert "Ada would like to take turn 3 back" in said(news)
    assert turns(game) == ["ps a1", "ps e5", "ps c3"]
    answer, news = ben(game, "agree")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert "your turn 3 (ps c3) is taken back, and you play another one" in said(news)
    assert turns(game) == ["ps a1", "ps e5"]
    (log,) = ada(game, "log")
    assert "Run 1, turn 3, given up on 2026-11-21, as the last turn was taken back: 3. Ada: ps c3" in said(
        log
    )


def test_what_was_asked_drops_with_the_move(game: Harness) -> None:
    ada(game, "ps c3")
    leave(game)
    ben(game, "resign")
    game.send(_BEN, "#1 ps c4")
    ada(game, "undo")
    ben(game, "agree")
    with game.store.transaction() as session:
        assert {row.kind for row in session.exec(select(PendingRow))} <= {*CONSENTS}
