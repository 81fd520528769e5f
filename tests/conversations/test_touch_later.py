"""A link identifies its letter, as a reply does, so an old link is not taken for a current one."""

from dataclasses import replace

import pytest

from takmail.mail.tokens import SeatKey
from takmail.world.kinds import LetterView, Standing
from tests.support.links import link, links, touch, touched
from tests.support.memory_harness import BOTH_SIDES, WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

PLACES = {"plus": BOTH_SIDES, "no plus": replace(WITHOUT_PLUS, letter_view=LetterView.BOTH)}


@pytest.fixture(params=PLACES)
def harness(request: pytest.FixtureRequest) -> MemoryHarness:
    """Return a harness with plus addresses, and one without."""
    return MemoryHarness(services=PLACES[request.param])


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of four turns; it is Ada's turn."""
    harness.begin_and_play("ps a1", "ps e5", "ps b2", "ps d4")


def standing(harness: MemoryHarness) -> Standing:
    return harness.table().record.standing


def test_a_link_names_its_letter(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    mail = touched(game, ADA, link(letter, "rs"))
    named = letter.id.strip("<>").partition("@")[0]
    assert named in f"{mail['To']} {mail['Subject']}"


def test_a_link_whose_letter_has_no_room_in_the_address_names_the_seat() -> None:
    key = SeatKey(b"a key", f"{'tak' * 15}@example.test", "+")
    address = key.letter_address("<1.abcdefghijklmnop.7.0123456789abcdef@example.test>")
    assert address == f"{'tak' * 15}+1.abcdefghijklmnop@example.test"


@pytest.mark.parametrize("back", ["restart", "back 2"])
def test_a_link_from_before_the_game_went_back_is_not_played_when_its_number_comes_round(
    game: MemoryHarness, back: str
) -> None:
    old = link(game.last(ADA), "ps b3 #5")
    game.send(ADA, f"propose {back}", game.last(ADA))
    game.send(BEN, "agree", game.last(BEN))
    count = len(turns(game))
    assert count in (0, 2)
    game.play(*("ps a5", "ps e1", "ps d1", "ps d2")[count:], start=count)
    assert len(turns(game)) == 4
    (answer,) = touch(game, ADA, old)
    assert len(turns(game)) == 4
    assert "is no more" in said(answer)


def test_an_old_link_to_offer_a_draw_takes_up_no_newer_offer(game: MemoryHarness) -> None:
    old = link(game.last(ADA), "draw")
    game.play("ps c2", start=4)
    game.send(BEN, "ps d3\ndraw", game.last(BEN))
    touch(game, ADA, old)
    assert standing(game) == Standing.OPEN


def test_an_old_link_to_take_up_an_offer_takes_up_no_newer_one(game: MemoryHarness) -> None:
    game.send(BEN, "draw", game.last(BEN))
    old = link(game.last(ADA), "agree draw")
    game.play("ps c2", start=4)
    game.send(BEN, "ps d3\ndraw", game.last(BEN))
    touch(game, ADA, old)
    assert standing(game) == Standing.OPEN


def test_the_newest_of_several_offers_on_one_board_can_be_taken_up(game: MemoryHarness) -> None:
    game.send(BEN, "propose back 2", game.last(BEN))
    game.send(BEN, "withdraw back", game.last(BEN))
    game.send(BEN, "propose back 3", game.last(BEN))
    (newest,) = (one for one in links(game.last(ADA)) if one.words.startswith("agree"))
    touch(game, ADA, newest)
    assert len(turns(game)) == 3


def test_a_link_tells_nobody_else_which_letter_it_was(game: MemoryHarness) -> None:
    mine = link(game.last(ADA), "ps b3 #5")
    letters: list[Received] = touch(game, BEN, mine)
    assert len(turns(game)) == 4
    assert all(
        game.last(ADA).id.strip("<>").split("@")[0] not in one.mail.as_string()
        for one in letters
        if one.to == BEN
    )
