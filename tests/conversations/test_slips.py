"""Attempts at a move in a running game are not forwarded, and the answer suggests moves."""

import re

from takmail.limits.words import MAX_OFFERED_LINES
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received
from tests.support.scenes import played_once
from tests.support.tables import each_row
from tests.support.width import combined, some_of, tenth_of

FOUR = ["ps a1", "ps e5", "ps c3", "ps b3"]
NAMES = {ADA: "Ada", BEN: "Ben"}

# The text, then the suggestions: squares in the notation of mails, then in PTN.
SLIPS = {
    # a square
    "b4": "ps b4 pw b4 pc b4 ps b2 pw b2 pc b2",
    "B4": "ps b4 pw b4 pc b4 ps b2 pw b2 pc b2",
    "b4!": "ps b4 pw b4 pc b4 ps b2",
    "b4.": "ps b4 pw b4 pc b4 ps b2",
    "*b4*": "ps b4 pw b4 pc b4 ps b2",
    '"b4"': "ps b4 pw b4 pc b4 ps b2",
    "(b4)": "ps b4 pw b4 pc b4 ps b2",
    "- b4": "ps b4 pw b4 pc b4 ps b2",
    "b 4": "ps b4 pw b4 pc b4 ps b2",
    "B-4": "ps b4 pw b4 pc b4 ps b2",
    "4b": "ps b4 pw b4 pc b4 ps b2",
    "b4 t": "ps b4 pw b4 pc b4 ps b2",
    "b4 tak!": "ps b4 pw b4 pc b4 ps b2",
    "b4 🙂": "ps b4 pw b4 pc b4 ps b2",
    "b4 :D": "ps b4 pw b4 pc b4 ps b2",
    "B4, please": "ps b4 pw b4 pc b4 ps b2",
    "please b4": "ps b4 pw b4 pc b4 ps b2",
    "5. b4": "ps b4 pw b4 pc b4 ps b2",
    "ｂ４": "ps b4 pw b4 pc b4 ps b2",
    "b\u200b4": "ps b4 pw b4 pc b4 ps b2",
    "z9": "there is no square Z9 on this board",
    "flat on h8": "there is no square H8 on this board",
    # a ply of PTN
    "Sb4": "pw b4 pw b2",
    "sb4": "pw b4 pw b2",
    "Cb4": "pc b4 pc b2",
    "Fb4": "ps b4 ps b2",
    "c3>": "me c3",
    "Sb4*!": "pw b4 pw b2",
    # words
    "flat b4": "ps b4 ps b2",
    "b4 flat": "ps b4",
    "wall on b4": "pw b4 pw b2",
    "capstone b4": "pc b4 pc b2",
    "standing stone at B4.": "pw b4 pw b2",
    "place a flat at b4": "ps b4 ps b2",
    "I place a wall on b4": "pw b4 pw b2",
    "I'll put a capstone on b4!": "pc b4 pc b2",
    "I would like to place a flat at b4": "ps b4 ps b2",
    "my move: b4": "ps b4 pw b4 pc b4 ps b2",
    "My move is b4.": "ps b4 pw b4 pc b4 ps b2",
    "my move is ps b4": "ps b4",
    "b4 it is": "ps b4 pw b4 pc b4 ps b2",
    "move c3 to the east": "me c3",
    "c3 to d3": "me c3",
    "c3-d3": "me c3",
    "stack c3 north": "mn c3",
    "drop a stone at b4": "ps b4 pw b4 pc b4 ps b2",
    "Tak! b4": "ps b4 pw b4 pc b4 ps b2",
    "then b4": "ps b4 pw b4 pc b4 ps b2",
    "Place a flat\nat b4": "ps b4 ps b2",
    # with polite forms and names
    "Hi {other}, b4": "ps b4 pw b4 pc b4 ps b2",
    "{other}: b4": "ps b4 pw b4 pc b4 ps b2",
    "Hello!\n\nb4\n\nBest wishes\n{me}": "ps b4 pw b4 pc b4 ps b2",
    "flat to b4 thanks!": "ps b4 ps b2",
    "Bonjour, b4, merci": "ps b4 pw b4 pc b4 ps b2",
    "flat at b4, your turn": "ps b4 ps b2",
    "Flat to b4. Your go.": "ps b4 ps b2",
    "flat b4. Your turn!": "ps b4 ps b2",
    "I play flat at b4, your move": "ps b4 ps b2",
    "b4 I think": "ps b4 pw b4 pc b4 ps b2",
    "Yes, b4": "ps b4 pw b4 pc b4 ps b2",
    "no, b4": "ps b4 pw b4 pc b4 ps b2",
    "I meant b4": "ps b4 pw b4 pc b4 ps b2",
    "да, b4": "ps b4 pw b4 pc b4 ps b2",
    "flat b4\n\nSorry it took so long.": "ps b4 ps b2",
    # commands behind a greeting
    "{other}! ps c2": "ps c2",
    "Hi {other}, PS C2.": "ps c2",
    "Hi {other}, ps z9": "there is no square Z9 on this board",
    "{other}, draw": "draw",
    "Привет! ps c2": "ps c2",
    # Russian
    "в4": "ps b4 pw b4 pc b4 ps b2",
    "а2": "ps a2 pw a2 pc a2 ps a4",
    "С2": "ps c2 pw c2 pc c2 ps c4",
    "тебе хожу b4": "ps b4 pw b4 pc b4 ps b2",
    "ставлю стенку на b4": "pw b4 pw b2",
    "Ставлю плоский камень на в4.": "ps b4 ps b2",
    "мой ход: b4": "ps b4 pw b4 pc b4 ps b2",
    "хожу с3 на север": "mn c3",
    "Привет, {other}! Стена на b4, пожалуйста. Спасибо": "pw b4 pw b2",
    "двигаю c3 вправо": "me c3",
    # Chinese
    "放b4": "ps b4 pw b4 pc b4 ps b2",
    "b4放平": "ps b4 ps b2",
    "在b4放墙": "pw b4 pw b2",
    "请放一个墙在 ｂ４。": "pw b4 pw b2",
    "c3向北移动": "mn c3",
    "你好，b4": "ps b4 pw b4 pc b4 ps b2",
    "我走c3到d3，谢谢": "me c3",
    # among other words, on a line of its own
    "Nice move!\n\nb4": "ps b4 pw b4 pc b4 ps b2",
    "How are you?\nb4\nSee you soon": "ps b4 pw b4 pc b4 ps b2",
    "I think that I can win now.\n\nflat on b4\n\n{me}": "ps b4 ps b2",
    "d4, thanks, {me}": "ps d4 pw d4 pc d4 ps d2",
    "3a3+21": "Not done",
    "3b4-21": "Not done",
    "I move a3 to the north": "Not done",
    "c3 north": "mn c3 p1 1",
    "b4-b5": "Not done",
    "move 2 from c3 up": "Not done",
    "pick up 2 from b4 and go south": "Not done",
    "Good luck! b4": "ps b4 pw b4 pc b4 ps b2",
    "Good morning, {other}! Flat on b4. Cheers, {me}": "ps b4 ps b2",
    "Hallo {other}, b4. Viele Grüße, {me}": "ps b4 pw b4 pc b4 ps b2",
    "Sorry for the delay, flat b4": "ps b4 ps b2",
    "Hi {other}, sorry it took so long. Wall b4. Your turn!": "pw b4 pw b2",
    "flat b4, sorry for the delay": "ps b4 ps b2",
    "So sorry for the late reply! flat b4\n{me}": "ps b4 ps b2",
    "Hello, ms b3": "Not done",
    "Извини за задержку, стена на b4, твой ход": "pw b4 pw b2",
    "抱歉让你久等了，在b4放墙，轮到你了": "pw b4 pw b2",
    "capstone c3 and then I win": "C3 is not empty",
    "c3 wall\nThat is a good one, I think.": "C3 is not empty",
}

