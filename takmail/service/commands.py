"""The commands of the language, each a small value, and the forms that they are read from."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from takmail.mail.address import normal_address


@dataclass(frozen=True, slots=True)
class New:
    """Invite someone: `setup` are the words that the game itself reads; `first` is me, them or random."""

    opponent: str
    setup: tuple[str, ...]
    first: str


@dataclass(frozen=True, slots=True)
class Play:
    """A turn in canonical form; `number` is the turn that it is meant for, if the player said so."""

    text: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """`im`: the last turn is held to be invalid."""

    reason: str


@dataclass(frozen=True, slots=True)
class Show:
    """The board, now or after a turn."""

    turn: int | None


@dataclass(frozen=True, slots=True)
class Help:
    """How to write, in general or about one word."""

    word: str


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the opponent."""

    words: str


@dataclass(frozen=True, slots=True)
class Word:
    """A command of one word: accept, decline, rs, log, games, ptn, rules, resign, yes or no."""

    word: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line meant as a command that can't be read as one: `fault` names what is wrong, for the templates."""

    fault: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A line that would be a command if `letter` were the Latin letter that it looks like; `meant` is that line."""

    letter: str
    alphabet: str
    meant: str


Command = New | Play | Dispute | Show | Help | Say | Word | Unclear | Foreign

WORDS = ("accept", "decline", "rs", "log", "games", "ptn", "rules", "resign")
"""One-word commands that count on any line."""
ANSWERS = {"yes": "yes", "no": "no", "ok": "yes"}
"""Words that count on the first line alone, and while a question is open."""
STOPS = ("quit", "--", ".")
"""What ends the reading of commands."""
CHANGING = ("accept", "decline", "resign", "yes", "no")
"""The one-word commands that do something in the player's name; the others only look."""


def read(line: str, first_line: bool) -> Command | None:
    """Read one line in command form as anything but a turn; None: not meant as a command.

    A leading `/` lets commands with free text behind them stand on any line.
    """
    marked = line.startswith("/")
    body = line.removeprefix("/").strip()
    word, _, rest = body.partition(" ")
    word, rest = word.lower(), rest.strip()
    if not rest and word in WORDS:
        return Word(word)
    if word in ("im", "say"):
        return _free_text(word, rest) if marked or first_line else None
    reader = _WITH_WORDS.get(word)
    return reader(rest, marked) if reader else None


def _free_text(word: str, rest: str) -> Command | None:
    if word == "im":
        return Dispute(rest)
    return Say(rest) if rest else Unclear("say_what")


def _read_new(rest: str, marked: bool) -> Command | None:
    words = rest.split()
    if "vs" in (word.lower() for word in words):
        return _invitation(words)
    if marked or not words or re.match(r"\d", words[0]):
        return Unclear("new_without_opponent", next((word for word in words if normal_address(word)), ""))
    return None  # "new to this, sorry"


def _read_challenge(rest: str, marked: bool) -> Command | None:
    words = rest.split()
    if any(normal_address(word) for word in words):
        return _invitation(words)
    return Unclear("new_without_opponent") if marked or not words else None


def _invitation(words: list[str]) -> Command:
    """`5 vs ben@example.org first=me komi=2`, in any order but for the opponent, who stands behind `vs`."""
    opponent, first, setup = "", "random", []
    for index, word in enumerate(words):
        key, _, value = word.lower().partition("=")
        if key == "vs":
            if index + 1 == len(words):
                return Unclear("new_without_opponent")
        elif index and words[index - 1].lower() == "vs":
            opponent = opponent or normal_address(word) or f"?{word}"
        elif normal_address(word):
            # Mail programs repeat an address behind itself: ben@example.org <mailto:ben@example.org>.
            opponent = opponent or normal_address(word)
        elif key == "first":
            if value not in ("me", "them", "random"):
                return Unclear("new_first", value)
            first = value
        else:
            setup.append(word.lower())
    if opponent.startswith("?"):
        return Unclear("new_needs_address", opponent[1:])
    return New(opponent, tuple(setup), first)


def _read_show(rest: str, marked: bool) -> Command | None:
    if not rest:
        return Show(None)
    number = rest.removeprefix("#")
    if number.isdecimal() and len(number) < 7:
        return Show(int(number))
    return (
        Unclear("show_what", rest) if marked or (" " not in rest and any(c.isdigit() for c in rest)) else None
    )


def _read_help(rest: str, marked: bool) -> Command | None:
    return Help(rest.lower()) if " " not in rest or marked else None


_WITH_WORDS: dict[str, Callable[[str, bool], Command | None]] = {
    "new": _read_new,
    "challenge": _read_challenge,
    "show": _read_show,
    "help": _read_help,
}
