"""The plain model of the clocks says what one counts by hand. A tick is five minutes."""

import pytest

from tests.clocks.plain_model import DAY, HOUR, Model, Outage, Pace

ADA, BEN = 1, 2
YEAR_ENDS = (200 * DAY,)


class Played:
    """A model in which two players play, and time passes at once."""

    def __init__(self, pace: Pace | None, is_strict: bool = False, is_manual: bool = True) -> None:
        self.model = Model(400 * DAY, YEAR_ENDS)
        for player in (ADA, BEN):
            self.model.joins(player)
            self.model.holidays(player, is_manual)
        self.begin(1, pace, is_strict)

    def begin(self, game: int, pace: Pace | None, is_strict: bool = False) -> None:
        """Begin a game. The letter leaves at once."""
        self.model.begins(game, ADA, BEN, pace, is_strict)
        self.model.letter_taken(game)

    def until(self, tick: int, is_well: bool = True) -> None:
        """Let time pass until a tick."""
        while self.model.now < tick:
            self.model.passes()
            if is_well:
                self.model.well()
                self.model.acts()

    def turn(self, counted: int | None = None, after: int = 0) -> None:
        """Play a turn, whose letter leaves so many ticks later."""
        self.model.plays(1, self.model.now if counted is None else counted)
        self.until(self.model.now + after)
        self.model.letter_taken(1)

    @property
    def done(self) -> list[tuple[int, str]]:
        """What happened by itself, and when."""
        return [(one.at, one.what) for one in self.model.done]


def test_the_time_of_a_turn_with_days() -> None:
    played = Played(Pace(6 * DAY))
    assert played.model.deadline(1) == 6 * DAY
    played.until(40 * DAY)
    # Two thirds of six days are four. A day is left after five, a day later. A quarter of an hour later time is over.
    assert played.done == [
        (4 * DAY, "third"),
        (5 * DAY, "day"),
        (6 * DAY + 3, "asked"),
        (36 * DAY, "rests"),
    ]


@pytest.mark.parametrize(
    ("days", "reminders"),
    [
        (1, [(16 * HOUR, "third")]),
        (2, [(32 * HOUR, "third")]),
        (4, [(64 * HOUR, "third")]),
        (5, [(80 * HOUR, "third"), (96 * HOUR, "day")]),
    ],
)
def test_a_day_is_left_only_if_that_is_half_a_day_after_the_first_reminder(
    days: int, reminders: list[tuple[int, str]]
) -> None:
    played = Played(Pace(days * DAY), is_strict=True)
    played.until(50 * DAY)
    assert played.done == [*reminders, (days * DAY + 3, "lost")]
    assert played.model.games[1].end == "lost"


def test_a_third_that_ends_within_a_tick() -> None:
    played = Played(Pace(DAY + 1))
    played.until(DAY)
    # Two thirds of a day and five minutes are 16 hours, 3 minutes and 20 seconds.
    assert played.done == [(16 * HOUR + 1, "third")]


def test_no_reminder_comes_within_half_a_day() -> None:
    played = Played(Pace(17 * HOUR))
    played.until(17 * HOUR)
    assert played.done == []


def test_a_bank_takes_what_is_left_and_the_increment_but_no_more_than_at_first() -> None:
    played = Played(Pace(2 * DAY, 6 * HOUR))
    played.until(HOUR)
    played.turn()
    assert played.model.games[1].bank(0) == 2 * DAY
    played.until(2 * HOUR)
    played.turn()
    played.until(2 * HOUR + 2 * DAY - HOUR)
    played.turn()
    assert played.model.games[1].bank(0) == 7 * HOUR
    assert played.model.games[1].bank(1) == 2 * DAY
    assert played.model.deadline(1) == played.model.now + 2 * DAY


def test_the_clock_starts_when_the_letter_leaves() -> None:
    played = Played(Pace(DAY))
    played.until(HOUR)
    played.model.plays(1, HOUR)
    assert played.model.deadline(1) is None
    played.until(5 * DAY)
    played.model.letter_taken(1)
    assert played.model.deadline(1) == 6 * DAY
    assert played.done == []


def test_the_clock_starts_a_week_after_the_letter_came_back() -> None:
    played = Played(Pace(3 * DAY))
    played.until(6 * HOUR)
    played.model.letter_returned(1)
    assert played.model.deadline(1) == 10 * DAY + 6 * HOUR
    played.until(9 * DAY)
    played.model.letter_taken(1)
    assert played.model.deadline(1) == 10 * DAY + 6 * HOUR
    assert played.done == []


