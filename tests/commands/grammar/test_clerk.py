"""What a line is: an order, probably an order, or words."""

import pytest

from takmail.commands.command import LineFault, Unclear
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.clerk import ReadLine, read_line
from takmail.commands.grammar.line_reader import in_game
from takmail.games.registry import GAMES
from takmail.games.tak.game import TakGame
from tests.commands.build import game
from tests.commands.grammar.reading import ANYWHERE
from tests.support.tables import each_row

PLAYED = ("ps a1", "ps e5", "ps b2", "ps d4")
IN_TAK = in_game(GAMES, COMMANDS, TakGame(), game(*PLAYED).state, played=PLAYED)
"""The reader of a game of Tak of four turns. White, to move, has a flat on B2, and Black on D4."""
READERS = pytest.mark.parametrize("reader", [IN_TAK, ANYWHERE], ids=["in a game", "in no game"])
NAMES = ("Ada", "Ben")
BEN = "ben@example.org"


def read(line: str, reader=IN_TAK) -> ReadLine:
    return read_line(line, reader, is_first=True, names=NAMES)


def said(found: ReadLine) -> tuple[str, str]:
    """Return the line of an order as a person would type it, and the words of the line."""
    assert found.order is not None, "words"
    assert not isinstance(found.order.arguments, Unclear), found.order.arguments
    match found.order.arguments:
        case Play(text):
            return text, found.words
    return found.order.canonical(GAMES) or found.order.command.keyword, found.words


def doubt(found: ReadLine) -> Unclear:
    assert found.order is not None, "words"
    assert isinstance(found.order.arguments, Unclear), found.order
    return found.order.arguments


@READERS
@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("ps b3", "ps b3"),
        ("Ps B3, please!", "ps b3"),
        ("ps b3 thanks :-)", "ps b3"),
        ("*ps b3*", "ps b3"),
        ("пожалуйста, ps b3", "ps b3"),
        ("ps b3，谢谢", "ps b3"),
        ("rs please", "rs"),
        ("Please rs.", "rs"),
        ("rs?", "rs"),
        ("show 5?", "show 5"),
        ("draw please", "draw"),
        ("resign. Thanks", "resign"),
        (f"new 5 vs {BEN}", f"new 5 vs {BEN}"),
        (f"new 5 {BEN}", f"new 5 vs {BEN}"),
        (f"new 5 against {BEN}", f"new 5 vs {BEN}"),
        ("im #4 sorry, I do not see it", "im"),
        ("/im sorry, I do not see it", "im"),
        ("im too many pieces", "im"),
        ("name Ada Countess Lovelace", "name"),
    ],
)
def test_a_whole_line_is_an_order_but_for_what_is_polite(line: str, order: str, reader) -> None:
    assert said(read(line, reader)) == (order, "")


@READERS
@pytest.mark.parametrize(
    ("line", "order", "words"),
    [
        ("ps b3, sorry, I was away", "ps b3", "sorry, I was away"),
        ("ps b3. What a game!", "ps b3", "What a game!"),
        ("ps b3 - good luck", "ps b3", "good luck"),
        ("ps b3! Прости за задержку", "ps b3", "Прости за задержку"),
        ("ps b3, 让你久等了", "ps b3", "让你久等了"),
        ("rs, thanks for the game", "rs", "thanks for the game"),
    ],
)
def test_harmless_words_may_stand_behind_a_turn_and_behind_a_look(
    line: str, order: str, words: str, reader
) -> None:
    assert said(read(line, reader)) == (order, words)


