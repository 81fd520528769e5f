"""Somebody who reads only Chinese or Russian gets letters in it by one mail, and the invitation again."""

import pytest

from takmail.games.bots import Bot, Bots
from tests.conversations.test_language import language_of
from tests.support.links import links
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness, turns
from tests.support.orders import line_as
from tests.support.players import ADA, BEN, Received
from tests.support.width import some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
OFFERED = ("По-русски: ответьте одним словом «русский».", "要看中文信，请只回复“中文”或“繁體中文”。")


WORDS = {
    "ru": {"принимаю\n", "отказываюсь\n", "правила\n"},
    "zh": {"接受\n", "谢绝\n", "规则\n"},
    "zh-hant": {"接受\n", "謝絕\n", "規則\n"},
}
"""What the buttons of an invitation write."""


def offers(letter: Received) -> list[bool]:
    return [line in letter.text for line in OFFERED]


def read_in(letter: Received) -> str:
    return str(letter.mail["Content-Language"])


@pytest.fixture
def invited() -> MemoryHarness:
    """Ben, who has never written, is invited in English."""
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(AS_ADA, f"new 5 vs {BEN}")
    harness.confirms = False
    return harness


def test_an_invitation_to_a_stranger_offers_each_other_language(invited: MemoryHarness) -> None:
    letter = invited.last(BEN)
    assert offers(letter) == [True, True]
    assert {"Русский\n", "中文\n", "繁體中文\n"} <= {link.body for link in links(letter)}
    assert "English" not in letter.text


def test_only_the_first_letter_offers_them() -> None:
    harness = MemoryHarness()
    harness.confirms = False
    letters = [harness.send(AS_BEN, f"new {size} vs {ADA}")[0] for size in (5, 6)]
    assert [offers(one) for one in letters] == [[True, True], [False, False]]
    harness.send(AS_BEN, "yes", letters[0])
    assert offers(harness.last(BEN)) == [False, False]


@pytest.mark.parametrize(
    ("words", "code"),
    some_of(
        [
            ("русский", "ru"),
            ("По-русски, пожалуйста", "ru"),
            ("Здравствуйте! Что это такое?", "ru"),
            ("language ru", "ru"),
            ("中文", "zh"),
            ("你好，这是什么？", "zh"),
            ("繁體", "zh-hant"),
            ("正體中文", "zh-hant"),
            ("zh-TW", "zh-hant"),
            ("traditional Chinese, please", "zh-hant"),
            ("請用中文", "zh-hant"),
            ("您好，請用中文", "zh-hant"),
            ("你好，這是什麼？", "zh-hant"),
            ("我不懂英文，能用中文吗？", "zh"),
            ("Можно письма по-русски? Я не знаю английского.", "ru"),
        ],
        3,
    ),
)
def test_a_guest_gets_the_invitation_again_in_their_language(
    invited: MemoryHarness, words: str, code: str
) -> None:
    (letter,) = invited.send(AS_BEN, words, invited.last(BEN))
    assert (language_of(invited, BEN), read_in(letter)) == (code, code)
    assert 'lang="' + code in letter.html
    assert WORDS[code] <= {link.body for link in links(letter)}
    assert ADA in letter.text
    assert not letter.says("not_sure_what_you_mean")
    # What was before is one line away.
    assert 'answer with the one word "English"' in letter.text
    (again,) = invited.send(AS_BEN, "English", letter)
    assert (language_of(invited, BEN), read_in(again)) == ("en", "en")


@pytest.mark.parametrize(("words", "code"), [("好的，我接受", "zh"), ("Да, с удовольствием!", "ru")])
def test_a_guest_who_accepts_in_their_language_plays_in_it(
    invited: MemoryHarness, words: str, code: str
) -> None:
    letter, *_ = invited.send(AS_BEN, words, invited.last(BEN))
    assert (language_of(invited, BEN), read_in(letter)) == (code, code)
    assert invited.table().record.is_open
    assert read_in(invited.last(ADA)) == "en"


