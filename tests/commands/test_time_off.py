"""Until when players can be away, how many days off that takes, and what opponents are told of it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from takmail.commands.answers import Refusal
from takmail.commands.clocks import come_back, tell_time_off
from takmail.commands.grammar.dates import Away, absence_in
from takmail.world.clock import announced_until
from takmail.world.events import CameBack, WentAway
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
        return (answer.facts["fault"], answer.facts["read_as"], *answer.facts["days"])  # type: ignore[misc]
    told, player = first(answer), after(here, answer).player
    assert isinstance(told, WentAway)
    assert player is not None
    assert player.time_off[-1].began_at == now
    return told.until, player.time_off[-1].ended_at, told.left


def at(month: int, day: int, hour: int = 0, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


LONGEST = date(2026, 12, 23)
"""With 30 days left."""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("until Friday", (date(2026, 11, 27), at(11, 28, 12), ((2026, 26),))),
        ("until 4 December", (date(2026, 12, 4), at(12, 5, 12), ((2026, 19),))),
        ("2026-11-25", (date(2026, 11, 25), at(11, 26, 12), ((2026, 28),))),
        ("today", (date(2026, 11, 25), at(11, 26, 12), ((2026, 28),))),
        ("until 25 November", (date(2026, 11, 25), at(11, 26, 12), ((2026, 28),))),
        ("1 day", (at(11, 26, 10), at(11, 26, 10), ((2026, 29),))),
        ("10 days", (at(12, 5, 10), at(12, 5, 10), ((2026, 20),))),
        ("3 hours", (at(11, 25, 13), at(11, 25, 13), ((2026, 29),))),
        ("30 days", (at(12, 25, 10), at(12, 25, 10), ((2026, 0),))),
        ("until 23 December", (LONGEST, at(12, 24, 12), ((2026, 0),))),
        # Of two readings, one that is over or too long is not meant.
        ("until 1/12", (date(2026, 12, 1), at(12, 2, 12), ((2026, 22),))),
        ("until 5/12/2026", (date(2026, 12, 5), at(12, 6, 12), ((2026, 18),))),
        ("до 4 декабря", (date(2026, 12, 4), at(12, 5, 12), ((2026, 19),))),
        ("到周五", (date(2026, 11, 27), at(11, 28, 12), ((2026, 26),))),
    ],
)
def test_time_off_lasts_until_a_day_is_over_everywhere_or_so_long(text: str, told: object) -> None:
    assert away(text) == told


@pytest.mark.parametrize(
    ("text", "fault", "read_as"),
    [
        ("31 days", "long", date(2026, 12, 26)),
        ("until 24 December", "long", date(2026, 12, 24)),
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
    assert away("tomorrow", tokyo, at(11, 25, 16)) == (date(2026, 11, 27), at(11, 28, 12), ((2026, 27),))


@pytest.mark.parametrize(
    ("off", "now", "text", "told"),
    [
        # What was taken counts, whether announced or not, and also when a new one replaces it.
        ([(at(3, 1), at(3, 21))], NOW, "20 days", ("long", date(2026, 12, 15), date(2026, 12, 3))),
        ([(at(3, 1), at(3, 31))], NOW, "1 day", ("long", date(2026, 11, 26))),
        (
            [(at(11, 23, 10), at(12, 23))],
            NOW,
            "until 30 November",
            (date(2026, 11, 30), at(12, 1, 12), ((2026, 21),)),
        ),
        # Over New Year it counts in both years.
        (
            [],
            at(12, 27),
            "until 2027-01-05",
            (date(2027, 1, 5), at(1, 6, 12, 2027), ((2026, 25), (2027, 24))),
        ),
        (
            [(at(3, 1), at(3, 27))],
            at(12, 27),
            "until 2027-01-05",
            ("long", date(2027, 1, 5), date(2026, 12, 29)),
        ),
        (
            [(at(3, 1), at(3, 26))],
            at(12, 27),
            "until 2027-01-29",
            (date(2027, 1, 29), at(1, 30, 12, 2027), ((2026, 0), (2027, 0))),
        ),
        ([], at(12, 27), "until 2027-01-30", ("long", date(2027, 1, 30), date(2027, 1, 29))),
        ([], at(12, 27), "until 31 December", (date(2026, 12, 31), at(1, 1, 12, 2027), ((2026, 25),))),
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
        ((TimeOff(NOW, at(12, 5, 12)),), (True, date(2026, 12, 4), 19)),
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
            TimeOff(NOW, at(12, 5, 12)),
            TimeOff(NOW, at(12, 5, 10)),
            TimeOff(NOW, at(12, 5, 12), is_automatic=True),
            TimeOff(NOW - DAY, NOW),
        )
    ]
    assert told == [date(2026, 12, 4), at(12, 5, 10), None, None]


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
