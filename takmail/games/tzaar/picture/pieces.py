"""Draw the pieces from above. Each kind has an outline of its own: a star, a diamond, a disc."""

from math import cos, pi, sin
from typing import assert_never

from takmail.games.picture import Circle, Polygon, Shape
from takmail.games.tzaar.picture.colors import BLACK, FACE
from takmail.games.tzaar.pieces import Color, Kind

_POINTS = 8  # of a star
_STAR, _VALLEY, _DIAMOND, _DISC = 0.46, 0.34, 0.47, 0.34
"""The distances of corners and edges from the middle, as parts of the width of a tile."""


def piece(color: Color, kind: Kind, x: float, y: float, span: float, edge: str = BLACK) -> tuple[Shape, ...]:
    """Return the shapes of a piece around (x, y): a star for a Tzaar, a diamond for a Tzarra, a disc for a Tott.

    `span` is the width of the tile that the piece stands on, and `edge` is the colour of the outline.
    """
    rim = max(2.5, span * 0.036)
    match kind:
        case Kind.TZAAR:
            return (
                _star(x, y, span * _STAR, span * _VALLEY, edge),
                _star(x, y, span * _STAR - 1.4 * rim, span * _VALLEY - rim, FACE[color]),
            )
        case Kind.TZARRA:
            return (
                _diamond(x, y, span * _DIAMOND, edge),
                _diamond(x, y, span * _DIAMOND - 1.4 * rim, FACE[color]),
            )
        case Kind.TOTT:
            return (Circle(x, y, span * _DISC, edge), Circle(x, y, span * _DISC - rim, FACE[color]))
        case _:
            assert_never(kind)


def _star(x: float, y: float, radius: float, valley: float, fill: str) -> Polygon:
    corners = []
    for at in range(2 * _POINTS):
        angle, far = (at + 0.5) * pi / _POINTS, valley if at % 2 else radius
        corners.append((x + far * cos(angle), y + far * sin(angle)))
    return Polygon(tuple(corners), fill)


def _diamond(x: float, y: float, half: float, fill: str) -> Polygon:
    return Polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), fill)
