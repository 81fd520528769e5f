"""Answer what concerns the sender, such as settings, addresses and time off, or a mail as a whole."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from takmail.blocks import Blocks, Message, buttons, message, paragraph
from takmail.letters.answers.ratings import rating_told
from takmail.letters.digests import choice_told
from takmail.letters.passages.terms import leaves_later
from takmail.letters.passages.times import days_left, days_to_touch, planned_to_touch
from takmail.letters.passages.words import said_later
from takmail.letters.reader import Builder, Reader
from takmail.world import LANGUAGES

_UNITS = ((1024 * 1024, "mebibytes"), (1024, "kibibytes"))


def new_nobody(reader: Reader, *, name: str, game: str) -> Blocks:
    """Say that nobody has a name, and how somebody is asked who does not play here."""
    return paragraph(message("nobody_of_this_name", name=name, example=reader.wording_of(game).example))


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
    match keyword:
        case "view":
            return paragraph(message("view_told", value=value))
        case "receipts":
            return paragraph(message("receipts_told", value=value))
        case "rating":
            return rating_told(value)
        case "reminders":
            return paragraph(message("reminders_told", value=value))
        case "news":
            return paragraph(message("news_told", value=value))
        case "language":
            others = (language for language in LANGUAGES if language != value)
            offered = (message("language_offered", language=language) for language in others)
            return paragraph(message("language_told", value=value), *offered)
        case _:
            return paragraph(*reader.wording_of(game).reads(value, is_chosen=False))


def digest(_reader: Reader, *, choice: str | None, zone: str) -> Blocks:
    """Say when turns come, and what else can be chosen."""
    lines = ("digest daily 8:00", "digest quiet", "digest off")
    how, at = choice_told(choice)
    return (
        *paragraph(message("digest_told", how=how, at=at, zone=zone), message("digest_choices")),
        buttons(*((message("line_to_type", line=line), line) for line in lines)),
    )


def time_off(
    _reader: Reader,
    *,
    is_away: bool,
    until: date | None,
    planned: Sequence[tuple[date, date]],
    left: Sequence[tuple[int, int]],
    announces: bool | None,
) -> Blocks:
    """Say whether the reader is away, and how many days off are left.

    Without `until`, the time off was taken for the reader. `planned` are the first and last days of what is planned.
    `announces` is the setting, None if it is not told.
    """
    named = (
        None
        if until is None
        else message("you_are_away", until=until, is_day=not isinstance(until, datetime))
    )
    state = named or message("you_are_on_holiday" if is_away else "you_are_not_away")
    setting = None if announces is None else message("holiday_told", announces=announces)
    told = paragraph(state, *days_left(left)), paragraph(setting, message("how_to_be_away"))
    return (*told[0], *planned_to_touch(planned), *told[1])


def not_away(_reader: Reader, *, planned: Sequence[tuple[date, date]]) -> Blocks:
    """Say that the reader is not away, and what they have planned."""
    return (*paragraph(message("not_away")), *planned_to_touch(planned))


def which_planned(_reader: Reader, *, planned: Sequence[tuple[date, date]]) -> Blocks:
    """Ask which time off the reader takes back."""
    return (*paragraph(message("which_planned")), *planned_to_touch(planned))


def away_refused(
    _reader: Reader,
    *,
    fault: str,
    days: Sequence[date],
    read_as: date | None,
    first: date | None,
    left: int,
    year: int,
) -> Blocks:
    """Say why the reader can't be away until a day, and offer until when they can, from now on or from a first day."""
    left_now = days_left(((year, left),)) if fault == "long" else ()
    offered = message("away_longest") if days and fault != "ambiguous" else None
    touched = days_to_touch(days, first) if days else ()
    return (
        *paragraph(message("away_refused", fault=fault, day=read_as), *left_now),
        *paragraph(offered),
        *touched,
    )


BUILDERS: Mapping[str, Builder] = {
    "new_nobody": new_nobody,
    "said_later": said_later,
    "excess": excess,
    "address_asked": address_asked,
    "setting": setting,
    "digest_told": digest,
    "time_off": time_off,
    "not_away": not_away,
    "which_planned": which_planned,
    "away_refused": away_refused,
}
"""The builders of these answers, by their reason."""
