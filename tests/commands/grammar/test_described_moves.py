"""Moves among small words: played where they are whole or the only possible ones, and otherwise asked about."""

import pytest

from takmail.commands.command import Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.asides import without_asides
from takmail.commands.grammar.clerk import ReadLine, read_line
from takmail.commands.grammar.line_reader import in_game
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from tests.commands.build import game
from tests.support.tables import each_row

PLAYED = ("ps a1", "ps e5", "ps c3", "pw c2")
IN_GAME = in_game(GAMES, COMMANDS, TakGame(), game(*PLAYED).state, played=PLAYED)
"""White, to move, has flats on E5 and C3. Black has one on A1, and a wall on C2."""
FIRST = in_game(GAMES, COMMANDS, TakGame(), game().state)


def read(line: str, reader=IN_GAME) -> ReadLine:
    return read_line(line, reader, is_first=True, names=("Ada", "Ben"))


def played(found: ReadLine) -> str:
    assert found.order is not None, "words"
    assert isinstance(found.order.arguments, Play), found.order.arguments
    return found.order.arguments.text


def offered(found: ReadLine) -> tuple[str, ...]:
    assert found.order is not None, "words"
    assert isinstance(found.order.arguments, Unclear), found.order.arguments
    return found.order.arguments.offers


@each_row(
    "line, words",
    [
        ("ps b4 let's go", "let's go"),
        ("ok, ps b4", ""),
        ("My move: ps b4", ""),
        ("8. ps b4", ""),
        ("Turn 8: ps b4", ""),
        ("your turn: ps b4", "your turn:"),
        ("ps b4 and good luck", "and good luck"),
        ("Haha, ok then: ps b4 here we go", "Haha, ok then: here we go"),
        ("Nice! ps b4", "Nice!"),
        ("好的，ps b4", ""),
        ("我走：ps b4", ""),
        ("哈哈，ps b4", "哈哈，"),
        ("мой ход: ps b4", ""),
        ("ну что ж, ps b4", ""),
        ("ps b4 жду тебя", "жду тебя"),
    ],
)
def test_a_whole_move_among_asides_is_played(line: str, words: str) -> None:
    found = read(line)
    assert (played(found), found.words) == ("ps b4", words)


@each_row("line", ["b4", "B4!", "Ok, b4", "好，b4", "ну, b4", "4b", "place b4", "haha, b4"])
def test_the_only_move_that_a_place_has_is_played(line: str) -> None:
    assert played(read(line, FIRST)) == "ps b4"


@pytest.mark.parametrize("line", ["b4?", "maybe b4", "no, b4", "Sb4", "I think b4"])
def test_with_any_doubt_it_is_asked_about(line: str) -> None:
    assert "ps b4" in offered(read(line, FIRST))


FLAT, ANY = ("ps b4",), ("ps b4", "pw b4", "pc b4")


