"""The answers to a mail as a whole, and those that all commands share."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Message, message, paragraph
from takmail.letters.parts.words import said_later
from takmail.letters.reader import Builder, Reader
from takmail.limits.mails import Excess

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


BUILDERS: Mapping[str, Builder] = {
    "said_later": said_later,
    "excess": excess,
    "text_repeated": text_repeated,
    "texts_in_a_row": texts_in_a_row,
}
"""The builders of these answers, by their reason."""