@each_row(
    ("line", "offers"),
    [
        # a whole turn somewhere in the line
        ("I think I will play ps b3", ("ps b3",)),
        ("Ps b3 Sent from my iPhone", ("ps b3",)),
        ("Your ps c4 was brilliant!", ("ps c4",)),
        ("Hi Ben, ps b3", ("ps b3",)),
        ("ps b3?", ("ps b3",)),
        ("ps b3. Or shall I wait?", ("ps b3",)),
        ("ps b3, no wait, ps c4", ("ps b3", "ps c4")),
        ("ptn: b3", ("ps b3",)),
        # only words of the vocabulary, about the board
        ("b3", ("ps b3", "pw b3", "pc b3")),
        ("b3?", ("ps b3", "pw b3", "pc b3")),
        ("flat b3", ("ps b3",)),
        ("I would like to place a wall on b3", ("pw b3",)),
        ("стену на b3", ("pw b3",)),
        ("на b3 стену, пожалуйста", ("pw b3",)),
        ("b3放墙", ("pw b3",)),
        ("在b3放一堵墙壁", ("pw b3",)),
        ("b3放特殊棋子", ("pc b3",)),
        ("竖放b3", ("pw b3",)),
        ("放 b3", ("ps b3", "pw b3", "pc b3")),
        ("PS-B3", ("ps b3",)),
        ("wall@b3", ("pw b3",)),
        ("sp b3", ("ps b3",)),
        ("b3 for me", ("ps b3", "pw b3", "pc b3")),
        ("step east with b2", ("me b2 p1 1",)),
        # a letter of another alphabet
        ("рs b3", ("ps b3",)),
        # the keys of a Russian keyboard
        ("зы и3", ("ps b3",)),
        ("Зц с4", ("pw c4",)),
    ],
)
def test_a_line_about_the_board_is_asked_about(line: str, offers: tuple[str, ...]) -> None:
    found = doubt(read(line))
    assert found.offers == offers
    assert found.is_turn or found.fault is LineFault.LOOK_ALIKE


@READERS
@each_row(
    "line, offer",
    [
        ("draw?", "draw"),
        ("let's call it a draw", "draw"),
        ("I would like to undo my move", "undo"),
        ("one more game?", "rematch"),
        ("Rematch?", "rematch"),
        ("unsubscribe", "stop"),
        ("stop it", "stop"),
        ("Good game. Draw?", "draw"),
        ("draw? I am tired", "draw"),
        ("Do you accept a draw?", "draw"),
        ("undo, my finger slipped", "undo"),
        ("I made a mistake, can I undo?", "undo"),
        ("悔棋，点错了", "undo"),
        ("提议和棋", "draw"),
        ("收回最后一手", "undo"),
        ("重新开始这局", "propose restart"),
        ("rematch, that was fun", "rematch"),
        ("stop. too many mails", "stop"),
        ("please stop sending these mails", "stop"),
        ("I don't know what to do, I resign", "resign"),
        ("acept", "accept"),
        ("gaems", "games"),
        ("hlep", "help"),
        ("helpp!", "help"),
        ("shw", "show"),
        ("shwo 3", "show 3"),
        ("undoo", "undo"),
        ("resing?", "resign"),
        ("unsubcribe", "stop"),
        ("remove me", "stop"),
        ("cancel my move", "undo"),
        ("хватит писем", "stop"),
        (f"nwe 5 vs {BEN}", f"new 5 vs {BEN}"),
        (f"I want to play with {BEN}", f"new 5 vs {BEN}"),
        (f"new game with {BEN}", f"new 5 vs {BEN}"),
        (f"Could you start a 6x6 game with my friend <{BEN}>?", f"new 6 vs {BEN}"),
        (f"tzaar with {BEN}", f"new tzaar random vs {BEN}"),
        (f"new 4 with {BEN}, I start", f"new 4 vs {BEN} first=me"),
        (f"和{BEN}下一局", f"new 5 vs {BEN}"),
        (f"Приглашаю {BEN}", f"new 5 vs {BEN}"),
        (BEN, f"new 5 vs {BEN}"),
        ("im6 wrong", "im #6 wrong"),
        ("ничья?", "draw"),
    ],
)
def test_a_line_about_a_command_is_asked_about(line: str, offer: str, reader) -> None:
    found = doubt(read(line, reader))
    assert (found.offers, found.is_turn) == ((offer,), False)
    assert found.fault in (LineFault.MEANT, LineFault.OTHER_WORDS)


