"""Compress text for a URL in the format of lz-string (compressToEncodedURIComponent).

The format is LZ78 with codes that grow by a bit each time the dictionary doubles. The only Python package for this
format is written for Python 2.
"""

import sys
from collections.abc import Sequence

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$"
_BITS = 6  # the number of bits per digit
_DIGIT_OF = {f"{number:0{_BITS}b}": _DIGITS[number] for number in range(1 << _BITS)}
_NEW, _NEW_AND_WIDE, _END = 0, 1, 2  # control codes; codes of phrases follow
_NARROW, _WIDE = 8, 16  # the number of bits of a character at its first occurrence


def compress(text: str, most: int = sys.maxsize) -> str:
    """Return the text compressed to letters, digits, `+`, `-` and `$`, which are safe at the end of a URL.

    If the result would be longer than `most` digits, compression stops early. The incomplete result is then longer
    than `most`.
    """
    writer = _Writer()
    codes: dict[str, int] = {}
    phrase = ""
    for unit in _units(text):
        if unit not in codes:
            codes[unit] = _END + 1 + len(codes)
            writer.unseen.add(unit)
        if phrase + unit in codes:
            phrase += unit
            continue
        writer.write(phrase, codes)
        codes[phrase + unit] = _END + 1 + len(codes)
        phrase = unit
        if writer.length > _BITS * most:
            break
    if phrase:
        writer.write(phrase, codes)
    writer.put(_END, writer.width)
    return _digits("".join(writer.bits))


class _Writer:
    """The codes as bits, the lowest bit of each code first; `length` is the number of bits."""

    def __init__(self) -> None:
        self.bits: list[str] = []
        self.length = 0
        self.width = 2
        self.unseen: set[str] = set()
        self._until_wider = 2

    def put(self, number: int, width: int) -> None:
        self.bits.append(f"{number:0{width}b}"[::-1])
        self.length += width

    def write(self, phrase: str, codes: dict[str, int]) -> None:
        if phrase in self.unseen:
            self.unseen.remove(phrase)
            is_wide = ord(phrase) >= 1 << _NARROW
            self.put(_NEW_AND_WIDE if is_wide else _NEW, self.width)
            self.put(ord(phrase), _WIDE if is_wide else _NARROW)
            self._count()
        else:
            self.put(codes[phrase], self.width)
        self._count()

    def _count(self) -> None:
        self._until_wider -= 1
        if not self._until_wider:
            self._until_wider = 1 << self.width
            self.width += 1


def _units(text: str) -> Sequence[str]:
    """Return the UTF-16 code units of a text, which JavaScript counts as characters."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [chr(low | high << 8) for low, high in zip(raw[::2], raw[1::2], strict=True)]


def _digits(bits: str) -> str:
    """Return the digits for a string of bits: six bits per digit, the highest first.

    As in lz-string, the last digit is padded with at least one bit.
    """
    full = bits + "0" * (_BITS - len(bits) % _BITS)
    return "".join(_DIGIT_OF[full[at : at + _BITS]] for at in range(0, len(full), _BITS))
