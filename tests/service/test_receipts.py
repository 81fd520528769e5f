"""A receipt that its reader doesn't want, as it is stored: it answers the mail, and it is never sent."""

import pytest
from sqlmodel import col, select

from takmail.store.people import budgets
from takmail.store.tables import OutboxRow
from takmail.world.kinds import LetterPurpose, LetterState
from tests.support.explained import explained, work_as_explained
from tests.support.harness import ADA, BEN, Harness, said, turns
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    """A game in which Ada, who wants no receipts, has played turn 1."""
    harness.begin()
    harness.send(f"Ada <{ADA}>", "receipts off", harness.last(ADA))
    harness.play("ps a1")


def written(harness: Harness, address: str) -> list[OutboxRow]:
    """Return all letters to an address, oldest first."""
    with harness.store.transaction() as session:
        rows = session.exec(
            select(OutboxRow).where(OutboxRow.mail_to == address).order_by(col(OutboxRow.id))
        ).all()
        session.expunge_all()
    return list(rows)


def answers(harness: Harness) -> int:
    with harness.store.transaction() as session:
        return budgets(session, [ADA], harness.now)[ADA].hour[LetterPurpose.SURE]


def test_it_is_stored_with_its_mail_and_withdrawn(game: Harness) -> None:
    *_, receipt = written(game, ADA)
    news = written(game, BEN)[-1]
    assert (receipt.state, receipt.turn) == (LetterState.WITHDRAWN, 1)
    assert receipt.text.startswith("Your move is played as turn 1 (ps a1). You place a flat of Ben's")
    assert (news.state, news.mail_id) == (LetterState.QUEUED, receipt.mail_id)
    assert game.note_of(receipt.mail_id or 0) == ("played", "game 1, turn 1")


def test_it_counts_as_an_answer(game: Harness) -> None:
    before = answers(game)
    game.play("ps e5", "ps c3", start=1)
    assert game.last(ADA).lines[0] == "ps e5"
    assert answers(game) == before + 1


def test_explain_foretells_it(game: Harness) -> None:
    game.play("ps e5", start=1)
    raw = game.mail(f"Ada <{ADA}>", "ps c3", game.last(ADA)).as_bytes()
    it = explained(game, raw)
    work_as_explained(game, raw, it)
    assert [(one.to, one.state) for one in it.letters] == [
        ("Ada", LetterState.WITHDRAWN),
        ("Ben", LetterState.QUEUED),
    ]


def test_the_next_letter_does_not_follow_it(game: Harness) -> None:
    came = next(one for one in reversed(game.box) if one.to == ADA and one.subject.startswith("[tak"))
    game.play("ps e5", start=1)
    assert game.last(ADA).mail["In-Reply-To"] == came.id
    assert written(game, ADA)[-2].message_id not in game.last(ADA).mail["References"]


def test_mydata_lists_it_as_withdrawn(game: Harness) -> None:
    (answer,) = game.send(f"Ada <{ADA}>", "mydata", game.last(ADA))
    assert '"state": "withdrawn"' in said(answer)


def test_the_move_is_taken_back_by_an_answer_to_the_letter_before(game: Harness) -> None:
    (answer, *_) = game.send(f"Ada <{ADA}>", "undo", game.last(ADA))
    assert "taken back" in said(answer)
    game.play("ps b2")
    assert turns(game) == ["ps b2"]