# What tells, while its writer waits, where they mean to move.
PLANS = ("then b4", "capstone c3 and then I win")

# Near misses of commands other than moves. They are answered alike, whoever is to move.
COMMANDS = [text for text, expected in SLIPS.items() if expected == "draw"]

CHAT = [
    "see you at a1 café tomorrow",
    "b4 was a great move",
    "I like c3 better",
    "Nice wall on b4!",
    "your wall on c3 is strong",
    "a wall stands on c3",
    "Sorry for the delay",
    "Sorry it took so long, your c3 made me think",
    "Sorry for c3!",
    "I think about c3",
    "твой c3 силён",
    "The A1 road is closed, so I am late",
    "I print it on A4 paper",
    "I live at E5 now",
    "We meet at gate B4",
    "I take the b2 bus",
    "I never play c3 in such games",
    "Your c3 surprised me",
    "b4 would have been better",
    "you should have moved b4 to the north",
    "Vitamin B12 helps",
    "I have a C1 certificate",
    "Hello {other}",
    "Thanks for c3!",
    "Thanks, {other}!",
    "Good luck!",
    "my move tomorrow",
    "I move house next week",
    "please wait",
    "3 stones",
    "1 to 0",
    "10:30",
    "at 4 please",
    "I go to the capital",
    "tak!",
    "Tak for sidst",
    "did you mean b4?",
    "say b4",
    "say ps b4",
    "/say place a flat at b4",
    "{other} rules!",
    "{other}, I resigned my job",
    "хороший ход b4",
    "увидимся в 4",
    "я приду в 4 часа",
    "Мне нравится c3",
    "b4 好棋",
    "b4是一步好棋",
    "你为什么走b4？",
    "我四点到",
]


