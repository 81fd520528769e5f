"""Join the lines into which a mail program has wrapped moves in advance."""

import re
from collections.abc import Callable

from takmail.games.interface import Reading, ReadTurn
from takmail.vocabulary import meanings_in

_IF, _SO = (
    "|".join(
        map(
            re.escape, (english, *(word for word, meaning in meanings_in(kind).items() if meaning == english))
        )
    )
    for english, kind in (("if", "keywords"), ("then", "arguments"))
)
_BEGIN = re.compile(rf"^(?:{_IF}) ", re.IGNORECASE | re.MULTILINE)
_SPLIT = re.compile(rf" ?[,;]?(?:^| )(?:{_SO})(?: |$)", re.IGNORECASE)
_END_MARK = re.compile(r"[.!。！]?\s*$")


def with_branches_joined(text: str, read_turn: Callable[[str], Reading]) -> str:
    """Return a text in which a branch is one line, which a mail program may have wrapped.

    All else below an `if` stays a line of its own. `read_turn` parses a turn.
    """
    if "\n" not in text or _BEGIN.search(text) is None:
        return text  # the usual case

    def is_turn(part: str) -> bool:
        return isinstance(read_turn(part), ReadTurn)

    lines: list[str] = []
    for line in text.split("\n"):
        if lines and line.strip() and _goes_on(lines[-1], line.strip(), is_turn):
            lines[-1] = f"{lines[-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _goes_on(above: str, below: str, is_turn: Callable[[str], bool]) -> bool:
    """Tell whether a line goes on with the branch above it: with `then` and a turn, or with a turn that is cut there.

    A turn below one that is whole is played.
    """
    begin = _BEGIN.match(above)
    if begin is None:
        return False
    *whole, cut = _SPLIT.split(above[begin.end() :].rstrip(" ,;"))
    first, *more = _SPLIT.split(_END_MARK.sub("", below))
    if not all(map(is_turn, whole)):
        return False
    if not first and more:
        return is_turn(cut) and is_turn(more[0])
    if not whole or (cut and is_turn(first)) or not any(map(str.isdigit, first)):
        return False
    return is_turn(f"{cut} {first}".strip())
