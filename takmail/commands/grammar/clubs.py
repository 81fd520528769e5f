"""Read the commands about tournaments: `tournament "Autumn" 6x6 komi=2 days=3 max=12`, `enter Autumn`."""

import re
from dataclasses import dataclass, field, replace
from datetime import MINYEAR, date, timedelta
from typing import ClassVar, Self

from takmail.commands.command import Arguments, LineFault, Rest, Unclear
from takmail.commands.grammar.dates import length_of
from takmail.commands.grammar.invitation_forms import SeekGame
from takmail.commands.grammar.normalize import clipped
from takmail.limits.clubs import LAST_YEAR, MOST_PLAYERS, ROUND_DAYS
from takmail.limits.words import MAX_REFUSED_NAME_CHARS, MAX_REPEATED_WORD_CHARS
from takmail.world.clubs.forms import FORMS
from takmail.world.clubs.values import Outcome

_QUOTES = "\"'“”„«»「」『』"
_QUOTED = re.compile(rf"[{_QUOTES}](?P<name>[^{_QUOTES}]+)[{_QUOTES}]\s*(?P<rest>.*)")
_UNQUOTED = re.compile(r"(?P<name>[^\d=][^=]*?)\s+(?P<rest>(?:\S+=|\d).*)")
_OPTION = re.compile(r"\b(?P<name>max|start|form|round) ?= ?(?P<value>\S+)", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[^\W_]{1,16}(?: [^\W_]{1,16}){0,2}")
"""A name with no room for a message, so that a letter may repeat it to who may not have written it."""
_STEP = re.compile(
    r"(?P<name>.+?) ?[:：] ?(?P<verb>start|put off|take out|game|end)\b ?(?P<rest>.*)", re.IGNORECASE
)
_RESULTS = {
    "1-0": Outcome.FIRST,
    "0-1": Outcome.SECOND,
    "1/2": Outcome.DRAW,
    "draw": Outcome.DRAW,
    "void": Outcome.VOID,
}
_GAME = re.compile(
    rf"#?(?P<number>\d{{1,9}}) (?P<result>{'|'.join(map(re.escape, _RESULTS))})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NewTournament(Arguments):
    """A tournament that an organiser begins.

    `starts_on` is the day on which the first season begins, None if none. `round_days` is 0 in a form without rounds.
    """

    name: str
    terms: SeekGame
    most: int
    starts_on: date | None
    form: str = next(iter(FORMS))
    round_days: int = 0

    @classmethod
    def read(cls, rest: Rest) -> "NewTournament | Unclear | None":
        """Parse `"Autumn" 6x6 komi=2 days=3 max=12 start=2026-12-15`. "tournament in May?" is chat."""
        parts = _QUOTED.fullmatch(rest.text) or _UNQUOTED.fullmatch(rest.text)
        if parts is None:
            return None if rest.text else Unclear(LineFault.HOW, rest.keyword)
        options = {option["name"].lower(): option["value"] for option in _OPTION.finditer(parts["rest"])}
        terms = SeekGame.read(replace(rest, text=_OPTION.sub("", parts["rest"]).strip()))
        if not isinstance(terms, SeekGame):
            return terms
        name = options.get("form", next(iter(FORMS))).lower()
        form = FORMS.get(name)
        most = None if form is None else _number(options.get("max"), form.fewest, MOST_PLAYERS, MOST_PLAYERS)
        days = _number(options.get("round"), *ROUND_DAYS) if form is not None and form.has_rounds else 0
        starts_on = _day(options.get("start", ""))
        values = {"form": form, "max": most, "round": days or None, "start": starts_on}
        for option, value in values.items():
            if option in options and value is None:
                given = f"{option}={options[option]}"
                return Unclear(LineFault.NEW_OPTION, given[:MAX_REPEATED_WORD_CHARS])
        assert most is not None
        assert days is not None
        clean = clipped(parts["name"].strip(), MAX_REFUSED_NAME_CHARS)
        return cls(clean, terms, most, starts_on, name, days)


def _number(value: str | None, fewest: int, most: int, default: int) -> int | None:
    """Return the number that an option names, the default if it names none, None if it can't be."""
    if value is None:
        return default
    is_number = value.isascii() and value.isdigit() and len(value) <= len(str(most))
    return int(value) if is_number and fewest <= int(value) <= most else None


def _day(value: str) -> date | None:
    """Return the day that an option names, None if it names none, or one that is too far to reckon with."""
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    return day if MINYEAR < day.year < LAST_YEAR else None


@dataclass(frozen=True, slots=True)
class OneTournament(Arguments):
    """The name of a tournament. Without a `/` or quotation marks, one that begins small may be a word of a sentence."""

    name: str
    is_free_text: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse `Autumn` or `"Autumn"`. "enter the room" is chat."""
        name, is_quoted = rest.text.strip(f"{_QUOTES} .!"), rest.text[:1] in _QUOTES
        if not name:
            return None
        if name[0].islower() and not (rest.is_marked or is_quoted):
            meant = f"{rest.keyword} {name[0].upper()}{name[1:]}"
            return None if " " in name else Unclear(LineFault.MEANT, rest.keyword, offers=(meant,))
        return cls(clipped(name, MAX_REPEATED_WORD_CHARS))

    def written(self) -> str | None:
        """Return the name, None if a player could have chosen it freely."""
        is_plain = _PLAIN_NAME.fullmatch(self.name) and not self.name[0].islower()
        return self.name if is_plain else None

    def write_free(self) -> str:
        """Return the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class OrganisersStep(Arguments):
    """What an organiser does to a tournament, for the reason `why`.

    * `verb` is `start`, `put off`, `take out`, `game` or `end`
    * `by` is how long it is put off, `player` who is taken out, and `game` and `outcome` are a result
    """

    name: str
    verb: str
    why: str = ""
    by: timedelta | None = None
    player: str = ""
    game: int = 0
    outcome: Outcome | None = field(default=None)
    is_free_text: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: Rest) -> "OrganisersStep | Unclear | None":
        """Parse `Autumn: put off 7 days, a holiday`, `Autumn: take out Ben, no answer` or `Autumn: end, few play`.

        The reason stands behind the comma.
        """
        parts = _STEP.fullmatch(rest.text)
        if parts is None:
            return Unclear(LineFault.HOW, rest.keyword)
        verb = parts["verb"].lower()
        what, _, why = ("", "", parts["rest"]) if verb == "end" else parts["rest"].partition(",")
        name, what, why = parts["name"].strip(f"{_QUOTES} "), what.strip(), why.strip(" ,:")
        of_game = _GAME.fullmatch(what)
        step = cls(
            clipped(name, MAX_REPEATED_WORD_CHARS),
            verb,
            why,
            length_of(what) if verb == "put off" else None,
            clipped(what, MAX_REPEATED_WORD_CHARS) if verb == "take out" else "",
            int(of_game["number"]) if verb == "game" and of_game else 0,
            _RESULTS[of_game["result"].lower()] if verb == "game" and of_game else None,
        )
        is_whole = {
            "start": True,
            "end": bool(why),
            "put off": step.by is not None and bool(why),
            "take out": bool(step.player and why),
            "game": step.outcome is not None and bool(why),
        }
        return step if is_whole[verb] else Unclear(LineFault.HOW, rest.keyword)