@each_row(
    "line, offers",
    [
        ("Good, then I go b4", ANY),
        ("Fine, flat on b4", FLAT),
        ("Great game so far! b4", ANY),
        ("Nice move. I'll take b4 for now", ANY),
        ("Let's try b4 and see what you do", ANY),
        ("Mum says hello, flat on b4, see you soon", FLAT),
        ("I put it on B4, near the middle", ANY),
        ("nice ps b4", FLAT),
        ("not b5 but b4", ANY),
        ("b4 instead of b5", ANY),
        ("a flat on b4, not c4", FLAT),
        ("收到！我下在 b4", ANY),
        ("好的，我走 b4", ANY),
        ("哈哈，b4", ANY),
        ("我下b4，你呢？", ANY),
        ("平放b4，帽子留着", FLAT),
        ("不是b5，是b4", ANY),
        ("不是b5是b4", ANY),
        ("Хорошо, тогда хожу на b4", ANY),
        ("Прекрасно! Мой ход b4", ANY),
        ("Пожалуй, плоский на b4", FLAT),
        ("хожу плоским b4 и жду тебя", FLAT),
        ("сначала плоский на b4, потом посмотрим", FLAT),
        ("не b5, а b4", ANY),
        ("b4 вместо b5", ANY),
        # a step ends where it is said to end, and begins where a stack of one's own is named
        ("move the flat from c3 to d3", ("me c3 p1 1",)),
        ("the stack from c3 to c1", ()),
        ("c3 up", ()),
        ("拿起c3放到c4", ("ms c3 p1 1",)),
        ("put c3 on c4", ("ms c3 p1 1",)),
        # whoever writes only a place does not write PTN
        ("c3", ("me c3 p1 1", "ms c3 p1 1", "mw c3 p1 1")),
        ("My move is b4", ANY),
        ("Sb4", ("ps b4", "pw b2", "reads ptn")),
        # parts of the board
        ("bottom left corner", ("ps a5", "pw a5", "pc a5")),
        ("middle left", ("ps a3", "pw a3", "mw c3 p1 1")),
        ("flat on the square right of c3", ("ps d3",)),
        ("a wall to the left of the c3", ("pw b3",)),
        ("плоский справа от c3", ("ps d3",)),
        ("c3左边放墙", ("pw b3",)),
        ("top middle", ("ps c1", "pw c1", "pc c1")),
        ("ps b4 wall", ("ps b4", "pw b4")),
        ("pw b4 flat", ("pw b4", "ps b4")),
        ("ps b4 wall!", ("ps b4", "pw b4")),
        ("Good, the top right then", ("ps e1", "pw e1", "pc e1")),
        ("a wall in the upper right corner, please", ("pw e1",)),
        ("second row", ("ps a2", "ps b2", "ps d2")),
        ("a capstone in the third column", ("pc c1", "pc c4", "pc c5")),
        ("I take the corner", ("ps e1", "ps a5", "pw e1")),
        ("bottom right corner", ("mn e5 p1 1", "mw e5 p1 1")),
        ("top left", ()),
        ("右上角放墙", ("pw e1",)),
        ("好的，左下角", ("ps a5", "pw a5", "pc a5")),
        ("天元", ("me c3 p1 1", "ms c3 p1 1", "mw c3 p1 1")),
        ("第二行", ("ps a2", "ps b2", "ps d2")),
        ("стену в правый верхний угол", ("pw e1",)),
        ("в угол", ("ps e1", "ps a5", "pw e1")),
        ("второй ряд", ("ps a2", "ps b2", "ps d2")),
        ("бью c4", ("ms c3 p1 1",)),
        # talk behind it
        ("I go b4 cant wait to see your answer", ANY),
        ("flat b4 muahaha what now", ("ps b4", "help")),
        ("я хожу b4 жду тебя в гости", ANY),
        ("我走b4看你怎么办", ANY),
        ("放b4看看", ANY),
        # and before it, where no spaces separate words
        ("妈妈我想平放在b4这里", FLAT),
        ("帮我走b4吧，我在开车", ANY),
        ("с c3 ухожу на b3, не поймаешь))", ("mw c3 p1 1",)),
        ("средний камень на одну клетку вправо", ("me c3 p1 1",)),
        # either of two
        ("b4 or d4?", ("ps b4", "ps d4")),
        ("c4, no wait, d4", ("ps d4", "ps c4")),
        ("положи на c4, а нет, лучше на d4", ("ps d4", "ps c4")),
        ("放c4，不对，放d4", ("ps d4", "ps c4")),
        ("b4还是d4", ("ps b4", "ps d4")),
        ("стена b4 или плоский d4", ("pw b4", "ps d4")),
        ("flat or wall on b4", ()),
        # all is excluded
        ("not b4", ()),
    ],
)
def test_a_clause_that_describes_a_move_is_asked_about(line: str, offers: tuple[str, ...]) -> None:
    assert offered(read(line)) == offers


@each_row(
    "line",
    [
        "b4 好棋",
        "b4是一步好棋",
        "Nice wall on b4!",
        "a3 is nice",
        "хороший ход b4",
        "I read that the middle square, c3, is worth two tempi",
        "Last year I lost a game because of e5, so I hate that corner.",
        "b4 and c4 are fine",
        "Nice to meet you, Ben",
        "It is lonely at the top",
        "at the bottom",
        "a flat on b4 would be nice",
        "The wall on c2 looks scary",
        "我觉得b4不错",
        "我觉得你应该放b4",
        "你为什么不下b4",
        "我最喜欢b4",
        "b4 won't save you",
        "В книге пишут, что центр, то есть c3, важнее всего",
    ],
)
def test_talk_about_places_is_words(line: str) -> None:
    assert read(line) == ReadLine(None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ok", ("ok", "")),
        ("thanks, ok, ps b4, please", ("ps b4", "")),
        ("nice, ps b4", ("ps b4", "nice,")),
        ("nice ps b4", ("nice ps b4", "")),
    ],
)
def test_asides_are_left_out_at_the_ends(line: str, expected: tuple[str, str]) -> None:
    assert without_asides(line) == expected
