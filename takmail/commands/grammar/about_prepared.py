"""Find the lines that are probably about moves in advance, so that the opponent is not told of them."""

from collections.abc import Sequence

from takmail.commands.command import LineFault, Unclear
from takmail.commands.grammar.descriptions import consists_of
from takmail.commands.grammar.normalize import short_number
from takmail.vocabulary import table, words_of

_MOST_WORDS, _MOST_CHARS = 6, 24
"""The maximum length of a line that names prepared moves at an end and is no sentence about something else."""
_BESIDE_GO = ("going", "answers", "greetings", "polite", "farewells", "fillers", "joining")


def about_prepared(core: str) -> Unclear | None:
    """Return the doubt about a short line that begins or ends with a word for prepared moves: "ifs clear", "my ifs".

    It offers to show and to drop them, or the only one whose number the line names. What is refused is not offered.
    """
    words = words_of(core)
    prepared = table("prepared")
    places = prepared.places(words)
    is_named = bool(places & {0, len(words) - 1}) or (not core.isascii() and bool(prepared.within(core)))
    if not is_named or len(words) > _MOST_WORDS or len(core) > _MOST_CHARS:
        return None
    numbers = [word for word in words if short_number(word) is not None]
    number = f" {numbers[0]}" if len(numbers) == 1 else ""
    return Unclear(LineFault.MEANT, offers=("go", f"ifs{number}", f"ifs off{number}"))


def may_mean_go(line: str, offers: Sequence[str]) -> Unclear | None:
    """Return the doubt about a line that may mean `go` while an answer waits for it: "go ahead" is no plain yes then.

    `offers` are the lines that a yes may mean, too.
    """
    words = words_of(line)
    if not table("going").matches(words) or not consists_of(words, table(*_BESIDE_GO)):
        return None
    return Unclear(LineFault.MEANT, offers=("go", *offers))
