"""Write a scene as SVG text, for diagrams of any size."""

from typing import assert_never
from xml.sax.saxutils import escape

from takmail.games.picture import Align, Circle, Kit, Line, Polygon, Rectangle, Scene, Shape, Text
from takmail.letters.pictures.raster import width_of

_ANCHORS = {Align.LEFT: "start", Align.MIDDLE: "middle", Align.RIGHT: "end"}
_FONT = "Aileron, Helvetica, Arial, sans-serif"


def svg(scene: Scene) -> str:
    """Return a scene as SVG text. Each sprite is defined once and referenced at each of its places."""
    kit, placed = scene.kit, (*scene.kit.scenery, *scene.placed)
    used = dict.fromkeys(place.sprite for place in placed)
    ids = {name: f"s{number}" for number, name in enumerate(used)}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {kit.width} {kit.height}"'
        f' width="{kit.width}" height="{kit.height}" font-family="{_FONT}" font-weight="bold">',
        "<defs>",
        *(f'<g id="{ids[name]}">{"".join(_sprite(kit, name))}</g>' for name in used),
        "</defs>",
        f'<rect width="{kit.width}" height="{kit.height}" fill="{kit.colors[kit.ground]}"/>',
        *(f'<use href="#{ids[place.sprite]}" x="{place.x}" y="{place.y}"/>' for place in placed),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _sprite(kit: Kit, name: str) -> list[str]:
    sprite = kit.sprites[name]
    ground = Rectangle(0, 0, sprite.width, sprite.height, sprite.ground)
    return [_element(shape, kit) for shape in (ground, *sprite.shapes)]


def _element(shape: Shape, kit: Kit) -> str:
    match shape:
        case Rectangle(x=x, y=y, width=width, height=height, fill=fill, radius=radius):
            box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f'<rect {box} rx="{radius:g}" fill="{kit.colors[fill]}"/>'
        case Polygon(points=points, fill=fill):
            corners = " ".join(f"{x:g},{y:g}" for x, y in points)
            return f'<polygon points="{corners}" fill="{kit.colors[fill]}"/>'
        case Circle(x=x, y=y, radius=radius, fill=fill):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{kit.colors[fill]}"/>'
        case Line(start=(x1, y1), end=(x2, y2), width=width, fill=fill):
            ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
            return f'<line {ends} stroke="{kit.colors[fill]}" stroke-width="{width:g}"/>'
        case Text(x=x, y=y, text=text, size=size, fill=fill, align=align):
            place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{_ANCHORS[align]}"'
            # The text is stretched to the width that it has in the other pictures, as the font may differ.
            length = f'textLength="{width_of(shape):.0f}" lengthAdjust="spacingAndGlyphs"'
            return f'<text {place} {length} fill="{kit.colors[fill]}">{escape(text)}</text>'
        case _:
            assert_never(shape)
