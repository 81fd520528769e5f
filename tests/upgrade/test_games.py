"""Games of a database of the version before go on: by answers to its letters, and with all that was open in them."""

import pytest

from takmail.cli import games, players
from takmail.games.interface import Seat
from takmail.pipeline.rulings import OperatorNote
from tests.support.harness import ADA, BEN, said
from tests.upgrade.old import Game, Upgraded, address, standing, turns_of

pytestmark = pytest.mark.sqlite("the old database is one of SQLite's")

BY = OperatorNote("Olga", "it goes on")

MOVES = [
    (Game.SMALLEST, "Ada", "ps b3"),
    (Game.RUNNING, "Ada", "ps d5"),
    (Game.SIX, "Ada", "ps e5"),
    (Game.PICTURES, "Dora", "ps c3"),
    (Game.UNDONE, "Ada", "ps d3"),
    (Game.BOARD_AGREED, "Ben", "ps d4"),
    (Game.DRAW_OFFERED, "Ada", "ps c3"),
    (Game.UNDO_OFFERED, "Ben", "ps c4"),
    (Game.BACK_PROPOSED, "Ada", "ps c4"),
    (Game.BOARD_PROPOSED, "Ben", "ps d4"),
    (Game.RESTART_PROPOSED, "Ada", "ps d4"),
    (Game.DISPUTED, "Ben", "ps d4"),
    (Game.RESIGN_ASKED, "Ada", "ps d4"),
    (Game.WORDS_WAIT, "Ada", "ps d4"),
    (Game.HELD_OF_STRANGER, "Ben", "ps d4"),
    (Game.HELD_OF_FROM, "Ben", "ps d4"),
    (Game.RELAY, "Ada", "ps c3"),
    (Game.OF_STOPPED, "Ines", "ps c3"),
    (Game.BOUNCED, "Jon", "ps c3"),
    (Game.RESTING, "Kim", "ps d3"),
    (Game.FAILED, "Leo", "ps c3"),
    (Game.POSTPONED, "Mia", "ps d3"),
    (Game.QUEUED, "Ben", "ps c3"),
]


@pytest.mark.parametrize(("game", "who", "move"), MOVES)
def test_a_move_in_answer_to_the_last_old_letter_is_played(
    old: Upgraded, game: Game, who: str, move: str
) -> None:
    before = turns_of(old, game)
    letters = old.answer(who, move, game)
    assert turns_of(old, game) == [*before, move]
    assert f"played as turn {len(before) + 1}" in said(letters[0]) or game == Game.RELAY
    assert len(letters) == 2, "a receipt, and the letter to the opponent"


def test_a_move_in_answer_to_an_older_letter_is_not_played_and_the_board_comes(old: Upgraded) -> None:
    before = turns_of(old, Game.RUNNING)
    (answer,) = old.answer("Ada", "ps d5", Game.RUNNING, nth=-3)
    assert turns_of(old, Game.RUNNING) == before
    assert "2. Ben: ps a1" in answer.text


def test_a_move_that_was_played_before_is_known_when_it_comes_again(old: Upgraded) -> None:
    (answer,) = old.answer("Ben", "pw c4", Game.RUNNING, nth=-2)
    assert "already played" in said(answer)


def test_a_draw_that_was_offered_is_agreed_to(old: Upgraded) -> None:
    old.answer("Ada", "agree", Game.DRAW_OFFERED)
    assert standing(old, Game.DRAW_OFFERED) == "over"
    assert "Result: 1/2-1/2" in old.last(BEN).text


def test_an_undo_that_was_asked_for_is_agreed_to(old: Upgraded) -> None:
    old.answer("Ben", "agree", Game.UNDO_OFFERED)
    assert turns_of(old, Game.UNDO_OFFERED) == ["ps a1", "ps e5"]
    old.answer("Ada", "ps d3", Game.UNDO_OFFERED)
    assert turns_of(old, Game.UNDO_OFFERED) == ["ps a1", "ps e5", "ps d3"]


def test_to_go_back_is_agreed_to(old: Upgraded) -> None:
    old.answer("Ada", "agree", Game.BACK_PROPOSED)
    assert turns_of(old, Game.BACK_PROPOSED) == ["ps a1", "ps e5"]


def test_a_board_is_agreed_to(old: Upgraded) -> None:
    old.answer("Ada", "agree", Game.BOARD_PROPOSED)
    assert len(turns_of(old, Game.BOARD_PROPOSED)) == 4
    old.answer("Ben", "ps d4", Game.BOARD_PROPOSED)
    assert turns_of(old, Game.BOARD_PROPOSED)[-1] == "ps d4"


def test_to_begin_anew_is_agreed_to(old: Upgraded) -> None:
    old.answer("Ben", "agree", Game.RESTART_PROPOSED)
    assert turns_of(old, Game.RESTART_PROPOSED) == []


@pytest.mark.parametrize(
    ("game", "who"),
    [
        (Game.DRAW_OFFERED, "Ada"),
        (Game.UNDO_OFFERED, "Ben"),
        (Game.BACK_PROPOSED, "Ada"),
        (Game.BOARD_PROPOSED, "Ada"),
        (Game.RESTART_PROPOSED, "Ben"),
    ],
)
def test_an_offer_is_refused(old: Upgraded, game: Game, who: str) -> None:
    before = turns_of(old, game)
    assert len(old.answer(who, "refuse", game)) == 2
    assert (turns_of(old, game), standing(old, game)) == (before, "open")
    assert "offers nothing now" in said(old.answer(who, "agree", game)[0])


