"""Say until when players are away, and how many days off are left to them."""

from collections.abc import Sequence
from datetime import date

from takmail.blocks import Blocks, Columns, Indented, Message, Small, buttons, message, only_text, paragraph
from takmail.commands.grammar.absence import absence_in
from takmail.letters.reader import Reader


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
