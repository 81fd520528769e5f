"""Queries of a rematch: who begins, and what was asked before."""

import pytest

from takmail.store import games
from takmail.store.tables import GameRow
from takmail.world.kinds import Standing
from tests.conversations.test_rematch import AS_ADA, AS_BEN, finish
from tests.support.harness import ADA, BEN, Harness, said


def game(harness: Harness, number: int) -> GameRow | None:
    with harness.store.transaction() as session:
        return session.get(GameRow, number)


@pytest.mark.parametrize("host", [AS_ADA, AS_BEN])
@pytest.mark.parametrize("first", ["me", "them"])
def test_after_the_first_game_they_begin_in_turn(harness: Harness, host: str, first: str) -> None:
    finish(harness, first=first)
    harness.send(host, f"new 6 vs {BEN if host == AS_ADA else ADA}")
    with harness.store.transaction() as session:
        (one, other), (new, _) = [game.players for game in games.every(session)]
    assert new == other != one


def test_a_game_that_never_began_is_no_turn_to_begin(harness: Harness) -> None:
    finish(harness, first="me")
    harness.send(AS_ADA, f"new 5 vs {BEN} first=them")
    harness.send(AS_BEN, "decline", harness.last(BEN))
    harness.send(AS_ADA, f"new 5 vs {BEN}")
    with harness.store.transaction() as session:
        first, _, third = games.every(session)
    assert third.players == first.players[::-1]


@pytest.mark.parametrize("where", ["in the new thread", "in the old thread"])
def test_rematch_is_as_good_as_accept(harness: Harness, where: str) -> None:
    ada, ben = finish(harness)
    invitation, _ = harness.send(AS_ADA, "rematch", ada)
    answer, news = harness.send(AS_BEN, "rematch", invitation if where == "in the new thread" else ben)
    assert "the game with Ada begins" in said(answer)
    assert "Ben has accepted" in said(news)
    assert answer.subject.startswith("[tak #2]")
    second = game(harness, 2)
    assert second is not None
    assert second.standing == Standing.OPEN
    assert game(harness, 3) is None
