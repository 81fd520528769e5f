"""A decoder for lz-string URLs, written independently from the encoder."""

from itertools import count

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$"


def unpacked(packed: str) -> str:
    """Decode the output of lz-string's compressToEncodedURIComponent."""
    bits = iter("".join(f"{DIGITS.index(digit):06b}" for digit in packed))

    def number(width: int) -> int:
        return sum(int(next(bits)) << at for at in range(width))

    phrases: list[str | None] = [None, None, None]
    units: list[str] = []
    before, width = "", 2
    left = 2
    for _ in count():
        code = number(width)
        if code == 2:
            return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if code < 2:
            phrases.append(chr(number(16 if code else 8)))
            code = len(phrases) - 1
            left, width = (left - 1, width) if left > 1 else (1 << width, width + 1)
        phrase = phrases[code] if code < len(phrases) else before + before[0]
        assert phrase
        units.append(phrase)
        if before:
            phrases.append(before + phrase[0])
        before = phrase
        left, width = (left - 1, width) if left > 1 else (1 << width, width + 1)
    raise AssertionError("it has no end")
