"""Read the time for turns, as it stands behind `new`, `seek`, `propose` and `rematch`, and in sentences.

People write `days=3`, `time=7d+12h`, `time = 7 days + 12 hours` or `time=7天+12小时`. `Pace` reads one form only.
"""

import re
from collections.abc import Iterable
from datetime import timedelta
from functools import cache

from takmail.commands.grammar.dates import length_of
from takmail.commands.grammar.normalize import bare
from takmail.vocabulary import IDEOGRAPHS, meanings_in
from takmail.world import NO_PACE, WEEKDAYS, Pace, length_written

OPTION = re.compile(r"(?:days|hours|time)=.*")
"""A time for turns, without `weekdays`."""
_LETTER = rf"[^\W\d_{IDEOGRAPHS}]"
_UNITS = {"days": "d", "hours": "h", "time": "d"}
"""The unit of a number that has none, by the option."""
_MOST_CHARS = 60
"""The maximum number of characters of a sentence that names a time for each turn. A longer one tells more."""
_MOST_WORDS = 4
"""The maximum number of words of a length of time."""
_LEAST_WISHED = timedelta(hours=12)
"""The shortest time for each turn that a sentence wishes for. It tells of a shorter one."""
_WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\s{IDEOGRAPHS}]+")


def with_times_in_short(text: str) -> str:
    """Return a plain text in lower case, in which each time for turns has the form that `Pace` reads.

    What has none of these words is returned as it is.
    """
    text = text.lower()
    if "=" not in text:
        return text
    return _freeing().sub(f" {WEEKDAYS} ", _option().sub(_in_short, text)) if _option().search(text) else text


def pace_option(text: str) -> str | None:
    """Return a text that is a time for turns, or `time=none`, in canonical form; None if it is something else."""
    written = " ".join(with_times_in_short(text).split())
    pace = Pace.read(written)
    return pace.write() if pace else NO_PACE if written == NO_PACE else None


def _in_short(option: re.Match[str]) -> str:
    """Return an option without spaces, and its lengths of time in short."""
    name = meanings_in("times").get(option["name"], option["name"])
    if option["first"] is None:
        return f"{name}="
    parts = [part for part in (option["first"], option["second"]) if part]
    lengths = [length_of(f"{part}{_UNITS[name]}" if part.isdecimal() else part) for part in parts]
    written = "+".join(length_written(length) for length in lengths if length is not None)
    pace = Pace.read(f"{'time' if name == 'time' else 'days'}={written}") if all(lengths) else None
    # What is no such time is told as it was typed.
    return f"{name}={'+'.join(parts)}".replace(" ", "") if pace is None else pace.write()


@cache
def _option() -> re.Pattern[str]:
    """Return the pattern of a time for turns."""
    dates = meanings_in("dates")
    units = _any_of(word for word in dates if dates[word] in ("hour", "day", "week", "h", "d", "w"))
    unit = rf" ?(?:{units})(?!{_LETTER}| ?=)"  # The word behind "days=1" may begin another option.
    length = rf"\d{{1,4}}(?:{unit})?(?: ?\d{{1,4}}{unit})*"
    names = (word for word, meaning in meanings_in("times").items() if meaning != WEEKDAYS)
    return re.compile(
        rf"(?<!{_LETTER})(?P<name>{_any_of(names)}) ?= ?"
        rf"(?:(?P<first>{length})(?: ?\+ ?(?P<second>{length}))?(?![\d.]))?"
    )


@cache
def _freeing() -> re.Pattern[str]:
    """Return the pattern of words which say that weekends don't count."""
    words = (word for word, meaning in meanings_in("times").items() if meaning == WEEKDAYS)
    return re.compile(rf"[ ,]*(?<!{_LETTER})(?:{_any_of(words)})(?!{_LETTER})")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def pace_in(text: str) -> str | None:
    """Return the time for each turn that a line in plain form names, as an option of `new`, None if it names none.

    It is `days=3` for "three days per move". Other words may stand around it, but no sentence.
    """
    line = bare(text).lower()
    phrase = _each_turn().search(line) if len(line) <= _MOST_CHARS else None
    if phrase is None:
        return None
    before, behind = line[: phrase.start()].rstrip(" ,:"), line[phrase.end() :].lstrip(" ,:")
    ends = [found.end() for found in _WORD.finditer(behind)][:_MOST_WORDS]
    starts = [found.start() for found in _WORD.finditer(before)][-_MOST_WORDS:]
    texts = (*(behind[:end] for end in reversed(ends)), *(before[start:] for start in starts))
    length = next(filter(None, map(length_of, texts)), None)
    pace = None if length is None or length < _LEAST_WISHED else Pace.read(f"days={length_written(length)}")
    return None if pace is None else pace.write()


@cache
def _each_turn() -> re.Pattern[str]:
    """Return the pattern of words that say "for each turn"."""
    return re.compile(rf"(?<!{_LETTER})(?:{_any_of(meanings_in('each turn'))})(?!{_LETTER})")
