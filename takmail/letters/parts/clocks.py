"""Say how much time there is for turns, how the clock of a game stands, and until when players are away."""

from collections.abc import Sequence
from datetime import date, timedelta

from takmail.blocks import Blocks, Columns, Indented, Message, Small, buttons, message, only_text, paragraph
from takmail.commands.grammar.dates import absence_in
from takmail.commands.view import View
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
from takmail.world import GameRecord, Pace, PendingKind, Standing
from takmail.world.pace import DAY

_MOST_HOURS = 3 * DAY
"""A time that is shorter is told in hours."""


def pace_told(pace: str | None) -> Message:
    """Return a time for turns as a few words, which stand in brackets or behind a colon."""
    read = Pace.read(pace or "")
    if read is None:
        return message("no_time_limit")
    if read.turn is not None:
        return message("time_for_each_turn", days=read.turn.days)
    return message("time_for_all_turns", days=read.bank.days, more=read.increment.days)


def length_told(time: timedelta) -> Message:
    """Return a length of time as a few words, in whole days or, if it is short or no whole days, in hours."""
    days, hours = time // DAY, time // timedelta(hours=1)
    is_in_days = time >= _MOST_HOURS or hours == 24 * days
    return message("length_of_time", days=days if is_in_days else 0, hours=0 if is_in_days else hours)


def time_until(reader: Reader) -> Message | None:
    """Say until when the player to move has time, None if no clock runs, or if it is told that their time is over."""
    seen = reader.game
    if seen.clock is None or seen.table.record.rested_at is not None or _waits(seen, PendingKind.TIME):
        return None
    return message(
        "your_time_until" if seen.your_turn else "opponents_time_until",
        until=seen.clock.until,
        is_over=seen.clock.is_over,
    )


def clock_told(reader: Reader) -> Sentences:
    """Say how the clock of an open game stands, or why none runs although a time for turns was agreed on."""
    seen, record = reader.game, reader.game.table.record
    if seen.standing is not Standing.OPEN:
        return ()
    if record.rested_at is not None:
        return (message("game_is_at_rest", since=record.rested_at),)
    if record.pace is not None and not (record.has_clock or _waits(seen, PendingKind.PACE)):
        return (message("pace_is_a_word", pace=pace_told(record.pace)),)
    until, left = time_until(reader), None if seen.clock is None else seen.clock.left
    banks = None if left is None else _banks(*left)
    return tuple(said for said in (until, banks) if said is not None)


def _waits(view: View, kind: PendingKind) -> bool:
    """Return whether an offer of a kind waits for an answer."""
    return any(offer.kind is kind for offer in view.offered + view.offered_by_you)


def _banks(yours: timedelta, theirs: timedelta) -> Message:
    return message("time_left_for_all", yours=length_told(yours), theirs=length_told(theirs))


def clock_terms(game: GameRecord, *, is_guest: bool = False) -> Sentences:
    """Say which clock a game has or would have, and what happens when time is over; nothing if it has none.

    `is_guest`: the reader is asked to the game.
    """
    is_asked = game.standing in (Standing.INVITED, Standing.BIDDING)
    if game.pace is None or not (game.has_clock or is_asked):
        return ()
    pace, over = pace_told(game.pace), message("when_time_is_over", is_strict=game.is_strict)
    if game.has_clock:
        return message("clock_is", pace=pace), over
    return message("clock_would_be", pace=pace, is_guest=is_guest), over


def days_left(left: Sequence[tuple[int, int]]) -> tuple[Message, ...]:
    """Say how many days off are left in each of these years, of which the first one is the current one."""
    (_, days), *later = left
    others = (message("days_off_left_then", left=count, year=year) for year, count in later)
    return (message("days_off_left", left=days), *others)


def days_to_touch(days: Sequence[date]) -> Blocks:
    """Offer to be away until the end of one of these days."""
    lines = tuple((message("day_named", day=day), f"away until {day.isoformat()}") for day in days)
    return only_text((Columns(tuple((line, day) for day, line in lines)),)), buttons(*lines)


def opponent_is_away(reader: Reader) -> Blocks:
    """Say until when the opponent is away, if the reader has not been told yet."""
    until = reader.opponent_away
    return (
        () if until is None else (Small(message("opponent_is_away", opponent=reader.opponent, until=until)),)
    )


def clocks_can_stand(words: str) -> Blocks:
    """Offer to let the reader's clocks stand if they have told the opponent that they are away."""
    until = absence_in(words)
    if until is None:
        return ()
    line = f"away {until}"
    typed = only_text((Indented((line,)),))
    return *paragraph(message("clocks_can_stand")), typed, buttons((message("label_away"), line))
