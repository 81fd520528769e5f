"""A touched stack opens a mail with several of its moves. Who keeps one line plays it, and all else is explained."""

from dataclasses import replace

import pytest

from takmail.blocks import message
from takmail.letters.templates import Templates, folder
from tests.support.links import Link, links, on_board, touch
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined

HEADING = Templates(folder()).said(message("keep_one_line"))
MOVES = ("me b2 p2 1 1 #7", "me b2 p2 2 #7", "ms b2 p1 1 #7")
BODY = (HEADING, *MOVES, "moves b2")
"""The lines of a mail like the one that a touched stack opens."""
LISTED = "me b2 p2 1 1 #7 / me b2 p2 2 #7 / ms b2 p1 1 #7"


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(services=BOTH_SIDES)


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """It is Ada's turn, turn 7, and she has a stack of two on B2."""
    harness.begin_and_play("ps a1", "ps b2", "ps c2", "ps e5", "mw c2", "ps e4")


def test_a_touched_stack_opens_such_a_mail(game: MemoryHarness) -> None:
    opened = on_board(game.last(ADA))["b2"]
    assert opened.words.splitlines() == [
        HEADING,
        *(f"m{way} b2 p2 2 #7" for way in "nesw"),
        "mn b2 p1 1 #7",
        "me b2 p1 1 #7",
        "moves b2",
    ]
    (answer,) = touch(game, f"Ada <{ADA}>", opened)
    assert "these are 6 different moves for one turn, so none is played. You touched B2" in said(answer)


def stack(letter: Received, *lines: str) -> Link:
    """Return a link to a stack, with these lines left in its mail."""
    return replace(links(letter)[0], body="".join(f"{line}\r\n" for line in lines))


def send(harness: MemoryHarness, *lines: str, below: str = "") -> list[Received]:
    return touch(harness, f"Ada <{ADA}>", stack(harness.last(ADA), *lines), below=below)


@pytest.mark.parametrize(
    ("below", "lines"),
    combined(
        ["", "\r\n-- \r\nAda\r\n", "Sent from my iPhone\r\n"],
        [
            (HEADING, MOVES[1]),
            (MOVES[1],),
            (HEADING, MOVES[1], "moves b2"),
            (MOVES[1], "moves b2"),
            (HEADING, "", MOVES[1], ""),
            (f"{HEADING.lower()}.", "", MOVES[1].upper()),
            (f"{HEADING} {MOVES[1]}",),
            (MOVES[1], HEADING),
        ],
    ),
)
def test_the_line_that_is_kept_is_played_and_nothing_else_is_told(
    game: MemoryHarness, lines: tuple[str, ...], below: str
) -> None:
    answer, news = send(game, *lines, below=below)
    assert turns(game)[6:] == ["me b2 p2 2"]
    assert news.lines[0] == "me b2 p2 2"
    for letter in (answer, news):
        assert "Not done" not in letter.text
        assert "Not tried" not in letter.text
        assert HEADING not in said(letter)
        assert "All that you can play" not in said(letter)


@pytest.mark.parametrize("lines", [BODY, BODY[1:], (HEADING, MOVES[0], MOVES[1], MOVES[2], "", "moves b2")])
def test_sent_as_it_is_nothing_is_played_and_the_answer_explains(
    game: MemoryHarness, lines: tuple[str, ...]
) -> None:
    (answer,) = send(game, *lines)
    assert len(turns(game)) == 6
    assert (
        f"You wrote: {LISTED} Not done: these are 3 different moves for one turn, so none is played. You touched B2 "
        "and sent several of the lines. Touch it again, keep one of the lines, delete "
        "the others and send the mail."
    ) in said(answer)
    assert answer.text.count("Not done") == 1
    assert "Not tried" not in answer.text
    assert answer.text.count("me b2 p2 1 1 #7") == 1
    assert ", your turn: " in said(answer)
    assert "log" in [one.words for one in links(answer)]


def test_two_lines_that_are_left_are_explained_too(game: MemoryHarness) -> None:
    (answer,) = send(game, HEADING, MOVES[0], MOVES[1])
    assert "these are two different moves for one turn, so neither is played. Send the one" in said(answer)
    assert len(turns(game)) == 6


