"""Recognise polite forms of commands that only show something.

Such a form has a question mark, `please`, or punctuation after the first word.
"""

import re
from collections.abc import Callable

from takmail.commands.grammar.commands import Command, Moves, Rules, Show, Why, Word
from takmail.games.interface import NearMiss

_PLEASE = re.compile(r"(?:please,? (.+)|(.+?),? (?:please|pls))", re.IGNORECASE)
_WORD_WITH_MARK = re.compile(r"(/? ?\w+) ?[,:] ?(.*)")
_SHOW = re.compile(r"(?:the )?(?:board )?(?:after |at )?(?:turn|move|ply) #?(\d+)", re.IGNORECASE)

Read = Callable[[str], Command | NearMiss | None]
"""Parse a line as a command."""


def read_asked(line: str, read: Read) -> Command | None:
    """Parse a command with a question mark, such as `rs?` or `why 6?`. Return None for any other line.

    The command is carried out, because it changes nothing. "why?" is a question to the opponent.
    """
    bare = line.rstrip("? ")
    command = read(bare) if bare != line else None
    return (
        command if isinstance(command, Show | Moves | Rules | Word | Why) and _only_shows(command) else None
    )


def nearly_looking(line: str, read: Read) -> str | None:
    """Return the command that a polite form means, such as `show turn 5` or `why, 6`.

    Return None for any other line.
    """
    bare = line.rstrip("? ")
    please = _PLEASE.fullmatch(bare)
    text = (please[1] or please[2]) if please else bare
    marked = _WORD_WITH_MARK.fullmatch(text)
    text = f"{marked[1]} {marked[2]}".strip() if marked else text
    word, _, rest = text.partition(" ")
    shown = _SHOW.fullmatch(rest) if word.lower() == "show" else None
    text = f"show {shown[1]}" if shown else text
    command = read(text) if text != bare else None
    return text if _only_shows(command) else None


def _only_shows(command: Command | NearMiss | None) -> bool:
    """Tell whether a command only shows something.

    `why` alone does not count, because it may be a question to the opponent.
    """
    match command:
        case Why(turn, attempt):
            return turn is not None or bool(attempt)
        case Word():
            return command.looks
        case _:
            return isinstance(command, Show | Moves | Rules)
