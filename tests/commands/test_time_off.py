"""Until when players can be away, how many days off that takes, and what opponents are told of it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from takmail.commands.answers import Refusal
from takmail.commands.clocks import cancel_time_off, come_back, tell_time_off
from takmail.commands.grammar.dates import Away, absence_in
from takmail.world.clock import announced_until, zone_of
from takmail.world.events import CameBack, WentAway
from takmail.world.pace import TimeOff, day_or_time
from takmail.world.players import Player
from tests.commands.build import AS_ADA, Stored, after, context, first
from tests.support.orders import do, line_as
from tests.support.tables import each_row

NOW = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)
"""A Wednesday."""
DAY = timedelta(days=1)


def away(text: str, ada: Player = AS_ADA, now: datetime = NOW) -> object:
    """Return what the answer to `away` tells, and the time off after it."""
    here = replace(context(by=ada, stored=Stored().put(ada)), now=now)
    answer = do(here, Away(text))
    if isinstance(answer, Refusal):
        return (answer.facts["fault"], answer.facts["read_as"], *answer.facts["days"])  # type: ignore[misc]
    told, player = first(answer), after(here, answer).player
    assert isinstance(told, WentAway)
    assert player is not None
    assert player.time_off[-1].began_at == now
    until = day_or_time(told.time_off[0].ended_at, zone_of(ada))
    return until, player.time_off[-1].ended_at, told.left


def at(month: int, day: int, hour: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


LONGEST = date(2026, 12, 24)
"""With 30 days left."""


@each_row(
    ("text", "told"),
    [
        ("until Friday", (date(2026, 11, 27), at(11, 28), ((2026, 27),))),
        ("until 4 December", (date(2026, 12, 4), at(12, 5), ((2026, 20),))),
        ("2026-11-25", (date(2026, 11, 25), at(11, 26), ((2026, 29),))),
        ("today", (date(2026, 11, 25), at(11, 26), ((2026, 29),))),
        ("until 25 November", (date(2026, 11, 25), at(11, 26), ((2026, 29),))),
        ("1 day", (at(11, 26, 10), at(11, 26, 10), ((2026, 29),))),
        ("10 days", (at(12, 5, 10), at(12, 5, 10), ((2026, 20),))),
        ("3 hours", (at(11, 25, 13), at(11, 25, 13), ((2026, 29),))),
        ("30 days", (at(12, 25, 10), at(12, 25, 10), ((2026, 0),))),
        ("until 24 December", (LONGEST, at(12, 25), ((2026, 0),))),
        # Of two readings, one that is over or too long is not meant.
        ("until 1/12", (date(2026, 12, 1), at(12, 2), ((2026, 23),))),
        ("until 5/12/2026", (date(2026, 12, 5), at(12, 6), ((2026, 19),))),
        ("до 4 декабря", (date(2026, 12, 4), at(12, 5), ((2026, 20),))),
        ("到周五", (date(2026, 11, 27), at(11, 28), ((2026, 27),))),
    ],
)
def test_time_off_lasts_until_a_day_is_over_or_so_long(text: str, told: object) -> None:
    assert away(text) == told


@each_row(
    ("text", "fault", "read_as"),
    [
        ("31 days", "long", date(2026, 12, 26)),
        ("until 25 December", "long", date(2026, 12, 25)),
        ("until 3/4", "long", date(2027, 4, 3)),
        ("until 20.1.", "long", date(2027, 1, 20)),
        ("until 2999-12-31", "long", date(2999, 12, 31)),
        ("until 24 November", "past", date(2026, 11, 24)),
        ("26.10.", "past", date(2026, 10, 26)),
        ("until 1/11/2026", "past", date(2026, 11, 1)),
        ("until 31 February", "unreadable", None),
        ("until Friday 26 November", "unreadable", None),
    ],
)
def test_a_refusal_names_the_day_that_was_read(text: str, fault: str, read_as: date | None) -> None:
    assert away(text) == (fault, read_as, LONGEST)


def test_who_can_mean_two_days_is_asked() -> None:
    told = away("until 2/3", now=at(2, 2))
    assert told == ("ambiguous", date(2026, 3, 2), date(2026, 3, 2), date(2026, 2, 3))


def test_today_is_that_of_the_player() -> None:
    tokyo = AS_ADA.choosing("zone", "Asia/Tokyo")
    assert away("tomorrow", tokyo, at(11, 25, 16)) == (date(2026, 11, 27), at(11, 27, 15), ((2026, 28),))


@each_row(
    ("off", "now", "text", "told"),
    [
        # What was taken counts, whether announced or not, and also when a new one replaces it.
        ([(at(3, 1), at(3, 21))], NOW, "20 days", ("long", date(2026, 12, 15), date(2026, 12, 4))),
        ([(at(3, 1), at(3, 31))], NOW, "1 day", ("long", date(2026, 11, 26))),
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
            (date(2027, 1, 5), at(1, 6, 0, 2027), ((2026, 25), (2027, 25))),
        ),
        (
            [(at(3, 1), at(3, 27))],
            at(12, 27),
            "until 2027-01-05",
            ("long", date(2027, 1, 5), date(2026, 12, 30)),
        ),
        (
            [(at(3, 1), at(3, 26))],
            at(12, 27),
            "until 2027-01-30",
            (date(2027, 1, 30), at(1, 31, 0, 2027), ((2026, 0), (2027, 0))),
        ),
        ([], at(12, 27), "until 2027-01-31", ("long", date(2027, 1, 31), date(2027, 1, 30))),
        ([], at(12, 27), "until 31 December", (date(2026, 12, 31), at(1, 1, 0, 2027), ((2026, 25),))),
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
    assert first(answer) == CameBack(player=AS_ADA.id, came_back_at=NOW, left=((2026, 29),))
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
    told = tell_time_off(replace(context(by=ada, stored=Stored().put(ada)), now=NOW)).facts
    assert (told["is_away"], told["until"], told["left"]) == (*facts[:2], ((2026, facts[2]),))


def test_what_is_announced_is_told() -> None:
    told = [
        announced_until(replace(AS_ADA, time_off=(off,)), NOW)
        for off in (
            TimeOff(NOW, at(12, 5)),
            TimeOff(NOW, at(12, 5, 10)),
            TimeOff(NOW, at(12, 5), is_automatic=True),
            TimeOff(NOW - DAY, NOW),
        )
    ]
    assert told == [date(2026, 12, 4), at(12, 5, 10), None, None]


def test_what_is_announced_ends_by_the_players_own_days() -> None:
    tokyo = AS_ADA.choosing("zone", "Asia/Tokyo")
    midnight = at(12, 5) - timedelta(hours=9)
    assert announced_until(replace(tokyo, time_off=(TimeOff(NOW, midnight),)), NOW) == date(2026, 12, 4)


def plan(text: str, ada: Player = AS_ADA, now: datetime = NOW) -> object:
    """Return the player after time off was planned by one or more lines, or the refusal's facts."""
    for line in text.split(" | "):
        here = replace(context(by=ada, stored=Stored().put(ada)), now=now)
        read = line_as(line, is_first=False)
        answer = do(here, read) if not isinstance(read, str) else cancel_time_off(here)
        if isinstance(answer, Refusal):
            return (answer.reason, answer.facts.get("fault"), *answer.facts.get("days", ()))  # type: ignore[misc]
        ada = after(here, answer).player or ada
    return [(off.began_at, off.ended_at) for off in ada.time_off]


