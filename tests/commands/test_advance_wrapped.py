"""Moves in advance that a mail program has wrapped: what is joined, and what stays a line of its own."""

from itertools import product

from takmail.commands.advance_wrapped import with_branches_joined
from tests.commands.grammar.reading import ANYWHERE
from tests.support.tables import each_row

BRANCH = "if ps b4 then pw c4 then ps d4 then ps d3 then ps d2 then ps d1"
JOINED = (
    ("if ps b4 then", "pw c4", "Bye"),
    ("if ps b4", "then pw c4", "draw"),
    ("if ps b4,", "then pw c4.", "ps c3"),
    ("if ps b4 then pw c4 then ps", "d4 then ps d3", "resign"),
    ("if ps b4 then pw c4", "then ps d5 then", "ps d3", "ps c3"),
    ("if ps b4 then mn e5", "p1 1 then ps d4 then ps d5", "ps c3"),
    ("Если ps b4 то", "pw c4", "ничья"),
    ("如果 ps b4 就 pw c4", "就 ps b5 就", "ps c5", "你好"),
)
ABOVE = (
    BRANCH,
    f"{BRANCH}.",
    "if ps b4 then pw c4",
    "If you had played b4 on turn 2 then I would really have been lost here",
    "If you had gone b4 at move 2 I would then",
    "If we both wait until 10 Dec to go on, then I can play much more carefully.",
    "If you are still there on the 5th then I would be very happy to meet you.",
    "if b4 then",
    "if ps b4",
    "如果 你第2手走b4 我当时就 要输了 就",
    "Если бы b4 то",
)
BELOW = (
    "ps c3",
    "#1 ps c3",
    "resign",
    "draw",
    "ifs",
    "yes",
    "if ps d4 then ps d3",
    "Good luck Ben!",
    "Then I will win on the 5th!",
    "then we shall see",
)


@each_row("lines", JOINED)
def test_a_wrapped_branch_is_one_line(lines: tuple[str, ...]) -> None:
    joined = with_branches_joined("\n".join(lines), ANYWHERE.read_turn)
    assert joined.split("\n") == [" ".join(lines[:-1]), lines[-1]]


@each_row("above, below", product(ABOVE, BELOW))
def test_all_else_below_an_if_stays_a_line(above: str, below: str) -> None:
    text = f"{above}\n{below}\nps d5"
    assert with_branches_joined(text, ANYWHERE.read_turn) == text
