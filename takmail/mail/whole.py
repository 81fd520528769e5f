"""The plain case of a reply: the whole letter stands below what was typed, each of its lines behind a mark."""


def above_whole(text: str, letter: str) -> str:
    """What stands above a quote of the whole letter that ends the text; all of the text where it ends otherwise.

    Blanks and line ends don't count, as programs break lines anew.
    """
    lines = text.rstrip().split("\n")
    first = len(lines)
    while first and lines[first - 1].startswith(">"):
        first -= 1
    quoted = "\n".join([line[1:] for line in lines[first:]])
    return "\n".join(lines[:first]) if _run_together(quoted) == _run_together(letter) else text


def _run_together(text: str) -> str:
    return "".join(text.split())
