"""Which dates and lengths of time are read, in each language."""

from datetime import date, timedelta
from pathlib import Path
from tomllib import loads

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail import vocabulary
from takmail.commands.grammar.dates import length_of, until_of
from takmail.commands.grammar.normalize import plain
from takmail.limits.words import LONGEST_TIME, MAX_DATE_CHARS
from takmail.vocabulary import meanings_in
from tests.support.tables import each_row

TODAY = date(2026, 11, 25)
"""A Wednesday."""
CHRISTMAS = date(2026, 12, 24)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
WORDS = meanings_in("dates")
SECTIONS = [loads(path.read_text())["dates"] for path in Path(vocabulary.__file__).parent.glob("*.toml")]


@each_row(
    ("text", "length"),
    [
        ("10 days", 10 * DAY),
        ("2d", 2 * DAY),
        ("2 d", 2 * DAY),
        ("36h", 36 * HOUR),
        ("36 hrs", 36 * HOUR),
        ("1 week", 7 * DAY),
        ("a week", 7 * DAY),
        ("Two weeks", 14 * DAY),
        ("a fortnight", 14 * DAY),
        ("1d12h", 36 * HOUR),
        ("1 week and 2 days", 9 * DAY),
        ("the next 10 days", 10 * DAY),
        ("week", 7 * DAY),
        ("366 days", 366 * DAY),
        ("10 дней", 10 * DAY),
        ("3 дня", 3 * DAY),
        ("неделю", 7 * DAY),
        ("Две недели", 14 * DAY),
        ("5 нед.", 35 * DAY),
        ("двух суток", 2 * DAY),
        ("36 ч", 36 * HOUR),
        ("12 часов", 12 * HOUR),
        ("10天", 10 * DAY),
        ("10 天", 10 * DAY),
        ("十天", 10 * DAY),
        ("二十五天", 25 * DAY),
        ("两周", 14 * DAY),
        ("兩個星期", 14 * DAY),
        ("一个星期", 7 * DAY),
        ("36小时", 36 * HOUR),
    ],
)
def test_a_length_of_time_is_read(text: str, length: timedelta) -> None:
    assert length_of(text) == length


@each_row(
    "text",
    [
        "",
        "10",
        "d",
        "days 10",
        "0 days",
        "-3 days",
        "1.5 days",
        "3-4 days",
        "367 days",
        "9000 hours",
        "99999 hours",
        "2 months",
        "in 3 days",
        "3 days ago",
        "next week",
        "three long weeks",
        "10 Friday d",
        "a while",
        "долго",
        "два месяца",
        "一个月",
        "三天前",
        "下周",
    ],
)
def test_what_else_is_no_length(text: str) -> None:
    assert length_of(text) is None


@each_row(
    "text",
    [
        "2026-12-24",
        "24 December",
        "December 24",
        "December 24th",
        "24th of December",
        "the 24th of December 2026",
        "Dec. 24, 2026",
        "24 Dec",
        "24. dec",
        "24-Dec-2026",
        "24.12.",
        "24.12",
        "24.12.2026",
        "24.12.26",
        "24/12",
        "12/24",
        "24/12/2026",
        "12/24/26",
        "24-12-2026",
        "the 24th",
        "24 декабря",
        "24-го декабря",
        "24 дек.",
        "24 декабря 2026 г.",
        "24 декабря 2026 года",
        "24-е декабря",
        "24 числа",
        "12月24日",
        "12 月 24 日",
        "12月24号",
        "十二月二十四日",
        "2026年12月24日",
        "24号",
        "Thursday, 24 December",
        "четверг, 24 декабря",
        "12月24日星期四",
    ],
)
def test_a_date_is_read(text: str) -> None:
    assert until_of(text, TODAY) == [CHRISTMAS]


@each_row(
    ("text", "days"),
    [
        ("today", 0),
        ("сегодня", 0),
        ("今天", 0),
        ("tomorrow", 1),
        ("завтра", 1),
        ("明天", 1),
        ("the day after tomorrow", 2),
        ("послезавтра", 2),
        ("Thursday", 1),
        ("Friday", 2),
        ("next Friday", 2),
        ("this Fri", 2),
        ("tues.", 6),
        ("Wednesday", 7),
        ("пятницы", 2),
        ("следующей пятницы", 2),
        ("среды", 7),
        ("周五", 2),
        ("星期五", 2),
        ("本周五", 2),
        ("禮拜天", 4),
        ("周三", 7),
        ("下周五", 9),
        ("下个星期一", 5),
        ("下週日", 11),
    ],
)
def test_a_day_is_counted_from_today(text: str, days: int) -> None:
    assert until_of(text, TODAY) == [TODAY + days * DAY]


