"""`stop`: stored letters are not sent until their reader plays on."""

from sqlmodel import select

from takmail.store import dispatch
from takmail.store.tables import OutboxRow, TurnRow
from takmail.world.kinds import LetterState
from tests.conversations.test_stopping import AS_ADA, AS_BEN, unsubscribe
from tests.support.harness import ADA, BEN, Harness, Received, said, turns


def leaves(harness: Harness, letter: Received) -> bool:
    with harness.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == letter.id)).one()
        return row.state == LetterState.QUEUED


def test_an_answer_comes_all_the_same(harness: Harness) -> None:
    harness.begin()
    harness.send(AS_BEN, "stop", harness.last(BEN))
    (answer,) = harness.send(AS_BEN, "games", harness.last(BEN))
    assert leaves(harness, answer)
    with harness.store.transaction() as session:
        assert dispatch.claim(session, harness.now) != []


def test_a_broken_game_keeps_nobody_from_stopping(harness: Harness) -> None:
    harness.begin_and_play("ps a1")
    with harness.store.transaction() as session:
        session.exec(select(TurnRow)).one().text = "ps z9"
    assert unsubscribe(harness, harness.last(BEN)) == []
    with harness.store.transaction() as session:
        assert harness.causes.queries(session).mailbox(BEN).is_suspended


def test_the_header_stops_all_kinds_of_mail_and_is_not_answered(harness: Harness) -> None:
    harness.begin_and_play("ps a1")
    letters = unsubscribe(harness, harness.last(BEN))
    assert [letter.to for letter in letters] == [ADA]
    assert "Ben wants no more mail from here" in said(letters[0])
    harness.send(AS_ADA, "Why?", letters[0])
    assert not leaves(harness, harness.last(BEN))


def test_who_plays_on_gets_letters_again_with_all_that_waited(harness: Harness) -> None:
    harness.begin_and_play("ps a1")
    news = harness.last(BEN)
    harness.send(AS_BEN, "stop", news)
    harness.send(AS_ADA, "Are you there?", harness.last(ADA))
    waiting = harness.last(BEN)
    assert not leaves(harness, waiting)
    harness.send(AS_BEN, "rs", news)
    assert not leaves(harness, waiting)
    harness.send(AS_BEN, "ps e5", news)
    assert turns(harness) == ["ps a1", "ps e5"]
    assert leaves(harness, waiting)
