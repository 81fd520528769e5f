"""Clocks by mail: reminders, holidays, the end of a player's time, gifts, and another time for turns."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from takmail.games.interface import Seat
from takmail.pipeline.due import on_due
from takmail.world.clock import clock_of, clock_shown, due_at
from takmail.world.kinds import GameNumber, PlayerId, Ruling, Standing
from takmail.world.pace import DAY, TimeOff
from takmail.world.waiting import PendingKind
from tests.commands.build import NOW
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
HOUR = timedelta(hours=1)
BENS = PlayerId(2)


@pytest.fixture
def harness() -> MemoryHarness:
    """A takmail whose letters are sent at once, so that clocks run."""
    return MemoryHarness(sends=True)


def look(harness: MemoryHarness, after: timedelta, number: int = 1) -> list[Received]:
    """Let time pass since NOW, and do what is due in a game. Return the letters."""
    harness.now = NOW + after
    return harness.rule(partial(on_due, number=GameNumber(number)))


def next_due(harness: MemoryHarness) -> timedelta | None:
    at = due_at(harness.table(), harness.now)
    return None if at is None else at - NOW


def deadline(harness: MemoryHarness) -> timedelta:
    at = clock_of(harness.table()).deadline
    assert at is not None
    return at - NOW


def begin(harness: MemoryHarness, words: str = "days=3") -> None:
    """Begin a game in which Ada has moved, so that it is Ben's turn."""
    harness.begin_and_play("ps a1", words=f"5 {words}")


def without_holidays(harness: MemoryHarness) -> None:
    harness.memory.put(harness.memory.players[BENS].choosing("announces_holidays", True))


@pytest.fixture
def late(harness: MemoryHarness) -> MemoryHarness:
    """A game in which Ben's time is over, who takes no holidays."""
    begin(harness)
    without_holidays(harness)
    look(harness, 3 * DAY + HOUR)
    return harness


def test_a_turn_has_its_days(harness: MemoryHarness) -> None:
    begin(harness)
    assert deadline(harness) == 3 * DAY
    harness.now = NOW + DAY
    harness.send(AS_BEN, "ps b2", harness.last(BEN))
    assert harness.table().turns[-1].spent == DAY.total_seconds()
    assert deadline(harness) == 4 * DAY


def test_time_is_over_at_its_end_and_not_before(harness: MemoryHarness) -> None:
    begin(harness)
    end = NOW + deadline(harness)
    shown = [clock_shown(harness.table(), Seat.FIRST, at) for at in (end - timedelta(seconds=1), end)]
    assert [clock is not None and clock.is_over for clock in shown] == [False, True]


def test_a_bank_is_used_up_by_turns_and_filled_by_them(harness: MemoryHarness) -> None:
    begin(harness, "time=14d+1d")
    harness.now = NOW + 5 * DAY
    harness.send(AS_BEN, "ps b2", harness.last(BEN))
    assert deadline(harness) == 5 * DAY + 14 * DAY
    harness.send(AS_ADA, "ps c3", harness.last(ADA))
    assert deadline(harness) == 5 * DAY + 10 * DAY


def test_a_game_without_an_agreed_time_has_no_clock(harness: MemoryHarness) -> None:
    begin(harness, "")
    assert clock_of(harness.table()).deadline is None
    assert harness.table().turns[-1].spent is None


def test_a_player_is_reminded_once_when_a_third_is_left(harness: MemoryHarness) -> None:
    begin(harness)
    assert next_due(harness) == 2 * DAY
    assert look(harness, 2 * DAY - HOUR) == []
    (letter,) = look(harness, 2 * DAY)
    assert letter.to == BEN
    assert "it is your turn" in said(letter)
    assert look(harness, 2 * DAY) == []
    assert next_due(harness) == 3 * DAY + timedelta(minutes=15)


def test_of_several_reminders_that_are_overdue_only_the_last_is_sent(harness: MemoryHarness) -> None:
    begin(harness, "days=9")
    assert next_due(harness) == 6 * DAY
    assert len(look(harness, 8 * DAY + HOUR)) == 1
    assert look(harness, 8 * DAY + HOUR) == []


def test_who_wants_no_reminders_gets_none(harness: MemoryHarness) -> None:
    begin(harness)
    harness.memory.put(harness.memory.players[BENS].choosing("wants_no_reminders", True))
    assert look(harness, 2 * DAY) == []
    assert next_due(harness) == 3 * DAY + timedelta(minutes=15)


