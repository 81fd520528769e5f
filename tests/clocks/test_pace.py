"""The agreed time for turns, and time that runs and stands."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.world.pace import DAY, Outage, Pace, TimeOff, after, running

BEGIN = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    return BEGIN + hours * HOUR


def outage(began: float, ended: float) -> Outage:
    return Outage(at(began), at(ended))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("days=3", "days=3"),
        ("days=003", "days=3"),
        ("days=365", "days=365"),
        ("time=14d+1d", "time=14d+1d"),
    ],
)
def test_a_pace_is_written_in_one_form(text: str, written: str) -> None:
    pace = Pace.read(text)
    assert pace is not None
    assert pace.write() == written
    assert Pace.read(written) == pace


@pytest.mark.parametrize(
    "text",
    [
        "",
        "days=0",
        "days=366",
        "days=-1",
        "days=3.5",
        "days=1000",
        "time=0d",
        "time=0d+1d",
        "time=366d+1d",
        "time=14d+366d",
        "time=14",
        "time=14d",
        "time=14d+0d",
        "time=none",
        "days=3 ",
        "days=٣",
    ],
)
def test_what_is_no_pace(text: str) -> None:
    assert Pace.read(text) is None


@pytest.mark.parametrize(
    ("start", "end", "stops", "hours"),
    [
        (0, 10, [], 10),
        (10, 0, [], 0),
        (0, 10, [outage(2, 4)], 8),
        (0, 10, [outage(-5, 4)], 6),
        (0, 10, [outage(8, 20)], 8),
        (0, 10, [outage(-5, 20)], 0),
        (0, 10, [outage(2, 6), outage(4, 8)], 4),
        (0, 10, [outage(2, 8), outage(4, 5)], 4),
        (0, 10, [outage(6, 7), outage(2, 3)], 8),
        (0, 10, [outage(2, 4), TimeOff(at(3), at(6))], 6),
        (0, 10, [outage(10, 12)], 10),
    ],
)
def test_a_clock_stands_within_stops(start: float, end: float, stops: list[Outage], hours: float) -> None:
    assert running(at(start), at(end), stops) == hours * HOUR


@pytest.mark.parametrize(
    ("span", "stops", "ends"),
    [
        (10, [], 10),
        (10, [outage(2, 4)], 12),
        (10, [outage(2, 4), outage(11, 13)], 14),
        # A span that ends where a stop begins is over after it.
        (2, [outage(2, 4)], 4),
        (10, [outage(-3, 4)], 14),
        (10, [outage(2, 6), outage(4, 8)], 16),
        (0, [outage(0, 4)], 4),
    ],
)
def test_when_a_clock_has_run_for_a_span(span: float, stops: list[Outage], ends: float) -> None:
    assert after(BEGIN, span * HOUR, stops) == at(ends)


TIMES = st.integers(-100, 300)
STOPS = st.lists(st.tuples(TIMES, TIMES).map(sorted).map(lambda pair: outage(*pair)), max_size=6)


@given(TIMES, st.integers(0, 200), STOPS)
def test_what_has_run_until_the_end_of_a_span_is_the_span(start: int, span: int, stops: list[Outage]) -> None:
    end = after(at(start), span * HOUR, stops)
    assert running(at(start), end, stops) == span * HOUR


def test_a_day_is_always_24_hours() -> None:
    assert timedelta(hours=24) == DAY
