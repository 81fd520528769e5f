"""Until when players can be away, how many days off that takes, and what opponents are told of it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from takmail.commands.answers import Refusal
from takmail.commands.grammar.absence import Away, absence_in
from takmail.commands.time_off import announced_until, come_back, tell
from takmail.world.news import CameBack, WentAway
from takmail.world.pace import TimeOff
from takmail.world.players import Player
from tests.commands.build import AS_ADA, Stored, after, context, first
from tests.support.orders import do, line_as

NOW = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)
"""A Wednesday."""
DAY = timedelta(days=1)


def away(text: str, ada: Player = AS_ADA, now: datetime = NOW) -> object:
    """Return what the answer to `away` tells, and the time off after it."""
    here = replace(context(by=ada, stored=Stored().put(ada)), now=now)
    answer = do(here, Away(text))
    if isinstance(answer, Refusal):
        return (answer.facts["fault"], *answer.facts["days"])  # type: ignore[misc]
    told, player = first(answer), after(here, answer).player
    assert isinstance(told, WentAway)
    assert player is not None
    assert player.time_off[-1].began_at == now
    return told.until, player.time_off[-1].ended_at, told.left


def at(month: int, day: int, hour: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


LONGEST = date(2026, 12, 24)
"""With 30 days left, as the rest of the first day is less than one."""


@pytest.mark.parametrize(
    ("text", "zone", "told"),
    [
        ("until Friday", None, (date(2026, 11, 27), at(11, 28), ((2026, 27),))),
        ("until 4 December", "Europe/Berlin", (date(2026, 12, 4), at(12, 4, 23), ((2026, 20),))),
        ("4.12.", "-0500", (date(2026, 12, 4), at(12, 5, 5), ((2026, 20),))),
        ("2026-11-25", None, (date(2026, 11, 25), at(11, 26), ((2026, 29),))),
        ("1 day", None, (date(2026, 11, 26), at(11, 27), ((2026, 28),))),
        ("36h", None, (date(2026, 11, 26), at(11, 27), ((2026, 28),))),
        ("2 hours", None, (date(2026, 11, 25), at(11, 26), ((2026, 29),))),
        ("tomorrow", "Asia/Tokyo", (date(2026, 11, 26), at(11, 26, 15), ((2026, 28),))),
        ("29 days", None, (LONGEST, at(12, 25), ((2026, 0),))),
        ("30 days", None, (LONGEST, at(12, 25), ((2026, 0),))),
        ("31 days", None, ("long", LONGEST)),
        ("until 25 December", None, ("long", LONGEST)),
        ("until 9999-12-31", None, ("long", LONGEST)),
        ("until 2026-11-24", None, ("past", LONGEST)),
        ("until 0001-01-01", None, ("past", LONGEST)),
        ("until 31 February", None, ("unreadable", LONGEST)),
        ("until Friday 26 November", None, ("unreadable", LONGEST)),
        ("until 1/12", None, ("ambiguous", date(2026, 12, 1), date(2027, 1, 12))),
        ("до 4 декабря", None, (date(2026, 12, 4), at(12, 5), ((2026, 20),))),
        ("到周五", None, (date(2026, 11, 27), at(11, 28), ((2026, 27),))),
    ],
)
def test_time_off_lasts_until_the_end_of_a_day(text: str, zone: str | None, told: object) -> None:
    assert away(text, replace(AS_ADA, zone=zone)) == told


@pytest.mark.parametrize(
    ("off", "now", "text", "told"),
    [
        # What was taken counts, whether announced or not, and also when a new one replaces it.
        ([(at(3, 1), at(3, 21))], NOW, "20 days", ("long", date(2026, 12, 4))),
        ([(at(3, 1), at(3, 31))], NOW, "1 day", ("long",)),
        (
            [(at(11, 23, 10), at(12, 23))],
            NOW,
            "until 30 November",
            (date(2026, 11, 30), at(12, 1), ((2026, 22),)),
        ),
        # Over New Year it counts in both years.
        (
            [],
            at(12, 27),
            "until 2027-01-05",
            (date(2027, 1, 5), at(1, 6, year=2027), ((2026, 25), (2027, 25))),
        ),
        ([(at(3, 1), at(3, 27))], at(12, 27), "until 2027-01-05", ("long", date(2026, 12, 30))),
        (
            [(at(3, 1), at(3, 26))],
            at(12, 27),
            "until 2027-01-30",
            (date(2027, 1, 30), at(1, 31, year=2027), ((2026, 0), (2027, 0))),
        ),
        ([], at(12, 27), "until 2027-01-31", ("long", date(2027, 1, 30))),
        ([], at(12, 27), "until 31 December", (date(2026, 12, 31), at(1, 1, year=2027), ((2026, 25),))),
    ],
)
def test_thirty_days_of_a_year_can_be_taken(
    off: list[tuple[datetime, datetime]], now: datetime, text: str, told: object
) -> None:
    taken = tuple(TimeOff(began, ended, is_automatic=True) for began, ended in off)
    assert away(text, replace(AS_ADA, time_off=taken), now) == told


def test_the_days_that_were_not_used_are_left() -> None:
    ada = replace(AS_ADA, time_off=(TimeOff(NOW - DAY, NOW + 9 * DAY),))
    here = replace(context(by=ada, stored=Stored().put(ada)), now=NOW)
    answer = come_back(here)
    assert first(answer) == CameBack(player=ada.id, left=((2026, 29),))
    player = after(here, answer).player
    assert player is not None
    assert player.time_off == (TimeOff(NOW - DAY, NOW),)


@pytest.mark.parametrize(
    ("off", "facts"),
    [
        ((), (False, None, 30)),
        ((TimeOff(NOW, at(12, 5)),), (True, date(2026, 12, 4), 20)),
        ((TimeOff(NOW, NOW + DAY, is_automatic=True),), (True, None, 29)),
        ((TimeOff(NOW - 2 * DAY, NOW),), (False, None, 28)),
    ],
)
def test_away_alone_tells_how_it_is(off: tuple[TimeOff, ...], facts: tuple[object, ...]) -> None:
    ada = replace(AS_ADA, time_off=off)
    told = tell(replace(context(by=ada, stored=Stored().put(ada)), now=NOW)).facts
    assert (told["is_away"], told["until"], told["left"]) == (*facts[:2], ((2026, facts[2]),))


@pytest.mark.parametrize("hours", [*range(-10, 14), 5.5, -3.5])
@pytest.mark.parametrize("moved_to", [None, "+0900", "-0500", "Europe/Berlin"])
def test_the_day_that_is_told_is_the_announced_one_wherever_the_player_is_now(
    hours: float, moved_to: str | None
) -> None:
    ended_at = at(12, 25) - timedelta(hours=hours)
    ada = replace(AS_ADA, zone=moved_to, time_off=(TimeOff(NOW, ended_at),))
    assert announced_until(ada, NOW) == date(2026, 12, 24)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("away", "away"),
        ("Away until 24 December", Away("until 24 december")),
        ("/away 10 days", Away("10 days")),
        ("away 2026-12-24", Away("2026-12-24")),
        ("away Friday", Away("friday")),
        ("отпуск до пятницы", Away("до пятницы")),
        ("请假 到周五", Away("到周五")),
        ("away from home", None),
        ("away until the children go to school again", None),
        ("back", "back"),
        ("back on Monday", None),
    ],
)
def test_a_line_says_until_when_or_it_is_chat(line: str, read: object) -> None:
    assert line_as(line, is_first=False) == read


@pytest.mark.parametrize(
    ("words", "until"),
    [
        ("I am away until Friday", "until friday"),
        ("Dear Ada,\n\nI'll be away for two weeks.\n\nBen", "for two weeks"),
        ("Vacation until 24 December!", "until 24 december"),
        ("I'm on holiday, until tomorrow", "until tomorrow"),
        ("I am away on Friday", None),
        ("I am away Friday", None),
        ("I was away until Friday", None),
        ("I am away until Friday, then I will play", None),
        ("меня не будет до 5 января", "до 5 января"),
        ("Меня не будет завтра", None),
        ("到周五我不在", "到周五"),
        ("我不在家", None),
    ],
)
def test_who_says_that_they_are_away_may_mean_their_clocks(words: str, until: str | None) -> None:
    assert absence_in(words) == until
