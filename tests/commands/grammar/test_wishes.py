"""Wishes that only takmail can fulfil, in words: the line that fulfils them is offered, or done if it only looks."""

from pathlib import Path

import pytest

from takmail.commands.command import Unclear
from takmail.games.registry import GAMES
from tests.commands.grammar.reading import read
from tests.support.tables import each_row


def lines_for(text: str) -> tuple[str, ...]:
    """Return the lines that a mail in words is read as: those that are offered, or the command that is done."""
    understood = read(text)
    assert understood.chat == ""
    (order,) = understood.orders
    return order.arguments.offers if isinstance(order.arguments, Unclear) else (order.canonical(GAMES) or "",)


DATA = Path(__file__).parents[2] / "data" / "wishes"
"""Wishes with the beginning of the line that fulfils them, and what people say to each other about the game."""
WISHES = {
    "rules": [
        "How do capstones work",
        "can I move a wall",
        "do walls count for a road?",
        "能斜着走吗",
        "怎么才算赢？",
        "Можно ли ходить по диагонали?",
        "Как ходит замковый камень?",
    ],
    "help moves": ["what does pw mean", "ps 是什么意思？", "что значит pw?"],
    "hint": ["Can you give me a hint", "能不能给我一个提示？", "Подскажите, пожалуйста, хороший ход"],
    "rs": [
        "Can you send me the board again please?",
        "Пришлите доску, пожалуйста",
        "手机坏了，请再发一遍棋盘",
    ],
    "turn": ["whos turn is it", "现在轮到谁了？", "чей сейчас ход"],
    "clock": ["How much time do I have left?", "还剩多少时间？", "сколько времени осталось?"],
    "propose days=7": [
        "can I have more time?",
        "能多给我点时间吗",
        "можно мне больше времени?",
        "Работы много, дайте, пожалуйста, ещё пару дней",
    ],
    "resign": ["I want to quit", "我想退出", "我不想下了", "я хочу выйти из игры"],
    "help resign": ["how do I resign"],
    "undo": ["can I change that move please", "отмени, пожалуйста"],
    "help undo": ["怎么悔棋"],
    "draw": ["could we call it a draw?", "平局怎么样？", "要不和了吧", "Давай ничью"],
    "help draw": ["как предложить ничью"],
    "im": ["这步不合规则", "так ходить нельзя"],
    "help name": ["How do I change my name?", "可以改名字吗", "как сменить имя?"],
    "help away": [
        "Could the clock be stopped please?",
        "Can you stop my clock while I'm away?",
        "i need a break",
        "可以暂停几天吗",
        "хочу взять перерыв",
    ],
    "language": ["can you write in German?", "能用德语吗"],
    "language ru": ["можно письма на русском?"],
    "language en": [
        "А можно получать письма на английском?",
        "Хочу получать письма на английском.",
        "Письма на английский, пожалуйста",
    ],
    "new 5 vs bot easy": [
        "I'd like to play the computer, 5x5 easy",
        "和电脑下一盘5x5，简单的",
        "хочу сыграть с компьютером, только попроще",
    ],
    "new 4 vs bot": [
        "can I play against the computer on a small board?",
        "Можно поиграть с компьютером на маленькой доске?",
        "сыграть с компьютером на доске 4x4",
    ],
    "propose days=3": ["three days per move please", "每步三天", "по три дня на ход"],
    "propose days=5": [
        "days=5",
        "Can I have more time, 5 days?",
        "I need more time, like five days",
        "Можно больше времени? Пять дней",
        "能给五天吗",
        "I need 5 more days",
        "Could I have 5 extra days?",
        "more time, 5 days please",
        "please give me another five days!",
        "нужно ещё 5 дней",
        "Дайте мне, пожалуйста, ещё пять дней",
        "再给五天",
        "请再给我5天",
        "我还需要五天",
    ],
    "propose days=2": ["Can I have two more days?"],
    "help time": ["I want more time, 12 hours"],
    "away until dec 20": ["I'll be away until Dec 20"],
    "away until the 14th of december": [
        "I'm going on holiday until the 14th of December. Could the clock be stopped please?"
    ],
    "away до 14 декабря": ["Я в отпуске до 14 декабря. Можно остановить часы?"],
    "away 到12月14日": ["我要出差到12月14日，能停钟吗？"],
    "away 12月5日回来": ["我下周休假，12月5日回来"],
    "away 1 декабря - вернусь 5-го": ["уезжаю 1 декабря, вернусь 5-го"],
    "away 5-12 december": ["I'll be away 5-12 December"],
    "away с 5 по 12 декабря": ["Меня не будет с 5 по 12 декабря"],
    "gift 2d": ["gift zoe 2d"],
    "away from 3 to 9 december": ["On holiday from 3 to 9 December, no laptop with me"],
    "away 到礼拜五": ["我出差到礼拜五，没网络"],
    "away до пятницы": ["Уезжаю до пятницы, связи там нет"],
    "name Zoe": ["My name is Zoe", "Kindly change my name to Zoe, the old one is wrong"],
    "name Max": ["call me Max please"],
    "name 李雷": ["我的名字写错了,应该是李雷,能改一下吗?"],
    "name 王小明": ["我叫王小明", "以后请叫我王小明就好", "請把我的名字改為王小明，之前寫錯了"],
    "name Пётр": [
        "сменить имя на Пётр",
        "меня зовут Пётр",
        "Смените, пожалуйста, моё имя на Пётр, там ошибка",
    ],
}


