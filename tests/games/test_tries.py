"""Attempts: texts that describe a move informally, and their possible meanings."""

import pytest

from takmail.games.interface import Attempt, Interpretation, Reason
from takmail.games.tak.notation import attempts as module
from tests.support.tak import start, state

# White is to move. White's stack of five is at b2, and White's single piece at d4. Black's stack of two is at a5. A
# wall is at e5.
MIDDLE = state("x5/x,21211,x3/x5/x3,1,x/12,x3,2S 1 12")
KINDS = ("ps", "pw", "pc")


def placed(*squares: str, kinds: tuple[str, ...] = KINDS) -> tuple[str, ...]:
    return tuple(f"{kind} {square}" for square in squares for kind in kinds)


def readings(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the lines to send, first with the rows of Tak by Mail, then with those of PTN if they differ."""
    found = MIDDLE.attempt(text)
    assert found is not None, text
    assert found.reason is None
    assert [one.how for one in found.meant] in (["mail"], ["mail", "ptn"])
    return tuple(one.lines for one in found.meant)


@pytest.mark.parametrize(
    ("text", "by_mail", "by_ptn"),
    [
        ("c1", placed("c1"), placed("c5")),
        ("c3", placed("c3"), None),
        ("flat c1", ("ps c1",), ("ps c5",)),
        ("flat 1c", ("ps c1",), ("ps c5",)),
        ("wall c1", ("pw c1",), ("pw c5",)),
        ("capstone c1", ("pc c1",), ("pc c5",)),
        ("Sc1", ("ps c1", "pw c1"), ("pw c5",)),
        ("S c1", ("ps c1", "pw c1"), ("pw c5",)),
        ("Cc1", ("pc c1",), ("pc c5",)),
        ("Fc1", ("ps c1",), ("ps c5",)),
        ("psc1", ("ps c1",), ("ps c5",)),
        ("a flat on c1, a2", ("ps c1", "ps a2"), ("ps c5", "ps a4")),
        # Only one of the two readings names a stack.
        ("b2", ("mn b2", "me b2", "ms b2", "mw b2"), placed("b4")),
        ("b4", placed("b4"), ("mn b2", "me b2", "ms b2", "mw b2")),
        ("a5", ("mn a5", "me a5"), placed("a1")),
        # Moves of stacks.
        ("d4 north", ("mn d4",), ("mn d2",)),
        ("d4n", ("mn d4",), ("mn d2",)),
        ("d4+", ("mn d4",), ("mn d2",)),
        ("d4 to d5", ("ms d4",), ("mn d2",)),
        ("d4 e4", ("me d4",), ("me d2",)),
        ("d4->c4", ("mw d4",), ("mw d2",)),
        ("d4xc4", ("mw d4",), ("mw d2",)),
        ("d4→", ("me d4",), ("me d2",)),
        ("3b2-21", ("ms b2 p3 2 1",), ("ms b4 p3 2 1",)),
        ("3b2>", ("me b2 p3 3",), ("me b4 p3 3",)),
        ("3 from b2 to the south, 2 1", ("ms b2 p3 2 1",), ("ms b4 p3 2 1",)),
        ("b2 south 2 1", ("ms b2 p3 2 1",), ("ms b4 p3 2 1",)),
        ("b2 to b4", ("ms b2 p2 1 1",), ("mn b4 p2 1 1",)),
        ("9b2>", ("me b2",), ("me b4",)),
        ("take up 2 of b2 and go west", ("mw b2 p2 2",), ("mw b4 p2 2",)),
        ("b2 up", ("mn b2",), ("mn b4",)),
        ("b2向右", ("me b2",), ("me b4",)),
        ("b2 вниз", ("ms b2",), ("ms b4",)),
        # A direction word may describe which square is meant. The legal moves decide.
        ("put my stone on c1 (the left one)", placed("c1"), placed("c5")),
        ("put my stone on b4 (the left one)", placed("b4"), placed("b2")),
        ("c1 left", ("mw c1", *placed("c1")), ("mw c5", *placed("c5"))),
        ("wall b4, left", ("mw b4", "pw b4"), ("mw b2", "pw b2")),
        ("wall c1<", ("mw c1",), ("mw c5",)),
        ("move c1 left", ("mw c1",), ("mw c5",)),
        ("сдвинуть c1 влево", ("mw c1",), ("mw c5",)),
        ("поставлю на c1 влево", placed("c1"), placed("c5")),
        ("放c1左边", placed("c1"), placed("c5")),
        # Each square with its kind of piece.
        ("flat c1 wall d2", ("ps c1", "pw d2"), ("ps c5", "pw d4")),
        ("c1 flat, d2 wall", ("ps c1", "pw d2"), ("ps c5", "pw d4")),
        ("flat c1 wall c2", ("ps c1", "pw c2"), ("ps c5", "pw c4")),
        ("Fc1 Sc2", ("ps c1", "ps c2", "pw c2"), ("ps c5", "pw c4")),
        ("c1 and d2 flat", ("ps c1", "ps d2"), ("ps c5", "ps d4")),
        ("flat b2 to b3", ("ms b2",), ("mn b4",)),
        # In the correct form, with words around it.
        ("my move: ms b2 p3 2 1", ("ms b2 p3 2 1",), None),
        ("here is pw c1", ("pw c1",), None),
        # With a word or two for the opponent.
        ("flat at c1, your turn", ("ps c1",), ("ps c5",)),
        ("flat to c1. your go.", ("ps c1",), ("ps c5",)),
        ("it's your turn now. flat c1", ("ps c1",), ("ps c5",)),
        ("i play flat at c1, your move", ("ps c1",), ("ps c5",)),
        ("flat c1 your move!", ("ps c1",), ("ps c5",)),
        ("i think flat c1, over to you", ("ps c1",), ("ps c5",)),
        ("c1 i think", placed("c1"), placed("c5")),
        ("думаю, стену на c1, твой ход", ("pw c1",), ("pw c5",)),
        ("c1 плоский. твоя очередь!", ("ps c1",), ("ps c5",)),
        ("我想c1放墙，轮到你了", ("pw c1",), ("pw c5",)),
        ("在c1放墙，该你了", ("pw c1",), ("pw c5",)),
        # Other alphabets.
        ("с1", placed("c1"), placed("c5")),
        ("ц1", placed("c1"), placed("c5")),
        ("д 2", placed("d2"), ("mn d4", "me d4", "ms d4", "mw d4")),
        ("плоский на c1", ("ps c1",), ("ps c5",)),
        ("c一", placed("c1"), placed("c5")),
    ],
)
def test_a_try_is_read_in_both_ways(
    text: str, by_mail: tuple[str, ...], by_ptn: tuple[str, ...] | None
) -> None:
    assert readings(text) == ((by_mail,) if by_ptn is None else (by_mail, by_ptn))


@pytest.mark.parametrize("text", ["ptn c1", "my move in ptn: c1", "ptn: flat c1"])
def test_who_says_ptn_means_ptn(text: str) -> None:
    found = MIDDLE.attempt(text)
    assert found is not None
    assert [one.how for one in found.meant] == ["ptn"]
    assert found.meant[0].lines[0] == "ps c5"


@pytest.mark.parametrize(
    ("text", "square"), [("z9", "z9"), ("f1", "f1"), ("a6", "a6"), ("a10", "a10"), ("ж1", "ж1")]
)
def test_a_square_beyond_the_board_is_named(text: str, square: str) -> None:
    assert MIDDLE.attempt(text) == Attempt(
        (), Reason("off-the-board", {"square": square, "size": 5, "last": "e5"})
    )


def test_of_two_squares_the_one_on_the_board_is_offered() -> None:
    assert readings("c3 z9") == (placed("c3"),)


def test_in_the_first_turns_nothing_but_a_flat_is_offered_unless_it_is_named() -> None:
    assert start(5).attempt("b4") == Attempt(
        (Interpretation("mail", ("ps b4",)), Interpretation("ptn", ("ps b2",)))
    )
    assert start(5).attempt("wall b4") == Attempt(
        (Interpretation("mail", ("pw b4",)), Interpretation("ptn", ("pw b2",)))
    )


def test_where_there_are_no_capstones_none_is_offered() -> None:
    found = state("2,x2/x3/x2,1 1 2").attempt("b2")
    assert found == Attempt((Interpretation("mail", ("ps b2", "pw b2")),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello",
        "flat",
        "3 stones",
        "4 5 6",
        "at 4 please",
        "see you at a1 café tomorrow",
        "b4 was a great move",
        "I like c3 better",
        "c3 is a wall",
        "a wall stands on c3",
        "well placed at b4",
        "not c3",
        "c3 or d4",
        "your b4",
        "your move at b4",
        "capstone c3 and then i win",
        "i think about c3",
        "i think your c3",
        "твой c3",
        "你的b4",
        "b44a",
        "ab4",
        "r4bb1t",
        "m4a1x",
        "в 4",
        "с 3 по 5",
        "хороший ход b4",
        "конь b4",
        "b4 好棋",
        "b4 " * 200,
    ],
)
def test_what_says_more_or_names_no_square_is_none(text: str) -> None:
    assert MIDDLE.attempt(text) is None


def test_a_long_text_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "with_digits", None)
    assert MIDDLE.attempt("b4 " * 10_000) is None


def test_every_line_that_is_offered_is_one_that_is_read() -> None:
    for text in ("b2", "b4", "Sb4", "3b2-21", "b2 to b5", "9b2>", "a5 up", "move e5 to the west", "5b2<1112"):
        for line in (line for lines in readings(text) for line in lines):
            assert MIDDLE.read(line) is not None, line


@pytest.mark.parametrize(
    ("text", "lines"),
    [("please mn b2 p3", ("mn b2 p3 3",))],
)
def test_a_move_as_it_is_to_be_written_is_offered_alone_or_as_it_may_be_meant(
    text: str, lines: tuple[str, ...]
) -> None:
    assert MIDDLE.attempt(text) == Attempt((Interpretation("mail", lines),))
