"""Coins follow from what is stored: after taking back by right, in the match, and after a player has left for good."""

import pytest

from takmail.world.kinds import Standing, TakenBackBy
from tests.service.test_taking_back import leave
from tests.support.damaged import put, sql, standing, with_operator
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.width import some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
def won(harness: Harness) -> Harness:
    """Ben has taken a turn back for 3 coins in a game by Femr's Folly on 3x3, and Ada has won."""
    harness.begin_and_play("ps a3", "ps a1", words="3 rules=femr")
    leave(harness)
    harness.send(AS_BEN, "undo", harness.last(BEN))
    harness.play("ps a1", start=1)
    harness.play("ps b1 t", "ps b3", "ps c1", start=2)
    return harness


def test_what_was_taken_back_by_right_is_stored_and_paid_for(harness: Harness) -> None:
    harness.begin_and_play("ps a1", "ps e5", "pw c3", words="5 rules=femr")
    leave(harness)
    harness.send(AS_ADA, "undo", harness.last(ADA))
    (run,) = harness.table().taken_back
    assert run.how == TakenBackBy.RIGHT
    (answer,) = harness.send(AS_BEN, "rs", harness.last(BEN))
    assert "50 in the pot. You have paid 20, Ada has paid 30." in said(answer)
    assert "You may take your last turn back" in said(answer)


def test_the_opponents_answer_comes_before_the_undo_or_is_about_a_board_that_is_gone(
    harness: Harness,
) -> None:
    harness.begin_and_play("ps a1", "ps e5", "pw c3", words="5 rules=femr")
    leave(harness)
    shown = harness.last(BEN)
    harness.send(AS_ADA, "undo", harness.last(ADA))
    (answer,) = harness.send(AS_BEN, "ps d4", shown)
    assert "Not done" in said(answer)
    assert len(harness.table().turns) == 2


def test_the_standing_is_computed_from_the_stored_games(won: Harness) -> None:
    account = won.table().account
    assert account is not None
    assert account.net is not None
    net = account.net[0]
    assert account.net == (net, -net)
    standing = f"In coins you have won {net} in all"
    assert standing in said(won.last(ADA))
    (match,) = won.send(AS_ADA, "match ben")
    assert standing in said(match)
    (match,) = won.send(AS_BEN, "match", won.last(BEN))
    assert f"In coins you have lost {net} in all" in said(match)


def test_the_standing_outlives_a_player_without_their_name(won: Harness) -> None:
    account = won.table().account
    assert account is not None
    assert account.net is not None
    last = won.last(ADA)
    won.send(AS_BEN, "forget me", won.last(BEN))
    won.send(AS_BEN, "yes", won.last(BEN))
    answer, *_ = won.send(AS_ADA, "match", last)
    assert f"In coins you have won {account.net[0]} in all" in said(answer)
    assert "Ben" not in said(answer)


DAMAGED = ["number = 77", "how = 'zzz'", "seat = 0", "text = 'zzz'"]


@pytest.mark.parametrize("damage", some_of(DAMAGED, 2))
def test_a_game_with_a_damaged_take_back_is_frozen(harness: Harness, damage: str) -> None:
    with_operator(harness).begin("3 rules=femr")
    harness.play("ps a3", "ps a1")
    leave(harness)
    harness.send(AS_BEN, "undo", harness.last(BEN))
    sql(harness, f"UPDATE taken_back SET {damage}")
    assert "does not agree with itself" in said(put(harness, ADA, "rs")[0])
    assert standing(harness) == Standing.ADJOURNED


@pytest.mark.parametrize("damage", some_of(DAMAGED, 2))
def test_a_finished_game_with_a_damaged_take_back_does_not_count(won: Harness, damage: str) -> None:
    sql(won, f"UPDATE taken_back SET {damage}")
    (match,) = won.send(AS_ADA, "match ben")
    assert "Not counted: 1 game" in said(match)
    assert "In coins" not in said(match)
