"""The colours of a picture with a palette: those that are named, and mixtures of them for smooth edges."""

from collections.abc import Mapping, Sequence, Set

from PIL import Image

ROOM = 16
"""So many colours at the most: then two pixels share a byte, which halves the work of packing."""

Rgb = tuple[int, int, int]


class Palette:
    """The colours of a kit by their index: the named ones first, then half of each of the two that meet."""

    def __init__(self, named: Mapping[str, str], meeting: Sequence[tuple[str, str]]) -> None:
        """Take colours such as `#1f1d1a` by name, and pairs of names; raises ValueError if that makes too many."""
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
        """Three bytes a colour."""
        return bytes(value for color in self.colors for value in color)

    def index(self, name: str) -> int:
        """The index of a named colour."""
        return self.colors.index(self.values[name])

    def indexed(self, image: Image.Image, names: Set[str]) -> Image.Image:
        """An RGB image with this palette's indexes (mode P), each pixel the nearest colour made of those named.

        Only of those, or what lies between two of them would take the mixture of two others.
        """
        made = [at for at, names_of in enumerate(self._made_of) if names_of <= names]
        few = Image.new("P", (1, 1))
        few.putpalette(bytes(value for at in made for value in self.colors[at]))
        found = image.quantize(palette=few, dither=Image.Dither.NONE)
        return found.point([*made, *[0] * (256 - len(made))])


def rgb(value: str) -> Rgb:
    """The three bytes of a colour such as `#1f1d1a`."""
    red, green, blue = bytes.fromhex(value.removeprefix("#"))
    return red, green, blue


def half(one: Rgb, other: Rgb) -> Rgb:
    """As much of the one colour as of the other."""
    red, green, blue = ((a + b) // 2 for a, b in zip(one, other, strict=True))
    return red, green, blue
