"""Read dates and lengths of time, and until when a player is away.

Each word is replaced with what it stands for in the section `dates` of the vocabulary, which is the same in each
language: "24-го декабря" and "24th of December" both become `24 ordinal month 12`. A few patterns read what this gives.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Self

from takmail.commands.command import LineFault, PlainArguments, Rest, Unclear
from takmail.commands.grammar.normalize import bare, is_question, plain
from takmail.limits.words import LONGEST_TIME, MAX_DATE_CHARS, MAX_MOVE_CHARS
from takmail.vocabulary import IDEOGRAPHS, meanings_in

_MAX_CACHED = 256
"""The maximum number of texts whose meaning is kept, as a mail names a date again and again."""

_LETTER = rf"[^\W\d_{IDEOGRAPHS}]"
"""A letter of a script that has spaces between its words."""
_SPACE_IN_CHINESE = re.compile(f"(?<=[{IDEOGRAPHS}]) +| +(?=[{IDEOGRAPHS}])")
_UNKNOWN = "?"
"""Stands for what is no word of a date. No pattern has it."""
_FILLER = "filler"
_RETURNING = "returning"
"""Stands for words that make a date the day on which somebody is back, as in "back on Monday"."""
_WHOLE_UNITS = ("hour", "day", "week")
"""Units that are a length of time without a number, unlike `d`."""
_HOURS = {"hour": 1, "day": 24, "week": 7 * 24, "h": 1, "d": 24, "w": 7 * 24}
"""The hours of each unit."""
_LENGTH = re.compile(rf"(?:coming )?((?:\d{{1,4}} (?:{'|'.join(_HOURS)})(?: |$))+)")
_COUNTED = re.compile(rf"\b(?P<number>\d{{1,3}})(?:(?<!\b1) \?)? (?P<unit>{'|'.join(_HOURS)})\b")
"""A number of units in a sentence. A word may stand between, as in "two more days", but not in "a few days"."""
_DAYS_AHEAD = re.compile(r"(ahead|(?:coming )?weekday|following weekday) (\d)")
_DAY = r"(?P<day>\d\d?)"
_MONTH = r"(?P<month>\d\d?)"
_YEAR = r"(?P<year>2\d{3}|\d\d)"
_DATES = tuple(
    re.compile(rf"(?:weekday (?P<before>\d) )?{form}(?: weekday (?P<behind>\d))?")
    for form in (
        rf"(?P<year>2\d{{3}}) [./-] {_MONTH} [./-] {_DAY}",
        rf"(?P<year>2\d{{3}}) month {_MONTH} {_DAY}(?: ordinal)?",
        rf"{_DAY}(?: ordinal| \.| -)? month {_MONTH}(?: -)?(?: {_YEAR})?",
        rf"month {_MONTH} {_DAY}(?: ordinal)?(?: {_YEAR})?",
        rf"{_DAY} \. {_MONTH}(?: \.)?(?: {_YEAR})?",
        rf"{_DAY} ordinal",
        rf"{_DAY} [/-] {_MONTH}(?: [/-] {_YEAR})?",
        rf"{_MONTH} [/-] {_DAY}(?: [/-] {_YEAR})?",
    )
)
"""The forms of dates. Only those with a slash or a dash between day and month leave open which is which."""
_JUST_OVER = timedelta(days=30)
"""A day of a month that was so long ago is meant as that, not as the one in a year."""
_LEAP_YEARS = 8
"""The maximum number of years from one 29 February to the next."""
_UNTIL = re.compile(r"(?:(until|for) )?(.*?)( before)?", re.DOTALL)
"""Any text: what may lead, the time itself, and what may follow."""


def length_of(text: str) -> timedelta | None:
    """Return the length of time that a plain text names in hours, days and weeks, such as `10 days` or `a week`.

    None if it names none, or one that is 0 or longer than `LONGEST_TIME`.
    """
    return _length(_meaning(text))


def until_of(text: str, today: date) -> list[date] | timedelta:
    """Return until when or for how long somebody is away: what follows "until" or "for", or a text without these.

    It is a length of time, or the days that a date can be: none if there is no such day, two if day and month may stand
    in either order. Without a year, it is the next such day, or one of the last 30. So "Friday" on a Friday is in a
    week. "Next Friday" means the same, as many who say so mean the nearest one; only the Chinese 下周五 is the Friday
    of the next calendar week. A date with a year may be past. Of a day and a month with a dot, the day stands first;
    with a slash or a dash, either may. A weekday beside a date must be that of the date. Who is back on a day is away
    until the day before.
    """
    leading, when, before = _around_time(_meaning(text))
    length = None if before or leading == "until" else _length(when)
    return length or ([] if leading == "for" else _dates(when, today))


def is_until(text: str, *, is_plain: bool = True) -> bool:
    """Tell whether a plain text has the form of what `until_of` reads, even if it names no day, such as 31 February.

    Unless `is_plain`, a date needs a word such as "until".
    """
    leading, when, before = _around_time(_meaning(text))
    if leading != "until" and not before and _length(when) is not None:
        return True
    return _is_day(when) and leading != "for" and bool(is_plain or leading or before)


def _is_day(meaning: str) -> bool:
    """Tell whether a meaning has the form of a date, or of one on which somebody is back."""
    day, _ = _day_in(meaning)
    return any(form.fullmatch(day) for form in (_DAYS_AHEAD, *_DATES))


def _day_in(meaning: str) -> tuple[str, bool]:
    """Return what stands for a date, and whether somebody is back on it."""
    words = meaning.split()
    return " ".join(word for word in words if word != _RETURNING), _RETURNING in words


def _around_time(meaning: str) -> tuple[str, str, str]:
    """Return "until" or "for", the time behind it, and "before" behind that. What a text lacks is ''."""
    parts = _UNTIL.fullmatch(meaning)
    assert parts is not None, "the pattern has any text"
    leading, when, before = parts.groups("")
    return leading, when, before


def _meaning(text: str) -> str:
    """Return what the words of a text stand for, with its numbers and signs, and with single spaces between them."""
    return _meaning_of_sentence(text) if len(text) <= MAX_DATE_CHARS else _UNKNOWN


@lru_cache(_MAX_CACHED)
def _meaning_of_sentence(text: str) -> str:
    meanings = _words_of_dates()
    joined = _SPACE_IN_CHINESE.sub("", text.casefold().replace(",", " "))
    tokens = _tokens().finditer(joined)
    words = (found[found.lastindex] if found.lastindex else _UNKNOWN for found in tokens)
    return " ".join(word for word in (meanings.get(word, word) for word in words) if word != _FILLER)


@cache
def _words_of_dates() -> dict[str, str]:
    """Return what each word of a date stands for."""
    returning = (word for word, meaning in meanings_in("absent").items() if meaning == _RETURNING)
    return dict.fromkeys(returning, _RETURNING) | meanings_in("dates")


@cache
def _tokens() -> re.Pattern[str]:
    """Return the pattern of what a text consists of: words of dates, numbers and signs are in groups, others are not.

    An abbreviation may have a dot. Of two words with the same beginning, the longer one is found.
    """
    words = sorted(_words_of_dates(), key=len, reverse=True)
    chinese = [word for word in words if re.search(f"[{IDEOGRAPHS}]", word)]
    spaced = [word for word in words if word not in chinese]
    return re.compile(
        rf"(?<!{_LETTER})({_any_of(spaced)})(?!{_LETTER})\.?|({_any_of(chinese)})|(\d+|[./-])|{_LETTER}+|\S"
    )


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _length(meaning: str) -> timedelta | None:
    counted = _LENGTH.fullmatch(f"1 {meaning}" if meaning in _WHOLE_UNITS else meaning)
    if counted is None:
        return None
    parts = counted[1].split()
    hours = sum(int(number) * _HOURS[unit] for number, unit in zip(parts[::2], parts[1::2], strict=True))
    length = timedelta(hours=hours)
    return length if timedelta(0) < length <= LONGEST_TIME else None


def _dates(meaning: str, today: date) -> list[date]:
    meaning, is_return = _day_in(meaning)
    if is_return:
        return [day - timedelta(1) for day in _dates(meaning, today)]
    if ahead := _DAYS_AHEAD.fullmatch(meaning):
        return [today + timedelta(_days_ahead(ahead[1], int(ahead[2]), today))]
    matches = (form.fullmatch(meaning) for form in _DATES)
    dates = (_nearest_day(match.groupdict(), today) for match in matches if match)
    return list(dict.fromkeys(filter(None, dates)))


def _days_ahead(kind: str, number: int, today: date) -> int:
    """Return in how many days a weekday is, or a day that is told by their number."""
    if kind == "ahead":
        return number
    if kind == "following weekday":
        return 7 - today.isoweekday() + number
    return (number - today.isoweekday() - 1) % 7 + 1


def _nearest_day(parts: dict[str, str | None], today: date) -> date | None:
    """Return the date that has these parts. Without a year it may be just over, without a month not before today."""
    weekdays = {int(day) for day in (parts["before"], parts["behind"]) if day}
    day, month, year = int(parts["day"] or 0), parts.get("month"), parts.get("year")
    months = [int(month)] if month else range(1, 13)
    years = [_full_year(year)] if year else range(today.year - 1, today.year + _LEAP_YEARS + 1)
    possible = (_possible(each_year, each_month, day) for each_year in years for each_month in months)
    earliest = today - _JUST_OVER if month else today
    nearest = next((each for each in possible if each and (year or each >= earliest)), None)
    return nearest if nearest and weekdays <= {nearest.isoweekday()} else None


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _possible(year: int, month: int, day: int) -> date | None:
    """Return the date, None if there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


