"""`moves b2` lists what can be played from a square, and `moves` what is likely anywhere."""

from dataclasses import replace

import pytest

from takmail.inbound import Inbound
from takmail.store.tables import LetterView
from tests.links import link, links, touch
from tests.office import ADA, BEN, Office, said, turns


@pytest.fixture
def game(office: Office) -> Office:
    """A game in which it is Ada's turn, who has a stack of two on B2."""
    office.begin("5")
    office.play("ps a1", "ps b2", "ps c2", "ps e5", "mw c2", "ps e4")
    return office


def ask(office: Office, line: str, who: str = ADA) -> str:
    (answer,) = office.send(who, line, office.last(who))
    return said(answer)


def with_html(office: Office) -> None:
    office.desk = replace(office.desk, letter_view=LetterView.BOTH)
    office.inbound = Inbound(office.store, office.desk)


def test_all_moves_of_a_stack_are_listed_as_they_are_typed(game: Office) -> None:
    answer = ask(game, "moves b2")
    assert (
        "You wrote: moves b2 All that you can play from B2, as you would type it. "
        'With "#7" behind it, a move is only played if it is turn 7. '
        "B2 to the north, 1 of 2 picked up: mn b2 p1 1 "
        "B2 to the north, 2 of 2 picked up: mn b2 p2 2 "
        "B2 to the east, 1 of 2 picked up: me b2 p1 1 "
        "B2 to the east, 2 of 2 picked up: me b2 p2 2 me b2 p2 1 1"
    ) in answer
    assert len(turns(game)) == 6


@pytest.mark.parametrize("line", ["Moves B2.", "moves b2?", "/moves b2", "Hi,\nmoves b2"])
def test_it_is_understood_as_people_ask_for_it(game: Office, line: str) -> None:
    answer = ask(game, line)
    assert "mn b2 p1 1" in answer


def test_of_an_empty_square_all_that_can_be_placed_is_listed(game: Office) -> None:
    assert "C3 is empty, so something can be placed there: ps c3 pw c3 pc c3" in ask(game, "moves c3")


def test_alone_it_lists_every_square_and_what_is_likely_of_every_stack(game: Office) -> None:
    answer = ask(game, "moves")
    assert "Place a flat on: ps b1 ps c1" in answer
    assert "Place a capstone on: pc b1" in answer
    assert 'B2 (ss), 10 moves in all with "moves b2": mn b2 p2 2 me b2 p2 2 ms b2 p2 2 mw b2 p2 2' in answer


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("moves z9", "there is no square Z9 on this board"),
        ("moves 3", "there is no square 3 on this board"),
        ("moves a1", "the stack on A1 is not White's to move"),
        ("/moves please do", 'Write, for example: "moves b2"'),
    ],
)
def test_what_there_is_nothing_to_list_of_is_answered_with_the_reason(
    game: Office, line: str, why: str
) -> None:
    assert why in ask(game, line)


def test_a_stack_that_is_shut_in_is_answered_with_that(office: Office) -> None:
    office.begin("3")
    office.play("ps c3", "ps a1", "ps c1", "pw a2", "ps c2", "pw b1")
    assert "nothing that stands on A1 can be played now" in ask(office, "moves a1")


@pytest.mark.parametrize("words", ["moves like that surprise me", "Moves, moves, moves ..."])
def test_words_that_begin_so_are_chat(game: Office, words: str) -> None:
    game.send(ADA, words, game.last(ADA))
    assert words in game.last(BEN).text


@pytest.mark.parametrize("line", ["move b2", "moves b2 please", "moves: b2"])
def test_what_is_almost_the_command_is_offered(game: Office, line: str) -> None:
    assert "send this: moves b2" in ask(game, line)


def test_who_waits_is_told_so(game: Office) -> None:
    assert "Not done: it is not your turn. Ada is to move" in ask(game, "moves e5", BEN)


def test_in_a_relay_game_nobody_knows(office: Office) -> None:
    office.begin("5 relay")
    assert "I keep no board in this game" in ask(office, "moves b2")


def test_before_and_after_a_game_there_is_nothing_to_play(office: Office) -> None:
    office.send(ADA, f"new 5 vs {BEN} first=me")
    assert "the game has not begun" in ask(office, "moves", ADA)
    office.send(BEN, "accept", office.last(BEN))
    office.send(ADA, "resign", office.last(ADA))
    office.send(ADA, "yes", office.last(ADA))
    assert "this game is over" in ask(office, "moves", ADA)


def test_it_needs_no_more_than_a_from(game: Office) -> None:
    (answer,) = game.send(ADA, "moves b2", subject="[tak #1]", to="tak@example.test")
    assert "mn b2 p1 1" in answer.text


def test_help_tells_of_it(game: Office) -> None:
    assert '"moves b2" lists all that you can play from B2' in ask(game, "help moves")


def test_on_the_html_side_the_lines_are_links(game: Office) -> None:
    with_html(game)
    game.send(ADA, "moves b2", game.last(ADA))
    answer = game.last(ADA)
    assert "B2 to the north, 2 of 2 picked up:" in answer.html
    assert [one.words for one in links(answer)][:5] == [
        "mn b2 p1 1 #7",
        "mn b2 p2 2 #7",
        "me b2 p1 1 #7",
        "me b2 p2 2 #7",
        "me b2 p2 1 1 #7",
    ]
    assert link(answer, "me b2 p2 1 1 #7").name == "east 1 1"
    assert "ps c3 #7" not in [one.words for one in links(answer)]
    touch(game, ADA, link(answer, "me b2 p2 1 1 #7"))
    assert turns(game)[-1] == "me b2 p2 1 1"


def test_the_link_to_more_of_a_stack_brings_it(game: Office) -> None:
    with_html(game)
    game.send(ADA, "rs", game.last(ADA))
    more = link(game.last(ADA), "moves b2")
    assert more.name == "b2 all 10 moves"
    (answer,) = touch(game, ADA, more)
    assert len([one for one in links(answer) if " b2 " in one.words]) == 10


def test_alone_its_html_side_has_the_links_once(game: Office) -> None:
    with_html(game)
    game.send(ADA, "moves", game.last(ADA))
    answer = game.last(ADA)
    assert link(answer, "ps c3 #7").name == "c3 flat"
    assert "ps c3" not in answer.html.replace("ps%20c3", "")
