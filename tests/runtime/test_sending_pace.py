"""When letters may leave, by the mail server's answers: a table of answers, and what no answers can do."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.runtime.delivery_failures import FIRST_PAUSE, LONGEST_PAUSE, TRIED_WITHIN, SendingPace
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


def paced(*answers: tuple[str, Result]) -> SendingPace:
    pace = SendingPace()
    for to, result in answers:
        note(pace, to, result, NOW)
    return pace


def note(pace: SendingPace, to: str, result: Result, now: datetime) -> timedelta | None:
    """Take the result of a letter into account that left after the last one."""
    return pace.note(to, result, now, RETRY, was_alone=pace.is_slow)


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
    pace = paced(*answers)
    assert (not pace.remaining(NOW), pace.is_slow) == (may_leave, is_slow)


@pytest.mark.parametrize(("result", "first"), [(AWAY, RETRY), (LIMIT_OF_ALL, FIRST_PAUSE)])
def test_a_pause_ends_in_time_and_when_the_clock_is_set_back(result: Later, first: timedelta) -> None:
    pace = paced((ADA, result))
    assert pace.remaining(NOW) == first
    for moment in (NOW + first, NOW - timedelta(seconds=1), NOW + timedelta(days=900)):
        assert not pace.remaining(moment)
        assert pace.is_slow


@pytest.mark.parametrize("result", [AWAY, LIMIT_OF_ALL])
def test_sending_is_blocked_until_a_letter_leaves_or_none_is_tried_any_more(result: Later) -> None:
    pace = paced((ADA, result))
    pause = pace.remaining(NOW)
    for moment, is_blocked in (
        (NOW - timedelta(seconds=1), False),
        (NOW, True),
        (NOW + pause, True),
        (NOW + pause + TRIED_WITHIN, False),
    ):
        assert pace.is_blocked(moment) == is_blocked
    note(pace, ADA, BUSY, NOW + pause)
    assert pace.is_blocked(NOW + pause)
    note(pace, ADA, Sent(), NOW + pause)
    assert not pace.is_blocked(NOW + pause)
    assert not paced((ADA, LIMIT), (BEN, LIMIT)).is_blocked(NOW)


def test_letters_in_transit_that_are_refused_together_make_one_pause() -> None:
    pace = paced((ADA, LIMIT_OF_ALL), (BEN, LIMIT_OF_ALL), (CY, LIMIT_OF_ALL))
    assert pace.remaining(NOW) == FIRST_PAUSE


def test_letters_that_left_together_are_no_tries_of_one_at_a_time() -> None:
    pace = SendingPace()
    for to in (ADA, BEN, CY, BEN):
        assert pace.note(to, LIMIT, NOW, RETRY, was_alone=False) is None
    assert (pace.is_slow, pace.remaining(NOW)) == (True, timedelta(0))


def test_pauses_for_a_limit_grow_and_begin_anew_after_a_success() -> None:
    pace, now, pauses = SendingPace(), NOW, []
    for _ in range(8):
        pauses.append(note(pace, ADA, LIMIT_OF_ALL, now))
        now += pace.remaining(now)
    assert pauses == [one * MINUTE for one in (1, 2, 4, 8, 16, 30, 30, 30)]
    assert pauses[-1] == LONGEST_PAUSE
    note(pace, ADA, Sent(), now)
    assert note(pace, ADA, LIMIT_OF_ALL, now) == FIRST_PAUSE


def test_pauses_for_a_limit_that_a_recipients_server_may_have_said_dont_grow() -> None:
    pace, now, pauses = paced((ADA, LIMIT), (BEN, LIMIT)), NOW, []
    for _ in range(8):
        pauses.append(note(pace, CY, LIMIT, now))
        now += pace.remaining(now)
    assert pauses == [FIRST_PAUSE] * 8


def test_letters_to_other_domains_are_tried_first_once_a_limit_counts() -> None:
    any_domain: frozenset[str] = frozenset()
    both = frozenset({"example.org", "example.net"})
    assert paced((ADA, LIMIT)).avoided == (any_domain,)
    assert paced((ADA, LIMIT), ("ben@mail.example.net", LIMIT)).avoided == (both, any_domain)
    assert paced((ADA, LIMIT), (BEN, LIMIT), (CY, Sent())).avoided == (any_domain,)


HOSTILE = ["eve@hostile.example", "eve@mail.hostile.example", "mallory@other.example", "trudy@third.example"]
ANSWERS = st.one_of(
    st.tuples(st.sampled_from(HOSTILE), st.sampled_from([LIMIT, BUSY, GONE, Sent()])),
    st.tuples(st.sampled_from([ADA, BEN, CY]), st.sampled_from([BUSY, GONE, Sent()])),
)


@given(st.lists(st.tuples(ANSWERS, st.integers(0, 4_000)), max_size=40))
def test_hostile_domains_hold_up_the_letters_of_others_for_a_minute_at_most(
    steps: list[tuple[tuple[str, Result], int]],
) -> None:
    pace, now = SendingPace(), NOW
    for (to, result), seconds in steps:
        now += timedelta(seconds=seconds)
        note(pace, to, result, now)
        assert pace.remaining(now) <= FIRST_PAUSE
        assert not pace.avoided[0] & {"example.org", "example.net", "example.com"}


@given(st.lists(st.tuples(st.sampled_from(HOSTILE[:2]), st.sampled_from([LIMIT, BUSY, GONE]))))
def test_one_domain_never_stops_sending_even_after_an_outage(answers: list[tuple[str, Result]]) -> None:
    pace = paced((ADA, AWAY), *answers)
    assert pace.remaining(NOW) == RETRY
    assert not pace.remaining(NOW + RETRY)
    for to, result in answers:
        assert note(pace, to, result, NOW + RETRY) is None