@READERS
@each_row(
    "line, command",
    [
        ("I resign", "resign"),
        ("show me the board", "rs"),
        ("whose turn is it?", "turn"),
        ("my games", "games"),
        ("can I get the rules?", "rules"),
        ("the rules, please", "rules"),
        ("am I next?", "turn"),
        ("my turn?", "turn"),
        ("what does a wall do?", "rules"),
        ("Can I move a wall?", "rules"),
        ("what does ps mean?", "help moves"),
        ("Which games am I playing?", "games"),
        ("print board", "rs"),
        ("list commands", "help"),
        ("ходы", "moves"),
        ("мой ход?", "turn"),
        ("what can I do?", "moves"),
        ("how do I play?", "help moves"),
        ("сдаюсь", "resign"),
        ("доска", "rs"),
        ("чья очередь?", "turn"),
        ("认输", "resign"),
        ("我認輸", "resign"),
        ("棋盘", "rs"),
        ("现在能走什么", "moves"),
        ("能推倒墙壁吗?", "rules"),
    ],
)
def test_other_words_for_what_looks_or_asks_first_are_done_at_once(line: str, command: str, reader) -> None:
    order = read(line, reader).order
    assert order is not None
    assert order.canonical(GAMES) == command
    assert order.line == line


@READERS
@pytest.mark.parametrize(
    "line",
    [
        "Resign. You win.",
        "resign, well played",
        "I resign (you crushed me)",
        "Good game. I resign",
        "Hi Ben! I resign, my road is broken. See you",
        "сдаюсь, молодец",
        "认输，你下得太好了",
    ],
)
def test_words_may_stand_beside_what_asks_first(line: str, reader) -> None:
    order, words = said(read(line, reader))
    assert order == "resign"
    assert words
    assert words in line


@READERS
@pytest.mark.parametrize(
    ("line", "fault", "detail"),
    [
        ("pass", LineFault.MISSING, "pass"),
        ("пас, пожалуйста", LineFault.MISSING, "пас"),
        ("Im sorry for the delay", LineFault.SENTENCE, "im"),
        ("im too tired today", LineFault.SENTENCE, "im"),
        ("name your favourite opening of all", LineFault.SENTENCE, "name"),
    ],
)
def test_what_takmail_has_not_and_what_may_be_a_sentence_is_answered(
    line: str, fault: LineFault, detail: str, reader
) -> None:
    found = doubt(read(line, reader))
    assert (found.fault, found.detail, found.offers) == (fault, detail, ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [("ps z9", "off-the-board"), ("c3 to d3", "nothing-there"), ("capstone", "place-missing")],
)
def test_what_can_t_be_played_is_answered_with_its_reason(line: str, reason: str) -> None:
    found = doubt(read(line))
    assert found.reason is not None
    assert (found.fault, found.offers, found.reason.name) == (LineFault.TURN, (), reason)


