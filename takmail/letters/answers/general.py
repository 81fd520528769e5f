"""Answer for a mail as a whole, and what concerns the sender."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.letters.parts.clocks import days_left, days_to_touch
from takmail.letters.parts.terms import leaves_later
from takmail.letters.parts.words import said_later
from takmail.letters.reader import Builder, Reader
from takmail.world import LANGUAGES

_UNITS = ((1024 * 1024, "mebibytes"), (1024, "kibibytes"))


def excess(_reader: Reader, *, which: str, most: int | None) -> Blocks:
    """Say which limit a mail exceeds. `most` is the limit if it has a setting."""
    return paragraph(message("excess", which=which, size="" if most is None else size_of(most)))


def size_of(count: int) -> Message:
    """Return a number of bytes in its largest suitable unit."""
    for unit, name in _UNITS:
        if count >= unit:
            return message("size_of_mail", number=count / unit, unit=name)
    return message("size_of_mail", number=count, unit="bytes")


def address_asked(_reader: Reader, *, wait_hours: int, days: int) -> Blocks:
    """Say that the owner of an address is asked."""
    return paragraph(
        message("address_letter_goes" if wait_hours else "address_letter_has_gone"),
        leaves_later(wait_hours),
        message("address_needs_yes", days=days),
    )


def setting(reader: Reader, *, keyword: str, value: object, game: str) -> Blocks:
    """Say what holds for a setting, and what else can be chosen."""
    if keyword == "reads":
        return paragraph(*reader.wording_of(game).reads(value, is_chosen=False))
    others = tuple(message("language_offered", language=one) for one in LANGUAGES if one != value)
    told = Message(f"{keyword}_told", {"value": value})
    return paragraph(told, *(others if keyword == "language" else ()))


def time_off(
    _reader: Reader,
    *,
    is_away: bool,
    until: date | None,
    left: Sequence[tuple[int, int]],
    announces: bool | None,
) -> Blocks:
    """Say whether the reader is away, and how many days off are left.

    Without `until`, the time off was taken for the reader. `announces` is the setting, None if it is not told.
    """
    named = (
        None
        if until is None
        else message("you_are_away", until=until, is_day=not isinstance(until, datetime))
    )
    state = named or message("you_are_on_holiday" if is_away else "you_are_not_away")
    setting = None if announces is None else message("holiday_told", announces=announces)
    return (*paragraph(state, *days_left(left)), *paragraph(setting, message("how_to_be_away")))


def away_refused(
    _reader: Reader, *, fault: str, days: Sequence[date], read_as: date | None, left: int, year: int
) -> Blocks:
    """Say why the reader can't be away until a day, and offer until when they can."""
    left_now = days_left(((year, left),)) if fault == "long" else ()
    offered = message("away_longest") if days and fault != "ambiguous" else None
    touched = days_to_touch(days) if days else ()
    return (
        *paragraph(message("away_refused", fault=fault, day=read_as), *left_now),
        *paragraph(offered),
        *touched,
    )


BUILDERS: Mapping[str, Builder] = {
    "said_later": said_later,
    "excess": excess,
    "address_asked": address_asked,
    "setting": setting,
    "time_off": time_off,
    "away_refused": away_refused,
}
"""The builders of these answers, by their reason."""