_BETWEEN = re.compile(r" (?:-|until) ")
_ONE_DAY = re.compile(r"(\d\d?)(?: ordinal| \.)?")
_MONTH_NAMED = re.compile(r"month \d\d?")
_YEAR_NAMED = re.compile(r"\b2\d{3}$")
_PERIODS_APART = re.compile(r" *(?:[;,、，]|(?<!\w)(?:and|и|also)(?!\w)|和|以及) *")
"""What stands between two periods."""


def periods_of(text: str, today: date) -> list[tuple[date, date]] | None:
    """Return the periods that a plain text names, each with its first and its last day, in the order of the text.

    It is `5-12 December`, `5 December to 12 January` or several of these. A period that can't be, such as from the 31st
    to the 30th, is `(date.max, date.min)`. None if the text names something else.
    """
    ends: list[tuple[str, str]] = []
    for part in filter(None, _PERIODS_APART.split(text)):
        pair = _ends_of(_meaning(part))
        if pair is None:
            return None
        ends.append(pair)
    return [_period(*pair, today) for pair in ends] or None


def is_period(text: str) -> bool:
    """Tell whether a plain text has the form of what `periods_of` reads."""
    return periods_of(text, date(2000, 1, 1)) is not None


def _ends_of(meaning: str) -> tuple[str, str] | None:
    """Return what stands for the first and the last day of a period, None if nothing does.

    A day without a month has that of the other one.
    """
    meaning = meaning.removeprefix("from ")
    for between in _BETWEEN.finditer(meaning):
        first, last = meaning[: between.start()], meaning[between.end() :]
        named = _MONTH_NAMED.search(f"{first} {last}")
        if named is not None:
            first, last = (_with_month(day, named[0]) for day in (first, last))
        if _is_day(first) and _is_day(last):
            return first, last
        dotted = re.fullmatch(r"\d\d? \. (\d\d?)(?: \.)?", last)
        if dotted and (day := _ONE_DAY.fullmatch(first)):
            return f"{day[1]} . {dotted[1]}", last
    return None