ASKED = [
    "b4?",
    "Sb4?",
    "flat b4?",
    "Hi {other}, b4?",
    "b4？",
    "{other}, ps c4?",
    "Hello from a1",
    "c3 or d4",
    "not c3",
    "c3 north or east?",
    "wall",
    "放b4吗",
]
"""Questions and other lines that have only words of the vocabulary."""


@played_once
def played(harness: MemoryHarness) -> None:
    """A game of four turns; it is Ada's turn."""
    harness.begin_and_play(*FOUR)


def game() -> MemoryHarness:
    """Return a game of four turns; it is Ada's turn."""
    return played(MemoryHarness())


def write(harness: MemoryHarness, who: str, text: str) -> list[Received]:
    """Reply to somebody's newest letter."""
    me, other = NAMES[who], NAMES[ADA if who == BEN else BEN]
    return harness.send(f"{me} <{who}>", text.format(me=me, other=other), harness.last(who))


def waits(harness: MemoryHarness, who: str) -> bool:
    """Tell whether chat of somebody waits for the next letter to the opponent."""
    seat = [ADA, BEN].index(who)
    return any(one.seat == seat for one in harness.table().correspondence.waiting_chat)


def answer(harness: MemoryHarness, who: str, text: str) -> str:
    """Return the answer to an attempt, up to its board. Fail if anything else happens."""
    letters = write(harness, who, text)
    assert [letter.to for letter in letters] == [who]
    assert not waits(harness, who)
    assert turns(harness) == FOUR
    above = letters[0].text.split("\nA B C D E")[0]
    assert "Done:" not in above
    return above


def offered(above: str) -> list[str]:
    """Return the lines that an answer offers, without what they do."""
    rows = (line for line in above.splitlines() if re.match("  [a-z]", line))
    return [row.strip().split("   ")[0].strip() for row in rows]


def moves(words: str) -> list[str]:
    """Return the moves in a list."""
    return re.findall("[pm][a-z] [a-z][0-9](?: p[0-9](?: [0-9])+)?", words)


@each_row("text, expected", some_of(SLIPS.items(), 20))
def test_a_slip_goes_to_nobody_and_the_answer_has_what_to_send(text: str, expected: str) -> None:
    above = answer(game(), ADA, text)
    lines = offered(above)
    if moves(expected):
        assert any(line.startswith(tuple(moves(expected))) for line in lines)
    elif expected == "draw":
        assert expected in lines
    else:
        assert expected in " ".join(above.split())
    assert lines[-1].startswith("say ")
    assert len(lines) <= MAX_OFFERED_LINES + 1


@each_row("text", tenth_of(text for text in SLIPS if text not in COMMANDS))
def test_who_is_not_to_move_is_offered_to_take_back_at_most(text: str) -> None:
    above = answer(game(), BEN, text)
    why = "this reads like a plan" if text in PLANS else "Not done: it is not your turn."
    assert why in " ".join(above.split())
    assert all(line == "undo" or line.startswith("say ") for line in offered(above))


@each_row("who, text", combined([BEN, ADA], some_of(CHAT, 20)))
def test_other_words_go_to_the_other_one(who: str, text: str) -> None:
    letters = write(game(), who, text)
    assert [letter.to for letter in letters] == [who, ADA if who == BEN else BEN]
    words = re.sub("^/?say ", "", text).format(me=NAMES[who], other=NAMES[letters[1].to])
    assert f"  | {words}\n" in letters[1].text


@each_row("who, text", combined([BEN, ADA], ASKED))
def test_a_question_about_the_board_is_asked_about(who: str, text: str) -> None:
    assert offered(answer(game(), who, text))[-1].startswith("say ")