@each_row(
    ("text", "day"),
    [
        ("25 October", date(2027, 10, 25)),
        ("26 October", date(2026, 10, 26)),
        ("24 November", date(2026, 11, 24)),
        ("25 November", date(2026, 11, 25)),
        ("26 November", date(2026, 11, 26)),
        ("25.11.2026", date(2026, 11, 25)),
        ("1 May 2020", date(2020, 5, 1)),
        ("29 February", date(2028, 2, 29)),
        ("29.2.", date(2028, 2, 29)),
        ("31号", date(2026, 12, 31)),
        ("the 24th", CHRISTMAS),
        ("the 25th", TODAY),
        ("May 5", date(2027, 5, 5)),
        ("3/3", date(2027, 3, 3)),
    ],
)
def test_without_a_year_it_is_the_next_such_day_or_one_of_the_last(text: str, day: date) -> None:
    assert until_of(text, TODAY) == [day]


def test_a_leap_day_may_be_eight_years_away() -> None:
    assert until_of("29 February", date(2096, 4, 1)) == [date(2104, 2, 29)]


def test_a_date_with_a_slash_may_have_two_readings() -> None:
    two = [date(2027, 4, 3), date(2027, 3, 4)]
    assert until_of("3/4", TODAY) == until_of("3-4", TODAY) == until_of("03/04/2027", TODAY) == two
    assert until_of("11/12", TODAY) == [date(2026, 12, 11), date(2026, 11, 12)]
    assert until_of("29/2/2027", TODAY) == []


@each_row(
    "text",
    [
        "",
        "24",
        "December",
        "December 2026",
        "31 February",
        "29.2.2027",
        "32.1.",
        "0.1.",
        "12.24.",
        "13/13",
        "2026-13-01",
        "0000-01-01",
        "99999-01-01",
        "24.12.99999",
        "24 December 18:00",
        "from 24 December",
        "Friday, 24 December",
        "on a Friday",
        "monday friday",
        "two Fridays",
        "24 ordinal month 12",
        "friday13",
        "yesterday",
        "31 июня",
        "2月30日",
        "12月",
        "112月24日",
        "三十二号",
    ],
)
def test_what_else_is_no_date(text: str) -> None:
    assert until_of(text, TODAY) == []


@each_row(
    ("text", "until"),
    [
        ("until 24 December", [CHRISTMAS]),
        ("till Dec 24th", [CHRISTMAS]),
        ("to 24.12.", [CHRISTMAS]),
        ("24 December", [CHRISTMAS]),
        ("until 3/4", [date(2027, 4, 3), date(2027, 3, 4)]),
        ("until next Friday", [date(2026, 11, 27)]),
        ("until tomorrow", [date(2026, 11, 26)]),
        ("for 10 days", 10 * DAY),
        ("10 days", 10 * DAY),
        ("for a week", 7 * DAY),
        ("до 24 декабря", [CHRISTMAS]),
        ("по 24 декабря", [CHRISTMAS]),
        ("до пятницы", [date(2026, 11, 27)]),
        ("на 10 дней", 10 * DAY),
        ("на неделю", 7 * DAY),
        ("到12月24日", [CHRISTMAS]),
        ("到 12 月 24 日 为止", [CHRISTMAS]),
        ("12月24日之前", [CHRISTMAS]),
        ("到周五", [date(2026, 11, 27)]),
        ("10天", 10 * DAY),
        ("为期两周", 14 * DAY),
        ("until", []),
        ("for", []),
        ("until 10 days", []),
        ("for Friday", []),
        ("until until Friday", []),
        ("三天前", []),
        ("until later", []),
        ("", []),
    ],
)
def test_how_long_somebody_is_away_is_read(text: str, until: list[date] | timedelta) -> None:
    assert until_of(text, TODAY) == until


def in_numbers(day: date) -> list[str]:
    year, month, number = day.year, day.month, day.day
    return [
        f"{number}.{month}.{year}",
        f"{number:02}.{month:02}.{year}",
        day.isoformat(),
        f"{number}.{month}.{year % 100:02}",
    ]


def words_for(meaning: str) -> list[str]:
    """Return the words of all languages for something. The Chinese ones have no spaces beside them."""
    return [word for word, stands_for in WORDS.items() if stands_for == meaning]