@each_row(("line", "texts"), WISHES.items())
def test_a_wish_is_answered_with_the_line_that_fulfils_it(line: str, texts: list[str]) -> None:
    assert {text: lines_for(text) for text in texts} == dict.fromkeys(texts, (line,))


@each_row(
    "text",
    [
        "Thanks for the help with the car",
        "Stop! That was great",
        "How do you like the rules?",
        "do you need more time?",
        "Let me think about it longer.",
        "5 days ago I was ill",
        "I waited 5 more days",
        "Do you need 5 more days?",
        "I have 5 more days",
        "у меня ещё 5 дней",
        "Will you give me 5 more days?",
        "The shop needs 5 more days",
        "нужно было ещё 5 дней",
        "五天前我病了",
        "他还要五天才回来",
        "I don't want more time",
        "你的名字是什么意思？",
        "你是跟谁学的？",
        "Can I borrow your capstone for a photo?",
        "Как тебе правила?",
        "My name is on the list",
        "我叫外卖去了",
        "Моя бабушка говорит, что надо ходить в угол",
        "It took me three hours for each move",
        "Hi,\nI'll be away until Dec 20",
    ],
)
def test_what_people_ask_each_other_is_words(text: str) -> None:
    understood = read(text)
    assert (understood.orders, understood.chat) == ((), text)


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_most_wishes_of_many_people_are_seen(language: str) -> None:
    rows = [line.split("|") for line in (DATA / f"{language}.txt").read_text("utf-8").splitlines()]
    missed = [text for line, text in rows if not _offers(text, line)]
    assert len(missed) <= 0.17 * len(rows), missed


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_hardly_any_talk_is_a_wish(language: str) -> None:
    lines = (DATA / f"talk_{language}.txt").read_text("utf-8").splitlines()
    assert len([line for line in lines if read(line).orders]) <= 0.05 * len(lines)


def _offers(text: str, line: str) -> bool:
    """Tell whether the first two lines for a mail have one that begins so, or the help about it."""
    lines: list[str] = []
    for order in read(text).orders:
        doubt = order.arguments
        lines += doubt.offers if isinstance(doubt, Unclear) else [order.canonical(GAMES) or ""]
    return any(offered.startswith((line, f"help {line}")) for offered in lines[:2])
