"""`stop`: stored letters are not sent until their reader plays on."""

import pytest
from sqlmodel import select

from takmail.store import dispatch
from takmail.store.tables import GameRow, OutboxRow, TurnRow
from takmail.world.kinds import LetterState, Standing
from takmail.world.queries import Lacks, Queries
from takmail.world.world import Snapshot
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
    harness.begin()
    harness.play("ps a1")
    with harness.store.transaction() as session:
        session.exec(select(TurnRow)).one().text = "ps z9"
    assert unsubscribe(harness, harness.last(BEN)) == []
    with harness.store.transaction() as session:
        assert harness.causes.queries(session).mailbox(BEN).is_suspended


def test_the_header_stops_all_kinds_of_mail_and_is_not_answered(harness: Harness) -> None:
    harness.begin()
    harness.play("ps a1")
    letters = unsubscribe(harness, harness.last(BEN))
    assert [letter.to for letter in letters] == [ADA]
    assert "Ben wants no more mail from here" in said(letters[0])
    harness.send(AS_ADA, "Why?", letters[0])
    assert not leaves(harness, harness.last(BEN))


def test_who_plays_on_gets_letters_again_with_all_that_waited(harness: Harness) -> None:
    harness.begin()
    harness.play("ps a1")
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


def test_many_invitations_are_declined_in_as_many_decisions_as_few(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail is decided again for each lookup that it lacks, so all games are looked up at once."""
    harness.begin()
    rounds: list[Lacks] = []
    with_lookups = Snapshot.with_lookups

    def counted(snapshot: Snapshot, queries: Queries, lacks: Lacks) -> Snapshot:
        rounds.append(lacks)
        return with_lookups(snapshot, queries, lacks)

    def of_invitations(*hosts: str) -> int:
        for host in hosts:
            harness.send(f"{host} <{host.lower()}@example.org>", "new 5 vs Ben")
        with harness.store.transaction() as session:
            invited = session.exec(select(GameRow).where(GameRow.standing == Standing.INVITED)).all()
            assert len(invited) == len(hosts)
            for game in invited:
                game.invited_at = game.created_at
        rounds.clear()
        harness.send(AS_BEN, "stop", harness.last(BEN))
        declined = len(rounds)
        harness.send(AS_BEN, "ps e5", harness.last(BEN))
        return declined

    monkeypatch.setattr(Snapshot, "with_lookups", counted)
    assert of_invitations("Cid", "Dot") == of_invitations("Eve", "Fay", "Gus", "Hal")
