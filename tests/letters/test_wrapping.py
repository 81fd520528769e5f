"""Lines of a letter are as wide as a mail program shows without wrapping them, in every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.letters.catalogue import UNBROKEN
from takmail.letters.text import WIDTH, padded, width, wrap
from tests.support.tables import each_row

CHINESE = "轮到你了：回复这封信，把走法单独写一行。“ps b1”在B1放一枚平放棋子，拿起22枚，第13回合。".replace(
    " ", UNBROKEN
)


def test_a_chinese_sign_is_two_columns_wide() -> None:
    assert width("Ben") == 3
    assert width("王小明") == 6
    assert width("«Так» — да") == 10
    assert padded("王", 4) == "王  "


def test_a_chinese_text_is_broken_between_its_signs() -> None:
    lines = wrap(CHINESE * 4).split("\n")
    assert all(60 < width(line) <= WIDTH for line in lines[:-1])
    assert "".join(lines) == (CHINESE * 4).replace(UNBROKEN, " ")


@each_row("shift", range(1, 80))
def test_marks_numbers_and_lines_to_type_stay_with_their_neighbours(shift: int) -> None:
    text = wrap("走" * shift + CHINESE)
    for line in text.split("\n"):
        assert line[0] not in "”，。："
        assert line[-1] not in "“第"
        assert not line[-1].isdigit()
    assert "ps b1" in text


def test_words_of_other_scripts_are_kept_whole() -> None:
    text = "Ваш ход: ответьте на это письмо. " * 5
    assert wrap(text).split() == text.split()
    assert max(map(len, wrap(text).split("\n"))) <= WIDTH


@pytest.mark.parametrize("name", ["李伟", "Ben"])
def test_words_beside_chinese_names_are_kept_whole(name: str) -> None:
    text = f"{name} принимает приглашение, и партия начинается; é, № и «доска» её. " * 4
    assert wrap(text).split() == text.split()
    assert max(map(width, wrap(text).split("\n"))) <= WIDTH


def test_an_indent_stands_before_each_line() -> None:
    assert wrap("a " * 50, "  ").split("\n") == ["  " + "a " * 34 + "a", "  " + "a " * 14 + "a"]


@given(st.text("a 王，“”1第\u00a0", max_size=200))
def test_nothing_but_spaces_is_lost(text: str) -> None:
    wrapped = wrap(text)
    assert "".join(wrapped.split()) == "".join(text.split())


@given(st.text("a王,.:;!?)('\"“”（）。， 7", max_size=150), st.text("王", max_size=30))
def test_no_line_begins_with_a_closing_mark(text: str, before: str) -> None:
    words = [word for word in f"{before}{text}".split(" ") if word]
    for line in wrap(f"{before}{text}").split("\n"):
        assert not line or line[0] not in ".,:;!?)，。）”" or any(word.startswith(line[0]) for word in words)
