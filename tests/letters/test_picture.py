"""Scenes are drawn as PNG, GIF and SVG. No game is involved."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence

from takmail.games.picture import Align, Circle, Kit, Line, Placed, Polygon, Rectangle, Scene, Sprite, Text
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.raster import Palette
from takmail.letters.pictures.svg import svg

COLORS = {"paper": "#f0f0f0", "ink": "#101010", "red": "#c00000", "blue": "#0000c0"}
SPRITES = {
    "flag": Sprite(20, 10, "red", (Rectangle(10, 0, 10, 10, "blue"),)),
    "stone": Sprite(20, 20, "paper", (Circle(10, 10, 8, "ink"),)),
    "tip": Sprite(20, 20, "paper", (Polygon(((0, 0), (20, 0), (0, 20)), "red"),)),
    "rope": Sprite(20, 20, "paper", (Line((0, 10), (20, 10), 4, "blue"),)),
    "word": Sprite(60, 20, "paper", (Text(30, 16, "A<B", 18, "ink"),)),
    "left": Sprite(60, 20, "paper", (Text(0, 16, "I", 18, "ink", Align.LEFT),)),
    "right": Sprite(60, 20, "paper", (Text(60, 16, "I", 18, "ink", Align.RIGHT),)),
}


@pytest.fixture
def kit() -> Kit:
    return Kit(100, 60, COLORS, (("paper", "ink"),), "paper", SPRITES, (Placed("flag", 80, 50),))


def scene(kit: Kit, *placed: Placed) -> Scene:
    return Scene(kit, placed)


def pixels(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGB")


def color(name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(COLORS[name][1:]))


def test_a_png_has_a_palette_of_four_bits_and_nothing_transparent(kit):
    picture = Painter().png(scene(kit))
    assert picture[16:29] == bytes((0, 0, 0, 100, 0, 0, 0, 60, 4, 3, 0, 0, 0))
    image = Image.open(BytesIO(picture))
    image.verify()
    assert (image.mode, image.size) == ("P", (100, 60))
    assert "transparency" not in image.info


def test_each_shape_is_drawn_where_it_stands(kit):
    image = pixels(
        Painter().png(
            scene(
                kit, Placed("stone", 0, 0), Placed("tip", 20, 0), Placed("rope", 40, 0), Placed("flag", 60, 0)
            )
        )
    )
    seen = {
        (10, 10): "ink",
        (1, 1): "paper",
        (22, 2): "red",
        (38, 18): "paper",
        (50, 10): "blue",
        (50, 4): "paper",
        (65, 5): "red",
        (75, 5): "blue",
        (85, 55): "red",
        (95, 55): "blue",
        (50, 40): "paper",
    }
    assert {place: image.getpixel(place) for place in seen} == {at: color(name) for at, name in seen.items()}


def test_words_stand_where_they_are_aligned(kit):
    image = pixels(
        Painter().png(scene(kit, Placed("word", 0, 0), Placed("left", 0, 20), Placed("right", 0, 40)))
    )
    boxes = []
    for north in (0, 20, 40):
        part = image.crop((0, north, 60, north + 20)).convert("L").point([255] * 100 + [0] * 156)
        boxes.append(part.getbbox())
    middle, left, right = boxes
    assert abs(middle[0] + middle[2] - 60) <= 4
    assert left[2] <= 8
    assert right[0] >= 52


def test_what_is_placed_later_covers_what_was_before(kit):
    image = pixels(Painter().png(scene(kit, Placed("stone", 0, 0), Placed("flag", 0, 6))))
    assert image.getpixel((5, 10)) == color("red")


def test_edges_are_smooth_with_colours_of_the_palette_alone(kit):
    image = pixels(Painter().png(scene(kit, Placed("stone", 0, 0))))
    assert (128, 128, 128) in {found for _, found in image.getcolors()}
    assert len(image.getcolors()) <= 5


def test_a_painter_that_has_drawn_before_gives_the_same_bytes(kit):
    one, other = scene(kit, Placed("stone", 0, 0)), scene(kit, Placed("word", 10, 10))
    painter = Painter()
    first = [painter.png(one), painter.png(other), painter.gif([one, other])]
    assert [painter.png(one), painter.png(other), painter.gif([one, other])] == first
    assert [Painter().png(one), Painter().png(other), Painter().gif([one, other])] == first


def frames(picture: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(picture)))]


def test_each_image_of_an_animation_is_its_scene_in_half_the_size(kit):
    steps = [Placed("stone", 0, 0), Placed("flag", 40, 20), Placed("rope", 80, 0)]
    scenes = [scene(kit, *steps[:count]) for count in (0, 1, 2, 2, 3, 0)]
    seen = frames(Painter().gif(scenes))
    alone = [frames(Painter().gif([one]))[0] for one in scenes]
    assert [image.size for image in seen] == [(50, 30)] * 6
    assert [image.tobytes() for image in seen] == [image.tobytes() for image in alone]
    assert seen[4].getpixel((45, 5)) == color("blue")


def test_an_animation_goes_on_for_ever_and_stays_at_its_end(kit):
    image = Image.open(BytesIO(Painter().gif([scene(kit), scene(kit, Placed("stone", 0, 0)), scene(kit)])))
    times = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert image.info["loop"] == 0
    assert times == [900, 900, 5000]


def test_an_animation_is_of_one_kit(kit):
    other = Kit(100, 60, COLORS, (), "paper", SPRITES, ())
    for wrong in ([], [scene(kit), scene(other)]):
        with pytest.raises(ValueError, match="one kit"):
            Painter().gif(wrong)


def test_a_palette_has_no_more_than_sixteen_colours():
    many = {str(number): f"#{number:06x}" for number in range(17)}
    with pytest.raises(ValueError, match="16"):
        Palette(many, ())


def test_an_svg_defines_each_sprite_once_and_uses_it_where_it_is_placed(kit):
    text = svg(scene(kit, Placed("stone", 4, 6), Placed("stone", 30, 6), Placed("word", 10, 40)))
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    defined = [one.get("id") for one in root.find(f"{space}defs")]
    used = [(one.get("href")[1:], one.get("x"), one.get("y")) for one in root.findall(f"{space}use")]
    assert text.isascii()
    assert root.get("viewBox") == "0 0 100 60"
    assert len(defined) == 3
    assert [place for _, *place in used] == [["80", "50"], ["4", "6"], ["30", "6"], ["10", "40"]]
    assert used[1][0] == used[2][0]
    assert [one.text for one in root.iter(f"{space}text")] == ["A<B"]


def test_an_svg_has_every_shape(kit):
    text = svg(scene(kit, *(Placed(name, 0, 0) for name in SPRITES)))
    tags = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(text).iter()}
    assert {"rect", "circle", "polygon", "line", "text"} <= tags
