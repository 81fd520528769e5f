"""Split what was typed in a mail into its parts: the lines for each game that it names.

A line names its game: `#12`, `#12 ps b4`, or the opponent's name. A letter about several games begins what it says of
each with a line such as `#12 · Ben · 5x5`, so that what is typed below such a line of a quote is for that game.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from takmail.mail.quotes.reply_text import JudgedLine

_QUOTED_HEADING = re.compile(r"(?:\s{0,3}[^\W\d_]{1,4}>)?[^\w#]{0,60}#(\d{1,9})\s?·")
"""A heading in a quote. Mail programs put marks before it, such as `> ` and the `*` of bold words."""
_RULE = "--------"
"""The line above the small print, below which no game is meant. A page has no such line."""
_END = 0
"""What stands for the small print among the numbers of games."""
_NUMBER_SIGN = re.compile("[#＃№]")
_NUMBER = re.compile(
    r"[\s*•–\u200b\u2060\ufeff-]{0,20}[#＃№]\s?(\d{1,9})(?:\s?·.*|(?P<colon>\s?[:：])?\s*(?P<rest>.*))",
    re.DOTALL,
)
"""A line that begins with a number. A sign of a list may stand before it."""
_NAME = re.compile(
    r"\s{0,20}(?P<name>[^\W\d_][^:：,;!?#@]{0,59}?)\s{0,5}(?:[:：]\s*(?P<rest>.*))?", re.DOTALL
)
_LIKELY_NAME = re.compile(
    r"(?:[\s*•–\u200b\u2060\ufeff-]{0,20}[#＃№]\s?\d{1,9}\s)?"
    r"\s{0,20}[^\W\d_][^:：,;!?#@\d]{0,59}(?P<colon>[:：].*)?",
    re.DOTALL,
)
"""A line that may begin with a name, or with a number and a name. Few names have digits, and most moves do."""

_IN_BRACKETS = re.compile(r"<[^<>]{0,200}>|\[[^\[\]]{0,200}\]")
"""What programs put into a quote in place of a picture."""
_ADDRESS = re.compile(r"mailto:|https?://|cid:|@")

_NO_NUMBERS = frozenset[int]().__contains__

NoGame = None
"""The game of what is typed above the first line that names one."""


@dataclass(frozen=True, slots=True)
class MailPart:
    """The lines of a mail for one game. `game` is its number, None if they are for none.

    `is_unclear`: they are for some game, but it is unclear for which one, as only the name of an opponent in several
    games says it, or a quoted line that may be a heading.
    """

    game: int | None
    text: str
    is_unclear: bool = False


class _Meant(NamedTuple):
    """The game that a line is for. The fields are as in `MailPart`."""

    game: int | None
    is_unclear: bool = False


_NOWHERE, _UNCLEAR = _Meant(NoGame), _Meant(NoGame, is_unclear=True)


@dataclass(frozen=True, slots=True)
class Naming:
    """How typed lines name games.

    * `is_command` tells whether the rest of a line behind its number is a command. "#1 fan of yours" is chat.
    * `names` are the games against each opponent, by the name in lower case; None if there are several, so that it is
      unclear which one the name alone means
    * `first` is the game of what is typed above the first line that names one
    * `is_own` tells whether a number is that of a game of the sender's. In a mail about several games, each line that
      begins with it is for that game, whatever follows.
    * `answers_list`: the mail answers a letter that lists games, so that it is about several ones
    """

    is_command: Callable[[str], bool]
    names: Mapping[str, int | None]
    first: int | None = None
    is_own: Callable[[int], bool] = _NO_NUMBERS
    answers_list: bool = False


def _squeezed(line: str) -> str:
    return "".join(filter(str.isalnum, line))


def _small_print(letter: Sequence[str]) -> str:
    """Return the first line below the last rule of a letter, squeezed, '' if it has none."""
    below = letter[len(letter) - letter[::-1].index(_RULE) :] if _RULE in letter else ()
    return next(filter(None, map(_squeezed, below)), "")


def _marks(lines: Iterable[str], small: str) -> Mapping[int, Sequence[int]]:
    """Return the numbers of the lines that look like the heading of each game, or like the small print (`_END`)."""
    marks: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        if heading := _QUOTED_HEADING.match(line):
            marks.setdefault(int(heading[1]), []).append(number)
        elif small and _squeezed(line).startswith(small):
            marks.setdefault(_END, []).append(number)
    return marks


def _games_below(quote: Sequence[JudgedLine], letter: str) -> Mapping[int, _Meant]:
    """Return the games of what is typed below lines of a quote, by the numbers of these lines.

    In the letter, takmail's own lines begin at the margin, and somebody's words are set in. Words may imitate a mark.
    Where a quote has not as many lines that look like it as the letter, nobody knows which one is the mark, and what is
    typed below any of them is for nobody's eyes.
    """
    lines, below = letter.split("\n"), dict[int, _Meant]()
    small = _small_print(lines)
    quoted = _marks(("" if line.typed is not None else line.text for line in quote), small)
    for game, numbers in _marks(lines, small).items():
        are_marks = [not lines[number][:1].isspace() for number in numbers]
        found, meant = quoted.get(game, ()), _NOWHERE if game == _END else _Meant(game)
        if len(found) == len(numbers):
            below |= {number: meant for number, is_mark in zip(found, are_marks, strict=True) if is_mark}
        else:
            is_shortened = len(found) < len(numbers) and all(are_marks)
            below |= dict.fromkeys(found, meant if is_shortened else _UNCLEAR)
    return below


def sections(lines: Sequence[JudgedLine], letter: str) -> tuple[MailPart, ...]:
    """Return what was typed below each heading of the quoted letter. What was typed above all headings comes first.

    What a program has marked like the quote around it counts, too, if that is no quote within the quote: there stands
    what was typed in an earlier mail. Below the small print no game is meant.
    """
    typed: list[tuple[_Meant, list[str]]] = [(_NOWHERE, [])]
    below, depth = _games_below(lines, letter), 0
    for number, line in enumerate(lines):
        meant, said = typed[-1]
        if line.typed is not None:
            said.append(line.typed)
        elif number in below:
            typed.append((below[number], []))
            depth = line.depth
        elif meant != _NOWHERE and line.depth == depth <= 1 and _is_of_person(line.within):
            said.append(line.within)
    return tuple(
        MailPart(meant.game, "\n".join(said), meant.is_unclear)
        for meant, said in typed
        if any(map(str.strip, said))
    )


def _is_of_person(within: str) -> bool:
    """Return whether a line in a quote was typed, and is not what a program has made of a picture or a link."""
    return not _ADDRESS.search(within) and any(map(str.isalnum, _IN_BRACKETS.sub("", within)))


def has_heading(letter: str, game: int) -> bool:
    """Return whether the text of a letter about several games shows this one."""
    return f"\n#{game} ·" in f"\n{letter}"


def has_number_sign(text: str) -> bool:
    """Return whether a text may name a game by its number."""
    return _NUMBER_SIGN.search(text) is not None


def has_numbers(text: str) -> bool:
    """Return whether a line of a typed text begins with what may be the number of a game."""
    return has_number_sign(text) and any(_NUMBER.fullmatch(line) for line in text.split("\n"))


def may_name_games(text: str) -> bool:
    """Return whether a typed text has a line that may name a game by an opponent: above others, or before a colon."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = (_LIKELY_NAME.fullmatch(line) for line in lines)
    return any(name is not None and (len(lines) > 1 or name["colon"]) for name in found)


