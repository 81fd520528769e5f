"""Read the names that people write for time zones."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta, timezone
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Self
from unicodedata import normalize

import tzdata
from babel import Locale

from takmail.commands.command import LineFault, PlainArguments, Rest, Unclear
from takmail.commands.grammar.normalize import clipped
from takmail.limits.words import MAX_OFFERED_ZONES, MAX_REPEATED_WORD_CHARS
from takmail.vocabulary import meanings_in
from takmail.world import LANGUAGES

_OFFSET = re.compile(r"(?:utc|gmt)?(?: ?([+-])([0-9]{1,2})(?::?([0-5][0-9]))?)?", re.IGNORECASE)
_LARGEST_OFFSET = timedelta(hours=14)
_NO_LETTER = re.compile(r"[ _.'’\u0300-\u036f]|-(?![0-9])")
"""What people leave out in names of places, or write otherwise: spaces, marks and accents."""
AUTOMATIC = "auto"
"""The word for no zone of the sender's choice."""


@dataclass(frozen=True, slots=True)
class Zone(PlainArguments):
    """The time zone that the sender chooses: a name such as `Europe/Berlin`, `UTC+01:00`, or `AUTOMATIC`."""

    name: str

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `Europe/Berlin`, `Berlin`, `Берлин`, `UTC+1`, `+0100` or `auto`. "Zone of silence" is chat."""
        text = rest.text
        name = AUTOMATIC if text.lower() == AUTOMATIC else zone_named(text)
        if name is not None:
            return cls(name)
        offers = tuple(f"{rest.keyword} {one}" for one in zones_like(text))
        if not (offers or rest.is_marked or " " not in text):
            return None
        return Unclear(LineFault.ZONE, clipped(text, MAX_REPEATED_WORD_CHARS), offers)


def is_chosen(zone: str | None) -> bool:
    """Return whether a player has chosen their time zone. Otherwise it is the offset from UTC in their last mail."""
    return zone is not None and not zone.startswith(("+", "-"))


def zone_named(text: str) -> str | None:
    """Return the time zone that a plain text names, as `Player.zone` has it, None if it names none or several.

    It is a name of the zone database or the city in it, in any language of letters, or an offset from UTC.
    """
    offset = _OFFSET.fullmatch(text)
    if offset is None or not text:
        return _zones().get(_key(text))
    sign, hours, minutes = offset.groups(default="0")
    span = timedelta(hours=int(hours), minutes=int(minutes))
    return str(timezone(-span if sign == "-" else span)) if span <= _LARGEST_OFFSET else None


def zones_like(text: str) -> tuple[str, ...]:
    """Return the names of zones that a plain text may mean: those that end so, or have a similar name."""
    zones, key = _zones(), _key(text[:MAX_REPEATED_WORD_CHARS])
    letters, wrong = set(key), len(key) // 3
    likely = [one for one, those in _letters() if len(letters - those) <= wrong and len(one) <= 2 * len(key)]
    similar = (zones[one] for one in get_close_matches(key, likely, MAX_OFFERED_ZONES, cutoff=0.8))
    return tuple(dict.fromkeys((*_cities().get(key, ()), *similar)))[:MAX_OFFERED_ZONES]


@cache
def _letters() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the texts that mean zones, each with its letters: a similar text has most of them."""
    return tuple((key, frozenset(key)) for key in _zones())


@cache
def _cities() -> Mapping[str, tuple[str, ...]]:
    """Return the names of zones by the city in them."""
    named = sorted(_names(), key=lambda name: _key(_city(name)))
    return {key: tuple(names) for key, names in groupby(named, key=lambda name: _key(_city(name)))}


@cache
def _zones() -> Mapping[str, str]:
    """Return the names of zones by the texts that mean them: names, cities, and other words of the vocabulary.

    If several names end in the same city, it means the one that the CLDR has.
    """
    counted = Counter(_key(_city(name)) for name in _names())
    zones = {key: name for name in _names() if counted[key := _key(_city(name))] == 1}
    for language in LANGUAGES:
        for name, words in Locale.parse(language, sep="-").time_zones.items():
            if name in _names():
                zones |= {_key(city): name for city in (_city(name), words.get("city", name))}
    zones |= {_key(name): name for name in _names()}
    return zones | {_key(words): name for words, name in meanings_in("zones").items()}


@cache
def _names() -> Mapping[str, None]:
    """Return the names of all zones of the zone database, in its order."""
    names = files(tzdata).joinpath("zones").read_text(encoding="ascii")
    return dict.fromkeys(names.split())


def _city(name: str) -> str:
    return name.rpartition("/")[2]


def _key(text: str) -> str:
    """Return a text without what people write differently in names of places."""
    return _NO_LETTER.sub("", normalize("NFKD", text.casefold()))