def test_holidays_are_taken_a_day_at_a_time_and_the_first_and_the_last_are_told(
    harness: MemoryHarness,
) -> None:
    begin(harness)
    letters = look(harness, 3 * DAY + HOUR)
    assert [letter.to for letter in letters] == [BEN, ADA]
    assert deadline(harness) == 4 * DAY
    for day in range(1, 29):
        assert look(harness, (3 + day) * DAY + HOUR) == []
    assert [letter.to for letter in look(harness, 32 * DAY + HOUR)] == [BEN, ADA]
    assert deadline(harness) == 33 * DAY
    letters = look(harness, 33 * DAY + HOUR)
    assert harness.happened == ["TimeOver"]
    assert [letter.to for letter in letters] == [BEN, ADA]


@pytest.mark.parametrize(("option", "then"), [("", "Ada may claim the win"), (" strict", "you lose")])
def test_the_last_day_off_is_told_to_both(harness: MemoryHarness, option: str, then: str) -> None:
    begin(harness, f"days=3{option}")
    harness.memory.put(harness.memory.players[BENS].taking_off(TimeOff(NOW - 28 * DAY, NOW), NOW))
    own, others = look(harness, 3 * DAY + HOUR)
    assert "another day follows; 1 of your 30 days" in said(own)
    assert "another one follows as long as there are any, at most 30 a year" in said(others)
    own, _ = look(harness, 4 * DAY + HOUR)
    assert f"your last day off of this year: if you have not moved by then, {then}" in said(own)
    assert look(harness, 5 * DAY + HOUR)
    assert harness.happened == ["LostOnTime" if option else "TimeOver"]


def test_holidays_of_a_turn_that_begins_in_holidays_are_told_again(harness: MemoryHarness) -> None:
    begin(harness)
    look(harness, 3 * DAY + HOUR)
    harness.send(AS_BEN, "ps b2", harness.last(BEN))
    harness.send(AS_ADA, "ps c3", harness.last(ADA))
    letters = look(harness, 7 * DAY + HOUR)
    assert [letter.to for letter in letters] == [BEN, ADA]


def test_the_end_of_the_time_is_acted_on_after_a_quarter_of_an_hour(harness: MemoryHarness) -> None:
    begin(harness)
    without_holidays(harness)
    assert look(harness, 3 * DAY + timedelta(minutes=14))[1:] == []
    assert [*harness.table().offers] == []
    look(harness, 3 * DAY + timedelta(minutes=15))
    assert [offer.kind for offer in harness.table().offers] == [PendingKind.TIME]


def test_nobody_loses_while_their_mail_waits(harness: MemoryHarness) -> None:
    begin(harness, "days=3 strict")
    without_holidays(harness)
    waiting = harness.memory.leave_waiting(BEN)
    assert look(harness, 4 * DAY) == []
    assert harness.table().record.standing is Standing.OPEN
    harness.memory.drop_waiting(waiting)
    look(harness, 4 * DAY)
    assert harness.table().record.standing is Standing.OVER


def test_a_mail_that_comes_after_the_end_puts_nothing_off(harness: MemoryHarness) -> None:
    begin(harness, "days=3 strict")
    without_holidays(harness)
    harness.now = NOW + 3 * DAY + timedelta(minutes=20)
    harness.memory.leave_waiting(BEN)
    look(harness, 3 * DAY + timedelta(minutes=30))
    assert harness.table().record.standing is Standing.OVER


def test_a_claim_waits_for_a_mail_of_the_loser_that_came_in_time_and_for_no_other(
    late: MemoryHarness,
) -> None:
    came = late.now
    late.now = NOW + 3 * DAY
    in_time = late.memory.leave_waiting(BEN)
    late.now = came + HOUR
    (refused,) = late.send(AS_ADA, "claim", late.last(ADA))
    assert "has come in and is being read" in said(refused)
    late.memory.drop_waiting(in_time)
    late.memory.leave_waiting(BEN)
    late.send(AS_ADA, "claim", late.last(ADA))
    assert late.table().record.end.ruling is Ruling.FIRST_ON_TIME


@pytest.mark.parametrize("words", ["claim", "Claim!", "agree time", "yes"])
def test_the_opponent_claims_the_win(late: MemoryHarness, words: str) -> None:
    answer, news = late.send(AS_ADA, words, late.last(ADA))
    record = late.table().record
    assert (record.standing, record.end.ruling) == (Standing.OVER, Ruling.FIRST_ON_TIME)
    assert late.table().result is not None
    assert "You win" in said(answer)
    assert "Ada wins" in said(news)


