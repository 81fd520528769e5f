"""Say how the clock of a game stands, which time for turns is agreed on, and who is away."""

from collections.abc import Sequence
from datetime import date, timedelta

from takmail.blocks import Blocks, Columns, Indented, Message, Small, buttons, message, only_text, paragraph
from takmail.commands.grammar.dates import absence_in
from takmail.commands.view import ListedGame
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
from takmail.world import DAY, GameRecord, Pace, PendingKind, ShownClock, Timing

_HALF_AN_HOUR = timedelta(minutes=30)
_WITHOUT_HOURS = 7 * DAY
"""A time that is as long is told in days alone."""


def pace_told(pace: str | None) -> Message:
    """Return a time for turns as a few words, which stand in brackets or behind a colon."""
    read = Pace.read(pace or "")
    if read is None:
        return message("no_time_limit")
    free = read.frees_weekends
    if read.turn is not None:
        return message("time_for_each_turn", time=_in_full(read.turn), frees_weekends=free)
    bank, more = _in_full(read.bank), _in_full(read.increment)
    return message("time_for_all_turns", bank=bank, more=more, frees_weekends=free)


def time_agreed(timing: Timing) -> Sentences:
    """Return what players agree on about time, a few words each."""
    if timing.pace is None:
        return ()
    return (pace_told(timing.pace), *((message("out_of_time_loses"),) if timing.is_strict else ()))


def _in_full(time: timedelta) -> Message:
    """Return a length of time in whole days and hours."""
    return message("exact_length_of_time", days=time.days, hours=time.seconds // 3600)


def length_told(time: timedelta) -> Message:
    """Return about how much time is left as a few words.

    It is rounded to the nearest hour or, if it is long, to the nearest day, so that right after 14 days it is 14 days.
    """
    if time >= _WITHOUT_HOURS - _HALF_AN_HOUR:
        return _in_full((time + DAY / 2) // DAY * DAY)
    rounded = (time + _HALF_AN_HOUR) // (2 * _HALF_AN_HOUR) * (2 * _HALF_AN_HOUR)
    return _in_full(rounded) if rounded else message("less_than_an_hour")


def time_until(reader: Reader) -> Message | None:
    """Say until when the player to move has time, None if no clock runs, or if it is told that their time is over."""
    return _until(reader, clock_to_move(reader))


def _until(reader: Reader, shown: ShownClock | None) -> Message | None:
    seen = reader.game
    is_told = seen.game.record.timing.rested_at is None and not seen.offers.has(PendingKind.TIME)
    if shown is None or not is_told:
        return None
    return message(
        "your_time_until" if seen.your_turn else "opponents_time_until",
        until=shown.until,
        is_over=shown.is_over,
    )


def listed_until(game: ListedGame) -> Sentences:
    """Say until when the player to move has time, in a list."""
    shown = game.clock
    if shown is None:
        return ()
    return (message("listed_until", until=shown.until, is_over=shown.is_over, is_yours=game.your_turn),)


def clock_to_move(reader: Reader) -> ShownClock | None:
    """Return how the clock of the player to move stands, None if none runs."""
    return reader.world.clock(reader.game.game.number)


def clock_told(reader: Reader) -> Sentences:
    """Say how the clock of an open game stands, or why none runs although a time for turns was agreed on."""
    seen, timing = reader.game, reader.game.record.timing
    if not seen.is_open:
        return ()
    if timing.rested_at is not None:
        return (message("game_is_at_rest", since=timing.rested_at),)
    if timing.pace is not None and not (timing.has_clock or seen.offers.has(PendingKind.PACE)):
        return (message("pace_is_a_word", pace=pace_told(timing.pace)),)
    shown = clock_to_move(reader)
    until, left = _until(reader, shown), None if shown is None else shown.left
    banks = None if left is None else _banks(*left)
    return tuple(said for said in (until, banks) if said is not None)


def _banks(yours: timedelta, theirs: timedelta) -> Message:
    return message("time_left_for_all", yours=length_told(yours), theirs=length_told(theirs))


def clock_terms(game: GameRecord, *, is_guest: bool = False) -> Sentences:
    """Say which clock a game has or would have, and what happens when time is over; nothing if it has none.

    `is_guest`: the reader is asked to the game.
    """
    is_asked = game.may_be_declined
    timing = game.timing
    if timing.pace is None or not (timing.has_clock or is_asked):
        return ()
    pace, over = pace_told(timing.pace), message("when_time_is_over", is_strict=timing.is_strict)
    if timing.has_clock:
        return message("clock_is", pace=pace), over
    return message("clock_would_be", pace=pace, is_guest=is_guest), over


def time_over(reader: Reader, pace: str | None) -> Message | None:
    """Say what happens when time is over, to players who change the clock of their game; nothing if none will run."""
    timing = reader.game.game.record.timing
    return message("when_time_is_over", is_strict=timing.is_strict) if pace else None


def days_left(left: Sequence[tuple[int, int]]) -> tuple[Message, ...]:
    """Say how many days off are left in each of these years, of which the first one is the current one."""
    (_, days), *later = left
    others = (message("days_off_left_then", left=count, year=year) for year, count in later)
    return (message("days_off_left", left=days), *others)


def days_to_touch(days: Sequence[date], first: date | None) -> Blocks:
    """Offer to be away until the end of one of these days, from now on or from a first day."""
    begins = "until" if first is None else f"{first.isoformat()} -"
    lines = tuple(
        (message("day_named", day=day, first=first), f"away {begins} {day.isoformat()}") for day in days
    )
    return only_text((Columns(tuple((line, day) for day, line in lines)),)), buttons(*lines)


def planned_to_touch(planned: Sequence[tuple[date, date]]) -> Blocks:
    """List planned time off by its first and its last day, and offer to cancel it."""
    if not planned:
        return ()
    lines = tuple(
        (f"away cancel {first.isoformat()}", message("days_of_time_off", first=first, until=until))
        for first, until in planned
    )
    labels = (message("label_cancel_time_off", first=first, until=until) for first, until in planned)
    cancel = buttons(*((label, line) for label, (line, _) in zip(labels, lines, strict=True)))
    return *paragraph(message("planned_is")), Columns(lines), cancel


def opponent_is_away(reader: Reader) -> Blocks:
    """Say until when the opponent is away, if the reader has not been told yet."""
    until = reader.opponent.away_until
    return (
        ()
        if until is None
        else (Small(message("opponent_is_away", opponent=reader.opponent.name, until=until)),)
    )


def clocks_can_stand(words: str) -> Blocks:
    """Offer to let the reader's clocks stand if they have told the opponent that they are away."""
    until = absence_in(words)
    if until is None:
        return ()
    line = f"away {until}"
    typed = only_text((Indented((message("line_to_type", line=line),)),))
    return *paragraph(message("clocks_can_stand")), typed, buttons((message("label_away"), line))
