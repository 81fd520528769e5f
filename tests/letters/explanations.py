"""Provide, for each reason of Tak's rules, a position, an illegal move, and the explanation that a player reads."""

from dataclasses import dataclass, replace
from pathlib import Path

from takmail.games.tak.explain import checks
from takmail.games.tak.moves import Move, Spread
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.position import Position
from takmail.games.tak.rules import refusal
from takmail.games.tak.state import TakState
from takmail.games.tak.touched import touched
from takmail.world.consequences import Verdict

TEXTS = Path(__file__).parent.parent / "data" / "explanations"
"""The folder of the expected explanations, with one file for each case."""


@dataclass(frozen=True, slots=True)
class Case:
    """A move on the board of a TPS, whose rows come from the north and whose stacks are written bottom to top.

    `drops` replace those in `move` if no player can write them, as parsing would reject such a line.
    """

    tps: str
    move: str
    half_komi: int = 0
    drops: tuple[int, ...] = ()


# The name of a case begins with that of its reason.
REFUSED = {
    "game-over": Case("1,1,1/x3/2,2,x 2 4", "ps c3"),
    "game-over, as the board is full": Case("1,2,1/2,1,2/1,2,1 2 5", "ps c3", half_komi=4),
    "opening-flat-only": Case("x5/x5/x5/x5/x5 1 1", "pw a1"),
    "opening-no-moves": Case("2,x4/x5/x5/x5/x5 2 1", "me a1 p1 1"),
    "space-taken": Case("x5/x,12,x3/x5/x5/x5 1 5", "ps b2"),
    "no-capstones-on-this-board": Case("x4/x4/x4/x4 1 4", "pc c3"),
    "none-left": Case("1C,x4/x5/x5/x5/x5 1 5", "pc b2"),
    "none-left, of stones": Case("1111111111,11111111111,x3/x5/x5/x5/x5 1 30", "ps b2"),
    "none-left, on 7x7": Case("1C,1C,x5/x7/x7/x7/x7/x7/x7 1 5", "pc c3"),
    "nothing-there": Case("x5/x5/x5/x5/x5 1 5", "ms b2 p1 1"),
    "not-yours": Case("x5/x,12,x3/x5/x5/x5 1 5", "me b2 p2 1 1"),
    "empty-drop": Case("x5/x,211,x3/x5/x5/x5 1 5", "me b2 p2 1 1", drops=(1, 0, 1)),
    "stack-too-low": Case("x5/x,21,x3/x5/x5/x5 1 5", "ms b2 p3 2 1"),
    "over-carry-limit": Case("x5/x,1212121,x3/x5/x5/x5 1 9", "ms b2 p6 4 2"),
    "off-the-edge": Case("x5/x,2121,x3/x5/x5/x5 1 5", "mn b2 p3 2 1"),
    "capstone-in-the-way": Case("x5/x,211,x,2C,x/x5/x5/x5 1 5", "me b2 p2 1 1"),
    "wall-in-the-way": Case("x5/x,211,2S,x2/x5/x5/x5 1 5", "me b2 p2 1 1"),
    "wall-in-the-way, of a capstone": Case("x5/x,211C,2S,x2/x5/x5/x5 1 5", "me b2 p2 1 1"),
    "wall-needs-capstone": Case("x5/x,1,2S,x2/x5/x5/x5 1 5", "me b2 p1 1"),
    "wall-needs-lone-capstone": Case("x5/x,11C,2S,x2/x5/x5/x5 1 5", "me b2 p2 2"),
}

ALLOWED = {
    "legal, a first turn": Case("x5/x5/x5/x5/x5 1 1", "ps b4"),
    "legal, a placing": Case("2,x4/x5/x5/x5/1,x4 1 2", "pc c3"),
    "legal, a move over three spaces": Case("x5/211,12,x3/x5/x5/x5 1 5", "me a2 p3 1 1 1"),
    "legal, a wall flattened": Case("x5/x,211C,12,2S,x/x5/x5/x5 1 5", "me b2 p3 2 1"),
    "legal, a road": Case("1,2,x/x,2,x/1,x,x 2 4", "ps b3"),
    "legal, a road for both": Case("1,1,x/2,2,21/x3 1 9", "mn c2 p1 1"),
    "legal, the board is full": Case("1,2,1/2,1,2/1,2,x 2 5", "ps c3", half_komi=4),
    "legal, a draw": Case("1,2,1/2,1,2S/1S,2,x 1 5", "pw c3"),
    "legal, the last piece": Case("222222222,1,x/x3/x3 2 12", "ps c3"),
}


def verdict_of(position: Position, move: Move) -> Verdict:
    """Return the explanation of `move`, as an attempt that is not played."""

    text = mail.write(position.board, move)
    state = TakState(position)
    following = state.play(text) if refusal(position, move) is None else None

    def name(square: int) -> str:
        return mail.square_name(position.board, square)

    return Verdict(
        game="tak",
        number=position.ply + 1,
        name=None,
        written=None,
        text=text,
        before=state,
        after=following,
        touched=touched(position, move, name),
        checks=checks(position, move, name),
        result=None if following is None else following.result,
    )


def verdict_of_case(case: Case) -> Verdict:
    """Return the explanation of a case's move."""
    position = tps.parse(case.tps, case.half_komi)
    move = mail.parse(position.board, case.move).move
    if case.drops:
        assert isinstance(move, Spread)
        move = replace(move, drops=case.drops)
    return verdict_of(position, move)
