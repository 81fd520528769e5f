"""Letters have two sides, or only the side that their reader chose."""

from dataclasses import replace

import pytest

from takmail.world.kinds import LetterView
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN
from tests.support.scenes import played_once

SERVICES = {view: replace(PLAIN, letter_view=view) for view in LetterView}


@pytest.fixture
def harness(view: LetterView) -> MemoryHarness:
    return MemoryHarness(services=SERVICES[view])


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4", "ps c3")


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_a_letter_that_shows_a_board_has_each_picture_of_it_once(game: MemoryHarness) -> None:
    (asked,) = game.send(BEN, "rs", game.last(BEN))
    for letter in (game.last(ADA), asked):
        assert letter.html.count('alt="A1: ') == 1
        assert len(letter.pictures) == 5  # empty, White, Black of the last move, and both sides
        for cid, picture in letter.pictures.items():
            assert f'src="cid:{cid}"' in letter.html
            assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_the_two_players_see_the_same_pictures(game: MemoryHarness) -> None:
    (asked,) = game.send(BEN, "rs", game.last(BEN))
    assert game.last(ADA).pictures == asked.pictures


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_a_picture_does_not_tell_the_token_of_its_reader(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    token = letter.mail["Reply-To"].addresses[0].username.partition("+")[2].rpartition(".")[2]
    assert token
    assert token in letter.id
    assert all(token not in cid for cid in letter.pictures)


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_what_the_players_say_is_no_tag(game: MemoryHarness) -> None:
    game.send(ADA, "say look: <b>here</b> & there", game.last(ADA))
    letter = game.last(BEN)
    assert "look: <b>here</b> & there" in letter.text
    assert "look: &lt;b&gt;here&lt;/b&gt; &amp; there" in letter.html


@pytest.mark.parametrize("view", [LetterView.TEXT])
def test_text_alone_is_a_mail_of_one_part(game: MemoryHarness) -> None:
    assert game.last(ADA).mail.get_content_type() == "text/plain"


@pytest.mark.parametrize("view", [LetterView.HTML])
def test_html_alone_has_the_pictures_and_no_text(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    assert letter.mail.get_content_type() == "multipart/related"
    assert (letter.text, len(letter.pictures)) == ("", 5)


@pytest.mark.parametrize("view", list(LetterView))
def test_the_text_is_kept_in_any_case_to_know_the_letter_again(game: MemoryHarness) -> None:
    *_, newest = game.memory.outbox.values()
    assert "\nA B C D E\n" in newest.content.text
