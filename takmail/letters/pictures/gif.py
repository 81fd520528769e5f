"""Write images with a palette as an animated GIF."""

import struct
from collections.abc import Sequence
from itertools import pairwise

from PIL import GifImagePlugin, Image, ImageChops

_UNCHANGED = 255
_STEP = 900  # milliseconds for which each image is shown, except the last one
_LAST = 5000  # milliseconds for which the last image is shown before the animation restarts


def gif(images: Sequence[Image.Image], palette: bytes) -> bytes:
    """Encode images of one size in mode P with three-byte colours of `palette`, at most 255 of them.

    The first image is stored as a whole, and each later one as its difference from the image before.
    """
    frames = [Image.frombytes("L", image.size, image.tobytes()) for image in images]  # the values are indexes
    parts = [_head(frames[0].size, palette), *_frame(frames[0], (0, 0), len(frames) > 1)]
    for at, (before, frame) in enumerate(pairwise(frames), 2):
        changed, corner = _difference(before, frame)
        parts += _frame(changed, corner, at < len(frames))
    return b"".join((*parts, b";"))


def _head(size: tuple[int, int], palette: bytes) -> bytes:
    """Return the header with the size, the palette and the endless loop (GIF89a specification, 17-19)."""
    screen = struct.pack("<HHBBB", *size, 0b1111_0111, 0, 0)
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + screen + palette.ljust(3 * 256, b"\0") + again


def _difference(before: Image.Image, frame: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """Return the part of a frame that differs from the one before, at least one pixel, and its upper left corner."""
    differing = ImageChops.difference(before, frame)
    box = differing.getbbox() or (0, 0, 1, 1)
    mask = differing.crop(box).point([0] + [255] * 255)
    part = Image.new("L", mask.size, _UNCHANGED)
    part.paste(frame.crop(box), mask=mask)
    return part, box[:2]


def _frame(part: Image.Image, corner: tuple[int, int], goes_on: bool) -> list[bytes]:
    return GifImagePlugin.getdata(
        part, corner, duration=_STEP if goes_on else _LAST, transparency=_UNCHANGED, disposal=1
    )
