"""The plain case of a reply: the whole letter stands below what was typed, each of its lines behind a mark."""

_LONGER_THAN_A_ROW = 120
"""Characters: no line of a board is as long, blanks not counted; what a picture shows is told in more."""


def above_whole(text: str, letter: str) -> str:
    """What stands above a quote of the whole letter that ends the text; all of the text where it ends otherwise.

    Blanks and line ends don't count, as programs break lines anew. One long line of the letter may be missing: most
    programs leave out the words for a picture.
    """
    lines = text.rstrip().split("\n")
    first = len(lines)
    while first and lines[first - 1].startswith(">"):
        first -= 1
    quoted = _run_together("\n".join([line[1:] for line in lines[first:]]))
    return "\n".join(lines[:first]) if _is_whole(quoted, letter) else text


def _is_whole(quoted: str, letter: str) -> bool:
    whole = _run_together(letter)
    missing = len(whole) - len(quoted)
    if missing <= _LONGER_THAN_A_ROW:
        return quoted == whole
    left_out = (line for line in map(_run_together, letter.split("\n")) if len(line) == missing)
    return any(whole.replace(line, "", 1) == quoted for line in left_out)


def _run_together(text: str) -> str:
    return "".join(text.split())
