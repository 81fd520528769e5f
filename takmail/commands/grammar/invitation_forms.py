"""Parse `new 5 vs ben@example.org first=me komi=2`, its older form `challenge`, and `seek 5 komi=2`.

A word before `vs` may name a game, as in `new tak 5 vs Ben`. The word `relay` may stand anywhere among the others.
"""

import re
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import takewhile
from random import Random
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.bid_forms import has_no_message, read_terms_loosely, with_example
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.normalize import clipped, is_nearly_a_number, joined, short_number
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
_VERSUS = ("vs.", "versus", "against", "with")
"""Other words for `vs`."""
_PUNCTUATION = ",;:\"'()[]"
"""Punctuation that is removed from both ends of a word."""


_MOST_LOCAL = 24
"""The maximum number of characters before the @ of an ordinary address. It is too small for an advertisement."""
_LOCAL = re.compile(r"[a-z0-9]+(?:[._+-][a-z0-9]+){0,2}")
_LOOKS_LIKE_HOST = re.compile(
    r"www|http|\..*\.|\.(?:[a-z]{2}|com|net|org|edu|gov|int|biz|pro|xyz|top|app|dev|fun|vip|win|bid|icu|info|mobi|name"
    r"|asia|shop|site|link|live|life|club|tech|news|blog|store|click|space|world|today|cloud|email|games|casino|online"
    r"|website|example|invalid|test|onion)(?![a-z])"
)
"""Text that a mail program or a reader may take for a host name."""


@dataclass(frozen=True, slots=True)
class SeekGame(Arguments):
    """A game that is offered to any player.

    * `kind` is the game, and `setup` are the words that the game itself parses
    * `first` is who has the first turn. If it is None, the players alternate.
    * `days` is the time limit for a turn in days, None for no limit
    * `is_relay`: moves are only forwarded, not checked
    """

    setup: tuple[str, ...]
    first: First | None
    days: int | None = None
    is_relay: bool = False
    kind: str = field(kw_only=True)

    @classmethod
    def read(cls, rest: Rest) -> "SeekGame | Unclear | None":
        """Parse a set-up and options. "seek and you shall find" is chat."""
        return _read_seek(rest.text, rest.is_marked, rest.games)

    def write(self, games: Games) -> str | None:
        """Return the terms in the game's own spelling, None if they are invalid."""
        terms = _written_setup(self, games)
        return None if terms is None else joined(terms, *_written_options(self))


@dataclass(frozen=True, slots=True)
class New(Arguments):
    """An invitation of a player by address or name. All other fields are as in `SeekGame`."""

    opponent: str
    setup: tuple[str, ...]
    first: First | None
    days: int | None = None
    is_relay: bool = False
    kind: str = field(kw_only=True)

    @classmethod
    def read(cls, rest: Rest) -> "New | Unclear | None":
        """Parse a set-up, the opponent and options, in any order. Behind an older keyword no `vs` is needed."""
        read = _read_new if rest.keyword == "new" else _read_challenge
        return read(rest.text, rest.is_marked, rest.games)

    def write(self, games: Games) -> str | None:
        """Return the terms in the game's own spelling, None if they are invalid or the address has room for words."""
        terms = _written_setup(self, games) if _is_ordinary_address(self.opponent) else None
        return None if terms is None else joined(terms, "vs", self.opponent, *_written_options(self))


@dataclass(frozen=True, slots=True)
class Join(Arguments):
    """The seek whose game begins. `terms` are words that the game itself parses."""

    number: int
    terms: tuple[str, ...] = ()

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `31` or `31 bid=2`."""
        first, _, behind = rest.text.partition(" ")
        number, terms = short_number(first), read_terms_loosely(behind)
        if number is None or terms is None:
            is_meant = not rest.text or rest.is_marked or is_nearly_a_number(rest.text)
            return Unclear(LineFault.JOIN_WHAT) if is_meant else None
        if isinstance(terms, Unclear):
            return replace(terms, detail=with_example(f"join {number}", behind))
        return cls(number, terms)

    def written(self) -> str | None:
        """Return the number and the terms, None if they have room for a message."""
        return joined(self.number, *self.terms) if has_no_message(self.terms) else None


@dataclass(frozen=True, slots=True)
class Unseek(Arguments):
    """The seek to close. If `number` is None, all seeks of the sender."""

    number: int | None

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `31`."""
        number = short_number(rest.text)
        if number is not None or not rest.text:
            return cls(number)
        is_meant = rest.is_marked or is_nearly_a_number(rest.text)
        return Unclear(LineFault.UNSEEK_WHAT) if is_meant else None

    def written(self) -> str:
        """Return the number."""
        return joined(self.number)