def test_a_letter_sent_again_starts_the_clock_within_the_week() -> None:
    played = Played(Pace(3 * DAY))
    played.until(6 * HOUR)
    played.model.letter_returned(1)
    played.until(2 * DAY)
    played.model.letter_taken(1)
    assert played.model.deadline(1) == 5 * DAY


def test_an_outage_stops_the_clock() -> None:
    played = Played(Pace(3 * DAY))
    played.until(DAY - 1)
    played.until(2 * DAY - 1, is_well=False)
    played.until(2 * DAY)
    assert played.model.outages == [Outage(DAY, 2 * DAY)]
    assert played.model.deadline(1) == 4 * DAY
    played.until(4 * DAY)
    assert played.done == [(3 * DAY, "third")]


def test_ten_minutes_are_no_outage() -> None:
    played = Played(Pace(3 * DAY))
    played.until(DAY)
    played.until(DAY + 2, is_well=False)
    played.until(DAY + 3)
    assert played.model.outages == []
    assert played.model.deadline(1) == 3 * DAY


def test_what_is_due_within_a_short_break_comes_after_it() -> None:
    played = Played(Pace(3 * DAY))
    played.until(2 * DAY - 1)
    played.until(2 * DAY + 1, is_well=False)
    played.until(2 * DAY + 2)
    assert played.done == [(2 * DAY + 2, "third")]


def test_a_turn_that_came_in_an_outage_has_spent_what_was_before() -> None:
    played = Played(Pace(2 * DAY, 0))
    played.until(DAY - 1)
    played.until(2 * DAY - 1, is_well=False)
    played.model.passes()
    played.model.well()
    played.turn(counted=DAY + 5 * HOUR)
    assert played.model.games[1].turns[0].spent == DAY


def test_time_off_stops_the_clock_and_its_end_starts_it() -> None:
    played = Played(Pace(3 * DAY))
    played.until(DAY)
    played.model.away(ADA, 11 * DAY)
    assert played.model.deadline(1) == 13 * DAY
    played.until(2 * DAY)
    played.model.back(ADA)
    assert played.model.deadline(1) == 4 * DAY
    assert played.model.days_off(ADA, 0) == DAY
    played.model.away(BEN, 20 * DAY)
    assert played.model.deadline(1) == 4 * DAY


def test_time_off_that_begins_when_time_is_over_stops_the_clock() -> None:
    played = Played(Pace(2 * DAY))
    played.until(2 * DAY)
    played.model.away(ADA, 5 * DAY)
    played.until(5 * DAY + 3)
    assert played.done == [(32 * HOUR, "third"), (5 * DAY + 3, "asked")]


def test_thirty_days_off_are_taken_a_year() -> None:
    played = Played(Pace(DAY), is_manual=False)
    played.until(40 * DAY)
    days = [(one.since, one.at) for one in played.model.done if one.what == "holiday"]
    assert days == [(day * DAY, day * DAY + 3) for day in range(1, 31)]
    assert [one for one in played.done if one[1] != "holiday"] == [
        (16 * HOUR, "third"),
        (DAY + 3, "told"),
        (30 * DAY + 3, "told"),
        (31 * DAY + 3, "asked"),
    ]


def test_announced_days_count_and_a_new_year_has_new_ones() -> None:
    played = Played(Pace(180 * DAY), is_strict=True, is_manual=False)
    played.model.away(ADA, 19 * DAY + HOUR)
    # The deadline is the 199th day and an hour. 19 days are used, and the 200th ends the year.
    played.until(235 * DAY)
    days = [one.since for one in played.model.done if one.what == "holiday"]
    assert days[:2] == [199 * DAY + HOUR, 200 * DAY + HOUR]
    # An hour of the first day is in the new year, so that only 29 more whole days are left in it.
    assert len(days) == 1 + 29
    assert played.done[-1] == (229 * DAY + HOUR + 3, "lost")


def test_one_day_off_serves_both_games() -> None:
    played = Played(Pace(DAY), is_manual=False)
    played.until(1)
    played.begin(2, Pace(DAY))
    played.until(DAY + 2 * HOUR)
    days = [(one.game, one.since) for one in played.model.done if one.what == "holiday"]
    assert days == [(1, DAY)]
    # The second game has a tick left when the day begins.
    assert played.model.deadline(2) == 2 * DAY + 1


