"""Draw the pieces from above."""

from typing import assert_never

from takmail.games.picture import Circle, Polygon, Rectangle, Shape
from takmail.games.tak.picture.colors import BLACK, FACE, WRITING
from takmail.games.tak.pieces import Color, Kind, Piece


def stone(piece: Piece, x: float, y: float, span: float, edge: str = BLACK) -> tuple[Shape, ...]:
    """Return the shapes of a piece around (x, y): a square for a flat, a bar for a wall, a circle for a capstone.

    `span` is the width of a flat, and the other pieces are in proportion. White's walls lean to the east and Black's
    to the west, so that the sides can be distinguished without colour. `edge` is the colour of the outline.
    """
    face = FACE[piece.color]
    rim = max(3, round(span * 0.045))
    match piece.kind:
        case Kind.FLAT:
            return _flat(x, y, span, rim, edge, face)
        case Kind.WALL:
            lean = 1 if piece.color is Color.WHITE else -1
            return (
                _bar(x, y, span * 1.16, span * 0.34, lean, edge),
                _bar(x, y, span * 1.16 - 2 * rim, span * 0.34 - 2 * rim, lean, face),
            )
        case Kind.CAPSTONE:
            radius = round(span * 0.52)
            return (
                Circle(x, y, radius, edge),
                Circle(x, y, radius - rim, face),
                Circle(x, y, radius * 0.46, WRITING[piece.color]),
            )
        case _:
            assert_never(piece.kind)


def _flat(x: float, y: float, span: float, rim: float, edge: str, face: str) -> tuple[Shape, ...]:
    west, north, inner = x - span / 2, y - span / 2, span - 2 * rim
    return (
        Rectangle(west, north, span, span, edge, span * 0.13),
        Rectangle(west + rim, north + rim, inner, inner, face, span * 0.13 - rim / 2),
    )


def _bar(x: float, y: float, length: float, width: float, lean: int, fill: str) -> Polygon:
    """Return an upright bar around (x, y), rotated by 45 degrees to the east (`lean` 1) or the west (`lean` -1)."""
    along, across = length / 2 * 0.5**0.5, width / 2 * 0.5**0.5
    corners = (
        (along - across, -along - across),
        (along + across, -along + across),
        (across - along, along + across),
        (-along - across, along - across),
    )
    return Polygon(tuple((x + lean * dx, y + dy) for dx, dy in corners), fill)
