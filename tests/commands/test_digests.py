"""When a digest comes: what is typed, how it is written, and when it leaves next."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.digests import DigestChoice
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.world.digests import LONGEST_WAIT, Digest
from tests.support.tables import each_row

READ = (
    ("daily 8:00", "daily 8:00"),
    ("daily", "daily 8:00"),
    ("8", "daily 8:00"),
    ("at 8:05", "daily 8:05"),
    ("daily at 20.30", "daily 20:30"),
    ("every day 7h15", "daily 7:15"),
    ("8pm", "daily 20:00"),
    ("12 a.m.", "daily 0:00"),
    ("12pm", "daily 12:00"),
    ("weekdays 7:30", "weekdays 7:30"),
    ("on weekdays", "weekdays 8:00"),
    ("every morning at 8", "daily 8:00"),
    ("at eight", "daily 8:00"),
    ("daily noon", "daily 12:00"),
    ("none", "off"),
    ("каждый день в 8:00", "daily 8:00"),
    ("по будням 7:30", "weekdays 7:30"),
    ("выкл", "off"),
    ("每天8:00", "daily 8:00"),
    ("每天早上8点", "daily 8:00"),
    ("工作日7:30", "weekdays 7:30"),
    ("关闭", "off"),
    ("Quiet", "quiet"),
    ("OFF", "off"),
    ("daily 25:00", None),
    ("daily 8:60", None),
    ("13pm", None),
    ("of the week", None),
    ("daily news", None),
    ("", None),
)


@each_row(("text", "written"), READ)
def test_a_time_is_read_as_people_write_it(text: str, written: str | None) -> None:
    orders = understand(f"digest {text}", anywhere(GAMES, COMMANDS)).orders
    choices = [order.arguments.choice for order in orders if isinstance(order.arguments, DigestChoice)]
    assert choices == ([] if written is None else [written])


def test_what_is_written_is_read_again() -> None:
    for digest in (Digest(), Digest(time(0)), Digest(time(23, 59)), Digest(time(7, 5), weekends=False)):
        assert Digest.read(digest.written) == digest
    assert [Digest.read(text) for text in ("", "off", "daily", "daily 24:00", "daily 8:60")] == [None] * 5


BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = datetime(2026, 11, 27, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("digest", "now", "leaves_at"),
    [
        (Digest(time(9)), FRIDAY, datetime(2026, 11, 27, 8, 0, tzinfo=UTC)),
        (Digest(time(8, 30)), FRIDAY, datetime(2026, 11, 28, 7, 30, tzinfo=UTC)),
        (Digest(time(8), weekends=False), FRIDAY, datetime(2026, 11, 30, 7, 0, tzinfo=UTC)),
        # In the night to 29 March 2027 there is no 2:30. It leaves an hour later then.
        (
            Digest(time(2, 30)),
            datetime(2027, 3, 27, 12, tzinfo=UTC),
            datetime(2027, 3, 28, 1, 30, tzinfo=UTC),
        ),
        (Digest(), FRIDAY, FRIDAY + LONGEST_WAIT),
    ],
)
def test_it_leaves_by_the_clock_of_its_reader(digest: Digest, now: datetime, leaves_at: datetime) -> None:
    assert digest.next_after(now, BERLIN) == leaves_at
