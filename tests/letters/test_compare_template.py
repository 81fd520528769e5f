"""The explanations of a comparison of a player's board with the game, word for word."""

import re

import pytest

from takmail.games.interface import Comparison
from takmail.games.tak.compare.orientation import TURNS as LIES
from takmail.games.tak.compare.orientation import Orientation
from takmail.games.tak.game import TakGame
from takmail.games.tak.wording.wording import TakWording
from takmail.games.wording import Boards
from tests.support.tables import each_row
from tests.support.wording import page

WORDING = TakWording()
TURNS = ["ps a1", "ps e5", "ps c3", "ps c2", "pw b3", "ms c2 p1 1"]
LONGER = [*TURNS, "ps b1", "ps b2", "ps d2"]
NOW = "S 0 0 0 0/0 0 0 0 0/0 w Ss 0 0/0 0 0 0 0/0 0 0 0 s"


def said(board, turns=TURNS):
    return page(WORDING.compared(TakGame().compare("5", turns, board), Boards.YOURS))


WORDED = [
    (NOW, TURNS, "Your board is the same as mine, in step at turn 6."),
    (
        "S 0 0 0 0/0 0 S 0 0/0 w s 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        (
            "Your board is right, but it is the board after turn 5.\n"
            "\n"
            "You have not played turn 6 on it:\n"
            "  6 ms c2 p1 1"
        ),
    ),
    (
        "S 0 0 0 0/0 0 0 0 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        (
            "Your board is right, but it is the board after turn 3.\n"
            "\n"
            "You have not played turns 4 to 6 on it:\n"
            "  4 ps c2\n"
            "  5 pw b3\n"
            "  6 ms c2 p1 1"
        ),
    ),
    (
        "0 0 0 0 s/0 0 0 0 0/0 w Ss 0 0/0 0 0 0 0/S 0 0 0 0",
        TURNS,
        (
            "Your board is the same as mine, only written another way. Its rows stand\n"
            "upside down, with A1 in the south-west corner, as in PTN. By the book A1\n"
            "is the north-west corner and rows count south."
        ),
    ),
    (
        "s 0 0 0 0/0 0 0 0 0/0 W Ss 0 0/0 0 0 0 0/0 0 0 0 S",
        TURNS,
        (
            "Your board is the same as mine, only written another way. White and\n"
            "Black are exchanged. Stacks are written bottom to top. By the book White\n"
            "is in small letters and Black in capitals. By the book a stack is\n"
            "written top to bottom."
        ),
    ),
    (
        "S 0 0 c 0/0 0 0 0 0/0 w Ss 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        "Your board is mine with one move more, pc d1, which has not been played.",
    ),
    (
        "S 0 0 0 0/0 0 0 0 0/0 s Ss 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        "Your board is what you get if turn 5 had been ps b3 and not pw b3.",
    ),
    (
        "S 0 0 0 0/S 0 S 0 0/S 0 0 0 0/S 0 0 0 0/0 0 0 0 0",
        ["ps a1", "ps a2", "ps a3", "ps c2", "ps a4"],
        (
            "Your board comes nearest to mine as it is now; 3 squares differ.\n"
            "\n"
            "  A2: yours S, mine s (last changed by turn 2: ps a2)\n"
            "  A3: yours S, mine s (last changed by turn 3: ps a3)\n"
            "  A4: yours S, mine s (last changed by turn 5: ps a4)\n"
            "\n"
            "Phones like to begin a line with a capital. If yours has done so, your\n"
            "board is right."
        ),
    ),
    (
        "S 0 0 0 0/0 0 0 S 0/0 0 s 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        (
            "Your board is what you get if turn 4 had been ps d2 and not ps c2.\n"
            "\n"
            "You have not played turns 5 and 6 on it:\n"
            "  5 pw b3\n"
            "  6 ms c2 p1 1"
        ),
    ),
    (
        "S 0 0 q 0/0 0 0 0/0 w Ss 0 0/0 0 sCs 0 0/0 C 0 0 s",
        TURNS,
        (
            "Your board comes nearest to mine as it is now; 4 squares differ.\n"
            "\n"
            "  D1: yours q, mine 0\n"
            "  A2: yours missing, mine 0\n"
            "  C4: yours sCs, mine 0\n"
            "  B5: yours C, mine 0\n"
            "\n"
            "This can't be on any board:\n"
            "  Row 2 has 4 spots, and there are 5 on this board.\n"
            '  D1: I can\'t read "q"; the letters are s, w, c, S, W, C, and 0.\n'
            "  C4: sCs has a capstone under another piece.\n"
            "  2 black capstones at C4 and B5, and there is only 1."
        ),
    ),
    (
        "W 0 0 0 0/0 0 0 0 0/0 w s 0 C/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        (
            "Your board comes nearest to mine as it is now; 3 squares differ.\n"
            "\n"
            "  A1: yours W, mine S (last changed by turn 1: ps a1)\n"
            "  C3: yours s, mine Ss (last changed by turn 6: ms c2 p1 1)\n"
            "  E3: yours C, mine 0"
        ),
    ),
    (
        "0 0 0 0 s/0 0 0 0 0/0 w Ss w 0/0 0 0 0 0/S 0 0 0 0",
        LONGER,
        (
            "Your board comes nearest to the board after turn 6, if it is read\n"
            "another way; one square differs. Its rows stand upside down, with A1 in\n"
            "the south-west corner, as in PTN.\n"
            "\n"
            "  D3: yours w, mine 0\n"
            "\n"
            "You have not played turns 7 to 9 on it:\n"
            "  7 ps b1\n"
            "  8 ps b2\n"
            "  9 ps d2"
        ),
    ),
    (
        "S 0 0 0 0/0 0 0 0 0 0/0 w Ss 0 0/0 0 0 0 0/0 0 0 0 s",
        TURNS,
        (
            "Apart from what is named below, your board is the same as mine, at turn\n"
            "6.\n"
            "\n"
            "This can't be on any board:\n"
            "  Row 2 has 6 spots, and there are 5 on this board."
        ),
    ),
    (
        "0 0 0/0 0 0/0 0 0",
        TURNS,
        "Your board has 3 rows, most with 3 spots, and this game is played on\n5x5: 5 lines of 5 spots.",
    ),
    (
        NOW,
        [*TURNS, "ps a1"],
        "Your board is the same as mine, in step at turn 6.\n"
        "\n"
        "I have gone only as far as turn 6: ps a1, turn 7, can't be played by the\nrules.",
    ),
]


