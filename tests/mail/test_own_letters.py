"""Unmarked letters of this service in a typed text."""

import pytest

from takmail.limits.mails import MAX_SEARCHED_LINES
from takmail.mail.quotes.own_letters import without_letters
from tests.support.cost import assert_in_proportion
from tests.support.width import some_of

RULES = (
    "It is your turn, Ben: answer this mail with your move on a line of its\n"
    'own. "ps b4" places a flat on B4, "pw b4" a wall, "pc b4" a capstone.'
)


def letter(turn: int, move: str, board: str) -> str:
    return f"{move}\n\nAda has played turn {turn}, and now it is your turn.\n\n{board}\n\n{RULES}\n"


LETTERS = [
    letter(5, "ps c3", "S 0 0\n0 s 0\n0 0 s"),
    letter(3, "ps b4", "S 0 0\n0 0 0\n0 0 s"),
    letter(1, "ps a1", "0 0 0\n0 0 0\n0 0 s"),
]


@pytest.mark.parametrize("quoted", LETTERS)
def test_an_older_letter_goes_with_the_move_at_its_head(quoted: str) -> None:
    assert without_letters(f"ps d1\nHello\n\n\n{quoted}\n\nBye", LETTERS) == "ps d1\nHello\n\nBye"
    assert without_letters(quoted, LETTERS) == ""


def test_many_older_letters_go() -> None:
    assert without_letters("\n\n".join(["ps d1", *LETTERS]), LETTERS) == "ps d1"
    assert without_letters("\n\n".join(["ps d1", *reversed(LETTERS)]), LETTERS) == "ps d1"


@pytest.mark.parametrize(
    "typed",
    [
        "ps b4",
        "ps b4\nps c3\nBen",
        "Is it my turn?\nps b4\nI think it is your turn.",
        "ps b4\n\nS 0 0\n0 0 0\n0 0 s",
        "My board:\n\nS 0 0\n0 s 0\n0 0 s\n\nps b4\n\nBen",
        "Hello,\nyou can answer this mail\nps b4\n",
    ],
)
def test_what_a_player_types_again_stays(typed: str) -> None:
    assert without_letters(typed, LETTERS) == typed


@pytest.mark.parametrize(
    "line",
    some_of(
        [
            "的",
            "轮到你了",
            "0",
            "0 0 0",
            "ps b4",
            "your turn",
            "It is your turn, Ben:",
            "It is your turn, Ben: 0 0",
        ],
        3,
    ),
)
def test_a_long_text_takes_no_long_time(line: str) -> None:
    letters = [one * 8 + str(number) for number, one in enumerate(LETTERS)]
    # With an eighth of so few lines growth is not visible.
    assert_in_proportion(
        lambda lines: without_letters(f"{line}\n" * lines + RULES, letters), MAX_SEARCHED_LINES - 2, shorter=1
    )
