"""`language`: each player chooses the language of their letters, by its code or by its name in any language."""

from dataclasses import replace
from typing import Any

import pytest

from takmail.commands.grammar.arguments import Choice
from takmail.games.bots import Bot, Bots
from takmail.pipeline.language_offer import language_written
from takmail.world import LANGUAGES
from tests.support.memory_harness import BOTH_SIDES, PLAIN, MemoryHarness, turns
from tests.support.orders import line_as
from tests.support.players import ADA, BEN, Received, said
from tests.support.tables import each_row
from tests.support.width import combined, some_of

AS_ADA = f"Ada <{ADA}>"


def language_of(harness: MemoryHarness, address: str) -> str | None:
    player = harness.memory.player_by_address(address)
    return None if player is None else player.preferences.language


def ada(harness: MemoryHarness, words: str) -> Received:
    return harness.send(AS_ADA, words, harness.last(ADA))[0]


@each_row(
    ("line", "code"),
    [
        *((f"language {code}", code) for code in LANGUAGES),
        ("Language RU", "ru"),
        ("/language zh", "zh"),
        ("language: ru", "ru"),
        ("language Russian", "ru"),
        ("language русский", "ru"),
        ("language по-русски", "ru"),
        ("language Chinese", "zh"),
        ("language 中文", "zh"),
        ("language 简体中文", "zh"),
        ("language English", "en"),
        ("language английский", "en"),
        ("language 英文", "en"),
        ("язык русский", "ru"),
        ("Язык: английский", "en"),
        ("язык 中文", "zh"),
        ("语言 中文", "zh"),
        ("语言中文", "zh"),
        ("语言：英文", "en"),
        ("語言 俄文", "ru"),
        ("language klingon", None),
        ("language is hard", None),
        ("язык проглотил", None),
        ("语言不通", None),
    ],
)
def test_a_language_has_a_code_and_names(line: str, code: str | None) -> None:
    assert line_as(line, is_first=False) == (None if code is None else Choice("language", code))


@pytest.mark.parametrize("line", ["language", "язык", "语言"])
def test_the_keyword_alone_tells_what_holds_and_what_there_is(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    answer = said(ada(harness, line))
    assert "Your letters are in English." in answer
    assert '"language ru" gives you letters in Russian (русский).' in answer
    assert '"language zh" gives you letters in Chinese (中文).' in answer
    assert '"language en"' not in answer


def test_what_is_chosen_holds_for_the_player_alone(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "language русский\nps a1")
    assert (language_of(harness, ADA), language_of(harness, BEN)) == ("ru", None)
    assert turns(harness) == ["ps a1"]
    ada(harness, "language en")
    assert language_of(harness, ADA) == "en"


def test_the_language_of_the_service_holds_without_a_choice() -> None:
    harness = MemoryHarness(services=replace(PLAIN, language="zh"))
    (answer,) = harness.send(AS_ADA, "language")
    assert "中文" in answer.text
    assert "“用英文”" in said(answer)


@pytest.mark.parametrize(
    ("line", "code"),
    some_of(
        [
            ("пиши по-русски, пожалуйста", "ru"),
            ("Русский язык", "ru"),
            ("Русский", "ru"),
            ("по-русски", "ru"),
            ("请用中文", "zh"),
            ("中文", "zh"),
            ("switch to Chinese please", "zh"),
            ("Chinese", "zh"),
            # They are words below other words, and in sentences.
            ("Nice move\nChinese", None),
            ("I am Chinese", None),
            ("de", None),
        ],
        6,
    ),
)
def test_other_words_for_it_choose_it(harness: MemoryHarness, line: str, code: str | None) -> None:
    harness.begin()
    ada(harness, line)
    assert language_of(harness, ADA) == code


@pytest.mark.parametrize("line", ["language klingon", "language de", "Deutsch", "по-немецки"])
def test_what_is_no_language_is_answered_with_what_there_is(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    answer = said(ada(harness, line))
    assert "There is no such language here yet." in answer
    assert "language zh" in answer
    assert "how" not in answer


def test_who_leaves_for_good_leaves_it_behind(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "language ru")
    ada(harness, "forget me")
    assert [one.preferences.language for one in harness.memory.players.values()] == [None, None]


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("en", "7x7 relay, 1 capstone"),
        ("ru", "7×7 с пересылкой, 1 замковый камень"),
        ("zh", "7×7转达局，顶石1枚"),
    ],
)
def test_a_list_names_games_in_the_readers_language_and_a_subject_stays(
    harness: MemoryHarness, code: str, title: str
) -> None:
    harness.begin("7 relay caps=1")
    letter = harness.last(ADA)
    ada(harness, f"language {code}")
    (log,) = harness.send(AS_ADA, "log", letter)
    assert log.subject == letter.subject
    assert "7x7 relay, 1 capstone" in log.subject
    assert title in " ".join(ada(harness, "games").text.split())


NEWCOMER = "Olya <olya@example.net>"
SIGNED_NEWCOMER: dict[str, Any] = {
    "Authentication_Results": "mx.example.test; dmarc=pass header.from=example.net"
}


def newcomers() -> MemoryHarness:
    """Return a service with a bot whose mail server proves a newcomer's mails."""
    bots = Bots((Bot("easy", lambda _game, _setup: True),))
    return MemoryHarness(services=replace(BOTH_SIDES, authserv_id="mx.example.test", bots=bots))


@pytest.mark.parametrize(
    ("written", "headers"),
    combined(
        [
            ("Привет! Можно поиграть с компьютером?", "ru"),
            ("играть с ботом", "ru"),
            ("Привет", "ru"),
            ("как это работает?", "ru"),
            ("你好，我可以跟电脑下棋吗？", "zh"),
            ("你好", "zh"),
            ("这个怎么玩", "zh"),
            ("Hello!", "en"),
        ],
        [SIGNED_NEWCOMER, {}],
    ),
)
def test_a_newcomer_is_answered_in_the_language_of_the_mail(
    written: tuple[str, str], headers: dict[str, Any]
) -> None:
    text, language = written
    (letter,) = newcomers().send(NEWCOMER, text, **headers)
    assert (language_written(said(letter), LANGUAGES) or "en") == language


@pytest.mark.parametrize(
    ("text", "line", "language"),
    [
        ("урок 10 ps c1", "новая партия 4 против бота лёгкого", "ru"),
        ("学习 10 ps c1", "开局 4 对 电脑 简单", "zh"),
        ("Привет", "новая партия 5 против бота", "ru"),
        ("играть с ботом", "новая партия 5 против бота лёгкого", "ru"),
        ("learn 10 ps c1", "new 4 vs bot easy", "en"),
    ],
)
def test_the_line_that_is_offered_begins_a_game_in_this_language(text: str, line: str, language: str) -> None:
    harness = newcomers()
    (letter,) = harness.send(NEWCOMER, text, **SIGNED_NEWCOMER)
    assert line in letter.text
    harness.send(NEWCOMER, line, letter, **SIGNED_NEWCOMER)
    assert harness.table().players
    chosen = [one.preferences.language for one in harness.memory.players.values() if one.mailboxes]
    assert chosen == [None if language == "en" else language]
    assert f'lang="{language}"' in harness.last("olya@example.net").html


def test_who_has_played_before_is_only_offered_a_language() -> None:
    harness = newcomers()
    harness.send(NEWCOMER, "new 5 vs bot", **SIGNED_NEWCOMER)
    harness.send(NEWCOMER, "new 5 vs бот", **SIGNED_NEWCOMER)
    assert [one.preferences.language for one in harness.memory.players.values()] == [None, None]