def split(typed: Sequence[MailPart], naming: Naming) -> tuple[MailPart, ...]:
    """Return the parts of a mail, from what was typed in its sections. Lines for the same game are one part.

    The lines that only name a game are left out. As soon as one names another game than the headers, each line that
    begins with the number of one of the sender's games is for that game: no other opponent may read it.
    """
    if not naming.answers_list:
        parts = _parts(typed, replace(naming, is_own=_NO_NUMBERS))
        if all(part.game in (NoGame, naming.first) for part in parts):
            return parts
    return _parts(typed, naming)


def _parts(typed: Iterable[MailPart], naming: Naming) -> tuple[MailPart, ...]:
    parts: dict[_Meant, list[str]] = {}
    for section in typed:
        meant = _Meant(section.game, section.is_unclear)
        meant = _Meant(naming.first) if meant == _NOWHERE else meant
        for line in section.text.split("\n"):
            meant, rest = _read(line, meant, naming)
            if rest is not None:
                parts.setdefault(meant, []).append(rest)
    joined = (MailPart(meant.game, _tidy(lines), meant.is_unclear) for meant, lines in parts.items())
    return tuple(part for part in joined if part.text)


def _read(line: str, above: _Meant, naming: Naming) -> tuple[_Meant, str | None]:
    """Return the game of a line, and what is for it, None if the line only names it. `above` is that of the line above.

    A name that several games have in common stays in the line.
    """
    number = _NUMBER.fullmatch(line)
    if number is not None:
        game, rest = _Meant(int(number[1])), (number["rest"] or "").strip()
        named = _named(rest, naming)
        if named is not None and named[0] in (game.game, None):
            return game, named[1]
        if not rest:
            return game, None
        return (game, rest) if _names_game(number, rest, naming) else (above, line)
    named = _named(line, naming)
    if named is None:
        return above, line
    return (_UNCLEAR, line) if named[0] is None else (_Meant(named[0]), named[1])


def _named(line: str, naming: Naming) -> tuple[int | None, str | None] | None:
    """Return the game of the name with which a line begins, and the rest of the line. None if no name does so.

    The game is None if it is unclear, and the rest is None if the line only names it.
    """
    named = _NAME.fullmatch(line) if naming.names else None
    name = "" if named is None else " ".join(named["name"].casefold().split())
    if named is None or name not in naming.names:
        return None
    return naming.names[name], (named["rest"] or "").strip() or None


def _names_game(number: re.Match[str], rest: str, naming: Naming) -> bool:
    """Return whether a line that begins with a number is for that game. "#2nd" is no number."""
    behind = number.string[number.end(1) :][:1]
    is_word = behind.isascii() and behind.isalnum()
    is_named = bool(number["colon"]) or naming.is_command(rest)
    return is_named or (not is_word and naming.is_own(int(number[1])))


def _tidy(lines: Iterable[str]) -> str:
    return "\n".join(_without_repeated_blanks(lines)).strip("\n")


def _without_repeated_blanks(lines: Iterable[str]) -> Iterator[str]:
    is_blank = False
    for line in lines:
        if line.strip() or not is_blank:
            yield line.rstrip()
        is_blank = not line.strip()
