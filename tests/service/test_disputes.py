"""Disputed turns: who sees the reason, and how long it stays."""

from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.cli import games as console
from takmail.runtime.scheduler import Retention
from takmail.store.tables import DisputeRow
from tests.support.harness import Harness
from tests.support.players import ADA, BEN, Received
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    """Four turns are played; turn 4 was Ben's, and Ada is to move."""
    harness.begin_and_play("ps a5", "ps e1", "ps c3", "ps c2")


def write(harness: Harness, who: str, words: str) -> list[Received]:
    """Answer the newest letter. Return the letters that follow, the writer's first."""
    return harness.send(f"{who[:3].capitalize()} <{who}>", words, harness.last(who))


def disputes(harness: Harness) -> list[tuple[int, int, str, bool]]:
    """Return seat, turn, reason, and whether the dispute is open."""
    with harness.store.transaction() as session:
        rows = session.exec(select(DisputeRow)).all()
        return [(row.seat, row.turn, row.reason, row.ended_at is None) for row in rows]


def test_the_operator_sees_it_until_somebody_moves(game: Harness) -> None:
    write(game, ADA, "im C2 was mine")
    assert disputes(game) == [(0, 4, "C2 was mine", True)]
    assert "turn 4, by Ada (2026-11-21 12:00): C2 was mine" in console.show_game(game.store, game.causes, 1)
    write(game, ADA, "ps d4")
    assert disputes(game) == [(0, 4, "C2 was mine", False)]


def test_reasons_are_shown_to_whose_they_are_and_go_with_them(game: Harness) -> None:
    write(game, ADA, "im pomegranates and quinces")
    (answer,) = write(game, ADA, "mydata")
    assert '"turn": 4' in answer.text
    assert '"reason": "pomegranates and quinces"' in answer.text
    (answer,) = write(game, BEN, "mydata")
    assert "pomegranates" not in answer.text
    write(game, ADA, "forget me")
    write(game, ADA, "yes")
    assert disputes(game) == []


def test_old_reasons_go_once_the_game_has_gone_on(game: Harness) -> None:
    write(game, ADA, "im C2 was mine")
    game.now += timedelta(days=31)
    Retention(game.store, game.causes, 30).work()
    assert disputes(game) == [(0, 4, "C2 was mine", True)]
    write(game, ADA, "ps d4")
    Retention(game.store, game.causes, 30).work()
    assert disputes(game) == [(0, 4, "", False)]
