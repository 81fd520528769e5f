"""The operator ends a game that can't be repaired."""

import pytest

from takmail.cli import games as console
from takmail.store.tables import GameRow
from takmail.world.kinds import Ruling, Standing
from tests.support.damaged import BY, Damage, changed, do, four_turns, lost, put, set_up, show, with_operator
from tests.support.harness import ADA, BEN, Harness, said


@pytest.fixture
def game(harness: Harness) -> Harness:
    return four_turns(with_operator(harness))


ENDS = {
    Ruling.VOID: ("It has no result", "It has no result", None),
    Ruling.DRAW: ("It is a draw.", "It is a draw.", "1/2-1/2"),
    Ruling.FIRST: ("You have won.", "You have lost.", "1-0"),
    Ruling.SECOND: ("You have lost.", "You have won.", "0-1"),
}


@pytest.mark.parametrize(
    ("ruling", "damage", "is_frozen"),
    [
        (Ruling.VOID, changed(3, text="ps a5"), True),
        (Ruling.VOID, set_up("nonsense"), False),
        (Ruling.DRAW, set_up("nonsense"), True),
        (Ruling.FIRST, lost(2), True),
        (Ruling.FIRST, changed(3, text="ps a5"), False),
        (Ruling.SECOND, lost(2), False),
    ],
)
def test_the_operator_can_end_a_broken_game_as_it_is(
    game: Harness, damage: Damage, ruling: Ruling, is_frozen: bool
) -> None:
    do(game, damage)
    if is_frozen:
        put(game, ADA, "ps d4")
    page = console.end(game.store, game.causes, 1, ruling, BY)
    letters = game.collect()
    assert "2 letters" in page
    assert [one.to for one in letters] == [ADA, BEN]
    *results, score = ENDS[ruling]
    for letter, result in zip(letters, results, strict=True):
        assert "has ended this game with" in said(letter)
        assert '"mended"' in said(letter)
        assert result in said(letter)
        assert letter.text.count("\n0 ") == 0
        assert "Mails about it that I have kept get no answer any more." in said(letter)
    with game.store.transaction() as session:
        row = session.get_one(GameRow, 1)
        assert (row.standing, row.ruling, row.score) == (Standing.OVER, ruling, score)


def test_once_it_is_ended_nobody_is_told_again_that_it_is_broken(game: Harness) -> None:
    do(game, changed(3, text="ps a5"))
    put(game, ADA, "rs")
    assert 'takmail game end 1 --result void --why "..."' in show(game)
    console.end(game.store, game.causes, 1, Ruling.VOID, BY)
    game.collect()
    (answer,) = put(game, BEN, "rs")
    assert "game #1 is over" in said(answer)
    assert "takmail game end" not in show(game)
