"""`moves b2` lists the legal moves of a square, and `moves` the likely ones of all squares."""

import re

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.mail.html_text import text_of_html
from takmail.mail.quotes.own_letters import page_text
from takmail.world.kinds import LetterView
from tests.commands.grammar.reading import ASKED
from tests.support.links import Link, link, links, on_board, touch
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """It is Ada's turn, and she has a stack of two on B2."""
    harness.begin_and_play("ps a1", "ps b2", "ps c2", "ps e5", "mw c2", "ps e4")


def ask(harness: MemoryHarness, line: str, who: str = ADA) -> str:
    (answer,) = harness.send(who, line, harness.last(who))
    return said(answer)


def with_html(harness: MemoryHarness) -> None:
    harness.change(letter_view=LetterView.BOTH)


def test_all_moves_of_a_stack_are_listed_as_they_are_typed(game: MemoryHarness) -> None:
    answer = ask(game, "moves b2")
    assert (
        "You wrote: moves b2 All that you can play from B2. "
        'To play one, answer with its line. With "#7" behind it, a move counts only as turn 7. '
        "B2 to the north: mn b2 p1 1 mn b2 p2 2 "
        "B2 to the east: me b2 p1 1 me b2 p2 2 me b2 p2 1 1"
    ) in answer
    assert len(turns(game)) == 6


@pytest.mark.parametrize("line", ["Moves B2.", "moves b2?", "/moves b2", "Hi,\nmoves b2", "moves b2 please"])
def test_it_is_understood_as_people_ask_for_it(game: MemoryHarness, line: str) -> None:
    answer = ask(game, line)
    assert "mn b2 p1 1" in answer


def test_of_an_empty_square_all_that_can_be_placed_is_listed(game: MemoryHarness) -> None:
    assert "C3 is empty, so something can be placed there: ps c3 pw c3 pc c3" in ask(game, "moves c3")


def test_alone_it_lists_every_square_and_what_is_likely_of_every_stack(game: MemoryHarness) -> None:
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
    ],
)
def test_what_there_is_nothing_to_list_of_is_answered_with_the_reason(
    game: MemoryHarness, line: str, why: str
) -> None:
    assert why in ask(game, line)


