"""A typed board is one command, and its lines are neither chat nor other commands."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.commands.command import Unclear
from takmail.commands.grammar.arguments import Compare, Play, Show
from takmail.commands.grammar.understood import Understood
from takmail.limits.words import MAX_BOARDS
from tests.commands.grammar import reading
from tests.support.cost import assert_in_proportion
from tests.support.orders import ordered

BOARD = "s 0 0\n0 Ss 0\n0 0 0"
TEXT = BOARD.replace("\n", "/")
OTHER = "0 0 0\n0 S 0\n0 0 0"


def read(text: str) -> Understood:
    return reading.read(text, reading.ASKED)


def commands(text: str) -> list[object]:
    return ordered(read(text).orders)


def test_a_board_alone_is_one_command_and_nothing_is_chat() -> None:
    assert read(BOARD).chat == ""
    assert commands(BOARD) == [Compare(TEXT)]


def test_rs_right_above_belongs_to_the_board() -> None:
    for text in (f"rs\n{BOARD}", f"RS.\n\n{BOARD}", f"Hi Ben,\n\nrs\n\n{BOARD}\n\nAda"):
        assert commands(text) == [Compare(TEXT)]
    assert [one.line for one in read(f"rs\n{BOARD}").orders] == ["rs"]


def test_rs_with_words_between_stands_for_itself() -> None:
    assert commands(f"rs\nmine is\n{BOARD}") == ["rs", Compare(TEXT)]
    assert commands(f"{BOARD}\nrs") == [Compare(TEXT), "rs"]


def test_words_around_a_board_are_chat_without_it() -> None:
    understood = read(f"Look at this,\n\n{BOARD}\n\nis it yours, too?")
    assert understood.chat == "Look at this,\n\nis it yours, too?"


def test_what_stands_around_a_board_is_done_in_its_order() -> None:
    assert commands(f"ps b4\n{BOARD}\nshow 3") == [Play("ps b4", None), Compare(TEXT), Show(3)]


def test_an_answer_below_a_board_is_not_on_the_first_line() -> None:
    assert commands(f"{BOARD}\nyes") == [Compare(TEXT)]


def test_nothing_below_quit_is_read() -> None:
    assert commands(f"quit\n{BOARD}") == []
    assert read(f"quit\n{BOARD}").chat == ""


def test_case_counts_in_a_board() -> None:
    assert commands("S 0 0\n0 sS 0\n0 0 0") == [Compare("S 0 0/0 sS 0/0 0 0")]


def test_several_boards_are_several_commands_up_to_a_bound() -> None:
    assert commands(f"rs\n{BOARD}\n\nor\n{OTHER}") == [Compare(TEXT), Compare(OTHER.replace("\n", "/"))]
    many = read("\nand\n".join([BOARD] * (MAX_BOARDS + 2)) + "\nps b4")
    *first, last = ordered(many.orders)
    assert first == [Compare(TEXT)] * MAX_BOARDS + [Play("ps b4", None)]
    assert last == Unclear("many_boards", str(MAX_BOARDS))
    assert set(many.chat.split()) == {"and"}


def test_rows_that_are_too_few_for_a_board_are_words() -> None:
    for text in ("s\n0 0 0", "0 0 0", "s s\ns"):
        assert (read(text).orders, read(text).chat) == ((), text)


ROW = st.text(alphabet="swcSWC0o 123ABCx|>\t\u00a0\u200b.", max_size=20)
LINE = st.one_of(ROW, ROW, st.sampled_from(["", "rs", "quit", "ps b4", "hello", "A B C", "0 0 0", "s 0 0"]))


@given(st.lists(LINE, max_size=30))
def test_whatever_looks_like_a_board_is_read_without_a_fault(lines: list[str]) -> None:
    understood = read("\n".join(lines))
    assert len([one for one in understood.orders if isinstance(one.arguments, Compare)]) <= MAX_BOARDS


@pytest.mark.many
def test_a_mail_full_of_boards_is_read_in_no_time() -> None:
    def many(piece: str, size: int) -> None:
        read(piece * (size // len(piece)))

    for piece in (f"{BOARD}\n\n", "sSsS "):
        assert_in_proportion(partial(many, piece), 250_000, shorter=24)
