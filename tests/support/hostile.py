"""Mails that a stranger makes as expensive to process as possible.

Some expand from few bytes to much data. Each function takes a size in pieces, so that a test can compare two sizes.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tests.support.harness import TAK

STRANGER = "somebody@example.net"
HTML = "Content-Type: text/html; charset=utf-8"


def single(body: str, kind: str = "text/html", *, sender: str = STRANGER, headers: str = "") -> bytes:
    """Return a mail of one part."""
    return f"{_head(sender, headers)}Content-Type: {kind}; charset=utf-8\r\n\r\n{body}".encode()


def several(part: str, count: int, *, heads: str = HTML, sender: str = STRANGER) -> bytes:
    """Return a mail of `count` identical parts."""
    inside = f"--B\r\n{heads}\r\n\r\n{part}\r\n" * count
    return f"{_head(sender)}Content-Type: multipart/mixed; boundary=B\r\n\r\n{inside}--B--\r\n".encode()


def plain(body: str) -> bytes:
    """Return a mail of plain text."""
    return single(body, "text/plain")


def _head(sender: str, more: str = "") -> str:
    return f"From: {sender}\r\nTo: {TAK}\r\nSubject: hello\r\nMIME-Version: 1.0\r\n{more}"


def formatting_by_blocks(size: int) -> bytes:
    """Formatting elements that browsers reopen in each block."""
    return single("<p>" + "".join(f"<b a={n}>" for n in range(size)) + "<p>x" * size)


def open_elements_by_end_tags(size: int) -> bytes:
    """End tags without a start tag, while many elements are open."""
    return single("<b>" * size + "</q>" * size)


def cells_by_tables(size: int) -> bytes:
    """Nested tables, with text outside any cell."""
    return single("<table>x<tr>y<td>" * size)


def tags_by_parts(size: int) -> bytes:
    """One page per part."""
    return several("<b><i><p>" * 3330, size)


def blocks_by_parts(size: int) -> bytes:
    """The maximum number of parts, with blocks that are never closed."""
    return several("<p>" * 6_000, size)


def headers_by_parts(size: int) -> bytes:
    """Parts that contain only headers."""
    return several("x", size, heads="\r\n".join(f"a{n}: b" for n in range(1_500)))


def words_by_headers(size: int) -> bytes:
    """A mail that contains only headers."""
    return single("x", headers="".join(f"a{n}: b\r\n" for n in range(size)))


def angles_in_addresses(size: int) -> bytes:
    """Addresses with many opening angle brackets."""
    return single("x", headers=("From: " + "<a" * 32_000 + "\r\n") * size)


def parameters_by_parts(size: int) -> bytes:
    """Parts whose content type has only parameters."""
    return several("x", size, heads="Content-Type: text/plain" + ";a=b" * 490)


def folded_headers(size: int) -> bytes:
    """One header that contains only folded lines."""
    return single("x", headers="A: b\r\n" + " c\r\n" * size)


def boundaries(size: int) -> bytes:
    """Lines that begin like the boundary."""
    return f"{_head(STRANGER)}Content-Type: multipart/mixed; boundary=B\r\n\r\n".encode() + b"--BX\n" * size


def growing_letters(size: int) -> bytes:
    """A character that NFKC expands to 18 letters, on one line."""
    return plain("\ufdfa" * size)


def growing_lines(size: int) -> bytes:
    """The same character on many lines."""
    return plain(("\ufdfa" * 60 + "\r\n") * (size // 60))


def marked_letters(size: int) -> bytes:
    """One letter with the maximum number of combining marks."""
    return plain("a" + "\u0301\u0323" * size)


def preformatted_lines(size: int) -> bytes:
    """Lines of preformatted HTML text."""
    return single("<pre>" + "x\r\n" * size + "</pre>")


def breaks(size: int) -> bytes:
    """Lines made by tags."""
    return single("x<br>" * size)


def short_lines(size: int) -> bytes:
    """Lines of plain text."""
    return plain("x\r\n" * size)


def quoted_lines(size: int) -> bytes:
    """Lines with quote markers."""
    return plain(">" * 40 + "x\r\n" + "> x\r\n" * size)


def tokens(size: int) -> bytes:
    """Text that looks like a token but is not one."""
    return plain("1.abcdefghijklmnop " * size)


def entities(size: int) -> bytes:
    """Letters written as character references."""
    return single("&amp;" * size)


def comments(size: int) -> bytes:
    """Unterminated comments."""
    return single("<!--" * size)


def attributes(size: int) -> bytes:
    """One tag that has only attributes."""
    return single("<p " + " ".join(f"a{n}" for n in range(size)) + ">x")


def names_of_elements(size: int) -> bytes:
    """One tag with a long name made of prefixes of tag names."""
    return single('<p id="' + "x_" * size + '">x')


def nothing_at_all(size: int) -> bytes:
    """Bytes that no text contains."""
    return single("\0" * size)


def classes(size: int) -> bytes:
    """One tag with many classes."""
    return single('<p class="' + "gmail " * size + '">x')


def angles(size: int) -> bytes:
    """Text that begins like a tag."""
    return single("<" * size)


@dataclass(frozen=True)
class Hostile:
    """A kind of mail, and the number of pieces in the largest one that is accepted."""

    make: Callable[[int], bytes]
    largest: int

    def __str__(self) -> str:
        return self.make.__name__

    def mail(self) -> bytes:
        """The largest accepted mail."""
        return self.make(self.largest)


EVERY_KIND = (
    Hostile(formatting_by_blocks, 3_000),
    Hostile(open_elements_by_end_tags, 5_000),
    Hostile(cells_by_tables, 3_000),
    Hostile(tags_by_parts, 70),
    Hostile(blocks_by_parts, 490),
    Hostile(headers_by_parts, 490),
    Hostile(words_by_headers, 30_000),
    Hostile(angles_in_addresses, 3),
    Hostile(parameters_by_parts, 490),
    Hostile(folded_headers, 60_000),
    Hostile(boundaries, 1_900_000),
    Hostile(growing_letters, 76_000),
    Hostile(growing_lines, 76_000),
    Hostile(marked_letters, 60_000),
    Hostile(preformatted_lines, 90_000),
    Hostile(breaks, 9_000),
    Hostile(short_lines, 80_000),
    Hostile(quoted_lines, 19_000),
    Hostile(tokens, 13_400),
    Hostile(entities, 400_000),
    Hostile(comments, 500_000),
    Hostile(attributes, 250_000),
    Hostile(classes, 300_000),
    Hostile(names_of_elements, 1_000_000),
    Hostile(nothing_at_all, 2_000_000),
    Hostile(angles, 2_000_000),
)
