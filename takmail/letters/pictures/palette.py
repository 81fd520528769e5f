"""Build the palette of a picture: the named colours, and mixtures of two of them for smooth edges."""

from collections.abc import Mapping, Sequence, Set

from PIL import Image

ROOM = 16
"""The maximum number of colours in a palette. Two pixels then share a byte, which halves the work of compression."""

Rgb = tuple[int, int, int]


class Palette:
    """The colours of a kit by index: the named ones, and then an even mixture of each pair of colours that meets."""

    def __init__(self, named: Mapping[str, str], meeting: Sequence[tuple[str, str]]) -> None:
        """Take colours such as `#1f1d1a` by name, and the pairs of names that meet.

        Raises ValueError if there are more than `ROOM` colours with the mixtures.
        """
        self.values: Mapping[str, Rgb] = {name: rgb(value) for name, value in named.items()}
        named_alone = {frozenset((name,)): color for name, color in self.values.items()}
        halves = {
            frozenset((one, other)): half(self.values[one], self.values[other]) for one, other in meeting
        }
        self._made_of = {**named_alone, **halves}
        self.colors: tuple[Rgb, ...] = tuple(self._made_of.values())
        if len(self.colors) > ROOM:
            raise ValueError(f"a picture has at most {ROOM} colours")

    @property
    def flat(self) -> bytes:
        """The colours as bytes, three for each colour."""
        return bytes(value for color in self.colors for value in color)

    def index(self, name: str) -> int:
        """Return the index of a named colour."""
        return self.colors.index(self.values[name])

    def indexed(self, image: Image.Image, names: Set[str]) -> Image.Image:
        """Convert an RGB image to this palette (mode P). `names` are the named colours that the image uses.

        Each pixel gets the nearest of these colours and of their mixtures. The other colours are excluded, because a
        pixel between two colours could match the mixture of two others.
        """
        made = [at for at, names_of in enumerate(self._made_of) if names_of <= names]
        few = Image.new("P", (1, 1))
        few.putpalette(bytes(value for at in made for value in self.colors[at]))
        found = image.quantize(palette=few, dither=Image.Dither.NONE)
        return found.point([*made, *[0] * (256 - len(made))])


def rgb(value: str) -> Rgb:
    """Return the three bytes of a colour such as `#1f1d1a`."""
    red, green, blue = bytes.fromhex(value.removeprefix("#"))
    return red, green, blue


def half(one: Rgb, other: Rgb) -> Rgb:
    """Return the even mixture of two colours."""
    red, green, blue = ((a + b) // 2 for a, b in zip(one, other, strict=True))
    return red, green, blue