def _with_month(day: str, month: str) -> str:
    alone = _ONE_DAY.fullmatch(day)
    return f"{alone[1]} {month}" if alone else day


def _period(first: str, last: str, today: date) -> tuple[date, date]:
    """Return the shortest period that begins and ends with what these stand for."""
    year = _YEAR_NAMED.search(last)
    begins = (*_dates(first, today), *(_dates(f"{first} {year[0]}", today) if year else ()))
    possible = ((begin, end) for begin in begins for end in _dates(last, begin) if begin <= end)
    return min(possible, key=lambda period: period[1] - period[0], default=(date.max, date.min))


_WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\s{IDEOGRAPHS}]+")
_CLAUSES = re.compile(r"[,;.!，。；]\s*(?=\D)|[,，;；] *(?=\d)")
_MOST_CHARS = 60
"""The maximum number of characters of a line that says when its writer is back. A longer one tells more."""
_MOST_WORDS_OF_DATE = 4
"""The maximum number of words of an unknown date. More of them are a sentence, such as "away until we meet in May"."""


@dataclass(frozen=True, slots=True)
class Away(PlainArguments):
    """When or how long the sender is away, as `until_of` and `periods_of` read it: only words of dates and numbers."""

    text: str

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse what has the form of a date or a length of time. "away from home" is chat."""
        if is_until(rest.text) or is_period(rest.text):
            return cls(rest.text.lower())
        is_meant = (
            re.match(r"until\b|\d", _meaning(rest.text)) and len(rest.text.split()) <= _MOST_WORDS_OF_DATE
        )
        return Unclear(LineFault.HOW, rest.keyword) if is_meant else None


@dataclass(frozen=True, slots=True)
class Planned(Away):
    """A day of the time off that is meant, or the time off itself."""


def absence_in(words: str) -> str | None:
    """Return until when the writer of some words is away from now on, None if no line of them says so.

    "I am away until Friday" does, and "I am away on Friday" does not.
    """
    lines = [bare(plain(line)).lower() for line in words.splitlines()]
    absences = (_absent().fullmatch(line) for line in lines)
    untils = [absence["behind"] or absence["before"] for absence in absences if absence]
    until = next((until for until in untils if is_until(until, is_plain=False) or is_period(until)), None)
    return until or next(filter(None, map(_return_in, lines)), None)


def absence_in_part(line: str) -> str | None:
    """Return until when the writer of a line is away, as its first or its last clause says, None if none does."""
    return None if is_question(line) else absence_in_clause(line)


def absence_in_clause(line: str) -> str | None:
    """Do the same as `absence_in_part`, whatever the line asks beside it."""
    clauses = _CLAUSES.split(line)
    if len(clauses) < 2 or len(line) > MAX_MOVE_CHARS:
        return None
    return absence_in(clauses[0]) or absence_in(clauses[-1])


def _return_in(line: str) -> str | None:
    """Return the clause that says on which day the writer of a line comes back, as the last one may, None if none does.

    If the first clause says when they leave, it is the period between.
    """
    clause = _CLAUSES.split(line)[-1]
    returning = _returning().fullmatch(clause)
    day = (returning["behind"] or returning["before"]) if returning and len(line) <= _MOST_CHARS else None
    if not day or not _is_day(_meaning(day)):
        return None
    leaving = _absent().fullmatch(_CLAUSES.split(line)[0])
    period = f"{leaving['behind'] or leaving['before']} - {clause}" if leaving else ""
    return period if is_period(period) else clause


@cache
def _absent() -> re.Pattern[str]:
    """Return the pattern of a line that says that its writer is away, and more."""
    return _beside_phrases("words")


@cache
def _returning() -> re.Pattern[str]:
    """Return the pattern of a clause that says that its writer comes back, and more."""
    return _beside_phrases("returning")


def _beside_phrases(meaning: str) -> re.Pattern[str]:
    named = (word for word, meant in meanings_in("absent").items() if meant == meaning)
    phrases = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
    return re.compile(rf"(?:{phrases})[ ,]*(?P<behind>.+)|(?P<before>.+?)[ ,]*(?:{phrases})")


def days_in(text: str) -> int | None:
    """Return the days that a sentence names, as in "five days" and "two more weeks", None if it names none.

    It is 0 if the sentence names hours. "A few days" names none.
    """
    named = _COUNTED.search(_meaning_of_sentence(text))
    if named is None:
        return None
    number, unit = named.group("number", "unit")
    return int(number) * _HOURS[unit] // _HOURS["day"]


def more_days_in(text: str) -> tuple[int, str, bool] | None:
    """Return the days that a line in plain form names beside those that one has, its other words, and if it wishes.

    They are 5 for "I need 5 more days". Behind "more time" they are wished for, whatever the other words are.
    """
    named = _more_days().search(bare(text).lower())
    if named is None or named.lastindex is None or not (days := days_in(named[named.lastindex])):
        return None
    return days, f"{named.string[: named.start()]} {named.string[named.end() :]}", bool(named[3])


@cache
def _more_days() -> re.Pattern[str]:
    """Return the pattern of a number of days with words that make them more."""
    meanings, more = meanings_in("dates"), meanings_in("more days")
    numbers = rf"(?:\d{{1,3}}|{_any_of(word for word in meanings if meanings[word].isdigit())})"
    units = _any_of(word for word in meanings if meanings[word] in ("day", "week"))
    beside, before, wish = (
        _longest(word for word in more if more[word] == meaning) for meaning in ("beside", "before", "wish")
    )
    length = rf"[ ,:]*({numbers} ?(?:{units}))"
    forms = rf"({numbers} (?:{beside}) (?:{units}))|(?:{before}){length}|(?:{wish}){length}"
    return re.compile(rf"(?<!{_LETTER})(?:{forms})(?!{_LETTER})")


def _longest(words: Iterable[str]) -> str:
    return _any_of(sorted(words, key=len, reverse=True))
