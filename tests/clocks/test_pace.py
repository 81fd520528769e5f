"""The agreed time for turns, and time that runs and stands."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.world.pace import DAY, Outage, Pace, TimeOff, after, running
from tests.support.tables import each_row

BEGIN = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    return BEGIN + hours * HOUR


def outage(began: float, ended: float) -> Outage:
    return Outage(at(began), at(ended))


@each_row(
    ("text", "written"),
    [
        ("days=3", "days=3"),
        ("days=003", "days=3"),
        ("days=365", "days=365"),
        ("time=14d+1d", "time=14d+1d"),
        ("time=7d+12h", "time=7d+12h"),
        ("time=36h+24h", "time=1d12h+1d"),
        ("hours=36", "hours=36"),
        ("hours=48", "days=2"),
        ("days=1d12h", "hours=36"),
        ("days=3 weekdays", "days=3 weekdays"),
        ("time=1d12h+6h weekdays", "time=1d12h+6h weekdays"),
    ],
)
def test_a_pace_is_written_in_one_form(text: str, written: str) -> None:
    pace = Pace.read(text)
    assert pace is not None
    assert pace.write() == written
    assert Pace.read(written) == pace


@each_row(
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
        "time=7d+0h",
        "time=+",
        "days=",
        "hours=8761",
        "weekdays",
        "days=3 weekends",
        "days=3 ",
        "days=٣",
    ],
)
def test_what_is_no_pace(text: str) -> None:
    assert Pace.read(text) is None


@each_row(
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


SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


@each_row(
    ("begins", "days", "zone", "stops", "ends"),
    [
        # 4 December is a Friday.
        ("12-01 12:00", 3, UTC, [], "12-04 12:00"),
        ("12-03 12:00", 3, UTC, [], "12-08 12:00"),
        ("12-05 12:00", 1, UTC, [], "12-08 00:00"),
        ("12-03 00:00", 2, UTC, [], "12-07 00:00"),
        ("12-04 12:00", 1, SHANGHAI, [], "12-07 12:00"),
        ("12-04 16:00", 1, SHANGHAI, [], "12-07 16:00"),
        ("12-04 20:00", 1, SHANGHAI, [], "12-07 16:00"),
        ("12-04 12:00", 14, UTC, [], "12-24 12:00"),
        # The weekend at whose end summer time begins has 47 hours.
        ("03-27 12:00", 1, BERLIN, [], "03-30 11:00"),
        # Time off from Thursday to Monday noon, with a weekend within.
        ("12-02 12:00", 2, UTC, [("12-03 12:00", "12-07 12:00")], "12-08 12:00"),
        ("12-02 12:00", 3, UTC, [("12-04 12:00", "12-05 12:00")], "12-08 00:00"),
    ],
)
def test_a_clock_stands_at_weekends_in_a_time_zone(
    begins: str, days: int, zone: tzinfo, stops: list[tuple[str, str]], ends: str
) -> None:
    def time(text: str) -> datetime:
        return datetime.strptime(f"2026-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)

    off = [TimeOff(time(began), time(ended)) for began, ended in stops]
    assert after(time(begins), days * DAY, off, zone) == time(ends)
    assert running(time(begins), time(ends), off, zone) == days * DAY


@given(TIMES, st.integers(0, 2000), STOPS)
def test_with_weekends_a_span_is_over_when_it_has_run(start: int, span: int, stops: list[Outage]) -> None:
    end = after(at(start), span * HOUR, stops, BERLIN)
    assert running(at(start), end, stops, BERLIN) == span * HOUR


def test_a_day_is_always_24_hours() -> None:
    assert timedelta(hours=24) == DAY
