"""When letters may leave, by the mail server's answers: a table of answers, and what no answers can do."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.runtime.delivery_failures import FIRST_PAUSE, LONGEST_PAUSE, TRIED_WITHIN, SendingThrottle
from takmail.runtime.net.smtp import Failed, Later, Sent
from tests.support.tables import each_row

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE, RETRY = timedelta(minutes=1), timedelta(seconds=30)
ADA, BEN, CY = "ada@example.org", "ben@example.net", "cy@example.com"
LIMIT_OF_ALL = Later("550 5.4.5 daily limit at MAIL", unreachable=True, is_limit=True)
LIMIT = Later("550 5.4.5 daily limit at RCPT", is_limit=True)
AWAY = Later("nobody opens", unreachable=True)
BUSY = Later("451 busy")
GONE = Failed("550 5.1.1 unknown", no_such_recipient=True)
Result = Sent | Later | Failed


def throttled(*answers: tuple[str, Result]) -> SendingThrottle:
    throttle = SendingThrottle()
    for to, result in answers:
        note(throttle, to, result, NOW)
    return throttle


def note(throttle: SendingThrottle, to: str, result: Result, now: datetime) -> timedelta | None:
    """Take the result of a letter into account that left after the last one."""
    return throttle.note(to, result, now, RETRY, was_alone=throttle.is_slow)


@each_row(
    ("answers", "may_leave", "is_slow"),
    [
        ([], True, False),
        ([(ADA, BUSY), (BEN, GONE)], True, False),
        ([(ADA, AWAY)], False, True),
        ([(ADA, LIMIT_OF_ALL)], False, True),
        ([(ADA, LIMIT)], True, False),
        ([(ADA, LIMIT), ("eve@mail.example.org", LIMIT)], True, False),
        ([(ADA, LIMIT), (BEN, LIMIT)], True, True),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, LIMIT)], False, True),
        ([(ADA, LIMIT), (BEN, LIMIT), (BEN, LIMIT)], False, True),
        ([(ADA, LIMIT), (CY, Sent()), (BEN, LIMIT)], True, False),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, Sent())], True, False),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, BUSY)], True, True),
        ([(ADA, LIMIT), (BEN, LIMIT), (CY, LIMIT_OF_ALL)], False, True),
        ([(ADA, LIMIT_OF_ALL), (ADA, Sent())], True, False),
        ([(ADA, AWAY), (ADA, Sent())], True, False),
        ([("a@gmail.com", LIMIT), ("b@gmail.com", LIMIT)], True, False),
        ([("a@gmail.com", LIMIT), ("b@outlook.com", LIMIT)], True, True),
    ],
)
def test_whether_letters_may_leave_after_these_answers(
    answers: list[tuple[str, Result]], may_leave: bool, is_slow: bool
) -> None:
    throttle = throttled(*answers)
    assert (not throttle.remaining(NOW), throttle.is_slow) == (may_leave, is_slow)


@pytest.mark.parametrize(("result", "first"), [(AWAY, RETRY), (LIMIT_OF_ALL, FIRST_PAUSE)])
def test_a_pause_ends_in_time_and_when_the_clock_is_set_back(result: Later, first: timedelta) -> None:
    throttle = throttled((ADA, result))
    assert throttle.remaining(NOW) == first
    for moment in (NOW + first, NOW - timedelta(seconds=1), NOW + timedelta(days=900)):
        assert not throttle.remaining(moment)
        assert throttle.is_slow


@pytest.mark.parametrize("result", [AWAY, LIMIT_OF_ALL])
def test_sending_is_blocked_until_a_letter_leaves_or_none_is_tried_any_more(result: Later) -> None:
    throttle = throttled((ADA, result))
    pause = throttle.remaining(NOW)
    for moment, is_blocked in (
        (NOW - timedelta(seconds=1), False),
        (NOW, True),
        (NOW + pause, True),
        (NOW + pause + TRIED_WITHIN, False),
    ):
        assert throttle.is_blocked(moment) == is_blocked
    note(throttle, ADA, BUSY, NOW + pause)
    assert throttle.is_blocked(NOW + pause)
    note(throttle, ADA, Sent(), NOW + pause)
    assert not throttle.is_blocked(NOW + pause)
    assert not throttled((ADA, LIMIT), (BEN, LIMIT)).is_blocked(NOW)


def test_letters_in_transit_that_are_refused_together_make_one_pause() -> None:
    throttle = throttled((ADA, LIMIT_OF_ALL), (BEN, LIMIT_OF_ALL), (CY, LIMIT_OF_ALL))
    assert throttle.remaining(NOW) == FIRST_PAUSE


def test_letters_that_left_together_are_no_tries_of_one_at_a_time() -> None:
    throttle = SendingThrottle()
    for to in (ADA, BEN, CY, BEN):
        assert throttle.note(to, LIMIT, NOW, RETRY, was_alone=False) is None
    assert (throttle.is_slow, throttle.remaining(NOW)) == (True, timedelta(0))


def test_pauses_for_a_limit_grow_and_begin_anew_after_a_success() -> None:
    throttle, now, pauses = SendingThrottle(), NOW, []
    for _ in range(8):
        pauses.append(note(throttle, ADA, LIMIT_OF_ALL, now))
        now += throttle.remaining(now)
    assert pauses == [one * MINUTE for one in (1, 2, 4, 8, 16, 30, 30, 30)]
    assert pauses[-1] == LONGEST_PAUSE
    note(throttle, ADA, Sent(), now)
    assert note(throttle, ADA, LIMIT_OF_ALL, now) == FIRST_PAUSE


def test_pauses_for_a_limit_that_a_recipients_server_may_have_said_dont_grow() -> None:
    throttle, now, pauses = throttled((ADA, LIMIT), (BEN, LIMIT)), NOW, []
    for _ in range(8):
        pauses.append(note(throttle, CY, LIMIT, now))
        now += throttle.remaining(now)
    assert pauses == [FIRST_PAUSE] * 8


def test_letters_to_other_domains_are_tried_first_once_a_limit_counts() -> None:
    any_domain: frozenset[str] = frozenset()
    both = frozenset({"example.org", "example.net"})
    assert throttled((ADA, LIMIT)).avoided == (any_domain,)
    assert throttled((ADA, LIMIT), ("ben@mail.example.net", LIMIT)).avoided == (both, any_domain)
    assert throttled((ADA, LIMIT), (BEN, LIMIT), (CY, Sent())).avoided == (any_domain,)


HOSTILE = ["eve@hostile.example", "eve@mail.hostile.example", "mallory@other.example", "trudy@third.example"]
ANSWERS = st.one_of(
    st.tuples(st.sampled_from(HOSTILE), st.sampled_from([LIMIT, BUSY, GONE, Sent()])),
    st.tuples(st.sampled_from([ADA, BEN, CY]), st.sampled_from([BUSY, GONE, Sent()])),
)


@given(st.lists(st.tuples(ANSWERS, st.integers(0, 4_000)), max_size=40))
def test_hostile_domains_hold_up_the_letters_of_others_for_a_minute_at_most(
    steps: list[tuple[tuple[str, Result], int]],
) -> None:
    throttle, now = SendingThrottle(), NOW
    for (to, result), seconds in steps:
        now += timedelta(seconds=seconds)
        note(throttle, to, result, now)
        assert throttle.remaining(now) <= FIRST_PAUSE
        assert not throttle.avoided[0] & {"example.org", "example.net", "example.com"}


@given(st.lists(st.tuples(st.sampled_from(HOSTILE[:2]), st.sampled_from([LIMIT, BUSY, GONE]))))
def test_one_domain_never_stops_sending_even_after_an_outage(answers: list[tuple[str, Result]]) -> None:
    throttle = throttled((ADA, AWAY), *answers)
    assert throttle.remaining(NOW) == RETRY
    assert not throttle.remaining(NOW + RETRY)
    for to, result in answers:
        assert note(throttle, to, result, NOW + RETRY) is None