def test_the_opponent_gives_time() -> None:
    played = Played(Pace(3 * DAY, DAY))
    played.until(HOUR)
    played.model.gives(1, 2 * DAY)
    assert played.model.deadline(1) == 5 * DAY
    played.until(3 * DAY)
    assert played.done == []
    played.until(4 * DAY)
    # Two thirds of five days are 80 hours, and after four days a day is left.
    assert played.done == [(80 * HOUR, "third"), (96 * HOUR, "day")]
    played.turn()
    assert played.model.games[1].turns[0].spent == 2 * DAY
    assert played.model.games[1].bank(0) == 2 * DAY
    assert played.model.games[1].gifts == [0, 0]


def test_waiting_gives_three_days_each_time() -> None:
    played = Played(Pace(DAY))
    played.until(5 * DAY)
    played.model.waits(1)
    assert played.model.deadline(1) == 8 * DAY
    played.until(9 * DAY)
    played.model.waits(1)
    assert played.model.deadline(1) == 12 * DAY
    played.model.claims(1)
    played.until(30 * DAY)
    # With the first wait there are eight days, two thirds of which are 128 hours.
    assert played.done == [
        (16 * HOUR, "third"),
        (DAY + 3, "asked"),
        (128 * HOUR, "third"),
        (7 * DAY, "day"),
        (8 * DAY + 3, "asked"),
    ]


def test_a_reminder_that_was_sent_before_a_gift_is_sent_again_when_a_third_is_left_with_it() -> None:
    played = Played(Pace(3 * DAY))
    played.until(2 * DAY + 2 * HOUR)
    # Two thirds of six days are four.
    played.model.gives(1, 3 * DAY)
    played.until(4 * DAY)
    assert played.done == [(2 * DAY, "third"), (4 * DAY, "third")]


def test_nobody_loses_while_their_mail_waits() -> None:
    played = Played(Pace(DAY), is_strict=True)
    played.until(DAY)
    played.model.mail_waits(ADA)
    played.until(2 * DAY)
    assert played.done == [(16 * HOUR, "third")]
    played.turn(counted=DAY)
    played.model.mail_handled(ADA)
    assert played.model.games[1].turns[0].spent == DAY
    assert played.model.deadline(1) == 3 * DAY


def test_a_game_without_a_clock_comes_to_rest_and_a_turn_wakes_it() -> None:
    played = Played(None)
    played.until(50 * DAY)
    assert played.done == [(7 * DAY, "quiet"), (30 * DAY, "silent"), (30 * DAY, "rests")]
    played.turn(after=HOUR)
    played.until(90 * DAY)
    assert played.done[3:] == [
        (57 * DAY + HOUR, "quiet"),
        (80 * DAY + HOUR, "silent"),
        (80 * DAY + HOUR, "rests"),
    ]


def test_turns_taken_back_are_gone_with_what_they_spent() -> None:
    played = Played(Pace(3 * DAY, HOUR))
    played.until(DAY)
    played.turn()
    played.until(2 * DAY)
    played.turn()
    played.model.takes_back(1, 2, is_agreed=True)
    assert played.model.games[1].bank(0) == 3 * DAY
    assert played.model.deadline(1) == 5 * DAY


def test_who_takes_back_their_own_move_has_the_time_that_they_had() -> None:
    played = Played(Pace(3 * DAY))
    played.until(DAY)
    played.turn()
    played.until(DAY + HOUR)
    played.model.takes_back(1, 1, is_agreed=False)
    assert played.model.deadline(1) == 3 * DAY


def test_another_pace_begins_with_the_turn() -> None:
    played = Played(Pace(3 * DAY, HOUR))
    played.until(DAY)
    played.turn()
    played.until(2 * DAY)
    played.model.agrees(1, Pace(5 * DAY, HOUR))
    assert played.model.deadline(1) == 7 * DAY
    assert played.model.games[1].bank(0) == 5 * DAY
    played.model.agrees(1, None)
    assert played.model.deadline(1) is None


def test_an_adjourned_game_has_no_clock() -> None:
    played = Played(Pace(DAY), is_strict=True)
    played.until(12 * HOUR)
    played.model.adjourns(1)
    played.until(5 * DAY)
    assert played.done == []
    played.model.resumes(1)
    assert played.model.deadline(1) == 6 * DAY


def test_a_clock_that_is_set_back_says_nothing_twice() -> None:
    played = Played(Pace(3 * DAY))
    played.until(2 * DAY)
    played.model.sets_clock(-2)
    played.until(3 * DAY - HOUR)
    assert played.done == [(2 * DAY, "third")]
    assert played.model.deadline(1) == 3 * DAY
