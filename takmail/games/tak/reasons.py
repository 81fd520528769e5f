"""Why the rules refuse a ply: one frozen dataclass a reason, with the data that a letter needs.

No wording lives here. `explain.worded` turns a reason into words fit for a letter; its name there is the
class name with hyphens (`StackTooLow` is `stack-too-low`).
"""

from dataclasses import dataclass

from takmail.games.tak.board import Direction, Square
from takmail.games.tak.pieces import Color, Kind


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; `score` as PTN writes it, `ended_by` road, full or reserves."""

    score: str
    ended_by: str


@dataclass(frozen=True, slots=True)
class OpeningFlatOnly:
    """A wall or capstone was to be placed in the first two plies; `color` is whose flat has to be placed."""

    kind: Kind
    color: Color


@dataclass(frozen=True, slots=True)
class OpeningNoMoves:
    """A stack was to be moved in the first two plies; `color` is whose flat has to be placed."""

    square: Square
    color: Color


@dataclass(frozen=True, slots=True)
class SpaceTaken:
    """The space to place on isn't empty: `height` pieces, on top one of `color` and `kind`."""

    square: Square
    height: int
    color: Color
    kind: Kind


@dataclass(frozen=True, slots=True)
class NoCapstonesOnThisBoard:
    """A board `size` wide is played without capstones."""

    size: int


@dataclass(frozen=True, slots=True)
class NoneLeft:
    """`color`'s reserve has nothing left to place as `kind`; it began with `whole` such pieces."""

    kind: Kind
    color: Color
    whole: int


@dataclass(frozen=True, slots=True)
class NothingThere:
    """There is no stack to move."""

    square: Square


@dataclass(frozen=True, slots=True)
class NotYours:
    """The stack is topped by the opponent's piece, of `color` and `kind`."""

    square: Square
    color: Color
    kind: Kind


@dataclass(frozen=True, slots=True)
class EmptyDrop:
    """Nothing is dropped in the `step`th space of the line, counted from 1."""

    square: Square
    step: int


@dataclass(frozen=True, slots=True)
class StackTooLow:
    """More pieces taken (`count`) than the stack has (`height`)."""

    square: Square
    count: int
    height: int


@dataclass(frozen=True, slots=True)
class OverCarryLimit:
    """More pieces taken (`count`) than the carry limit, the width of the board, allows."""

    square: Square
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class OffTheEdge:
    """The line leaves the board: it takes `spaces` and only `room` lie that way."""

    square: Square
    direction: Direction
    spaces: int
    room: int


@dataclass(frozen=True, slots=True)
class CapstoneInTheWay:
    """A capstone of `color` stands on `square`, the `step`th space from 1: it can't be covered."""

    square: Square
    color: Color
    step: int


@dataclass(frozen=True, slots=True)
class WallInTheWay:
    """A wall of `color` stands on `square`, and the line goes on past it: a wall falls on the last step."""

    square: Square
    color: Color
    step: int
    spaces: int


@dataclass(frozen=True, slots=True)
class WallNeedsCapstone:
    """A wall of `color` stands on `square`, and what comes there is topped by a `top` and not a capstone."""

    square: Square
    color: Color
    step: int
    top: Kind


@dataclass(frozen=True, slots=True)
class WallNeedsLoneCapstone:
    """A wall of `color` stands on `square`, and the capstone brings others along: `dropped` pieces in all."""

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
"""Every way to break a rule."""
