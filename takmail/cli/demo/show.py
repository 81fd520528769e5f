"""Format the demo's conversation for a terminal: the mails, the letters, and the board on their right."""

import re
import textwrap
from collections.abc import Mapping
from email.message import EmailMessage
from itertools import takewhile, zip_longest
from pathlib import Path

import click

from takmail.cli.demo.habits import text_of
from takmail.cli.demo.mailsystem import MailSystem
from takmail.cli.demo.pauses import MINUTES, WORDS_PER_MINUTE
from takmail.letters.templates import Templates, folder

LABEL = 12
WIDTH = 53
REPEATED = (
    "A1 is",
    "Capital letters",
    "Answer this mail with your move",
    "You will hear of",
    "Last turns",
    "You (",
    "Ada (",
    "Ben (",
    "--------",
    "You can always write",
    '"help" tells',
    "The game is over",
    "This address opens the game",
    "https://",
)
"""The beginnings of paragraphs that many letters repeat, or that are too long to read here. The demo leaves them out.
"""

BEGUN = "\nTwo mails each, and the first move is played."
"""The line that the demo prints after the invited player's first move."""

COLORS = {"Ada": "cyan", "Ben": "yellow"}
"""The color of what concerns a player."""

_LABELS = re.compile(rf"^({'|'.join(COLORS)}) (?:writes|gets)", re.MULTILINE)
_HEADING = re.compile(r"^(?:How to read a board|The game is over\.|Two mails each).*", re.MULTILINE)
_BOARD_LINE = re.compile(r"[0sSwWcC]+(?: +[0sSwWcC]+)+ *|A +B(?: +[C-H])* *")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z(])")


def shown_mail(name: str, words: str) -> str:
    """Format the words that a player writes."""
    return "\n" + "\n".join(_labelled(f"{name} writes", words.replace("\n\n", "\n").splitlines()))


def shown_letters(
    answered: str, answer: EmailMessage, other: str = "", news: EmailMessage | None = None
) -> str:
    """Format the shortened answer to the writer and the news for the opponent, with the board on their right."""
    paragraphs = _paragraphs(answer)
    text = _new_lines(paragraphs, only_first=True)
    board = _board(paragraphs)
    lines = _labelled(f"{answered} gets", text or ["the board:"])
    if news is not None:
        lines += _labelled(f"{other} gets", _new_lines(_paragraphs(news)))
    beside = LABEL + WIDTH + 2
    return "\n".join(
        f"{line:{beside}}{row}".rstrip() for line, row in zip_longest(lines, board, fillvalue="")
    )


def headline(letter: EmailMessage) -> str:
    """Return the first sentence of a letter that tells what happened, on one line, or its Subject if it has none.

    That it is the reader's turn is told with what led to it. The other player's mail, which comes first in some
    letters, is no such sentence: it begins with a small letter.
    """
    paragraphs = (
        " ".join(_filled(one)) for one in _paragraphs(letter) if not (_is_board(one) or _is_repeated(one))
    )
    words = next((one for one in paragraphs if one and not one[0].islower()), str(letter["Subject"]))
    first, *more = _SENTENCE.split(words)
    return f"{first} {more[0]}" if more and first == "Your turn." else first


def opening(*, is_paced: bool) -> str:
    """Format the first lines of the demo: what it plays, how long that takes, and how to read a board."""
    minutes = MINUTES if is_paced else None
    return Templates(folder()).page(
        "console/demo/begins.txt", minutes=minutes, words_per_minute=WORDS_PER_MINUTE
    )


def closing(place: Path, index: Path) -> str:
    """Format the last lines of the demo, with the paths of all files."""
    return "\n" + Templates(folder()).page("console/demo/over.txt", folder=place, index=index.as_uri())


def stopped(mails: Path, index: Path | None, *, is_paced: bool) -> str:
    """Format the last lines of a demo that was ended early. `index` is None if there were no letters."""
    return "\n" + Templates(folder()).page(
        "console/demo/stopped.txt",
        mails=mails,
        index=None if index is None else index.as_uri(),
        is_paced=is_paced,
    )


def painted(text: str) -> str:
    """Return the text with bold and colored labels for a terminal."""

    def label(found: re.Match[str]) -> str:
        return click.style(found[0], fg=COLORS[found[1]], bold=True)

    def heading(found: re.Match[str]) -> str:
        return click.style(found[0], bold=True)

    return _HEADING.sub(heading, _LABELS.sub(label, text))


def how_to_look(system: MailSystem, passwords: Mapping[str, str]) -> str:
    """Format how to connect a mail program to the demo's mail system."""
    people = "\n".join(f"  user {address}, password {word}" for address, word in passwords.items())
    service, ada, ben = passwords
    return f"""
The demo keeps running until Ctrl-C. Connect a mail program to it, without TLS:
  IMAP {system.host}, port {system.imap_port}
  SMTP {system.host}, port {system.smtp_port}
{people}
To begin another game write as {ada} to {service}: new 5 vs {ben}
and answer the letter that comes with: yes"""


def _labelled(label: str, lines: list[str]) -> list[str]:
    return [f"{label if number == 0 else '':{LABEL}}{line}" for number, line in enumerate(lines)]


def _paragraphs(letter: EmailMessage) -> list[str]:
    return text_of(letter).strip().split("\n\n")


def _board(paragraphs: list[str]) -> list[str]:
    """Return the lines of the last board in a letter, which is the current one, or none if there is no board."""
    return next((one.splitlines() for one in reversed(paragraphs) if _is_board(one)), [])


def _new_lines(paragraphs: list[str], *, only_first: bool = False) -> list[str]:
    """Return the lines of a letter without the current board and repeated paragraphs. Each paragraph is wrapped again.

    Earlier boards are kept.
    """
    new = [one for one in paragraphs if not _is_repeated(one)]
    current = max((place for place, one in enumerate(new) if _is_board(one)), default=None)
    if current is not None:
        announces = current > 0 and new[current - 1].endswith(":")
        del new[current - announces : current + 1]
    return [line for paragraph in (_first(new) if only_first else new) for line in _filled(paragraph)]


def _first(paragraphs: list[str]) -> list[str]:
    """Return the first paragraph. If it announces a list, include the list and the paragraph after it."""
    whole = takewhile(lambda one: one.endswith(":") or one.startswith("  |"), paragraphs)
    return paragraphs[: len(list(whole)) + 1]


def _filled(paragraph: str) -> list[str]:
    """Wrap a paragraph to `WIDTH`. The rows of a board and the items of a list stay on separate lines."""
    if _is_board(paragraph):
        return paragraph.splitlines()
    lines = [
        line for line in paragraph.splitlines() if not line.startswith(("You wrote:", "You said yes to:"))
    ]
    items = re.sub(r"\n(?=  \S|As it was )", "\0", "\n".join(lines)).split("\0")
    return [line for item in items for line in textwrap.wrap(" ".join(item.split()), WIDTH)]


def _is_board(paragraph: str) -> bool:
    lines = paragraph.splitlines()
    return bool(lines) and all(_BOARD_LINE.fullmatch(line) for line in lines)


def _is_repeated(paragraph: str) -> bool:
    return paragraph.startswith(REPEATED)
