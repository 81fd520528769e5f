"""Join the lines into which a mail program has wrapped moves in advance."""

import re

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
_BRANCH = re.compile(rf"(?:{_IF}) [^\n]*\d", re.IGNORECASE)
_HAS_ANSWER = re.compile(rf"\d[^\n]* (?:{_SO}) ", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:{_SO}) ", re.IGNORECASE)
_IS_OPEN = re.compile(rf" (?:{_SO}) ?$", re.IGNORECASE)
"""What a branch begins with, and has in it. How a line begins that goes on with one, and how the line above it ends."""
_LEAST_WRAPPED = 60
"""The minimum width of a line that a mail program wraps: it is about 75, less a long move."""


def with_branches_joined(text: str) -> str:
    """Return a text in which a branch is one line, which a mail program may have wrapped."""
    if "\n" not in text or _BEGIN.search(text) is None:
        return text  # the usual case
    lines: list[str] = []
    for line in text.split("\n"):
        above = lines[-1] if lines else ""
        is_full = len(above) >= _LEAST_WRAPPED and _HAS_ANSWER.search(above)
        goes_on = _GOES_ON.match(line) or _IS_OPEN.search(above) or is_full
        if _BRANCH.match(above) and line.strip() and goes_on and not _BEGIN.match(line):
            lines[-1] = f"{above.rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return "\n".join(lines)