def test_too_many_stones_are_named_where_there_are_more_than_in_the_game():
    text = said("S s s s s/s s s 0 0/0 w Ss 0 0/0 0 ssssssssssssssssssss 0 0/0 0 0 0 s", TURNS)
    assert "white stones, and there are only 21" in text
    assert "more than in the game" not in text
    moved = [*TURNS, "ps b1", "ps b2", "ps c1", "ps c2", "ps d1", "ps d2"]
    text = said("S s s s 0/0 S S S 0/0 w Ss 0 0/0 0 sssssssssssssssssss 0 0/0 0 0 0 s", moved)
    assert "25 white stones, and there are only 21; more than in the game at C4" in " ".join(text.split())


@each_row(("board", "turns", "words"), WORDED)
def test_an_explanation_is_worded(board, turns, words):
    assert said(board, turns) == words


def test_every_explanation_is_worded_somewhere_here():
    hows = {TakGame().compare("5", turns, board).how for board, turns, _ in WORDED}
    assert hows == {"same", "earlier", "turned", "ahead", "otherwise", "differs", "size"}


@pytest.mark.parametrize("lie", [lie for lie in LIES if lie])
def test_every_way_a_board_can_lie_is_worded(lie):
    found = TakGame().compare("5", TURNS, NOW)
    facts = {**found.facts, "orientation": Orientation(lie, True, True)}
    text = page(WORDING.compared(Comparison("turned", facts), Boards.YOURS))
    assert re.search(r"way\. Its? .+\. White and\s+Black .+\.\s+Stacks", text, re.DOTALL)
    assert "A1" in text
    assert max(map(len, text.splitlines())) <= 72


def said_of_two(one, other, turns=TURNS, boards=Boards.TWO):
    return page(WORDING.compared(TakGame().compare_two("5", turns, one, other), boards))


EARLIER = NOW.replace("Ss", "s").replace("0 0 0 0 0/0 w", "0 0 S 0 0/0 w")
MIRRORED = "/".join(NOW.split("/")[::-1])
OF_TWO = [
    (NOW, NOW, TURNS, "The two boards are the same. Both agree with the log, in step at turn 6."),
    (
        EARLIER,
        EARLIER,
        TURNS,
        "The two boards are the same. Each of them is the board after turn 5:\nturn 6 is missing.",
    ),
    (
        NOW,
        MIRRORED,
        TURNS,
        (
            "The two boards are the same, only written in two ways. The first board\n"
            "agrees with the log, in step at turn 6. The second board is the board\n"
            "after turn 6, only written another way. Its rows stand upside down, with\n"
            "A1 in the south-west corner, as in PTN."
        ),
    ),
    (
        NOW,
        EARLIER,
        TURNS,
        (
            "Both boards are right, but they are of different turns. The first board\n"
            "agrees with the log, in step at turn 6. The second board is the board\n"
            "after turn 5: turn 6 is missing.\n"
            "\n"
            "So 2 squares differ:\n"
            "  C2: first 0, second S (last changed by turn 6: ms c2 p1 1)\n"
            "  C3: first Ss, second s (last changed by turn 6: ms c2 p1 1)"
        ),
    ),
    (
        NOW.replace("Ss", "sCs"),
        NOW,
        [*TURNS, "ps a1"],
        (
            "The two boards differ in one square. The first board comes nearest to\n"
            "the board after turn 6; one square differs from that. The second board\n"
            "agrees with the log, in step at turn 6.\n"
            "\n"
            "  C3: first sCs, second Ss (last changed by turn 6: ms c2 p1 1)\n"
            "\n"
            "The first board has what can't be:\n"
            "  C3: sCs has a capstone under another piece.\n"
            "\n"
            "I have gone only as far as turn 6: ps a1, turn 7, can't be played by the\n"
            "rules."
        ),
    ),
    (
        "0 0 0/0 0 0/0 0 0",
        NOW,
        TURNS,
        "The first board has 3 rows, most with 3 spots. The second board has 5\n"
        "rows, most with 5 spots. This game is played on 5x5.",
    ),
]


@pytest.mark.parametrize(("one", "other", "turns", "words"), OF_TWO)
def test_what_two_boards_are_to_each_other_is_worded(one, other, turns, words):
    assert said_of_two(one, other, turns) == words


def test_a_letter_may_say_whose_boards_they_are():
    text = said_of_two(EARLIER, NOW, boards=Boards.RECEIVED)
    assert text.startswith("Both boards are right, but they are of different turns. Ben's board is")
    assert "Your board agrees with the log" in " ".join(text.split())
