"""Parse `new 5 vs ben@example.org first=me komi=2`, its older form `challenge`, and `seek 5 komi=2`.

A word before `vs` may name a game, as in `new tak 5 vs Ben`. The word `relay` may stand anywhere among the others.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile
from random import Random

from takmail.commands.grammar.commands import Command, LineFault, New, SeekGame, Unclear
from takmail.commands.grammar.normalize import clipped
from takmail.commands.kinds import First
from takmail.games.interface import Refused
from takmail.games.registry import Games
from takmail.limits.games import MAX_DAYS_A_TURN
from takmail.limits.words import MAX_REPEATED_WORD_CHARS
from takmail.mail.address import normal_address

FIRST = tuple(one.value for one in First)
_OPTIONS = ("first", "days")
"""The options that all games have."""
RELAY = "relay"
"""The keyword for a game whose moves are only forwarded, not checked."""
_FEWEST_CHARS, _LIKENESS = 4, 0.7
"""The names of games in which slips are found: the minimum length, and how like a name a word must be."""
_PUNCTUATION = ",;:\"'()[]"
"""Punctuation that is removed from both ends of a word."""


def read_new(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse the text after `new`. "new to this, sorry" and "new address: ada@example.org" are chat."""
    words = _words(rest)
    opponents = _addresses(words)
    if mended := _with_game(words, games):
        found = read_new(" ".join(mended), marked, games)
        return (
            Unclear(LineFault.MEANT, offers=(" ".join(("new", *mended)),))
            if isinstance(found, New)
            else found
        )
    if not _is_meant(words, opponents, marked, games):
        return None
    if opponents and "vs" not in words:
        mended = [word for word in words if not normal_address(word)]
        return Unclear(LineFault.MEANT, offers=(" ".join(["new", *mended, "vs", opponents[0]]),))
    return _invitation(words, opponents, games)


