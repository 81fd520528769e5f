"""Why the rules refuse a ply: one frozen dataclass for each reason, with the data for a letter.

`wording/reasons` words the reasons. `explain.to_reason` converts a reason for a letter and names it after its class, in
lower case with hyphens: `StackTooLow` becomes `stack-too-low`.
"""

from dataclasses import dataclass

from takmail.games.tak.board import Direction, Square
from takmail.games.tak.pieces import Color, Kind


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; `score` is in PTN, and `ended_by` is `road`, `full` or `reserves`."""

    score: str
    ended_by: str


@dataclass(frozen=True, slots=True)
class OpeningFlatOnly:
    """A wall or capstone is placed in the first two plies; `color` is the side whose flat must be placed."""

    kind: Kind
    color: Color


@dataclass(frozen=True, slots=True)
class OpeningNoMoves:
    """A stack is moved in the first two plies; `color` is the side whose flat must be placed."""

    square: Square
    color: Color


@dataclass(frozen=True, slots=True)
class SpaceTaken:
    """The space isn't empty: it has `height` pieces, the top one of `color` and `kind`."""

    square: Square
    height: int
    color: Color
    kind: Kind


@dataclass(frozen=True, slots=True)
class NoCapstonesOnThisBoard:
    """A board of this `size` has no capstones."""

    size: int


@dataclass(frozen=True, slots=True)
class NoneLeft:
    """`color`'s reserve has no piece left to place as `kind`. At the start there were `whole` such pieces."""

    kind: Kind
    color: Color
    whole: int


@dataclass(frozen=True, slots=True)
class NothingThere:
    """The square of the stack to move is empty."""

    square: Square


@dataclass(frozen=True, slots=True)
class NotYours:
    """The opponent controls the stack: its top piece is of `color` and `kind`."""

    square: Square
    color: Color
    kind: Kind


@dataclass(frozen=True, slots=True)
class EmptyDrop:
    """No piece is dropped in space number `step` of the move, counted from 1."""

    square: Square
    step: int


@dataclass(frozen=True, slots=True)
class StackTooLow:
    """The move takes more pieces (`count`) than the stack has (`height`)."""

    square: Square
    count: int
    height: int


@dataclass(frozen=True, slots=True)
class OverCarryLimit:
    """The move takes more pieces (`count`) than the carry limit, the width of the board, allows."""

    square: Square
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class OffTheEdge:
    """The move leaves the board: it needs `spaces` spaces, but only `room` lie in that direction."""

    square: Square
    direction: Direction
    spaces: int
    room: int


@dataclass(frozen=True, slots=True)
class CapstoneInTheWay:
    """A capstone of `color` is on `square`, space number `step` of the move, counted from 1. It can't be covered."""

    square: Square
    color: Color
    step: int


@dataclass(frozen=True, slots=True)
class WallInTheWay:
    """A wall of `color` is on `square`, and the move continues past it. Only the last step can flatten a wall."""

    square: Square
    color: Color
    step: int
    spaces: int


@dataclass(frozen=True, slots=True)
class WallNeedsCapstone:
    """A wall of `color` is on `square`, and the top piece that arrives is of kind `top`, not a capstone."""

    square: Square
    color: Color
    step: int
    top: Kind


@dataclass(frozen=True, slots=True)
class WallNeedsLoneCapstone:
    """A wall of `color` is on `square`, and the capstone arrives with other pieces, `dropped` in total."""

    square: Square
    color: Color
    step: int
    dropped: int


RuleReason = (
    GameOver
    | OpeningFlatOnly
    | OpeningNoMoves
    | SpaceTaken
    | NoCapstonesOnThisBoard
    | NoneLeft
    | NothingThere
    | NotYours
    | EmptyDrop
    | StackTooLow
    | OverCarryLimit
    | OffTheEdge
    | CapstoneInTheWay
    | WallInTheWay
    | WallNeedsCapstone
    | WallNeedsLoneCapstone
)
"""All reasons why the rules refuse a ply."""
