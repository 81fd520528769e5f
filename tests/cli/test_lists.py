"""Tables and lines of JSON for the operator."""

from datetime import UTC, datetime

import pytest

from takmail.cli.lists import Cells, json_line, table
from takmail.letters.templates import age

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([], []),
        ([{"number": 7, "name": "Ada"}], ["number  name", "     7  Ada"]),
        (
            [{"name": "Ada", "number": 7}, {"name": "Benjamin", "number": 1_200}],
            ["name      number", "Ada            7", "Benjamin    1200"],
        ),
        ([{"at": NOON, "why": None}], ["at                why", "2026-11-21 12:00"]),
        ([{"name": "a\x1b[31mb", "why": "c\nd"}], ["name     why", "a\ufffd[31mb  c\ufffdd"]),
        ([{"a": "x" * 41, "b": "y" * 41}], [f"a{' ' * 41}b", f"{'x' * 39}…  {'y' * 41}"]),
    ],
    ids=["nothing", "a row", "numbers to the right", "a time, and no value", "controls", "too long"],
)
def test_a_table_has_headings_and_aligned_columns(rows: list[Cells], lines: list[str]) -> None:
    assert table(rows).splitlines() == lines


def test_a_line_of_json_has_times_in_utc_and_nothing_that_a_terminal_acts_on() -> None:
    assert json_line({"at": NOON, "who": "é\x1b\x7f"}) == (
        '{"at": "2026-11-21T12:00:00+00:00", "who": "\\u00e9\\u001b\\u007f"}'
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"), (172_800, "2 days")],
)
def test_an_age_has_the_largest_unit_that_tells_enough(seconds: int, said: str) -> None:
    assert age(seconds) == said
