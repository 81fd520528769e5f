"""Games for coins in a database of the version before, beside its old games."""

import re

import pytest

from tests.support.harness import ADA, BEN, said
from tests.upgrade.old import Game, Upgraded, turns_of

pytestmark = pytest.mark.sqlite("the old database is one of SQLite's")


@pytest.mark.parametrize("game", [Game.RUNNING, Game.UNDONE, Game.BOARD_AGREED])
def test_an_old_game_has_no_coins_and_its_undo_asks(old: Upgraded, game: Game) -> None:
    assert old.table(game.value).account is None
    for letter in old.answer("Ada", "rs", game):
        assert "Coins:" not in said(letter)


def test_a_new_game_for_coins_goes_on_beside_the_old_ones(old: Upgraded) -> None:
    before = turns_of(old, Game.RUNNING)
    (answer,) = old.answer("Ada", "seek 4 rules=university bid=4", Game.RUNNING)
    seek = re.search(r"It is seek #(\d+)", said(answer))
    assert seek is not None
    old.answer("Ben", f"join {seek[1]} bid=2", Game.RUNNING)
    assert "The bids: White 4, Black 2." in said(old.last(ADA))
    old.send(f"Ada <{ADA}>", "ps a1", old.last(ADA))
    assert "24 in the pot" in said(old.last(BEN))
    assert turns_of(old, Game.RUNNING) == before