def _is_ordinary_address(opponent: str) -> bool:
    """Tell whether an address has no room for a message before its @."""
    local = opponent.partition("@")[0]
    is_short = len(local) <= _MOST_LOCAL and _LOCAL.fullmatch(local) is not None
    return is_short and normal_address(opponent) == opponent and not _LOOKS_LIKE_HOST.search(local)


def _written_setup(terms: New | SeekGame, games: Games) -> str | None:
    """Return the game and its set-up in its own spelling, None if they are invalid."""
    name = None if terms.kind == games.default else terms.kind
    try:
        setup = games.rules(terms.kind).set_up(terms.setup, Random())
    except Refused:
        return None
    return joined(name, setup, RELAY if terms.is_relay else None)


def _written_options(terms: New | SeekGame) -> tuple[str | None, ...]:
    return (
        None if terms.first is None else f"first={terms.first}",
        None if terms.days is None else f"days={terms.days}",
    )


def _read_new(rest: str, marked: bool, games: Games) -> New | Unclear | None:
    """Parse the text after `new`. "new to this, sorry" and "new address: ada@example.org" are chat."""
    words = _words(rest)
    opponents = _addresses(words)
    if mended := _with_game(words, games):
        found = _read_new(" ".join(mended), marked, games)
        return _meant("new", *mended) if isinstance(found, New) else found
    if not _is_meant(words, opponents, marked, games):
        return None
    return _invitation(words, opponents, games)


def _read_challenge(rest: str, marked: bool, games: Games) -> New | Unclear | None:
    """Parse the text after `challenge`, which needs no `vs`. "challenge accepted" is chat.

    The name of a game with one other word, as in `challenge Ben tzaar`, is asked about.
    """
    words = _words(rest)
    opponents = _addresses(words)
    kind, bare = _split_game(_without_relay(words), games)
    is_meant = opponents or (kind and len(bare) == 1) or _is_meant(words, opponents, marked, games)
    return _invitation(words, opponents, games) if is_meant else None


def _read_seek(rest: str, marked: bool, games: Games) -> SeekGame | Unclear | None:
    """Parse the text after `seek`. "seek and you shall find" is chat."""
    words = _words(rest)
    if (mended := _with_game(words, games)) and _is_set_up(mended[0], _without_relay(mended[1:]), games):
        return _meant("seek", *mended)
    kind, bare = _split_game(_without_relay(words), games)
    is_meant = marked or not words or (bool(bare) and bare[0][0].isdigit())
    is_meant = is_meant or (bool(bare) and all("=" in word or word[0].isdigit() for word in bare))
    if not is_meant and not _is_set_up(kind, bare, games):
        return None
    if "vs" in words:
        return Unclear(LineFault.SEEK_VS)
    terms = _terms(bare, kind or games.default, is_relay=RELAY in words)
    if isinstance(terms, SeekGame) and not terms.setup and kind is None:
        return Unclear(LineFault.SEEK_WHAT)
    return terms


def _meant(*words: str) -> Unclear:
    return Unclear(LineFault.MEANT, offers=(" ".join(words),))


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
    words = (bare for word in apart.split() if (bare := word.strip(_PUNCTUATION)))
    return ["vs" if word in _VERSUS else word for word in words]


def _without_relay(words: list[str]) -> list[str]:
    return [word for word in words if word != RELAY]


def _addresses(words: list[str]) -> list[str]:
    """Return the addresses without duplicates.

    Some mail programs write an address twice: ben@example.org <mailto:ben@example.org>.
    """
    return list(dict.fromkeys(address for word in words if (address := normal_address(word))))


def _invitation(words: list[str], opponents: list[str], games: Games) -> New | Unclear:
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
    terms = _terms(others, kind or games.default, is_relay=is_relay)
    if isinstance(terms, Unclear):
        return terms
    opponent = opponents[0] if opponents else name
    return New(opponent, terms.setup, terms.first, terms.days, is_relay, kind=terms.kind)


def _terms(words: list[str], kind: str, *, is_relay: bool) -> SeekGame | Unclear:
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
    days_a_turn = None if said_days is None else int(said_days)
    return SeekGame(setup, begins, days_a_turn, is_relay, kind=kind)


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
