"""Tell what time does in a game: reminders, holidays, the end of a player's time, and games put to rest."""

from collections.abc import Mapping
from datetime import timedelta

from takmail.blocks import Blocks, Button, Message, SmallLinks, message, paragraph
from takmail.letters.news.row import Builder, Row
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.terms import time_until
from takmail.letters.reader import Reader
from takmail.world import DAY, news


def _is_yours(event: news.SeatNews, reader: Reader) -> bool:
    return event.seat == reader.game.you


def _says(yours: Message, theirs: Message) -> Builder:
    """Return a builder for news about the reader's time, or that of the opponent, which one sentence tells."""
    return lambda event, reader: paragraph(yours if _is_yours(event, reader) else theirs)


def _reminder(_event: news.ReminderDue, reader: Reader) -> Blocks:
    """Remind of a turn, with what the opponent has played, if takmail knows what that did."""
    effect = () if reader.game.effect is None else reader.wording.effect(reader.game)
    return (
        *paragraph(message("reminder_of_turn"), time_until(reader)),
        *paragraph(*effect),
        *paragraph(message("reminders_can_be_ended")),
        SmallLinks((Button(message("label_no_reminders"), "reminders off"),)),
    )


def _holiday(event: news.HolidayTaken, reader: Reader) -> Blocks:
    if _is_yours(event, reader):
        left, is_strict = event.left // DAY, reader.game.table.record.is_strict
        return paragraph(message("holiday_taken_for_you", until=event.until, left=left, is_strict=is_strict))
    return paragraph(message("holiday_taken_for_opponent", until=event.until))


def _time_given(event: news.TimeGiven, reader: Reader) -> Blocks:
    days, hours = _days_or_hours(event.time)
    is_yours = _is_yours(event, reader)
    return paragraph(message("time_given" if is_yours else "opponent_gives_time", days=days, hours=hours))


def _days_or_hours(time: timedelta) -> tuple[int, int]:
    """Return a time as whole days and 0, or else as 0 and hours."""
    days, rest = divmod(time, DAY)
    return (0, time // timedelta(hours=1)) if rest else (days, 0)


ROWS: Mapping[type[news.News], Row] = {
    news.ReminderDue: Row(tells=_reminder),
    news.HolidayTaken: Row(tells=_holiday),
    news.TimeOver: Row(tells=_says(message("your_time_is_over"), message("opponents_time_is_over"))),
    news.LostOnTime: Row(tells=lambda _, reader: paragraph(*outcome(reader))),
    news.GameRested: Row(tells=_says(message("game_rests_for_you"), message("game_rests_for_opponent"))),
    news.TimeGiven: Row("gave_time", _time_given, _time_given),
}
"""Rows of news about clocks."""
