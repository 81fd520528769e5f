"""Commands that only look, as people ask for them: with a question mark, a `please`, a mark behind the first word."""

import re
from collections.abc import Callable

from takmail.commands.grammar.commands import Command, Moves, Rules, Show, Why, Word
from takmail.games.interface import NearMiss

_PLEASE = re.compile(r"(?:please,? (.+)|(.+?),? (?:please|pls))", re.IGNORECASE)
_MARK = re.compile(r"(/? ?\w+) ?[,:] ?(.*)")
_SHOW = re.compile(r"(?:the )?(?:board )?(?:after |at )?(?:turn|move|ply) #?(\d+)", re.IGNORECASE)

Read = Callable[[str], Command | NearMiss | None]
"""Reads a line as a command."""


def read_asked(line: str, read: Read) -> Command | None:
    """`rs?`, `why 6?`: done, as nothing can come of it; "why?" asks the other player."""
    bare = line.rstrip("? ")
    command = read(bare) if bare != line else None
    return command if isinstance(command, Show | Moves | Rules | Word | Why) and _looks(command) else None


def nearly_looking(line: str, read: Read) -> str | None:
    """`rs please`, `show turn 5`, `why, 6`: the one command that is meant; None: none is."""
    bare = line.rstrip("? ")
    please = _PLEASE.fullmatch(bare)
    text = (please[1] or please[2]) if please else bare
    marked = _MARK.fullmatch(text)
    text = f"{marked[1]} {marked[2]}".strip() if marked else text
    word, _, rest = text.partition(" ")
    shown = _SHOW.fullmatch(rest) if word.lower() == "show" else None
    text = f"show {shown[1]}" if shown else text
    command = read(text) if text != bare else None
    return text if _looks(command) else None


def _looks(command: Command | NearMiss | None) -> bool:
    """Whether a command only looks; `why` with nothing behind it is a question of anybody's."""
    match command:
        case Why(turn, attempt):
            return turn is not None or bool(attempt)
        case Word():
            return command.looks
        case _:
            return isinstance(command, Show | Moves | Rules)