@pytest.mark.parametrize(
    "words", some_of(["wait", "Wait.", "refuse time", "no", "I'll wait", "let me think"], 3)
)
def test_the_opponent_waits_three_more_days(late: MemoryHarness, words: str) -> None:
    late.now = NOW + 5 * DAY
    late.send(AS_ADA, words, late.last(ADA))
    assert late.table().offers == ()
    assert deadline(late) == 8 * DAY
    look(late, 8 * DAY + HOUR)
    assert [offer.kind for offer in late.table().offers] == [PendingKind.TIME]


def test_a_claim_needs_the_end_of_the_time(harness: MemoryHarness) -> None:
    begin(harness)
    (answer,) = harness.send(AS_ADA, "claim", harness.last(ADA))
    assert "Not done" in said(answer)
    assert harness.table().record.standing is Standing.OPEN


def test_who_is_late_can_not_take_it_back_but_moves(late: MemoryHarness) -> None:
    (answer,) = late.send(AS_BEN, "withdraw", late.last(BEN))
    assert "Not done" in said(answer)
    late.send(AS_BEN, "ps b2", late.last(BEN))
    assert late.table().offers == ()
    assert late.table().record.standing is Standing.OPEN
    assert deadline(late) == 6 * DAY + HOUR


def test_a_strict_game_ends_by_itself(harness: MemoryHarness) -> None:
    begin(harness, "days=3 strict")
    without_holidays(harness)
    letters = look(harness, 3 * DAY + HOUR)
    assert harness.table().record.end.ruling is Ruling.FIRST_ON_TIME
    assert "Ada wins: your time is over" in said(letters[0])
    assert "You win: the time of Ben is over" in said(letters[1])


def test_a_game_in_which_nobody_claims_rests_after_thirty_days(late: MemoryHarness) -> None:
    assert look(late, 33 * DAY - HOUR) == []
    assert len(look(late, 33 * DAY)) == 2
    assert late.table().record.timing.rested_at == NOW + 33 * DAY
    assert next_due(late) is None
    late.send(AS_BEN, "ps b2", late.last(BEN))
    assert late.table().record.timing.rested_at is None
    assert deadline(late) == 36 * DAY


def test_a_game_without_a_clock_rests_after_two_reminders(harness: MemoryHarness) -> None:
    begin(harness, "")
    assert next_due(harness) == 7 * DAY
    (reminder,) = look(harness, 7 * DAY)
    assert reminder.to == BEN
    assert next_due(harness) == 30 * DAY
    letters = look(harness, 30 * DAY)
    assert [letter.to for letter in letters] == [BEN, ADA]
    assert harness.table().record.timing.rested_at is not None


def test_a_gift_is_for_the_next_turn_alone(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "gift 2 days", harness.last(ADA))
    assert deadline(harness) == 5 * DAY
    harness.now = NOW + 4 * DAY
    harness.send(AS_BEN, "ps b2", harness.last(BEN))
    assert harness.table().turns[-1].spent == (2 * DAY).total_seconds()
    harness.send(AS_ADA, "ps c3", harness.last(ADA))
    assert deadline(harness) == 7 * DAY


def test_what_no_clock_allows(harness: MemoryHarness) -> None:
    begin(harness, "")
    (answer,) = harness.send(AS_ADA, "gift 2d", harness.last(ADA))
    assert "no clock runs" in said(answer)
    (answer,) = harness.send(AS_ADA, "clock on", harness.last(ADA))
    assert "no time for turns was agreed on" in said(answer)


@pytest.mark.parametrize(
    ("words", "stored"),
    [("days=5", "days=5"), ("time=7d+1d", "time=7d+1d"), ("time=none", None)],
)
def test_both_may_agree_on_another_time(harness: MemoryHarness, words: str, stored: str | None) -> None:
    begin(harness)
    harness.send(AS_ADA, f"propose {words}", harness.last(ADA))
    assert harness.table().record.timing.pace == "days=3"
    harness.now = NOW + DAY
    harness.send(AS_BEN, "agree", harness.last(BEN))
    record = harness.table().record
    assert record.timing.pace == stored
    assert record.timing.clock_from == (None if stored is None else 1)
    if stored is not None:
        assert deadline(harness) == DAY + (5 * DAY if "5" in stored else 7 * DAY)


def test_the_same_time_proposed_by_both_is_agreed_on(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "propose days=5", harness.last(ADA))
    harness.send(AS_BEN, "propose days=5", harness.last(BEN))
    assert harness.table().record.timing.pace == "days=5"


