"""Parse `new 5 vs ben@example.org first=me komi=2 days=3`, its older form `challenge`, and `seek 5 komi=2`.

A word before `vs` may name a game, as in `new tak 5 vs Ben`. The words `relay`, `strict` and `weekdays` may stand
anywhere among the others.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Self

from takmail.commands.command import Arguments, LineFault, PlainArguments, Rest, Unclear
from takmail.commands.grammar.normalize import clipped, joined, short_number
from takmail.commands.grammar.paces import OPTION, with_times_in_short
from takmail.commands.grammar.series_forms import LENGTH, length_in, with_matches_in_short
from takmail.games.interface import Refused
from takmail.games.registry import Games
from takmail.limits.words import MAX_REPEATED_WORD_CHARS
from takmail.mail.address import normal_address
from takmail.vocabulary import meanings_in, table, tokens_of, words_of
from takmail.vocabulary.taught import as_typed
from takmail.world import NO_TIMING, STRICT, WEEKDAYS, First, Timing

BOT = "bot"
"""The word for any bot. It begins the plain form of a bot's name, as in `bot easy`."""
FIRST = tuple(First)
_OPTION = re.compile(rf"first=.*|rated=.*|{LENGTH.pattern}|{OPTION.pattern}")
"""An option that all games have."""
_CHOICES: dict[str, Collection[str]] = {"first": FIRST, "rated": ("yes", "no")}
"""The words for what all games let choose."""
RELAY = "relay"
"""The keyword for a game whose moves are only forwarded, not checked."""
_FLAGS = (RELAY, STRICT, WEEKDAYS)
_VERSUS = ("vs.", "versus", "against", "with", "против", "с", "对", "和")
"""Other words for `vs`."""
_PUNCTUATION = ",;:\"'()[]"
"""Punctuation that is removed from both ends of a word."""


_MOST_LOCAL = 24
"""The maximum number of characters before the @ of an ordinary address. It is too small for an advertisement."""
_LOCAL = re.compile(r"[a-z0-9]+(?:[._+-][a-z0-9]+){0,2}")
_BOT_NAME = re.compile(rf"[a-z0-9-]{{,{_MOST_LOCAL}}}")
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
    * `timing` is the time for turns that is wished for
    * `is_relay`: moves are only forwarded, not checked
    * `length` is that of the match that the game begins (`SeriesTerms`), None if it is a game alone
    * `is_unrated`: the game does not count for ratings
    """

    setup: tuple[str, ...]
    first: First | None
    timing: Timing = NO_TIMING
    is_relay: bool = False
    is_unrated: bool = field(default=False, kw_only=True)
    kind: str = field(kw_only=True)
    length: str | None = field(default=None, kw_only=True)

    @classmethod
    def read(cls, rest: Rest) -> "SeekGame | Unclear | None":
        """Parse a set-up and options. "seek and you shall find" is chat."""
        words = _words(rest.text)
        if not words or "vs" in words:
            return Unclear(LineFault.HOW, rest.keyword)
        kind, others = _split_game(words, rest.games)
        return _terms(others, kind, rest, flags=words)

    def write(self, games: Games) -> str | None:
        """Return the terms in the game's own spelling, None if they are invalid or an address has room for words."""
        setup, versus = _written_setup(self.kind, self.setup, games), self.written_opponent
        if setup is None or versus is None:
            return None
        kind = None if self.kind == games.default else self.kind
        first = None if self.first is None else f"first={self.first}"
        relay = RELAY if self.is_relay else None
        time = None if self.timing == NO_TIMING else self.timing.write()
        counts = "rated=no" if self.is_unrated else None
        return joined(kind, setup, relay, versus, first, time, counts, self.length)

    @property
    def written_opponent(self) -> str | None:
        """The opponent as `write` writes it, '' if there is none, None if that has room for words."""
        return ""


