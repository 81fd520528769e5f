"""Which time zone a player has."""

from datetime import datetime, timedelta
from importlib.resources import files

import pytest

from takmail.commands.command import Arguments, LineFault, Unclear
from takmail.commands.grammar.zones import Zone, is_chosen, zone_named, zones_like
from takmail.world import tzinfo_of
from tests.support.orders import line_as
from tests.support.tables import each_row


@each_row(
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


@each_row(
    ("text", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("BERLIN.", "Europe/Berlin"),
        ("Берлин", "Europe/Berlin"),
        ("柏林", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("New_York", "America/New_York"),
        ("нью йорк", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Port-au-Prince", "America/Port-au-Prince"),
        ("Киев", "Europe/Kyiv"),
        ("Kiev", "Europe/Kiev"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),  # the older of two names is only a link
        ("北京", "Asia/Shanghai"),
        ("Pacific time", "America/Los_Angeles"),
        ("UTC", "UTC"),
        ("gmt", "UTC"),
        ("utc+2", "UTC+02:00"),
        ("UTC -3:30", "UTC-03:30"),
        ("+0200", "UTC+02:00"),
        ("-5", "UTC-05:00"),
        ("+14", "UTC+14:00"),
        ("UTC+02:00", "UTC+02:00"),
        ("GMT+2", "UTC+02:00"),  # and not the zone Etc/GMT+2, which is west of UTC
        ("Etc/GMT+2", "Etc/GMT+2"),
        ("+1430", None),
        ("+2:60", None),
        ("", None),
        ("Mountain", None),  # in the US and in Canada
        ("Europe", None),
        ("Xanadu", None),
    ],
)
def test_a_zone_is_named_by_its_city_or_its_offset(text: str, name: str | None) -> None:
    assert zone_named(text) == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Berlim", ("Europe/Berlin",)),
        ("Europe/Berln", ("Europe/Berlin", "Europe/Dublin")),
        ("Mountain", ("Canada/Mountain", "US/Mountain")),
        ("Москве", ("Europe/Moscow",)),
        ("Xanadu", ()),
        ("", ()),
        ("a" * 5_000, ()),
    ],
)
def test_zones_that_look_alike(text: str, names: tuple[str, ...]) -> None:
    assert zones_like(text) == names


@each_row(
    ("line", "means"),
    [
        ("zone Berlin", Zone("Europe/Berlin")),
        ("Zone: berlin", Zone("Europe/Berlin")),
        ("/zone UTC+2", Zone("UTC+02:00")),
        ("zone auto", Zone("auto")),
        ("time zone Berlin", Zone("Europe/Berlin")),
        ("Timezone Europe/Berlin", Zone("Europe/Berlin")),
        ("часовой пояс Москва", Zone("Europe/Moscow")),
        ("Часовой пояс: Москва", Zone("Europe/Moscow")),
        ("时区 上海", Zone("Asia/Shanghai")),
        ("时区: 北京", Zone("Asia/Shanghai")),
        ("zone Berlim", Unclear(LineFault.ZONE, "Berlim", ("zone Europe/Berlin",))),
        ("часовой пояс Берлим", Unclear(LineFault.ZONE, "Берлим", ("zone Europe/Berlin",))),
        ("zone Xanadu", Unclear(LineFault.ZONE, "Xanadu")),
        ("/zone of silence", Unclear(LineFault.ZONE, "of silence")),
        ("zone of silence", None),
        ("time zones are hard", None),
        ("часовой у ворот", None),
    ],
)
def test_a_line_that_chooses_a_zone(line: str, means: Arguments | None) -> None:
    assert line_as(line, is_first=False) == means


def test_each_name_of_the_zone_database_is_read_as_it_is_written() -> None:
    names = files("tzdata").joinpath("zones").read_text(encoding="ascii").split()
    assert len(names) > 500
    for name in names:
        zone = zone_named(name)
        assert zone is not None
        assert str(tzinfo_of(zone)) == zone
        assert line_as(f"zone {Zone(zone).written()}", is_first=False) == Zone(zone), name
