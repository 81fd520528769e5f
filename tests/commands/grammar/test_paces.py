"""The time for turns as people write it, in all languages."""

import pytest

from takmail.commands.grammar.invitation_forms import Rematch
from takmail.commands.grammar.paces import pace_in, pace_option, with_times_in_short
from takmail.world.pace import NO_TIMING, Timing
from tests.support.orders import line_as
from tests.support.tables import each_row


@each_row(
    ("text", "option"),
    [
        ("days=3", "days=3"),
        ("Days = 3", "days=3"),
        ("days=12h", "hours=12"),
        ("days=12 часов", "hours=12"),
        ("hours=36", "hours=36"),
        ("days=2 weeks", "days=14"),
        ("time=7d+12h", "time=7d+12h"),
        ("time = 7 days + 12 hours", "time=7d+12h"),
        ("time=7天+12小时", "time=7d+12h"),
        ("时间=7天+12小时 周末不算", "time=7d+12h weekdays"),
        ("time=7д+12ч", "time=7d+12h"),
        ("время=7 дней + 12 часов без выходных", "time=7d+12h weekdays"),
        ("time=14+1", "time=14d+1d"),
        ("days=3 weekdays", "days=3 weekdays"),
        ("days=3, no weekends", "days=3 weekdays"),
        ("time=none", "time=none"),
        ("days=3 days=3", None),
        ("days=366", None),
        ("days=3.5", None),
        ("time=14", None),
        ("days=3 and more", None),
        ("weekdays", None),
    ],
)
def test_a_time_for_turns_is_read(text: str, option: str | None) -> None:
    assert pace_option(text) == option


@pytest.mark.parametrize(
    "text",
    ["5 vs ben@example.org komi=2", "birthdays=3", "some days = bad days", "days=1000", "days=1 days=1"],
)
def test_what_is_none_stays(text: str) -> None:
    assert with_times_in_short(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("three days per move", "days=3"),
        ("12 hours per move", "hours=12"),
        ("12 часов на ход", "hours=12"),
        ("每步12小时", "hours=12"),
        ("It took me three hours for each move", None),
    ],
)
def test_a_sentence_names_a_time_for_each_turn(text: str, option: str | None) -> None:
    assert pace_in(text) == option


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("rematch days=3", Rematch(timing=Timing("days=3"))),
        ("rematch time=7d + 12h", Rematch(timing=Timing("time=7d+12h"))),
        ("rematch time=none", Rematch(timing=NO_TIMING)),
        ("rematch days=3 weekdays strict", Rematch(timing=Timing("days=3 weekdays", is_strict=True))),
        ("реванш 6 komi=2", Rematch(("6", "komi=2"))),
        ("rematch next week", None),
        ("rematch at 5, maybe", None),
    ],
)
def test_a_rematch_may_differ(line: str, read: object) -> None:
    assert line_as(line, is_first=False) == read
