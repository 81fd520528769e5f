"""What letters say of the mails themselves: the words that they bring, and why a mail was not read."""

from collections.abc import Iterable

from takmail.blocks import Blocks, Message, Quote, message, paragraph
from takmail.mail.message import UnreadableReason


def opponents_words(texts: Iterable[str]) -> Blocks:
    """Return what the opponent says, as quotes: nobody takes them for takmail's own words or for commands."""
    quotes = tuple(map(Quote, texts))
    return (*paragraph(message("opponent_writes")), *quotes) if quotes else ()


def address_was_read(was_read: bool) -> Blocks:
    """Say that others have read the reader's reply address in a mail, which proved that a mail was the reader's."""
    return paragraph(message("address_was_read")) if was_read else ()


def only_answers(wants_no_mail: bool) -> Blocks:
    """Say that the reader gets nothing but answers."""
    return paragraph(message("only_answers_come")) if wants_no_mail else ()


def last_answer(last_for: str) -> Blocks:
    """Say that no more answers follow within an hour or a day, as `Correspondent.last_for` tells."""
    return paragraph(message("last_answer_for_now", within=last_for)) if last_for else ()


def unread(why: UnreadableReason) -> Message:
    """Say why nothing was read in a mail."""
    return message("nothing_could_be_read", why=why)
