"""Games whose stored bids or set-up can't be: what their players and their operator get, and how they end."""

import pytest
from sqlalchemy import text

from takmail.cli import games as console
from takmail.pipeline.rulings import CannotRule
from takmail.world.kinds import Ruling, Standing
from tests.support.damaged import BY, OPERATOR, shunted, standing, with_operator, write
from tests.support.harness import ADA, BEN, Harness
from tests.support.players import said
from tests.support.width import some_of

BIDDING = (
    "UPDATE seat SET bid = 500 WHERE bid = 47",
    "UPDATE seat SET bid = -3 WHERE bid = 47",
    "UPDATE game SET setup = '5'",
    "UPDATE game SET setup = 'zzz'",
    "UPDATE game SET setup = '5 rules=university bids=4,9'",
    "UPDATE game SET standing = 'open'",
)
BEGUN = (
    "UPDATE game SET setup = '5 rules=university'",
    "UPDATE game SET standing = 'bidding'",
    "UPDATE game SET standing = 'invited'",
    "UPDATE seat SET bid = 7",
)


def bidding(harness: Harness) -> None:
    with_operator(harness)
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} rules=university")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "bid 47", harness.last(BEN))


def damage(harness: Harness, statement: str) -> None:
    with harness.store.transaction() as session:
        session.connection().execute(text(statement))


@pytest.mark.parametrize("statement", some_of(BIDDING, 3))
def test_the_other_bid_is_kept_for_the_operator_and_the_players_are_told(
    harness: Harness, statement: str
) -> None:
    bidding(harness)
    damage(harness, statement)
    letters = write(harness, ADA, "bid 4", harness.last(ADA))
    assert sorted(one.to for one in letters) == sorted([ADA, BEN, OPERATOR])
    assert "500" not in "".join(one.mail.as_string() for one in letters if one.to != OPERATOR)
    assert len(shunted(harness)) == 1


@pytest.mark.parametrize("statement", some_of(BEGUN, 2))
def test_a_game_that_has_begun_has_bids_in_its_set_up_alone(harness: Harness, statement: str) -> None:
    bidding(harness)
    harness.send(f"Ada <{ADA}>", "bid 4", harness.last(ADA))
    damage(harness, statement)
    assert harness.table().is_corrupt
    letters = write(harness, BEN, "ps a1", harness.last(BEN))
    assert OPERATOR in {one.to for one in letters}


@pytest.mark.parametrize("statement", some_of([*BIDDING[:2], *BIDDING[3:5]], 2))
def test_the_operator_can_end_it_as_void(harness: Harness, statement: str) -> None:
    bidding(harness)
    damage(harness, statement)
    write(harness, ADA, "bid 4", harness.last(ADA))
    console.end(harness.store, harness.causes, 1, Ruling.VOID, BY)
    letters = harness.collect()
    assert sorted(one.to for one in letters) == [ADA, BEN]
    assert all("The operator of Tak by Mail has ended this game" in said(one) for one in letters)
    assert standing(harness) == Standing.DECLINED


def test_the_operator_can_end_a_sound_game_in_which_the_players_bid(harness: Harness) -> None:
    bidding(harness)
    console.end(harness.store, harness.causes, 1, Ruling.VOID, BY)
    letters = harness.collect()
    assert sorted(one.to for one in letters) == [ADA, BEN]
    assert all(f'"{BY.why}"' in said(one) for one in letters)
    assert standing(harness) == Standing.DECLINED
    (answer,) = harness.send(f"Ada <{ADA}>", "bid 4", harness.last(ADA))
    assert "Not done" in said(answer)


def test_a_game_in_which_the_players_bid_has_no_winner(harness: Harness) -> None:
    bidding(harness)
    with pytest.raises(CannotRule):
        console.end(harness.store, harness.causes, 1, Ruling.FIRST, BY)
    assert standing(harness) == Standing.BIDDING
