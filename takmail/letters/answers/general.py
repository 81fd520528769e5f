"""Answer for a mail as a whole, and what concerns the sender."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.letters.parts.clocks import days_left, days_to_touch
from takmail.letters.parts.terms import leaves_later
from takmail.letters.parts.words import said_later
from takmail.letters.reader import Builder, Reader
from takmail.limits.mails import Excess
from takmail.world import LANGUAGES, NewPlayers

_UNITS = ((1024 * 1024, "mebibytes"), (1024, "kibibytes"))


def excess(_reader: Reader, *, which: str, most: int | None) -> Blocks:
    """Say which limit a mail exceeds. `most` is the limit if it has a setting."""
    size = "" if most is None else size_of(most)
    match Excess(which):
        case Excess.MAIL:
            return paragraph(message("mail_too_long", size=size))
        case Excess.TEXT:
            return paragraph(message("text_too_long", size=size))
        case Excess.HEADER:
            return paragraph(message("headers_too_long", size=size))
        case Excess.WORK:
            return paragraph(message("mail_takes_too_long"))
        case _:
            return paragraph(message("mail_has_too_many_parts"))


def size_of(count: int) -> Message:
    """Return a number of bytes in its largest suitable unit."""
    for unit, name in _UNITS:
        if count >= unit:
            return message("size_of_mail", number=count / unit, unit=name)
    return message("size_of_mail", number=count, unit="bytes")


def text_repeated(reader: Reader) -> Blocks:
    """Say that the same text came again and again."""
    is_outside = reader.view is None
    return paragraph(message("text_repeated_without_game" if is_outside else "text_repeated_not_passed_on"))


def texts_in_a_row(reader: Reader) -> Blocks:
    """Say that many mails without a command came."""
    return paragraph(message("texts_without_command" if reader.view is None else "texts_without_move"))


def newcomer(reader: Reader) -> Blocks:
    """Refuse what only players can do."""
    is_by_invitation = reader.new_players is NewPlayers.INVITED
    return paragraph(message("invited_newcomers_only" if is_by_invitation else "newcomers_not_taken"))


def address_asked(_reader: Reader, *, wait_hours: int, days: int) -> Blocks:
    """Say that the owner of an address is asked."""
    return paragraph(
        message("address_letter_goes" if wait_hours else "address_letter_has_gone"),
        leaves_later(wait_hours),
        message("address_needs_yes", days=days),
    )


def blocks(_reader: Reader, *, names: Sequence[str]) -> Blocks:
    """Name the players whom the reader blocks."""
    if not names:
        return paragraph(message("you_block_nobody"))
    return paragraph(message("players_you_block", names=tuple(names)))


def setting(reader: Reader, *, keyword: str, value: object, game: str) -> Blocks:
    """Say what holds for a setting, and what else can be chosen."""
    match keyword:
        case "view":
            return paragraph(message("view_told", view=value))
        case "receipts":
            return paragraph(message("receipts_told", is_quiet=value))
        case "reminders":
            return paragraph(message("reminders_told", is_quiet=value))
        case "language":
            return paragraph(message("language_told", language=value), *_other_languages(value))
        case _:
            return paragraph(*reader.wording_of(game).reads(value, is_chosen=False))


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


def _other_languages(value: object) -> list[Message]:
    return [message("language_offered", language=language) for language in LANGUAGES if language != value]


BUILDERS: Mapping[str, Builder] = {
    "said_later": said_later,
    "excess": excess,
    "text_repeated": text_repeated,
    "texts_in_a_row": texts_in_a_row,
    "newcomer": newcomer,
    "address_asked": address_asked,
    "blocks": blocks,
    "setting": setting,
    "time_off": time_off,
    "away_refused": away_refused,
}
"""The builders of these answers, by their reason."""
