"""When letters may leave, by the mail server's answers: a table of answers, and what no answers can do."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.runtime.net.smtp import Failed, Later, Sent
from takmail.runtime.sending_pace import FIRST_PAUSE, LONGEST_PAUSE, SendingPace

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE, RETRY = timedelta(minutes=1), timedelta(seconds=30)
ADA, BEN, CY = "ada@example.org", "ben@example.net", "cy@example.com"
LIMIT_OF_ALL = Later("550 5.4.5 daily limit at MAIL", unreachable=True, is_limit=True)
LIMIT = Later("550 5.4.5 daily limit at RCPT", is_limit=True)
AWAY = Later("nobody opens", unreachable=True)
BUSY = Later("451 busy")
GONE = Failed("550 5.1.1 unknown", no_such_recipient=True)
Result = Sent | Later | Failed


def paced(*answers: tuple[str, Result]) -> SendingPace:
    pace = SendingPace()
    for to, result in answers:
        pace.note(to, result, NOW, RETRY)
    return pace


@pytest.mark.parametrize(
    ("answers", "leave", "is_slow"),
    [
        ([], (ADA, BEN, CY), False),
        ([(ADA, BUSY), (BEN, GONE)], (ADA, BEN, CY), False),
        ([(ADA, AWAY)], (), True),
        ([(ADA, LIMIT_OF_ALL)], (), True),
        ([(ADA, LIMIT)], (ADA, BEN, CY), False),
        ([(ADA, LIMIT), ("eve@mail.example.org", LIMIT)], (ADA, BEN, CY), False),
        ([(ADA, LIMIT), (BEN, LIMIT)], (CY,), True),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, LIMIT)], (), True),
        ([(ADA, LIMIT), (CY, Sent()), (BEN, LIMIT)], (ADA, BEN, CY), False),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, Sent())], (ADA, BEN, CY), False),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, BUSY)], (CY,), True),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, LIMIT_OF_ALL)], (), True),
        ([(ADA, LIMIT_OF_ALL), (ADA, Sent())], (ADA, BEN, CY), False),
        ([(ADA, AWAY), (ADA, Sent())], (ADA, BEN, CY), False),
        ([("a@gmail.com", LIMIT), ("b@gmail.com", LIMIT)], (ADA, BEN, CY, "c@gmail.com"), False),
        ([("a@gmail.com", LIMIT), ("b@outlook.com", LIMIT)], (ADA, BEN, CY), True),
    ],
)
def test_which_letters_may_leave_after_these_answers(
    answers: list[tuple[str, Result]], leave: tuple[str, ...], is_slow: bool
) -> None:
    pace = paced(*answers)
    asked = dict.fromkeys((ADA, BEN, CY, *leave))
    assert tuple(to for to in asked if pace.may_leave(to, NOW)) == leave
    assert pace.is_slow == is_slow
    assert pace.stops_all(NOW) == (not leave)


@pytest.mark.parametrize(("result", "first"), [(AWAY, RETRY), (LIMIT_OF_ALL, FIRST_PAUSE)])
def test_a_pause_ends_in_time_and_when_the_clock_is_set_back(result: Later, first: timedelta) -> None:
    pace = paced((ADA, result))
    assert pace.remaining(NOW) == first
    for moment in (NOW + first, NOW - timedelta(seconds=1), NOW + timedelta(days=900)):
        assert pace.may_leave(ADA, moment)
        assert pace.is_slow


def test_letters_in_transit_that_are_refused_together_make_one_pause() -> None:
    pace = paced((ADA, LIMIT_OF_ALL), (BEN, LIMIT_OF_ALL), (CY, LIMIT_OF_ALL))
    assert pace.remaining(NOW) == FIRST_PAUSE


def test_pauses_for_a_limit_grow_and_begin_anew_after_a_success() -> None:
    pace, now, pauses = SendingPace(), NOW, []
    for _ in range(8):
        pauses.append(pace.note(ADA, LIMIT_OF_ALL, now, RETRY))
        now += pace.remaining(now)
    assert pauses == [one * MINUTE for one in (1, 2, 4, 8, 16, 30, 30, 30)]
    assert pauses[-1] == LONGEST_PAUSE
    pace.note(ADA, Sent(), now, RETRY)
    assert pace.note(ADA, LIMIT_OF_ALL, now, RETRY) == FIRST_PAUSE


def test_after_a_pause_the_letter_of_another_domain_is_tried_before_any() -> None:
    pace = paced((ADA, LIMIT), (BEN, LIMIT))
    assert pace.avoided(NOW) == ({"example.org", "example.net"},)
    assert pace.avoided(NOW + FIRST_PAUSE) == ({"example.org", "example.net"}, frozenset())
    assert paced((ADA, LIMIT)).avoided(NOW) == (frozenset(),)


HOSTILE = st.sampled_from(["eve@hostile.example", "eve@mail.hostile.example", "mallory@other.example"])
STEPS = st.one_of(
    st.tuples(HOSTILE, st.sampled_from([LIMIT, BUSY, GONE, Sent()])),
    st.tuples(st.sampled_from([ADA, BEN, CY]), st.sampled_from([BUSY, GONE, Sent()])),
)


@given(st.lists(st.tuples(STEPS, st.integers(0, 4_000)), max_size=40))
def test_two_hostile_domains_never_stop_a_letter_to_another_one(
    steps: list[tuple[tuple[str, Result], int]],
) -> None:
    pace, now = SendingPace(), NOW
    for (to, result), seconds in steps:
        now += timedelta(seconds=seconds)
        counts = pace.note(to, result, now, RETRY) is not None
        assert not counts or result == LIMIT
        assert all(pace.may_leave(other, now) for other in (ADA, BEN, CY))
        assert not pace.stops_all(now)
