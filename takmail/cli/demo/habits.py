"""How mail programs put the letter that is answered below an answer."""

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

Habit = Callable[[str, EmailMessage], str]
"""From what is typed and the letter that is answered to the text of the mail."""


def marked(words: str, letter: EmailMessage) -> str:
    """The letter below a line that says who wrote it, each line behind a `>`, as most programs do."""
    return f"{words}\n\n{_wrote(letter)}\n{_behind_marks(letter)}"


def unmarked(words: str, letter: EmailMessage) -> str:
    """The letter as it is below some of its headers, as Outlook does."""
    sent = parsedate_to_datetime(str(letter["Date"])).strftime("%A, %d %B %Y %H:%M")
    headers = (
        f"From: {letter['From']}",
        f"Sent: {sent}",
        f"To: {letter['To']}",
        f"Subject: {letter['Subject']}",
    )
    return "\n".join([words, "", "_" * 32, *headers, "", *_lines(letter)])


def from_a_phone(words: str, letter: EmailMessage) -> str:
    """As `marked`, with the line that phones put below what is typed, and the attribution marked as well."""
    return f"{words}\n\nSent from my phone\n\n> {_wrote(letter)}\n> \n{_behind_marks(letter)}"


def _wrote(letter: EmailMessage) -> str:
    return f"On {letter['Date']}, {letter['From']} wrote:"


def _behind_marks(letter: EmailMessage) -> str:
    return "\n".join(f"> {line}" for line in _lines(letter))


def _lines(letter: EmailMessage) -> list[str]:
    return text_of(letter).splitlines()


def text_of(letter: EmailMessage) -> str:
    """What a person reads of a letter."""
    body = letter.get_body(("plain",))
    return "" if body is None else str(body.get_content()).replace("\r\n", "\n")
