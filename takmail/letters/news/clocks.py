"""Tell what time does in a game: reminders, holidays, the end of a player's time, and games put to rest."""

from collections.abc import Mapping
from datetime import timedelta

from takmail.blocks import Blocks, Button, SmallLinks, message, paragraph
from takmail.letters.news.row import Row, is_yours, says_to_each
from takmail.letters.passages.ending import outcome
from takmail.letters.passages.times import time_until
from takmail.letters.reader import Reader
from takmail.mail.tokens import NO_REMINDERS
from takmail.world import DAY, events


def _reminder(_event: events.ReminderDue, reader: Reader) -> Blocks:
    """Remind of a turn, with what the opponent has played, if takmail knows what that did."""
    effect = () if reader.game.shown.effect is None else reader.wording.effect(reader.game)
    return (
        *paragraph(message("reminder_of_turn"), time_until(reader)),
        *paragraph(*effect),
        *paragraph(message("reminders_can_be_ended")),
        SmallLinks((Button(message("label_no_reminders"), "reminders off"),)),
    )


def _holiday(event: events.HolidayTaken, reader: Reader) -> Blocks:
    if is_yours(event, reader):
        left, is_strict = event.left // DAY, reader.game.record.timing.is_strict
        return paragraph(
            message("holiday_taken_for_you", until=event.off.ended_at, left=left, is_strict=is_strict)
        )
    return paragraph(message("holiday_taken_for_opponent", until=event.off.ended_at))


def _time_given(event: events.TimeGiven, reader: Reader) -> Blocks:
    days, hours = _days_or_hours(event.time)
    return paragraph(
        message("time_given" if is_yours(event, reader) else "opponent_gives_time", days=days, hours=hours)
    )


def _days_or_hours(time: timedelta) -> tuple[int, int]:
    """Return a time as whole days and 0, or else as 0 and hours."""
    days, rest = divmod(time, DAY)
    return (0, time // timedelta(hours=1)) if rest else (days, 0)


ROWS: Mapping[type[events.Event], Row] = {
    events.ReminderDue: Row(tells=_reminder, ends=NO_REMINDERS),
    events.HolidayTaken: Row(tells=_holiday),
    events.TimeOver: Row(tells=says_to_each(message("your_time_is_over"), message("opponents_time_is_over"))),
    events.LostOnTime: Row(tells=lambda _, reader: paragraph(*outcome(reader))),
    events.GameRested: Row(
        tells=says_to_each(message("game_rests_for_you"), message("game_rests_for_opponent"))
    ),
    events.TimeGiven: Row("gave_time", _time_given),
}
"""Rows of clocks."""
