"""Quote the answered letter below an answer, as different mail programs do."""

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

Habit = Callable[[str, EmailMessage], str]
"""Returns the text of an answer from the typed words and the answered letter."""


def marked(words: str, letter: EmailMessage) -> str:
    """Quote the letter with an attribution line and `>` on each line, as most mail programs do."""
    return f"{words}\n\n{_attribution(letter)}\n{_marked_lines(letter)}"


def unmarked(words: str, letter: EmailMessage) -> str:
    """Quote the letter below some of its headers, without marks on its lines, as Outlook does."""
    sent = parsedate_to_datetime(str(letter["Date"])).strftime("%A, %d %B %Y %H:%M")
    headers = (
        f"From: {letter['From']}",
        f"Sent: {sent}",
        f"To: {letter['To']}",
        f"Subject: {letter['Subject']}",
    )
    return "\n".join([words, "", "_" * 32, *headers, "", *_lines(letter)])


def from_a_phone(words: str, letter: EmailMessage) -> str:
    """Quote the letter as `marked` does, but below a phone's signature and with `>` before the attribution, too."""
    return f"{words}\n\nSent from my phone\n\n> {_attribution(letter)}\n> \n{_marked_lines(letter)}"


def _attribution(letter: EmailMessage) -> str:
    return f"On {letter['Date']}, {letter['From']} wrote:"


def _marked_lines(letter: EmailMessage) -> str:
    return "\n".join(f"> {line}" for line in _lines(letter))


def _lines(letter: EmailMessage) -> list[str]:
    return text_of(letter).splitlines()


def text_of(letter: EmailMessage) -> str:
    """Return the plain text of a letter."""
    body = letter.get_body(("plain",))
    return "" if body is None else str(body.get_content()).replace("\r\n", "\n")