def test_an_older_game_gets_a_clock_when_both_say_so(harness: MemoryHarness) -> None:
    begin(harness)
    table = harness.table()
    record = replace(
        table.record, timing=replace(table.record.timing, clock_from=None)
    )  # as the upgrade leaves it
    harness.memory.put(replace(table, record=record))
    harness.send(AS_ADA, "clock on", harness.last(ADA))
    assert harness.table().record.timing.clock_from is None
    harness.send(AS_BEN, "clock on", harness.last(BEN))
    assert harness.table().record.timing.clock_from == 1
    assert deadline(harness) == 3 * DAY


def test_turns_taken_back_give_their_time_back(harness: MemoryHarness) -> None:
    begin(harness, "time=14d+1d")
    harness.now = NOW + 5 * DAY
    harness.send(AS_BEN, "ps b2", harness.last(BEN))
    harness.memory.send_all()
    harness.send(AS_BEN, "undo", harness.last(BEN))
    harness.send(AS_ADA, "agree", harness.last(ADA))
    assert clock_of(harness.table()).seat is Seat.SECOND
    assert deadline(harness) == 5 * DAY + 14 * DAY


def test_who_takes_their_own_move_back_has_the_time_that_they_had(harness: MemoryHarness) -> None:
    begin(harness)
    for day in (1, 2):
        harness.now = NOW + day * DAY
        harness.send(AS_BEN, "ps b2\nundo", harness.last(BEN))
        assert deadline(harness) == 3 * DAY


def test_time_given_late_ends_the_claim(late: MemoryHarness) -> None:
    late.now = NOW + 4 * DAY
    late.send(AS_ADA, "gift 5d", late.last(ADA))
    assert late.table().offers == ()
    (answer,) = late.send(AS_ADA, "claim", late.last(ADA))
    assert "Not done" in said(answer)
    look(late, 8 * DAY + HOUR)
    assert [offer.kind for offer in late.table().offers] == [PendingKind.TIME]


def test_who_waits_wakes_a_game_at_rest(late: MemoryHarness) -> None:
    look(late, 33 * DAY)
    late.now = NOW + 40 * DAY
    late.send(AS_ADA, "wait", late.last(ADA))
    assert late.table().record.timing.rested_at is None
    look(late, 43 * DAY + HOUR)
    late.send(AS_ADA, "claim", late.last(ADA))
    assert late.table().record.standing is Standing.OVER


@pytest.mark.parametrize("words", ["Yes", "ok", "Sure", "Yes please"])
def test_an_answer_to_the_late_players_words_claims_nothing(late: MemoryHarness, words: str) -> None:
    late.send(AS_BEN, "Sorry, I was ill. Is it all right if I move tomorrow?", late.last(BEN))
    late.send(AS_ADA, words, late.last(ADA))
    assert late.table().record.standing is Standing.OPEN


def test_a_time_may_be_agreed_on_and_a_move_played_in_one_mail(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "propose days=5", harness.last(ADA))
    harness.send(AS_BEN, "agree\nps b2", harness.last(BEN))
    assert harness.table().record.timing.pace == "days=5"
    assert len(harness.table().turns) == 2


def test_a_proposed_time_outlives_a_move(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_BEN, "propose days=5\nps b2", harness.last(BEN))
    assert [offer.kind for offer in harness.table().offers] == [PendingKind.PACE]
    harness.send(AS_ADA, "agree", harness.last(ADA))
    assert harness.table().record.timing.pace == "days=5"


def test_holidays_come_before_rest_even_if_both_are_overdue(harness: MemoryHarness) -> None:
    begin(harness)
    look(harness, 35 * DAY)
    assert harness.happened == ["HolidayTaken"]


def test_a_player_who_wants_no_mail_is_not_reminded(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_BEN, "stop", harness.last(BEN))
    assert look(harness, 2 * DAY) == []


def test_an_agreed_time_ends_what_both_have_proposed(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "propose days=5", harness.last(ADA))
    harness.send(AS_BEN, "propose days=7", harness.last(BEN))
    harness.send(AS_ADA, "agree", harness.last(ADA))
    assert harness.table().record.timing.pace == "days=7"
    assert harness.table().offers == ()


def test_the_list_of_games_says_whose_time_is_over(late: MemoryHarness) -> None:
    (letter,) = late.send(AS_ADA, "games", late.last(ADA))
    assert 'Ben\'s time is over: "claim" or "wait"' in said(letter)
    (letter,) = late.send(AS_BEN, "games", late.last(BEN))
    assert "it is your turn (your time is over)" in said(letter)
