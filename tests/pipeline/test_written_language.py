"""The language in which a text is probably written."""

from pathlib import Path

import pytest

from takmail.pipeline.language_offer import language_written
from takmail.world import LANGUAGES
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row

TALK = Path(__file__).parents[1] / "data" / "small_talk"


@each_row(
    ("text", "code"),
    [
        ("", None),
        ("Good luck, Ben!", None),
        ("Très bien, à bientôt", None),
        ("Привет, Бен! Хорошей игры.", "ru"),
        ("ЕЩЁ РАЗ", "ru"),
        ("Спасибо, Ada, отличный ход ps b4", "ru"),
        ("Спасибо, Ada", None),
        ("Thanks, or as you say спасибо", None),
        ("你好，祝你好运！", "zh"),
        ("輪到誰了？謝謝", "zh-hant"),
        ("我下ps b4，轮到你了", "zh"),
        ("I like 茶", None),
        ("今日は楽しかったです。", None),
        ("Дякую, гарний хід, і успіхів", None),
        ("좋은 게임", None),
        ("123 :) 👍", None),
        ("Привет! 你好！", None),
    ],
)
def test_the_script_of_most_words_tells_the_language(text: str, code: str | None) -> None:
    assert language_written(text, LANGUAGES) == code
    assert language_written(text, ["en"]) is None


@pytest.mark.parametrize(
    ("text", "service", "code"),
    [
        ("你好", "en", "zh"),
        ("你好", "zh", None),
        ("你好", "zh-hant", None),
        ("謝謝", "zh", "zh-hant"),
        ("谢谢", "zh-hant", "zh"),
        ("谢谢", "zh", None),
    ],
)
def test_characters_of_both_kinds_change_no_letters_in_chinese(
    text: str, service: str, code: str | None
) -> None:
    assert language_written(text, [one for one in LANGUAGES if one != service]) == code


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_small_talk_is_in_its_language(language: str) -> None:
    lines = (TALK / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    found = [language_written(line, LANGUAGES) for line in lines if line.strip() and not line.startswith("#")]
    assert found.count(language) >= 0.97 * len(found)


def test_a_long_text_takes_no_long_time() -> None:
    assert_in_proportion(lambda size: language_written("Привет 你好 ps " * size, LANGUAGES), 5_000)