def test_the_same_move_left_twice_is_played_once(game: MemoryHarness) -> None:
    send(game, HEADING, MOVES[0], MOVES[0], "moves b2")
    assert turns(game)[6:] == ["me b2 p2 1 1"]


@pytest.mark.parametrize("lines", [(HEADING,), (f"{HEADING}.", ""), (HEADING.upper(),)])
def test_where_no_line_is_left_the_answer_says_so(game: MemoryHarness, lines: tuple[str, ...]) -> None:
    (answer,) = send(game, *lines)
    assert "Not done: there is no move left in this mail." in said(answer)
    assert len(turns(game)) == 6


def test_where_only_the_last_line_is_left_all_moves_are_listed(game: MemoryHarness) -> None:
    (answer,) = send(game, HEADING, "moves b2")
    assert "All that you can play from B2" in said(answer)


@pytest.mark.parametrize(
    "lines",
    [
        (HEADING, MOVES[0], "", "Sorry that it took so long!"),
        ("Sorry that it took so long!", "", HEADING, MOVES[0], "moves b2"),
    ],
)
def test_words_beside_the_kept_line_are_passed_on(game: MemoryHarness, lines: tuple[str, ...]) -> None:
    _, news = send(game, *lines)
    assert turns(game)[6:] == ["me b2 p2 1 1"]
    assert "  | Sorry that it took so long!\n" in news.text
    assert HEADING not in news.text


def test_words_that_begin_like_the_heading_are_passed_on_whole(game: MemoryHarness) -> None:
    _, news = send(game, f"{HEADING} next time")
    assert f"  | {HEADING} next time\n" in news.text


def test_words_beside_several_lines_wait_for_the_move(game: MemoryHarness) -> None:
    (answer,) = send(game, *BODY, "", "Sorry that it took so long!")
    assert answer.to == ADA
    assert "Ben does not have your words yet" in said(answer)
    _, news = send(game, HEADING, MOVES[0])
    assert "  | Sorry that it took so long!\n" in news.text


def test_a_list_that_comes_too_late_is_stale_once(game: MemoryHarness) -> None:
    old = stack(game.last(ADA), *BODY)
    game.play("ps c3", "ps d4", start=6)
    (answer,) = touch(game, f"Ada <{ADA}>", old)
    assert "you have already played turn 7, and it was ps c3" in said(answer)
    assert answer.text.count("Not done") == 1
    assert "different moves" not in said(answer)
    assert "Not tried" not in answer.text
    assert len(turns(game)) == 8


def test_a_list_whose_board_is_given_up_is_stale_once(game: MemoryHarness) -> None:
    old = stack(game.last(ADA), *BODY)
    game.send(ADA, "propose back 4", game.last(ADA))
    game.send(BEN, "agree", game.last(BEN))
    game.play("mw c2", "ps e3", start=4)
    (answer,) = touch(game, f"Ada <{ADA}>", old)
    assert "is no more" in said(answer)
    assert answer.text.count("Not done") == 1


def test_a_list_that_answers_for_the_other_one_is_answered_once(game: MemoryHarness) -> None:
    lines = (HEADING, "ms e5 p1 1 #7", "mw e5 p1 1 #7", "moves e5")
    (shown,) = game.send(BEN, "rs", game.last(BEN))
    (answer,) = touch(game, f"Ben <{BEN}>", stack(shown, *lines))
    assert "it is not your turn" in said(answer)
    assert answer.text.count("Not done") == 1


def test_a_kept_line_with_a_slip_is_answered_alone(game: MemoryHarness) -> None:
    (answer,) = send(game, HEADING, "me b2 p2 1 #7", "moves b2")
    assert answer.text.count("Not done") == 1
    assert "Not tried" not in answer.text
    assert len(turns(game)) == 6


def test_an_empty_square_is_played_as_it_is_and_with_another_piece(game: MemoryHarness) -> None:
    send(game, "pw b4 #7")
    assert turns(game)[6:] == ["pw b4"]