def test_a_dispute_stands_until_a_move_comes(old: Upgraded) -> None:
    (shown,) = old.answer("Ada", "show", Game.DISPUTED)
    assert "Ben thinks that turn 3 was invalid" in said(shown)
    old.answer("Ben", "ps d4", Game.DISPUTED)
    assert "was invalid" not in said(old.last(ADA)).replace("you think that a move was invalid", "")


def test_words_that_waited_come_with_the_next_letter(old: Upgraded) -> None:
    old.answer("Ada", "ps d4", Game.WORDS_WAIT)
    assert "I have to think about this." in said(old.last(BEN))


def test_yes_gives_the_game_up_where_that_was_asked(old: Upgraded) -> None:
    old.answer("Ada", "yes", Game.RESIGN_ASKED)
    assert standing(old, Game.RESIGN_ASKED) == "over"
    assert "Ada has given the game up" in said(old.last(BEN))


@pytest.mark.parametrize("game", [Game.HELD_OF_STRANGER, Game.HELD_OF_FROM])
def test_yes_plays_a_move_that_was_held(old: Upgraded, game: Game) -> None:
    old.answer("Ben", "yes", game)
    assert turns_of(old, game) == ["ps a1", "ps e5"]


def test_both_boards_of_a_relay_game_are_compared_though_the_first_is_old(old: Upgraded) -> None:
    letters = old.answer("Ada", "S 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 s", Game.RELAY)
    assert {one.to for one in letters} == {ADA, BEN}
    assert all("The two boards are the same" in said(one) for one in letters)


def test_an_adjourned_game_stands_still_and_goes_on_when_it_is_resumed(old: Upgraded) -> None:
    old.answer("Ada", "ps d4", Game.ADJOURNED)
    assert turns_of(old, Game.ADJOURNED) == ["ps a1", "ps e5"]
    games.resume(old.store, old.causes, Game.ADJOURNED.value, BY)
    old.collect()
    old.answer("Ada", "ps d4", Game.ADJOURNED)
    assert turns_of(old, Game.ADJOURNED) == ["ps a1", "ps e5", "ps d4"]


def test_a_blocked_players_game_goes_on_when_they_are_unblocked(old: Upgraded) -> None:
    (answer,) = old.answer("Hugo", "rs", Game.OF_BLOCKED)
    assert "writes to strangers" in said(answer)
    players.block(old.store, old.causes, address("hugo"), BY, undo=True)
    old.collect()
    old.answer("Ben", "ps e5", Game.OF_BLOCKED)
    assert turns_of(old, Game.OF_BLOCKED) == ["ps a1", "ps e5"]


def test_what_was_taken_back_is_in_the_log_still(old: Upgraded) -> None:
    (log,) = old.answer("Ada", "log", Game.UNDONE)
    assert "as the last turn was taken back: 3. Ada: ps c3 Run 2, turn 3, given up on" in said(log)
    (shown,) = old.answer("Ada", "show 3 given up 1", Game.UNDONE)
    assert "Turn 3 no longer counts" in said(shown)


@pytest.mark.parametrize(
    ("game", "result"),
    [
        (Game.ROAD, "R-0"),
        (Game.FLATS, "F-0"),
        (Game.RESIGNED, "0-1"),
        (Game.DRAWN, "1/2-1/2"),
        (Game.RULED, "1-0"),
        (Game.VOID, "This game has no result"),
    ],
)
def test_a_finished_game_can_be_looked_at_without_a_letter_of_it(
    old: Upgraded, game: Game, result: str
) -> None:
    to = old.services.key.reply_address(game.value, Seat.FIRST)
    (answer,) = old.send(f"Ada <{ADA}>", "show\nlog\nptn\nmatch", to=to)
    assert result in said(answer)
    # The draw and the void game bring nothing; of the others Ada has won three and Ben one.
    assert "In Tak, the match with Ben after 5 games" in said(answer)


def test_a_game_that_came_later_is_begun_and_the_running_ones_go_on(old: Upgraded) -> None:
    letters = old.answer("Ada", "new tzaar vs dora@example.org first=me", Game.RUNNING)
    invitation = next(one for one in letters if one.to == address("Dora"))
    assert "asks you to a game of TZAAR by mail (random)" in said(invitation)
    old.send(f"Dora <{address('Dora')}>", "accept", invitation)
    begun = [one for one in old.box if one.to == ADA][-1]
    assert "You play White, and the first turn is yours." in said(begun)
    typed = said(begun).split('The first turn is one capture and no more: "')[1].split('"')[0]
    answer, news = old.send(f"Ada <{ADA}>", typed, begun)
    assert "Your move is played as turn " in said(answer)
    assert news.text.splitlines()[0] == typed
    before = turns_of(old, Game.RUNNING)
    old.answer("Ada", "ps d5", Game.RUNNING)
    assert turns_of(old, Game.RUNNING) == [*before, "ps d5"]
