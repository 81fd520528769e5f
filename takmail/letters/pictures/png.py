"""Write an image with a palette of 16 colours as PNG.

Pillow's own writer uses no filters with a palette. This module replaces each row by its difference from the row above,
which is mostly zero. The compressor looks only for runs of one value (`Z_RLE`), which is faster and gives smaller
files. zlib-ng compares many bytes at a time.
"""

import struct

from PIL import Image, ImageChops
from zlib_ng import zlib_ng

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS = 4  # bits per pixel
_UP = 2  # the filter: each byte minus the one above it (PNG specification, 9.2)
_INDEXED = 3  # the colour type: indexes into a palette


def png(image: Image.Image, palette: bytes) -> bytes:
    """Encode an image in mode P with three-byte colours of `palette`. Its width must be even."""
    width, height = image.size
    header = struct.pack(">IIBBBBB", width, height, _BITS, _INDEXED, 0, 0, 0)
    packer = zlib_ng.compressobj(level=1, strategy=zlib_ng.Z_RLE)
    packed = packer.compress(_filtered(image)) + packer.flush()
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _filtered(image: Image.Image) -> bytes:
    """Return the difference of each row from the row above, with the number of the filter before each row."""
    width, height = image.width // 2, image.height
    pairs = Image.frombytes("L", (width, height), image.tobytes("raw", "P;4"))
    above = Image.new("L", pairs.size)
    above.paste(pairs, (0, 1))
    rows = Image.new("L", (width + 1, height), _UP)
    rows.paste(ImageChops.subtract_modulo(pairs, above), (1, 0))
    return rows.tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
