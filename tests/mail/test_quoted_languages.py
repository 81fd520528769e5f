"""Letters in Chinese and Russian are recognised in answers to them, however they are quoted."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle, product
from pathlib import Path

import pytest

from takmail.mail.quotes.own_letters import OwnAddress, without_letters
from takmail.mail.quotes.reply_text import typed_text
from takmail.mail.quotes.words import long_words, words_of
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received
from tests.support.width import some_of, tenth_of

FOLDER = Path(__file__).parents[1] / "data" / "letters"
MADE = ("invitation", "first-turn", "move", "refusal", "offer", "verdict", "win", "help", "moves", "relay")
"""Letters as they are now. Those of the folder are as they were once."""
LETTERS = {
    language: {
        file.stem: file.read_text(encoding="utf-8").rstrip("\n")
        for file in sorted((FOLDER / language).iterdir())
    }
    for language in ("ru", "zh")
}
EVERY = {
    language: [*((language, name) for name in letters), *((language, f"made-{name}") for name in MADE)]
    for language, letters in LETTERS.items()
}
"""The language and the name of each letter."""
CHOSEN = [one for letters in EVERY.values() for one in tenth_of(letters)]
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"
OWN = OwnAddress("tak@example.org", "Tak by Mail")
ATTRIBUTIONS = {
    "ru": (
        "пт, 27 нояб. 2026 г. в 10:01, takmail <tak@example.org>:",
        "27.11.2026 10:01, takmail пишет:",
        "Пятница, 27 ноября 2026, 10:01 +03:00 от takmail <tak@example.org>:",
        '27.11.2026, 10:01, "takmail" <tak@example.org>:',
    ),
    "zh": (
        "在 2026年11月27日 周五 10:01，takmail <tak@example.org> 写道：",
        "takmail <tak@example.org> 于2026年11月27日周五 10:01写道：",
        "takmail <tak@example.org> 於 2026年11月27日週五 上午10:01寫道：",
        '在 2026-11-27 10:01:02，"takmail" <tak@example.org> 写道：',
    ),
}
TYPED = {
    "ru": ("ps b1", "resign", "сдаюсь", "да", "ps b1\n\nХороший ход! Теперь ваш ход.\nПравила я знаю."),
    "zh": ("ps b1", "resign", "认输", "好的", "ps b1\n\n好棋！轮到你了。\nA1在左上角？", "看帮助"),
}
"""What is typed. Some of it stands in the letters, too."""
BETWEEN = {"ru": (" ",), "zh": ("", " ")}
"""What programs put in place of the end of a line."""
WIDTHS = (20, 34, 1_000)


@cache
def letter_of(language: str, name: str) -> str:
    """Return a letter of the folder, or one that takmail makes."""
    if name in LETTERS[language]:
        return LETTERS[language][name]
    harness = MemoryHarness(services=replace(PLAIN, language=language))
    match name.removeprefix("made-"):
        case "invitation":
            harness.send(ADAS, f"new 5 vs {BEN} rules=university days=3")
        case "first-turn":
            harness.begin()
            return text_of(harness.last(ADA))
        case "relay":
            harness.begin("5 relay")
            harness.play("ps b4 t")
        case "win":
            harness.begin("3")
            harness.play("ps a1", "ps c3", "ps b3", "ps a2", "ps c2", "resign")
            harness.send(BENS, "yes", harness.last(BEN))
        case what:
            harness.begin()
            harness.play("ps a1", "ps e5", "ps c3 t\n\n:-)")
            typed = {"refusal": "ps a1", "verdict": "im", "help": "help", "moves": "moves e5"}
            if what == "offer":
                harness.play("draw\npropose back 1")
            elif what in typed:
                harness.play(typed[what], start=1)
    return text_of(harness.last(BEN))


def text_of(letter: Received) -> str:
    return letter.text.rstrip("\n")


def wrapped(line: str, width: int) -> Iterator[str]:
    """Yield the lines of this width into which a program wraps a line: at spaces, or beside a Chinese character."""
    while len(line) > width:
        end = width
        while end > 1 and not _may_end(line[end - 1], line[end]):
            end -= 1
        yield line[:end].rstrip()
        line = line[end:].lstrip()
    yield line


def _may_end(last: str, following: str) -> bool:
    if " " in (last, following):
        return True
    is_word = (last + following).isascii() or not re.search("[\u3000-\uffef]", last + following)
    return not is_word and following not in "，。：；）”、！？" and last not in "（“"


def forms(language: str, letter: str) -> Iterator[str]:
    """Yield the forms in which programs quote a letter: as it is, with other line ends, and in part."""
    yield letter
    for width, between in product(WIDTHS, BETWEEN[language]):
        yield "\n\n".join(
            "\n".join(wrapped(between.join(paragraph.split("\n")), width))
            if len(paragraph.split("\n")[0]) > 30
            else paragraph
            for paragraph in letter.split("\n\n")
        )
    lines = letter.split("\n")
    yield "\n".join(lines[: len(lines) * 2 // 3])


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


@pytest.mark.parametrize(
    ("text", "words", "long"),
    [
        ("ps b1 again", ["ps", "b1", "again"], ["again"]),
        ("Ваш ход, Ada", ["ваш", "ход,", "ada"], ["ход,"]),
        ("轮到你了，Ada（白方）", [*"轮到你了,", "ada", *"(白方)"], ["轮到", "你了", "白方"]),
        ("“ps b1”在B1放一枚。", ['"ps', 'b1"', "在", "b1", *"放一枚。"], ["放一"]),
    ],
)
def test_each_chinese_character_is_a_word_and_two_are_a_long_one(
    text: str, words: list[str], long: list[str]
) -> None:
    assert words_of(text) == words
    assert long_words(words) == long


@pytest.mark.parametrize(("language", "name"), CHOSEN)
def test_only_what_is_typed_is_left(language: str, name: str) -> None:
    letter, attributions = letter_of(language, name), cycle(ATTRIBUTIONS[language])
    for form, typed in product(forms(language, letter), TYPED[language]):
        attribution = next(attributions)
        for quote in (marked(form), form):
            assert typed_text(f"{typed}\n\n{attribution}\n\n{quote}", letter, OWN) == typed
            assert typed_text(f"{attribution}\n{quote}\n\n{typed}", letter, OWN) == typed
        head, *tail = marked(form).split("\n>\n")
        between = "\n>\n".join(tail)
        assert typed_text(f"{attribution}\n{head}\n\n{typed}\n\n{between}", letter, OWN) == typed


@pytest.mark.parametrize(("language", "name"), CHOSEN)
def test_a_quote_that_nothing_introduces_is_recognised(language: str, name: str) -> None:
    letter = letter_of(language, name)
    for form, typed in product(forms(language, letter), TYPED[language]):
        for mail in (f"{typed}\n\n{form}", f"{form}\n\n{typed}"):
            assert typed_text(mail, letter, OWN) == typed
            assert without_letters(mail, [letter]) == typed


@pytest.mark.parametrize("language", LETTERS)
def test_a_thread_without_marks_goes(language: str) -> None:
    letters = list(LETTERS[language].values())
    for quoted in zip(*(forms(language, letter) for letter in letters), strict=True):
        thread = "\n\n".join(quoted)
        for typed in some_of(TYPED[language], 2):
            assert without_letters(f"{typed}\n\n{thread}", letters) == typed


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("zh", "你写：“轮到你了：回复这封信，把走法单独写一行。”\n我不懂。\n怎么写？"),
        ("zh", "轮到你了\n祝你好运\n我明天再走\n今天太忙了"),
        ("zh", "ps b1\n\n特殊棋子放在哪里好？\n墙壁能挡路吗？\n我想先看看规则。"),
        ("ru", "Ты пишешь: «теперь ваш ход».\nЯ не понимаю.\nКак это?"),
        ("ru", "Твой ход!\nУдачи\nЯ отвечу завтра\nСегодня очень занят"),
    ],
)
def test_words_of_letters_that_a_player_types_stay(language: str, typed: str) -> None:
    letters = [letter_of(*one) for one in some_of(EVERY[language], 4)]
    assert without_letters(typed, letters) == typed
    for letter in letters:
        assert typed_text(typed, letter, OWN) == typed
