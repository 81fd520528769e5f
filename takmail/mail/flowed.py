"""Text that its sender's program broke softly (RFC 3676)."""

from itertools import groupby


def unflowed(text: str, delsp: bool) -> str:
    """The text with its soft line breaks undone, `>` marks kept as they are written by others (`> > `).

    `delsp` tells whether the space before a soft break goes (RFC 3676 §4.1). `text` has "\\n" line ends.
    """
    lines = (_unquoted(line) for line in text.split("\n"))
    out: list[str] = []
    for depth, group in groupby(lines, key=lambda line: line[0]):
        open_line: str | None = None
        for _, line in group:
            # The signature's mark ends in a space and flows neither way (RFC 3676 §4.3).
            if line == "-- ":
                out += [] if open_line is None else [_quoted(depth, open_line)]
                out.append(_quoted(depth, line))
                open_line = None
                continue
            whole = line if open_line is None else open_line + line
            if line.endswith(" "):
                open_line = whole[:-1] if delsp else whole
            else:
                out.append(_quoted(depth, whole))
                open_line = None
        if open_line is not None:
            out.append(_quoted(depth, open_line.rstrip(" ")))
    return "\n".join(out)


def _unquoted(line: str) -> tuple[int, str]:
    rest = line.lstrip(">")
    return len(line) - len(rest), rest.removeprefix(" ")


def _quoted(depth: int, line: str) -> str:
    return "> " * depth + line if depth else line