@dataclass(frozen=True, slots=True)
class New(SeekGame):
    """An invitation of a player by address or name. All other fields are as in `SeekGame`.

    `bot` is the name of the bot that is meant instead, '' for any bot, None for no bot.
    """

    opponent: str = field(kw_only=True)
    bot: str | None = field(default=None, kw_only=True)

    @classmethod
    def read(cls, rest: Rest) -> "New | Unclear | None":
        """Parse a set-up, the opponent and options, in any order. "new to this, sorry" is chat.

        Behind an older keyword no `vs` is needed, if more than a name follows: "challenge accepted" is chat.
        """
        words = _words(rest.text)
        kind, others = _split_game(words, rest.games)
        addresses = set(filter(None, map(normal_address, words)))
        is_marked = "vs" in words or bool(addresses)
        if others and not (rest.keyword == "new" or is_marked or others[0][0].isdigit()):
            others.insert(0, "vs")
        if "vs" not in others and len(others) > 1 and table("bots").meaning(others[1]) == BOT:
            others.insert(1, "vs")  # "new 5 bot"
        opponent, others = _split_opponent(others, kind or rest.games.default, rest.games)
        if opponent and not (is_marked or kind or others):
            return None
        is_meant = "vs" in words and bool(addresses or kind)
        terms = _terms(others, kind, rest, flags=words, is_meant=is_meant)
        if not isinstance(terms, SeekGame):
            return terms
        if not opponent:
            return Unclear(LineFault.NEW_WITHOUT_OPPONENT, kind or (rest.games.default if words else ""))
        if len(addresses) > 1:
            return Unclear(LineFault.NEW_TWO_OPPONENTS)
        agreed = {term.name: getattr(terms, term.name) for term in fields(SeekGame)}
        if bot_in(opponent) is None:
            return cls(**agreed, opponent=opponent)
        bot, first = _without_first(opponent)
        name = bot_in(bot) or ""
        if name not in meanings_in("bots").values():
            name = as_typed(name, rest.line)
        return cls(**agreed | {"first": terms.first or first}, opponent=opponent, bot=name)

    @property
    def written_opponent(self) -> str | None:
        """The opponent, None if it is a name or an address that has room for words."""
        if self.bot is not None:
            return joined("vs", BOT, self.bot) if _BOT_NAME.fullmatch(self.bot) else None
        return f"vs {self.opponent}" if _is_ordinary_address(self.opponent) else None


@dataclass(frozen=True, slots=True)
class Rematch(Arguments):
    """What is different in the next game. All fields are as in `SeekGame`.

    If `setup` is empty, the set-up stays. `timing` is None if the time for turns stays.
    `is_unrated` is None if the game counts as the last one did.
    """

    setup: tuple[str, ...] = ()
    first: First | None = None
    timing: Timing | None = None
    length: str | None = None
    is_unrated: bool | None = None

    @classmethod
    def read(cls, rest: Rest) -> "Rematch | Unclear | None":
        """Parse `days=3`, `6 time=7d+12h weekdays` or `first=me`, as behind `new`. "rematch next week" is chat.

        Who names a bot wishes for a game against that one.
        """
        words = _words(rest.text)
        others = [word for word in words if word not in _FLAGS]
        if RELAY in words or not words or not (words[0][0].isdigit() or any("=" in word for word in words)):
            return None
        if (
            "vs" in words
            and isinstance(new := New.read(replace(rest, keyword="new")), New)
            and new.bot is not None
        ):
            line = new.write(rest.games)
            return None if line is None else Unclear(LineFault.MEANT, offers=(f"new {line}",))
        terms = _terms(others, None, rest, flags=words, is_meant=True)
        if not isinstance(terms, SeekGame):
            return terms
        is_timed = any(map(Timing.is_option, words))
        is_unrated = terms.is_unrated if any(word.startswith("rated=") for word in words) else None
        return cls(terms.setup, terms.first, terms.timing if is_timed else None, terms.length, is_unrated)

    def write(self, games: Games) -> str | None:
        """Return the options, None if no game has such a set-up."""
        is_known = any(_written_setup(kind, self.setup, games) is not None for kind in games.by_name)
        first = None if self.first is None else f"first={self.first}"
        time = None if self.timing is None else self.timing.write()
        counts = {None: None, True: "rated=no", False: "rated=yes"}[self.is_unrated]
        return joined(*self.setup, first, time, counts, self.length) if is_known else None


@dataclass(frozen=True, slots=True)
class Join(PlainArguments):
    """The seek whose game begins."""

    number: int

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `31`."""
        number = short_number(rest.text)
        return None if number is None else cls(number)


@dataclass(frozen=True, slots=True)
class Unseek(PlainArguments):
    """The seek to close. If `number` is None, all seeks of the sender."""

    number: int | None

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `31`."""
        number = short_number(rest.text)
        return cls(number) if number is not None or not rest.text else None


def _is_ordinary_address(opponent: str) -> bool:
    """Tell whether an address has no room for a message before its @."""
    local = opponent.partition("@")[0]
    is_short = len(local) <= _MOST_LOCAL and _LOCAL.fullmatch(local) is not None
    return is_short and normal_address(opponent) == opponent and not _LOOKS_LIKE_HOST.search(local)


def _written_setup(kind: str, words: Sequence[str], games: Games) -> str | None:
    """Return the set-up of a game in its own spelling, None if it is invalid."""
    try:
        return games.rules(kind).set_up(tuple(words), Random())
    except Refused:
        return None


def _words(rest: str) -> list[str]:
    """Return the words in lower case, without the punctuation that people and mail programs put around an address.

    An option with spaces around its `=` is one word.
    """
    apart = re.sub(r"(?<=\S)<", " <", with_matches_in_short(with_times_in_short(rest)))
    words = (bare for word in re.sub(r" ?= ?", "=", apart).split() if (bare := word.strip(_PUNCTUATION)))
    return ["vs" if word in _VERSUS else word for word in words]


