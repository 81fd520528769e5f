"""Test how a text is split into words, and how the words of the vocabulary are recognised in it."""

import pytest

from takmail.vocabulary import Match, Table, table, words_of
from tests.support.tables import each_row


@each_row(
    ("text", "words"),
    [
        ("Let's  go, ps B4!", ("let's", "go", "ps", "b4")),
        ("ＯＫ", ("ok",)),
        ("是好", ("是", "好")),
        ("不错", ("不错",)),
        ("好久不见!", ("好久不见",)),
        ("好, 不错", ("好", "不错")),
        ("Да, да", ("да", "да")),
        ("", ()),
    ],
)
def test_a_text_is_split_into_words(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_the_phrase_with_the_most_words_is_taken() -> None:
    words = Table({"give": "new", "give up": "resign", "став*": "place"})
    assert list(words.matches(("up", "give"))) == [Match(1, 2, "new")]
    assert list(words.matches(("i", "give", "up", "ставлю"))) == [Match(1, 3, "resign"), Match(3, 4, "place")]
    assert words.meaning(("give",)) == "new"
    assert words.meaning("up") is None


def test_a_match_does_not_go_beyond_the_last_word() -> None:
    words = Table({"thanks": "polite", "thanks a lot": "polite"})
    assert list(words.matches(("log", "thanks"))) == [Match(1, 2, "polite")]


def test_a_table_has_the_words_of_all_languages() -> None:
    assert {table("answers").meaning(word) for word in ("yes", "да", "是")} == {"yes"}


@pytest.mark.parametrize("text", ["三十天", "下周五", "到明天", "十二月"])
def test_the_words_of_dates_split_no_sentence(text: str) -> None:
    assert words_of(text) == (text,)