@READERS
@each_row(
    "line",
    [
        "Good morning!",
        "Ada",
        "C",
        "Ada rules!",
        "Why?",
        "What a move!",
        "That is a good move",
        "Nice wall!",
        "my turn",
        "a3 is nice",
        "ok",
        "Stop! That was a great move",
        "Thanks for the help with the car",
        "I agree that it is cold here",
        "rules are for fools",
        "Rules are rules",
        "My rules!",
        "By the rules",
        "What a board",
        "It is your board",
        "I have no board here",
        "It is your turn now",
        "Твой ход",
        "Ну и ход",
        "Last game was a draw",
        "Draw! You were so slow, cowboy",
        "I agree, the weather is awful",
        "S 0 0 s S s S 0",
        "West is best",
        "Left or right?",
        "Hell!",
        "Math!",
        "PS: call me",
        f"write to me at {BEN}",
        f"My new address is {BEN}",
        "Привет, Ada",
        "хорошая игра",
        "I will never resign",
        "Don't resign yet!",
        "Resign? Never!",
        "will you resign?",
        "no draw!",
        "не сдаюсь",
        "不认输",
        "我不想认输",
        "我想停在这里看看",
        "не вопрос",
        "不错",
        "好久不见",
        "On Friday Ben wrote about the board:",
        # What a line of a letter says of its end.
        "You wrote: resign",
        "Вы написали: resign",
        "你写的是：resign",
        "你写了：resign",
        "你推倒了我的墙壁",
        "墙壁上不能压棋子",
        # What a button is called.
        "对局继续",
        "按规则摆出的棋盘",
        "这封是我写的",
    ],
)
def test_all_else_is_words(line: str, reader) -> None:
    assert read(line, reader) == ReadLine(None)


@READERS
@each_row("line", ["stop black", "stop black with a wall on c2", "stop cheating", "停在c2"])
def test_to_stop_something_is_not_to_stop_all_mail(line: str, reader) -> None:
    """These lines are asked about, for what else they say, or are words."""
    order = read(line, reader).order
    assert order is None or "stop" not in doubt(read(line, reader)).offers


def test_a_turn_of_the_game_s_record_may_be_talked_about() -> None:
    assert read("Your ps d4 was brilliant!") == ReadLine(None)
    assert doubt(read("Your ps d4 was brilliant!", ANYWHERE)).offers == ("ps d4",)


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("Can I see the board again? My phone has eaten the mail.", ("rs",)),
        ("The children laugh, could you show me the rules?", ("rules",)),
        ("Shall I bring cake? My phone has eaten the mail.", ()),
    ],
)
def test_a_wish_may_stand_beside_other_sentences(line: str, offers: tuple[str, ...]) -> None:
    order = read(line).order
    assert (order.arguments.offers if order and isinstance(order.arguments, Unclear) else ()) == offers


def test_a_name_makes_a_greeting_only_for_who_is_called_so() -> None:
    assert doubt(read("Ben! draw")).offers == ("draw",)
    assert read_line("Ben! draw", IN_TAK, is_first=True) == ReadLine(None)


@each_row(
    ("line", "expected"),
    [
        ("acept", "accept"),
        ("Acceptt", None),
        ("reisgn", "resign"),
        ("agre", "agree"),
        ("agree undoo", None),
        (f"nwe 5 vs {BEN}", f"new 5 vs {BEN}"),
        ("adress add ada@example.org", "address add ada@example.org"),
        ("addres remove ada@example.org", "address remove ada@example.org"),
        ("Nmae Benny", "name Benny"),
        ("seke 5", "seek 5"),
        ("jion 31", "join 31"),
        ("rematc", "rematch"),
        ("forgte me", "forget me"),
        ("rmatch", "rematch"),
        ("gaems", "games"),
        *(
            (words, None)
            for words in ("Agreed", "accepted", "games!", "names", "rulesy", "drawn", "I resign")
        ),
        *(
            (words, None)
            for words in ("well played", "knew it was 5", "now 5 to go", "news of the day", "he")
        ),
        *((words, None) for words in ("log", "same here", "some words", "the game", "stops", "top", "seen")),
        *(
            (words, None)
            for words in ("joint venture", "Black is winning", "lame excuse", "undone", "game on")
        ),
    ],
)
def test_a_typing_error_in_the_first_word_is_seen(line: str, expected: str | None) -> None:
    order = read(line, ANYWHERE).order
    doubted = None if order is None else order.arguments
    is_mended = isinstance(doubted, Unclear) and doubted.fault is LineFault.MEANT
    assert (doubted.offers if is_mended else ()) == (() if expected is None else (expected,))
