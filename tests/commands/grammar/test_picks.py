"""Which of several offered lines an answer picks."""

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.answers import QUESTION, Expected, find_answer
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.picks import picked
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from tests.commands.build import game
from tests.support.tables import each_row

READER = in_game(GAMES, COMMANDS, TakGame(), game("ps a1", "ps e5", "ps c3", "pw c2").state)
ON_B4 = ("ps b4", "pw b4", "pc b4")
OF_C3 = ("me c3 p1 1", "ms c3 p1 1", "mw c3 p1 1")


@each_row(
    "text, line",
    [
        ("the first", "ps b4"),
        ("The first one, please.", "ps b4"),
        ("yes, the first", "ps b4"),
        ("2", "pw b4"),
        ("number three", "pc b4"),
        ("the last one", "pc b4"),
        ("flat", "ps b4"),
        ("I mean the wall", ""),
        ("the wall, thanks!", "pw b4"),
        ("a capstone of course", "pc b4"),
        ("a flat on b4", "ps b4"),
        ("the first, a flat", "ps b4"),
        ("the first, a wall", ""),
        ("第一个", "ps b4"),
        ("第二个，谢谢", "pw b4"),
        ("平的", "ps b4"),
        ("墙", "pw b4"),
        ("最后一个", "pc b4"),
        ("первый", "ps b4"),
        ("второй вариант", "pw b4"),
        ("вторую, пожалуйста", "pw b4"),
        ("плоский", "ps b4"),
        ("стену", "pw b4"),
        # none, or more than one
        ("the fourth", ""),
        ("the first or the second", ""),
        ("not the first", ""),
        ("the wall?", ""),
        ("do the wall", "pw b4"),
        ("what is a wall", ""),
        ("how do walls work", ""),
        ("can it be a wall", ""),
        ("first what", ""),
        ("墙是什么", ""),
        ("стена это что", ""),
        ("какая стена", ""),
        ("no, the wall", ""),
        ("yes", ""),
        ("b4", ""),
        ("flat on d4", ""),
        ("First I have to ask my wife", ""),
        ("You built quite a wall", ""),
        ("thanks", ""),
    ],
)
def test_an_answer_picks_a_placement(text: str, line: str) -> None:
    assert picked(text, ON_B4, READER) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("right", "me c3 p1 1"),
        ("to c4", "ms c3 p1 1"),
        ("向左", "mw c3 p1 1"),
        ("вниз", "ms c3 p1 1"),
        ("up", ""),
    ],
)
def test_an_answer_picks_a_step(text: str, line: str) -> None:
    assert picked(text, OF_C3, READER) == line


@each_row(
    "text, line",
    [
        ("d4", "ps d4"),
        ("flat", "ps d4"),
        ("the first", "ps d4"),
        ("Good, the flat", "ps d4"),
        ("好，平的", "ps d4"),
        ("Отлично, плоский", "ps d4"),
        # praise and small words alone
        ("Nice one, Ada!", ""),
        ("Nice one", ""),
        ("Good one!", ""),
        ("Great flat, Ada!", ""),
        ("Nice first move!", ""),
        ("Your flat is there", ""),
        ("It is your turn, Ada", ""),
        ("thanks", ""),
        ("ms a1 p1 1", ""),
        ("ms a1", ""),
        ("First I place a wall", ""),
        ("<- this one", ""),
        ("OK then", ""),
        ("妙！", ""),
        ("好棋", ""),
        ("好的", ""),
        ("Отлично!", ""),
        ("Отличный ход", ""),
        ("ну ладно", ""),
    ],
)
def test_only_what_says_which_picks_a_single_line(text: str, line: str) -> None:
    assert picked(text, ("ps d4",), READER, ("Ada", "Ben")) == line


def test_a_name_picks_nothing() -> None:
    assert picked("Thanks, Flat", ON_B4, READER, ("Flat", "Ada")) == ""


def test_what_is_no_turn_is_picked_by_its_place() -> None:
    assert picked("the second", ("agree draw", "refuse draw"), READER) == "refuse draw"
    assert picked("flat", ("agree draw", "refuse draw"), READER) == ""
    assert picked("flat", ("undo",), READER) == ""


@each_row(
    "text, is_answer",
    [
        ("ok b4", True),
        ("yes", True),
        ("yes, your d4 is strong", True),
        ("move c3 up 1", False),
        ("ok, d4", False),
        ("no, d4", False),
        ("yes, ps d4", False),
        ("да, d4", False),
        ("好，d4", False),
    ],
)
def test_who_names_another_place_answers_nothing(text: str, is_answer: bool) -> None:
    """So the line is read as any other, and a later "yes" means what it offers."""
    expected = Expected(QUESTION, choices=ON_B4)
    assert (find_answer([text], READER, expected) is not None) is is_answer