def in_words(day: date) -> list[str]:
    """Return a date with each word for its month, with the year at the end or, in Chinese, at the beginning."""
    number, year = day.day, day.year
    texts = []
    for month in words_for(f"month {day.month}"):
        if "月" in month:
            texts += [f"{year}年{month}{number}日", f"{year} 年 {month} {number:02} 号"]
        else:
            texts += [
                f"{number} {month} {year}",
                f"{month.upper()} {number}, {year}",
                f"{number}. {month}. {year}",
            ]
    return texts


def without_year(day: date) -> list[str]:
    texts = [f"{day.day}.{day.month}.", f"{day.day}.{day.month}"]
    for month in words_for(f"month {day.month}"):
        texts += (
            [f"{month}{day.day}日"]
            if "月" in month
            else [f"{day.day} {month}", f"{month} {day.day}th", f"{day.day}-го {month}"]
        )
    return texts


days = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(days, days)
def test_a_date_written_in_any_form_is_read_back(day: date, today: date) -> None:
    for text in (*in_numbers(day), *in_words(day)):
        assert until_of(text, today) == [day], text


@given(days, days)
def test_a_date_without_a_year_is_the_next_such_day_from_thirty_days_ago(day: date, today: date) -> None:
    expected = today - 30 * DAY
    while (expected.month, expected.day) != (day.month, day.day):
        expected += DAY
    for text in without_year(day):
        assert until_of(text, today) == [expected], text


@given(days, days)
def test_a_date_with_slashes_is_read_or_ambiguous(day: date, today: date) -> None:
    for first, second in ((day.day, day.month), (day.month, day.day)):
        read = until_of(f"{first}/{second}/{day.year}", today)
        assert isinstance(read, list)
        assert day in read
        assert len(read) == (1 if day.day > 12 or day.day == day.month else 2)


@given(days)
def test_each_word_for_a_weekday_is_the_next_one(today: date) -> None:
    for ahead in range(1, 8):
        expected = today + ahead * DAY
        for word in words_for(f"weekday {expected.isoweekday()}"):
            assert until_of(word, today) == [expected], word


@each_row("number", range(1, 32))
def test_each_word_for_a_number_is_read(number: int) -> None:
    assert length_of(f"{number} days") == number * DAY
    for word in words_for(str(number)):
        assert length_of(f"{word} days") == number * DAY, word
        assert length_of(f"{word}天") == number * DAY, word


@pytest.mark.parametrize(
    ("meanings", "length"),
    [(("hour", "h"), HOUR), (("day", "d"), DAY), (("week", "w"), 7 * DAY)],
)
def test_each_word_for_a_unit_is_read(meanings: tuple[str, ...], length: timedelta) -> None:
    for word in (word for meaning in meanings for word in words_for(meaning)):
        assert length_of(f"3 {word}") == length_of(f"3{word}") == 3 * length, word


@each_row("leading", [*words_for("until"), *words_for("for")])
def test_each_word_before_a_time_is_dropped(leading: str) -> None:
    is_until = leading in words_for("until")
    assert until_of(f"{leading} 24.12.", TODAY) == ([CHRISTMAS] if is_until else [])
    assert until_of(f"{leading} 3 d", TODAY) == ([] if is_until else 3 * DAY)


def test_a_word_has_one_meaning_in_all_languages() -> None:
    words = [word for section in SECTIONS for entries in section.values() for word in entries]
    assert len(words) == len(set(words)) == len(WORDS)
    assert all(word == plain(word).casefold() for word in words)


parts = [*WORDS, "0", "1", "3", "12", "24", "29", "31", "2026", "99999", "0000", *"./-,?x月²", "١٢"]
written = st.lists(st.sampled_from(parts), max_size=12).map(tuple)
texts = st.text() | st.builds(str.join, st.sampled_from(["", " "]), written)


@given(texts, days)
def test_nothing_raises(text: str, today: date) -> None:
    length, until = length_of(text), until_of(text, today)
    assert length is None or timedelta(0) < length <= LONGEST_TIME
    assert isinstance(until, list | timedelta)


@each_row("text", ["9", "1 d ", "1.", "24 december ", "'", "-го ", "二十", "İ"])
def test_a_long_text_is_none(text: str) -> None:
    for times in (MAX_DATE_CHARS // len(text), 100_000):
        assert length_of(text * times) is None or times < 100_000
        assert until_of(text * times, TODAY) == [] or times < 100_000