@each_row(
    ("text", "planned"),
    [
        ("away 5-12 December", [(at(12, 5), at(12, 13))]),
        ("away from 5 to 12 December", [(at(12, 5), at(12, 13))]),
        ("away 12月5日到12日", [(at(12, 5), at(12, 13))]),
        ("отпуск с 5 по 12 декабря", [(at(12, 5), at(12, 13))]),
        ("away 24 December to 2 January", [(at(12, 24), at(1, 3, 0, 2027))]),
        # What has begun begins now.
        ("away 23-27 November", [(NOW, at(11, 28))]),
        ("away 5-6 December and 20-21 December", [(at(12, 5), at(12, 7)), (at(12, 20), at(12, 22))]),
        ("away 20-21 December | away 5-6 December", [(at(12, 5), at(12, 7)), (at(12, 20), at(12, 22))]),
        # It takes the place of what is planned and overlaps it, and ends what has begun.
        ("away 5-12 December | away 7-8 December", [(at(12, 7), at(12, 9))]),
        ("away until 10 December | away 8-20 December", [(NOW, at(12, 8)), (at(12, 8), at(12, 21))]),
        ("away 5-12 December | away until Friday", [(NOW, at(11, 28)), (at(12, 5), at(12, 13))]),
        ("away 5-25 December | away 5-28 December", [(at(12, 5), at(12, 29))]),
        ("away 5-12 December | away cancel 7 December", []),
        ("away 5-12 December | отменить отпуск 5 декабря", []),
        ("away 5-12 December | 取消休假", []),
        ("away 5-6 December | away 8-9 December | away cancel 8-9 December", [(at(12, 5), at(12, 7))]),
        ("away 5-6 December | away 8-9 December | away cancel", ("which_planned", None)),
        ("away 5-6 December | away cancel 7 December", ("which_planned", None)),
        ("away 5-6 December | away cancel 31-30 December", ("which_planned", None)),
        ("away 8-10 December and 7-9 December", [(at(12, 7), at(12, 11))]),
        # Who is back on a day is away until the day before.
        ("away back on Monday", [(NOW, at(11, 30))]),
        ("away I'll be back on 5 December", [(NOW, at(12, 5))]),
        ("отпуск вернусь в пятницу", [(NOW, at(11, 27))]),
        ("请假 周五回来", [(NOW, at(11, 27))]),
        ("away 5 December - back on the 9th of December", [(at(12, 5), at(12, 9))]),
        ("away 31 November - 3 December", ("away_refused", "unreadable", LONGEST)),
        ("away 1-2 January 2999", ("away_refused", "unreadable", LONGEST)),
        ("away 1-24 November", ("away_refused", "past", LONGEST)),
        ("away 1-31 December", ("away_refused", "long", date(2026, 12, 30))),
        ("away 20-30 December | away 1-25 December", [(at(12, 1), at(12, 26))]),
        ("away 20-31 December | away 1-19 December", ("away_refused", "long", date(2026, 12, 18))),
    ],
)
def test_time_off_is_planned_and_taken_back(text: str, planned: object) -> None:
    assert plan(text) == planned


def test_a_planned_day_is_one_of_the_players_zone() -> None:
    tokyo = AS_ADA.choosing("zone", "Asia/Tokyo")
    assert plan("away 5-12 December", tokyo) == [(at(12, 4, 15), at(12, 12, 15))]


@each_row(
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


@each_row(
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
        ("Back on Monday", "back on monday"),
        ("уезжаю завтра, вернусь в пятницу", "завтра - вернусь в пятницу"),
        ("我下周休假，周五回来", "周五回来"),
    ],
)
def test_who_says_that_they_are_away_may_mean_their_clocks(words: str, until: str | None) -> None:
    assert absence_in(words) == until
