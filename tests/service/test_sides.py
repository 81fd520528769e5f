"""Letters have two sides, or the one that their reader wants."""

from dataclasses import replace

import pytest
from sqlmodel import col, select

from takmail.commands.kinds import LetterView
from takmail.inbound import Inbound
from takmail.store.causes import Causes
from takmail.store.tables import OutboxRow
from tests.support.harness import ADA, BEN, Harness


@pytest.fixture
def game(harness: Harness, view: LetterView) -> Harness:
    harness.services = replace(harness.services, letter_view=view)
    harness.inbound = Inbound(harness.store, Causes(harness.services, harness.clock))
    harness.begin()
    harness.play("ps b4", "ps c3")
    return harness


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_a_letter_that_shows_a_board_shows_a_picture_of_it(game: Harness) -> None:
    for who in (ADA, BEN):
        letter = game.last(who)
        ((cid, picture),) = letter.pictures.items()
        assert f'src="cid:{cid}"' in letter.html
        assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_the_two_players_see_the_same_picture_under_addresses_of_their_own(game: Harness) -> None:
    ada, ben = game.last(ADA).pictures, game.last(BEN).pictures
    assert list(ada.values()) == list(ben.values())
    assert ada.keys().isdisjoint(ben.keys())


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_a_picture_does_not_tell_the_token_of_its_reader(game: Harness) -> None:
    letter = game.last(ADA)
    token = letter.mail["Reply-To"].addresses[0].username.partition("+")[2].rpartition(".")[2]
    assert token
    assert token in letter.id
    assert all(token not in cid for cid in letter.pictures)


@pytest.mark.parametrize("view", [LetterView.BOTH])
def test_what_the_players_say_is_no_tag(game: Harness) -> None:
    game.send(ADA, "say look: <b>here</b> & there", game.last(ADA))
    letter = game.last(BEN)
    assert "look: <b>here</b> & there" in letter.text
    assert "look: &lt;b&gt;here&lt;/b&gt; &amp; there" in letter.html


@pytest.mark.parametrize("view", [LetterView.TEXT])
def test_text_alone_is_a_mail_of_one_part(game: Harness) -> None:
    assert game.last(ADA).mail.get_content_type() == "text/plain"


@pytest.mark.parametrize("view", [LetterView.HTML])
def test_html_alone_has_the_pictures_and_no_text(game: Harness) -> None:
    letter = game.last(ADA)
    assert letter.mail.get_content_type() == "multipart/related"
    assert (letter.text, len(letter.pictures)) == ("", 1)


@pytest.mark.parametrize("view", list(LetterView))
def test_the_text_is_kept_in_any_case_to_know_the_letter_again(game: Harness) -> None:
    with game.store.transaction() as session:
        newest = session.exec(select(OutboxRow.text).order_by(col(OutboxRow.id).desc())).first()
    assert newest is not None
    assert "\nA B C D E\n" in newest