def read_challenge(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse the text after `challenge`, which needs no `vs`. "challenge accepted" is chat.

    The name of a game with one other word, as in `challenge Ben tzaar`, is asked about.
    """
    words = _words(rest)
    opponents = _addresses(words)
    kind, bare = _split_game(_without_relay(words), games)
    is_meant = opponents or (kind and len(bare) == 1) or _is_meant(words, opponents, marked, games)
    return _invitation(words, opponents, games) if is_meant else None


def read_seek(rest: str, marked: bool, games: Games) -> Command | None:
    """Parse the text after `seek`. "seek and you shall find" is chat."""
    words = _words(rest)
    if (mended := _with_game(words, games)) and _is_set_up(mended[0], _without_relay(mended[1:]), games):
        return Unclear(LineFault.MEANT, offers=(" ".join(("seek", *mended)),))
    kind, bare = _split_game(_without_relay(words), games)
    is_meant = marked or not words or (bool(bare) and bare[0][0].isdigit())
    is_meant = is_meant or (bool(bare) and all("=" in word or word[0].isdigit() for word in bare))
    if not is_meant and not _is_set_up(kind, bare, games):
        return None
    if "vs" in words:
        return Unclear(LineFault.SEEK_VS)
    terms = _terms(bare)
    if isinstance(terms, Unclear):
        return terms
    if not terms.setup and kind is None:
        return Unclear(LineFault.SEEK_WHAT)
    return SeekGame(terms.setup, terms.first, terms.days, RELAY in words, kind=kind or games.default)


def _split_game(bare: list[str], games: Games) -> tuple[str | None, list[str]]:
    """Split off the word before `vs` that names a game. Return the name, None if there is none, and the other words."""
    kind = next((word for word in takewhile(lambda one: one != "vs", bare) if word in games.by_name), None)
    if kind is None:
        return None, bare
    at = bare.index(kind)
    return kind, bare[:at] + bare[at + 1 :]


def _with_game(words: list[str], games: Games) -> list[str] | None:
    """Return the words with the name of a game in place of the first one, if that is a slip in it."""
    if not words or words[0] in games.by_name:
        return None
    names = [name for name in games.by_name if len(name) >= _FEWEST_CHARS]
    likely = get_close_matches(words[0], names, 1, _LIKENESS)
    return [*likely, *words[1:]] if likely else None


def _is_set_up(kind: str | None, bare: list[str], games: Games) -> bool:
    """Tell whether the words before `vs` are a valid set-up of the game `kind`."""
    if kind is None:
        return False
    _, setup = _options(
        [word for word in takewhile(lambda one: one != "vs", bare) if not normal_address(word)]
    )
    try:
        games.rules(kind).set_up(setup, Random())
    except Refused:
        return False
    return True


def _is_meant(words: list[str], opponents: list[str], marked: bool, games: Games) -> bool:
    kind, bare = _split_game(_without_relay(words), games)
    if marked or not words or _is_set_up(kind, bare, games):
        return True
    if bare and (bare[0] == "vs" or bare[0][0].isdigit()):
        return True
    if "vs" in bare:
        return bool(opponents) or kind == words[0]
    others = (word for word in bare if not normal_address(word))
    return bool(opponents) and all("=" in word or word[0].isdigit() for word in others)


def _words(rest: str) -> list[str]:
    """Return the words in lower case, without the punctuation that people and mail programs put around an address.

    An option with spaces around its `=` is one word, and so are `bid 4` and `bid: 4`.
    """
    apart = re.sub(r"(?<=\S)<", " <", rest.lower())
    apart = re.sub(r"\bbid[: ]+(?=[0-9])", "bid=", re.sub(r" ?= ?", "=", apart))
    return [bare for word in apart.split() if (bare := word.strip(_PUNCTUATION))]


def _without_relay(words: list[str]) -> list[str]:
    return [word for word in words if word != RELAY]


def _addresses(words: list[str]) -> list[str]:
    """Return the addresses without duplicates.

    Some mail programs write an address twice: ben@example.org <mailto:ben@example.org>.
    """
    return list(dict.fromkeys(address for word in words if (address := normal_address(word))))


def _invitation(words: list[str], opponents: list[str], games: Games) -> Command:
    """Parse the words of an invitation: the opponent, and the terms in any order.

    A name may precede the address, as in Ben <ben@example.org>.
    """
    if len(opponents) > 1:
        return Unclear(LineFault.NEW_TWO_OPPONENTS)
    is_relay = RELAY in words
    kind, words = _split_game(_without_relay(words), games)
    name, others = ("", _without_opponent(words)) if opponents else _split_name(words, kind, games)
    if not opponents and not name:
        return Unclear(LineFault.NEW_WITHOUT_OPPONENT, kind or (games.default if words else ""))
    terms = _terms(others)
    if isinstance(terms, Unclear):
        return terms
    opponent = opponents[0] if opponents else name
    return New(opponent, terms.setup, terms.first, terms.days, is_relay, kind=kind or games.default)


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of a game without its players. The fields are as in `New`."""

    setup: tuple[str, ...]
    first: First | None
    days: int | None


def _terms(words: list[str]) -> _Terms | Unclear:
    """Parse the terms of a game: size, komi, `first=` and `days=`, in any order."""
    options, setup = _options(words)
    for first in options["first"]:
        if first not in FIRST:
            return Unclear(LineFault.NEW_FIRST, clipped(first, MAX_REPEATED_WORD_CHARS))
    for days in options["days"]:
        if not _is_days(days):
            return Unclear(LineFault.NEW_DAYS, clipped(days, MAX_REPEATED_WORD_CHARS))
    for option, said in options.items():
        if len(set(said)) > 1:
            return Unclear(LineFault.NEW_TWICE, option)
    said_first, said_days = (next(iter(options[name]), None) for name in _OPTIONS)
    begins = None if said_first is None else First(said_first)
    return _Terms(setup, begins, None if said_days is None else int(said_days))


def _options(words: list[str]) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """Return the values of the options that all games have, and the words that only the game itself can parse."""
    options: dict[str, list[str]] = {name: [] for name in _OPTIONS}
    setup = []
    for word in words:
        name, _, said = word.partition("=")
        if name in options and "=" in word:
            options[name].append(said)
        else:
            setup.append(word)
    return options, tuple(setup)


def _is_days(said: str) -> bool:
    return said.isdecimal() and len(said) < 7 and 1 <= int(said) <= MAX_DAYS_A_TURN


def _split_name(words: list[str], kind: str | None, games: Games) -> tuple[str, list[str]]:
    """Return the name after `vs`, truncated, and all words except `vs` and the name.

    The name ends before the next option such as `first=me`. If the game is named, it also ends before a word that is a
    set-up of that game, as in `new tzaar vs Ben fixed`.
    """
    if "vs" not in words:
        return "", words
    at = words.index("vs")
    behind = words[at + 1 :]
    end = next(
        (
            here
            for here, word in enumerate(behind)
            if "=" in word or (here and _is_set_up(kind, [word], games))
        ),
        len(behind),
    )
    return clipped(" ".join(behind[:end]), MAX_REPEATED_WORD_CHARS), words[:at] + behind[end:]


def _without_opponent(words: list[str]) -> list[str]:
    """Return all words except `vs`, the address and the name between them."""
    address = next(at for at, word in enumerate(words) if normal_address(word))
    start = words.index("vs") if "vs" in words[:address] else address
    name = [word for word in words[start:address] if "=" in word]
    rest = words[:start] + name + words[address + 1 :]
    return [word for word in rest if word != "vs" and not normal_address(word)]
