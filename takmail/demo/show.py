"""How the demo's conversation looks on a terminal."""

import textwrap
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

from takmail.demo.mailsystem import MailSystem

WIDTH = 72
REPEATED = ("Small letters", "It is your turn", "Last turns", "White:", "(In the first two turns")
"""How the paragraphs begin that stand in every letter."""


def shown_mail(name: str, words: str) -> str:
    """What a player writes."""
    return f"\n── {name} writes ".ljust(WIDTH, "─") + "\n" + textwrap.indent(words, "   ")


def shown_letter(name: str, letter: EmailMessage, *, brief: bool) -> str:
    """What a player gets: all but what every letter repeats, or only its first paragraph."""
    paragraphs = str(letter.get_content()).replace("\r\n", "\n").split("\n\n")
    if brief:
        said = [line for line in paragraphs[0].splitlines() if not line.startswith("You wrote:")]
        return textwrap.fill(
            f"{name} gets: {' '.join(said)}", WIDTH, initial_indent="   ", subsequent_indent="     "
        )
    lines = "\n\n".join(one for one in paragraphs if _tells(one)).splitlines()
    return f"   ┌ {name} gets: {letter['Subject']}\n" + "\n".join(f"   │ {line}".rstrip() for line in lines)


def closing(folder: Path) -> str:
    """Where everything lies."""
    return f"""
The game is over. Look at it:
  all mails       {folder / "mails"}
  the game (PTN)  {folder / "game.ptn"}
  the database    {folder / "takmail.sqlite"}
  the settings    {folder / "config.toml"}"""


def how_to_look(system: MailSystem, passwords: Mapping[str, str]) -> str:
    """How to point a mail program at the demo's mail system."""
    people = "\n".join(f"  user {address}, password {word}" for address, word in passwords.items())
    return f"""
It keeps running until Ctrl-C. Point a mail program at it, without TLS:
  IMAP 127.0.0.1, port {system.imap_port}
  SMTP 127.0.0.1, port {system.smtp_port}
{people}
Begin another game as Ada with a mail to {next(iter(passwords))}: new 5 vs ben@example.org"""


def _tells(paragraph: str) -> bool:
    """Whether a paragraph of a letter says something new."""
    return not paragraph.startswith(REPEATED) and " is to move. You can" not in paragraph