def test_a_yes_about_the_language_brings_the_invitation_again(invited: MemoryHarness) -> None:
    """A guest writes anew, so that nothing proves who it was, and takes the question for the invitation."""
    (asked,) = invited.send(AS_BEN, "语言 中文")
    assert (asked.asks_who, read_in(asked)) == (True, "zh")
    done, invitation = invited.send(AS_BEN, "好的，我接受", asked)
    assert (read_in(done), read_in(invitation)) == ("zh", "zh")
    assert invitation.subject.startswith("[tak #1]")
    invited.send(AS_BEN, "好的，我接受", invitation)
    assert invited.table().record.is_open


def test_a_question_is_asked_again_in_the_language_that_answers_it() -> None:
    harness = MemoryHarness()
    harness.confirms = False
    (asked,) = harness.send(AS_BEN, f"new 5 vs {ADA}")
    again, _ = harness.send(AS_BEN, "русский", asked)
    assert (again.asks_who, read_in(again)) == (True, "ru")
    harness.send(AS_BEN, "да", again)
    assert harness.last(ADA).subject.startswith("[tak #1]")


def test_who_has_written_before_chooses_by_no_words(invited: MemoryHarness) -> None:
    invited.send(AS_BEN, "Hello, who are you?", invited.last(BEN))
    (letter,) = invited.send(AS_BEN, "你好，这是什么？", invited.last(BEN))
    assert (language_of(invited, BEN), read_in(letter)) == (None, "en")
    assert OFFERED[1] in letter.text


@pytest.mark.parametrize(
    ("code", "mails"),
    some_of(
        [
            ("ru", ("Привет! Что это?", "Да, сыграем!", "ps b2", "ps c2", "ps d2")),
            ("zh", ("中文", "好的，我接受", "ps b2", "ps c2", "ps d2")),
            ("zh-hant", ("繁體中文", "好的，我接受", "ps b2", "ps c2", "ps d2")),
        ],
        2,
    ),
)
def test_all_letters_from_the_second_on_are_in_the_readers_language(
    invited: MemoryHarness, code: str, mails: tuple[str, ...]
) -> None:
    for mail in mails:
        invited.send(AS_BEN, mail, invited.last(BEN))
        if invited.table().record.is_open and turns(invited)[-1:] != ["ps d2"]:
            invited.send(AS_ADA, f"ps {'abcde'[len(turns(invited)) // 2]}5", invited.last(ADA))
    first, *others = [letter for letter in invited.box if letter.to == BEN]
    assert read_in(first) == "en"
    assert len(others) > 5
    assert {read_in(letter) for letter in others} == {code}


def test_a_newcomer_is_not_offered_what_they_write_in() -> None:
    bots = Bots((Bot("easy", lambda _game, _setup: True),))
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.change(bots=bots)
    (welcome,) = harness.send(AS_BEN, "Привет! Что это?")
    assert (read_in(welcome), offers(welcome)) == ("ru", [False, False])


def test_a_forged_choice_brings_no_invitation_again(harness: MemoryHarness) -> None:
    harness.begin()
    for number in range(3):
        harness.send(f"Carl <carl{number}@example.org>", f"new 5 vs {BEN}")
    harness.confirms = False
    (told,) = harness.send(AS_BEN, "language ru")
    assert told.to == BEN
    assert language_of(harness, BEN) == "ru"


@pytest.mark.parametrize("words", ["принять", "Принять приглашение!", "принимаю", "принять вызов"])
def test_a_russian_infinitive_accepts(invited: MemoryHarness, words: str) -> None:
    invited.send(AS_BEN, words, invited.last(BEN))
    assert invited.table().record.is_open


@pytest.mark.parametrize("line", ["помощь всё", "помощь все", "все команды", "帮助 全部", "幫助全部"])
def test_all_of_the_help_has_names_in_each_language(line: str) -> None:
    order = line_as(line, is_first=False)
    assert order == line_as("help all", is_first=False) is not None
