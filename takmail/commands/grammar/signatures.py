"""Find the end of a mail that only signs it, such as "Best regards, Ada". It tells the other player nothing."""

from collections.abc import Collection, Sequence

from takmail.commands.grammar.normalize import words_of_names
from takmail.commands.grammar.parts import OrderOrWords
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table, words_of

_MOST_CHARACTERS = 4
"""The maximum number of characters of a Chinese name."""
_MOST_WORDS = 3
"""The maximum number of words of a name below a closing formula."""


def without_signature(parts: tuple[OrderOrWords, ...], names: Collection[str]) -> tuple[OrderOrWords, ...]:
    """Return the parts of a mail without the signature that is all of the words below its orders.

    `names` are those of the players and of the sender. Below other words a signature belongs to these.
    """
    end = max((place for place, part in enumerate(parts, 1) if part.order is not None), default=0)
    below = [part.raw for part in parts[end:] if part.raw.strip()]
    return parts[:end] if end and below and _only_signs(below, names) else parts


def _only_signs(lines: Sequence[str], names: Collection[str]) -> bool:
    """Tell whether lines are a closing formula, or one and a name."""
    text = "\n".join(lines)
    if len(text) > MAX_MOVE_CHARS:
        return False  # A signature is short.
    words = words_of(text)
    others = table("closings").others(words)
    if len(others) == len(words):
        return False
    people = words_of_names(names)
    unknown = [word for word in others if word not in people]
    return len(unknown) <= _MOST_WORDS and all(_may_be_name(word, text) for word in unknown)


def unsigned(text: str, name: str) -> str:
    """Return a text without the lines at its end that only close it or name its writer, unless it is no more."""
    lines, own = text.strip().split("\n"), words_of_names([name])
    while len(lines) > 1 and own.issuperset(table("closings").others(words_of(lines[-1]))):
        lines.pop()
    return "\n".join(lines)


def may_be_name(line: str) -> bool:
    """Tell whether a line may be no more than the name of its writer."""
    words = words_of(line)
    return len(words) <= _MOST_WORDS and all(_may_be_name(word, line) for word in words)


def _may_be_name(word: str, text: str) -> bool:
    """Tell whether a word in lower case may be a name: it has a capital in the text, or is a few Chinese characters."""
    has_case = word.upper() != word
    return word.capitalize() in text or word.upper() in text if has_case else len(word) <= _MOST_CHARACTERS
