"""The end of a game: its animation, its record as a file, and a web address."""

import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from takmail.pipeline import rulings
from takmail.world.kinds import GameNumber, Ruling
from tests.support.endings import animations, files, frames, record, want
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

ROAD = ("ps a1", "ps c3", "ps c2", "ps a2", "ps b2", "ps b1", "ps b3", "ps a3")
"""On the smallest board Black wins with the eighth turn, down the west side."""


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """Two turns have been played, and both players chose letters with both sides."""
    harness.begin("3")
    harness.play(*ROAD[:2])
    want(harness, "both")


@pytest.fixture
@played_once
def won(harness: MemoryHarness) -> None:
    """A game that has just been won."""
    harness.begin("3")
    harness.play(*ROAD[:-1])
    want(harness, "both")
    harness.play(ROAD[-1], start=1)


def finish(harness: MemoryHarness) -> None:
    """Play the rest of the game, with plain-text letters except for the last ones."""
    want(harness, "text")
    harness.play(*ROAD[2:-1])
    want(harness, "both")
    harness.play(ROAD[-1], start=1)


def rule(harness: MemoryHarness, ruling: Ruling) -> list[Received]:
    """Let the operator end the game. Return the letters that report it."""
    by = rulings.OperatorNote("Other", "the server moves")
    return harness.rule(lambda context: rulings.end(context, GameNumber(1), ruling, by))


def both(harness: MemoryHarness) -> list[Received]:
    """Return the newest letter to each player."""
    return [harness.last(ADA), harness.last(BEN)]


def test_the_end_of_a_game_comes_with_all_of_it_to_both(won: MemoryHarness) -> None:
    for letter in both(won):
        assert len(frames(letter)) == len(ROAD) + 2
        assert "https://ptn.ninja/" in letter.text
        assert record(letter).startswith("[Player1 ")
        assert "The whole game is attached: takmail-1.ptn. The record is in PTN" in said(letter)


def test_an_animation_begins_anew_and_stays_longest_on_its_end(won: MemoryHarness) -> None:
    *times, last = frames(won.last(ADA))
    assert len(set(times)) == 1
    assert last > 3 * times[0]


def test_an_animation_shows_the_end_where_it_does_not_move(won: MemoryHarness) -> None:
    (image,) = animations(won.last(ADA))
    first = image.convert("RGB")
    image.seek(len(ROAD) + 1)
    assert first.tobytes() == image.convert("RGB").tobytes()
    image.seek(1)
    assert first.tobytes() != image.convert("RGB").tobytes()


def test_the_board_has_the_road_that_has_won(won: MemoryHarness) -> None:
    for letter in both(won):
        on_road = re.findall(
            r'src="cid:3-[rb]-[nesw]?-[nesw]+-\w+@takmail"[^>]*alt="(\w\d): S+"', letter.html
        )
        assert on_road == ["A1", "A2", "A3"]


def test_whoever_wants_text_alone_gets_the_game_in_it_and_nothing_to_draw(game: MemoryHarness) -> None:
    want(game, "text")
    game.play(*ROAD[2:])
    for letter in both(game):
        assert letter.mail.get_content_type() == "text/plain"
        assert '[Size "3"]' in letter.text
        assert "https://ptn.ninja/" in letter.text
    assert {one.content.drawings for one in game.outcome.letters} == {""}


def test_whoever_wants_html_alone_gets_the_file_and_the_animation_too(game: MemoryHarness) -> None:
    want(game, "html")
    game.send(f"Ada <{ADA}>", "draw", game.last(ADA))
    game.send(f"Ben <{BEN}>", "agree", game.last(BEN))
    for letter in both(game):
        assert not letter.text
        assert 'href="https://ptn.ninja/' in letter.html
        assert len(frames(letter)) == 4
        assert '[Size "3"]' in record(letter)


def test_after_an_operators_ruling_both_get_the_animation(game: MemoryHarness) -> None:
    letters = rule(game, Ruling.SECOND)
    assert [len(frames(letter)) for letter in letters] == [4, 4]
    assert all("0-1" in record(letter) for letter in letters)


def test_a_game_that_is_given_up_comes_with_what_was_played(game: MemoryHarness) -> None:
    game.send(f"Ada <{ADA}>", "resign", game.last(ADA))
    game.send(f"Ada <{ADA}>", "yes", game.last(ADA))
    for letter in both(game):
        assert len(frames(letter)) == 4
        assert "0-1" in record(letter)


def test_an_agreed_draw_comes_with_the_game_to_both(game: MemoryHarness) -> None:
    game.send(f"Ada <{ADA}>", "draw", game.last(ADA))
    game.send(f"Ben <{BEN}>", "agree", game.last(BEN))
    for letter in both(game):
        assert len(frames(letter)) == 4
        assert "1/2-1/2" in record(letter)


def test_a_game_without_a_result_comes_with_what_was_played(game: MemoryHarness) -> None:
    for letter in rule(game, Ruling.VOID):
        assert len(frames(letter)) == 4
        assert "Result" not in record(letter)


def test_later_letters_of_a_game_have_its_address_and_no_more(won: MemoryHarness) -> None:
    (letter,) = won.send(f"Ada <{ADA}>", "rs", won.last(ADA))
    assert not animations(letter)
    assert not files(letter)
    assert "https://ptn.ninja/" in letter.text


def test_of_a_long_game_the_last_turns_are_shown_and_said_so(
    game: MemoryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("takmail.letters.drawings.MAX_ANIMATED_TURNS", 5)
    finish(game)
    for letter in both(game):
        assert len(frames(letter)) == 7
        assert "Its last 5 turns are attached as an animation, too: takmail-1.gif." in said(letter)
        assert "1. a3 c1" in record(letter)


def test_the_address_opens_the_game_that_the_record_has(won: MemoryHarness) -> None:
    letter = won.last(ADA)
    (address,) = re.findall(r"^https://\S+$", letter.text, re.MULTILINE)
    assert f'href="{address}"'.replace("&", "&amp;") in letter.html
    assert "A1 is its south-west corner" in said(letter)


def test_another_game_is_asked_for_by_touching(won: MemoryHarness) -> None:
    (link,) = re.findall('href="(mailto:[^"]*rematch[^"]*)"', won.last(ADA).html)
    assert "+" not in link
    parts = urlsplit(unescape(link))
    written = parse_qs(parts.query)
    mail = won.mail(f"Ada <{ADA}>", *written["body"], to=unquote(parts.path), subject=written["subject"][0])
    won.deliver(mail.as_bytes())
    assert "Ada wants to play again" in said(won.last(BEN))


def test_nobody_is_asked_to_play_with_who_has_left(game: MemoryHarness) -> None:
    game.send(f"Ben <{BEN}>", "forget me", game.last(BEN))
    game.send(f"Ben <{BEN}>", "yes", game.last(BEN))
    letter = game.last(ADA)
    assert "rematch" not in letter.html
    assert len(frames(letter)) == 4


def test_an_answer_that_carries_the_file_and_the_pictures_back_is_read_as_it_was_typed(
    won: MemoryHarness,
) -> None:
    letter = won.last(BEN)
    mail = won.mail(f"Ben <{BEN}>", "well played", letter)
    for file in files(letter):
        mail.add_attachment(str(file.get_content()), filename=str(file.get_filename()))
    for raw in letter.pictures.values():
        mail.add_attachment(raw, "image", "gif", filename="board.gif")
    won.deliver(mail.as_bytes())
    told = said(won.last(ADA))
    assert "Ben writes: | well played The game is over." in told
