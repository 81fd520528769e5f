"""Letters in traditional Chinese are those in Chinese in other characters; what players write stays as it is."""

from collections.abc import Iterator

import pytest

from takmail.blocks import Buttons, Lines
from takmail.commands.profile import fault_of_name
from takmail.letters.catalogue import UNBROKEN
from takmail.letters.passages.languages import offered_in
from takmail.letters.templates import folder
from takmail.vocabulary import chinese, section
from takmail.vocabulary.chinese import SIMPLIFIED, TRADITIONAL, characters_of, in_traditional
from tests.commands.build import SERVICES
from tests.letters.test_catalogue import CATALOGUE, macros, samples
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.tables import each_row
from tests.support.width import some_of

WORDS = CATALOGUE.words(TRADITIONAL)
AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


FAMILIES = some_of(sorted(path.stem for path in (folder() / SIMPLIFIED).glob("*.jinja")), 10)


def worded(language: str) -> Iterator[tuple[str, str]]:
    for macro in (macro for family in FAMILIES for macro in macros(TRADITIONAL, family)):
        for values in samples(macro):
            yield macro.name, CATALOGUE.words(language).macros[macro.name](**values)


def test_no_message_has_a_simplified_character() -> None:
    for name, text in worded(TRADITIONAL):
        wrong = {one for one in text if characters_of(one) == SIMPLIFIED}
        assert not wrong, (name, wrong, text)


def test_only_characters_and_words_differ() -> None:
    """A message has the same markup, names, numbers and lines to type by the book."""
    for (name, text), (_, plain) in zip(worded(TRADITIONAL), worded(SIMPLIFIED), strict=True):
        assert [one for one in text if one.isascii()] == [one for one in plain if one.isascii()], name
        assert text.count(UNBROKEN) == plain.count(UNBROKEN), name


@each_row(
    ("simplified", "traditional"),
    [
        ("回复这封邮件", "回覆這封郵件"),
        ("棋盘里面只有一枚棋子", "棋盤裡面只有一枚棋子"),
        ("以后再发一次，然后等对手", "以後再發一次，然後等對手"),
        ("发送", "傳送"),
        ("屏蔽一个棋手", "封鎖一個棋手"),
        ("全局的第3手", "全局的第3手"),
        ("“绝杀”", "「絕殺」"),
        ("系统、关系、联系", "系統、關係、聯絡"),
        ("干扰、干净、能干", "干擾、乾淨、能幹"),
        ("ps b4, {{ name }}", "ps b4, {{ name }}"),
    ],
)
def test_words_are_those_of_taiwan(simplified: str, traditional: str) -> None:
    assert in_traditional(simplified) == traditional


def test_each_word_that_is_taught_is_traditional() -> None:
    words = [
        word
        for name in ("keywords", "arguments")
        for words in section(TRADITIONAL, name).values()
        for word in words
    ]
    assert not [word for word in words if characters_of(word) == SIMPLIFIED]


def test_words_and_names_of_players_are_not_converted() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin()
    harness.send(AS_BEN, "name 张伟", harness.last(BEN))
    harness.send(AS_ADA, "language zh-hant", harness.last(ADA))
    harness.send(AS_ADA, "ps a1", harness.last(ADA))
    harness.send(AS_BEN, "ps e5\n\n这步棋怎么样，发现了吗？", harness.last(BEN))
    letter = harness.last(ADA)
    assert letter.mail["Content-Language"] == TRADITIONAL
    assert 'lang="zh-hant"' in letter.html
    assert "张伟" in said(letter)
    assert "这步棋怎么样" in said(letter)
    assert "輪到你了" in letter.text


def test_what_offers_it_converts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The converter takes 46 MiB, so nobody who gets no such letters may need it."""

    def never() -> None:
        raise AssertionError("something was converted")

    monkeypatch.setattr(chinese, "_converter", never)
    section.cache_clear()
    try:
        (lines, touched) = offered_in(CATALOGUE, ("ru", "zh", "zh-hant"))
        assert fault_of_name(SERVICES, "一位朋友") is not None
    finally:
        section.cache_clear()
    assert isinstance(lines, Lines)
    assert isinstance(touched, Buttons)
    assert [button.line for button in touched.buttons] == ["Русский", "中文", "繁體中文"]
