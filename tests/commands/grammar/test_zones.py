"""Which time zone a player has."""

from datetime import datetime, timedelta

import pytest

from takmail.commands.grammar.zones import is_chosen, tzinfo_of


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        (None, 0),
        ("Europe/Berlin", 2),
        ("America/New_York", -4),
        ("+0100", 1),
        ("UTC+02:00", 2),
        ("UTC-03:30", -3.5),
        ("UTC", 0),
        ("-0330", -3.5),
        ("+9900", 0),
        ("Europe", 0),
        ("Nowhere/Else", 0),
        ("../etc/passwd", 0),
        ("", 0),
    ],
)
def test_a_time_zone_is_a_name_or_an_offset(zone: str | None, hours: float) -> None:
    assert datetime(2026, 7, 1, tzinfo=tzinfo_of(zone)).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("zone", "is_so"),
    [
        (None, False),
        ("+0100", False),
        ("-0330", False),
        ("Europe/Berlin", True),
        ("UTC", True),
        ("UTC+02:00", True),
    ],
)
def test_a_bare_offset_is_not_chosen(zone: str | None, is_so: bool) -> None:
    assert is_chosen(zone) is is_so