def _split_game(words: list[str], games: Games) -> tuple[str | None, list[str]]:
    """Return the word before `vs` that names a game, None if there is none, and the other words without flags."""
    before = words[: words.index("vs")] if "vs" in words else words
    kind = next((word for word in before if word in games.by_name), None)
    others = [word for word in words if word not in _FLAGS]
    if kind is not None:
        others.remove(kind)  # The opponent's name may have the same word.
    return kind, others


def _split_opponent(words: list[str], kind: str, games: Games) -> tuple[str, list[str]]:
    """Return the address of the opponent, or the name behind `vs`, truncated, and the words that are terms.

    A name may precede the address, as in Ben <ben@example.org>, and some mail programs write an address twice. A name
    alone ends before a word that can be the set-up of the game, together with the words before `vs`, or before a size
    that these have, too.
    """
    address = next((index for index, word in enumerate(words) if normal_address(word)), None)
    start = words.index("vs") if "vs" in words[:address] else address
    if start is None:
        return "", words
    before = [word for word in words[:start] if not _OPTION.fullmatch(word)]
    sizes = {word for word in before if word.isdigit()}
    ends = (
        index
        for index, word in enumerate(words)
        if (index > start and "=" in word)
        or (index > start + 1 and (word in sizes or _written_setup(kind, [*before, word], games) is not None))
    )
    end = next(ends, len(words)) if address is None else address
    opponent = " ".join(words[start + 1 : end]) if address is None else normal_address(words[address])
    options = [word for word in words[start:end] if "=" in word]
    others = [word for word in words[end:] if word not in {"vs", *sizes} and not normal_address(word)]
    return clipped(opponent, MAX_REPEATED_WORD_CHARS), words[:start] + options + others


def _terms(
    words: list[str], kind: str | None, rest: Rest, *, flags: Sequence[str], is_meant: bool = False
) -> SeekGame | Unclear | None:
    """Parse the set-up, `first=`, `days=`, `time=` and `rated=`, in any order. None if the words are chat.

    `flags` may contain `relay`, `strict` and `weekdays`. A set-up that begins with a number is meant as such, even if
    it is invalid: the game says what is wrong.
    """
    options = [word for word in words if _OPTION.fullmatch(word)]
    setup = tuple(word for word in words if word not in options)
    is_number = bool(setup) and setup[0][0].isdigit()
    is_meant = is_meant or rest.is_marked or is_number or all("=" in word for word in setup)
    if not is_meant and (kind is None or _written_setup(kind, setup, rest.games) is None):
        return None
    of_match = [option for option in options if LENGTH.fullmatch(option)]
    length = length_in(of_match)
    if isinstance(length, Unclear):
        return length
    values: dict[str, str] = {}
    for option in (option for option in options if option not in of_match):
        name, _, value = option.partition("=")
        if name not in _CHOICES:
            name, value = "time", option
        is_valid = value in _CHOICES.get(name, ()) or Timing.is_option(option)
        if not is_valid or values.setdefault(name, value) != value:
            return Unclear(LineFault.NEW_OPTION, option)
    first = First(values["first"]) if "first" in values else None
    timing = Timing.read(values.get("time", ""), flags)
    about_time = next((word for word in (STRICT, WEEKDAYS) if word in flags), None)
    if about_time is not None and timing.pace is None:
        return Unclear(LineFault.NEW_OPTION, about_time)
    return SeekGame(
        setup,
        first,
        timing,
        RELAY in flags,
        is_unrated=values.get("rated") == "no",
        kind=kind or rest.games.default,
        length=length,
    )


def first_in(words: tuple[str, ...]) -> str | None:
    """Return the option for which words about the first turn or a colour stand, None if there are none."""
    return next((meaning for meaning in table("inviting").meanings(words) if "=" in meaning), None)


def _without_first(opponent: str) -> tuple[str, First | None]:
    """Return the words for a bot without those about the first turn, and who these say has it: "bot, I'm black"."""
    tokens = tokens_of(opponent)
    words = tuple(token.word for token in tokens)
    first = first_in(words)
    told = table("inviting").places(words, first) if first is not None else ()
    kept = " ".join(word for place, word in enumerate(words) if place not in told)
    return (opponent, None) if first is None else (kept, First(first.partition("=")[2]))


def bot_in(words: str) -> str | None:
    """Return the name of the bot that these words mean, '' if any bot is meant, None if none is.

    They have a word for a bot, and perhaps its name before or behind it.
    """
    known, named = table("bots"), list[str]()
    for word in words.split():
        parts = words_of(word)
        if known.meaning(word) is None and parts and all(map(known.meaning, parts)):
            named += parts  # Chinese words with no space between them
        elif table("fillers").meaning(word) is None:
            named.append(word)
    phrases = {match.start: match for match in known.matches(tuple(named))}
    within = {place for match in phrases.values() for place in range(match.start, match.end)}
    beside = table("small", "joining", "polite").places(tuple(named)) | within
    meanings = [
        phrases[place].meaning if place in phrases else word
        for place, word in enumerate(named)
        if place in phrases or place not in beside
    ]
    return " ".join(word for word in meanings if word != BOT) if BOT in meanings else None