def test_a_stack_that_is_shut_in_is_answered_with_that(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps c3", "ps a1", "ps c1", "pw a2", "ps c2", "pw b1", words="3")
    assert "nothing that stands on A1 can be played now" in ask(harness, "moves a1")


def test_words_that_begin_so_are_chat(game: MemoryHarness) -> None:
    words = "moves like that surprise me"
    game.send(ADA, words, game.last(ADA))
    assert words in game.last(BEN).text


def test_what_is_almost_the_command_is_asked_about(game: MemoryHarness) -> None:
    (answer,) = game.send(ADA, "move b2", game.last(ADA))
    assert "me b2 p2 2" in offered(answer)


@pytest.mark.parametrize("line", ["/moves please do", "Moves, moves, moves ..."])
def test_other_words_for_it_list_them(game: MemoryHarness, line: str) -> None:
    assert "Place a capstone on: pc b1" in ask(game, line)


def test_who_waits_is_told_so(game: MemoryHarness) -> None:
    assert "Not done: it is not your turn. Ada is to move" in ask(game, "moves e5", BEN)


def test_in_a_relay_game_nobody_knows(harness: MemoryHarness) -> None:
    harness.begin("5 relay")
    assert "I keep no board in this game" in ask(harness, "moves b2")


def test_before_and_after_a_game_there_is_nothing_to_play(harness: MemoryHarness) -> None:
    harness.send(ADA, f"new 5 vs {BEN} first=me")
    assert "the game has not begun" in ask(harness, "moves", ADA)
    harness.send(BEN, "accept", harness.last(BEN))
    harness.send(ADA, "resign", harness.last(ADA))
    harness.send(ADA, "yes", harness.last(ADA))
    assert "this game is over" in ask(harness, "moves", ADA)


def test_it_needs_no_more_than_a_from(game: MemoryHarness) -> None:
    (answer,) = game.send(ADA, "moves b2", subject="[tak #1]", to="tak@example.test")
    assert "mn b2 p1 1" in answer.text


def test_help_tells_of_it(game: MemoryHarness) -> None:
    assert '"moves b2" lists all that you can play from B2' in ask(game, "help moves")


def test_on_the_html_side_the_lines_are_links(game: MemoryHarness) -> None:
    with_html(game)
    game.send(ADA, "moves b2", game.last(ADA))
    answer = game.last(ADA)
    assert "B2 to the north:" in answer.html
    assert [one.words for one in listed(answer)][:5] == [
        "mn b2 p1 1 #7",
        "mn b2 p2 2 #7",
        "me b2 p1 1 #7",
        "me b2 p2 2 #7",
        "me b2 p2 1 1 #7",
    ]
    assert link(answer, "me b2 p2 1 1 #7").name == "east p2 1 1"
    assert "ps c3 #7" not in [one.words for one in listed(answer)]
    touch(game, ADA, link(answer, "me b2 p2 1 1 #7"))
    assert turns(game)[-1] == "me b2 p2 1 1"


def test_the_last_line_of_a_touched_stack_brings_all_of_its_moves(game: MemoryHarness) -> None:
    with_html(game)
    game.send(ADA, "rs", game.last(ADA))
    *_, more = on_board(game.last(ADA))["b2"].words.splitlines()
    (answer,) = game.send(ADA, more, game.last(ADA))
    assert len(listed(answer)) == 10


def test_alone_its_html_side_has_the_board_to_touch(game: MemoryHarness) -> None:
    with_html(game)
    game.send(ADA, "moves", game.last(ADA))
    answer = game.last(ADA)
    assert on_board(answer)["c3"].words == "ps c3 #7"
    assert {one.words[:2] for one in listed(answer)} == {"pw", "pc"}  # The board has the others.
    assert "ps c3" not in answer.html.replace("ps%20c3", "")


def listed(letter: Received) -> list[Link]:
    """Return the links that play a turn, except those of the board."""
    squares = on_board(letter).values()
    return [one for one in links(letter) if one.words.endswith(" #7") and one not in squares]


def columns_of(letter: Received) -> list[str]:
    """Return the moves in the lists of a letter, without the moves that it reports."""
    rows = (row.strip() for row in letter.lines if re.match(r"  [pm][a-z] ", row))
    return [cell for row in rows for cell in re.split(" {2,}", row)]


@pytest.mark.parametrize(("line", "heads"), [("moves b2", 4), ("moves c3", 1)])
def test_whoever_has_only_the_html_side_can_tell_what_to_type(
    game: MemoryHarness, line: str, heads: int
) -> None:
    with_html(game)
    game.send(ADA, line, game.last(ADA))
    answer = game.last(ADA)
    columns = set(columns_of(answer))
    touched = listed(answer)
    assert {one.words.removesuffix(" #7") for one in touched} == columns
    page = " ".join(page_text(answer.html).split())
    assert "as you would type it" not in page
    assert page.count("Typed, ") == heads
    if line == "moves b2":
        assert 'Typed, "east p2 1 1" is "me b2 p2 1 1".' in page
        # A label equals the typed form, except for the direction, which the sentence explains.
        assert {one.name.split(" ", 1)[1] for one in touched} == {typed.split(" ", 2)[2] for typed in columns}
    else:
        assert 'Typed, they are "ps c3", "pw c3" and "pc c3".' in page


@pytest.mark.parametrize("line", ["moves b2", "moves c3"])
def test_nothing_in_the_html_side_is_a_move_where_it_is_quoted_without_marks(
    game: MemoryHarness, line: str
) -> None:
    with_html(game)
    game.send(ADA, line, game.last(ADA))
    page = text_of_html(game.last(ADA).html)
    assert "Typed, " in page
    for words in page.splitlines():
        read = understand(words.lstrip("> "), anywhere(GAMES, COMMANDS), expected=ASKED)
        # A line that is probably a move does nothing.
        assert not any(isinstance(one.arguments, Play) for one in read.orders), words


def offered(answer: Received) -> set[str]:
    """Return the lines that an answer offers, without what they do and without `say`."""
    above = answer.text.split("\nA B")[0]
    rows = [line.strip().split("   ")[0] for line in above.splitlines() if re.match("  [a-z]", line)]
    return {row for row in rows if not row.startswith("say ")}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("c3 wall", {"pw c3"}),
        ("C3 Wall.", {"pw c3"}),
        ("b2 east", {"me b2 p1 1", "me b2 p2 2", "me b2 p2 1 1"}),
    ],
)
def test_what_a_link_is_called_is_answered_with_what_to_type(
    game: MemoryHarness, words: str, meant: set[str]
) -> None:
    before = len(game.box)
    (answer,) = game.send(ADA, words, game.last(ADA))
    assert offered(answer) == meant
    assert len(turns(game)) == 6
    assert [letter.to for letter in game.box[before:]] == [ADA]


@pytest.mark.parametrize(
    ("who", "words"), [(ADA, "c3 is a wall"), (ADA, "east"), (BEN, "b2 is east of a2"), (BEN, "a wall")]
)
def test_what_only_sounds_so_is_asked_about(game: MemoryHarness, who: str, words: str) -> None:
    (answer,) = game.send(who, words, game.last(who))
    assert answer.to == who
    assert f"say {words}" in said(answer)


def test_words_below_what_a_link_is_called_wait_until_it_is_typed(game: MemoryHarness) -> None:
    (answer,) = game.send(ADA, "c3 wall\nThat is a good one, I think.", game.last(ADA))
    assert "Ben does not have your words yet" in said(answer)
    _, news = game.send(ADA, "pw c3\nThat is a good one, I think.", game.last(ADA))
    assert "That is a good one" in news.text
