"""Wording: one folder of `templates/` a kind of letter, filled in by Jinja2.

Nothing a player reads is worded anywhere else. A name that a template doesn't get is an error, never a blank.
"""

import textwrap
import unicodedata
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from takmail.letters.html import Page, Pages
from takmail.letters.markup import WIDTH, columns


def folder() -> Path:
    """Where the templates are: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


class Templates:
    """The templates of some folders, compiled once; of two with one name that of the first folder counts."""

    def __init__(self, *roots: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(roots),
            auto_reload=False,  # or each use would look at the file
            undefined=StrictUndefined,
            autoescape=False,  # letters are text/plain
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["fill"] = fill
        self._environment.filters["barred"] = barred
        self._environment.filters["printable"] = printable
        self._environment.filters["untabbed"] = str.expandtabs
        self._pages = Pages(*roots)
        # What these two place is for the HTML side (marks.py): a text is fixed in its lines as it is.
        self._environment.filters["pre"] = str
        self._environment.filters["text_only"] = str
        self._environment.filters["columns"] = columns
        self._environment.filters["slot"] = lambda _name, _it: ""
        self._environment.filters["linked"] = lambda address, _words: address

    def letter(self, kind: str, /, **facts: object) -> str:
        """The text of a kind of letter, with a newline at the end.

        Raises jinja2's errors if a template wants what it doesn't get.
        """
        return tidy(self._render(f"{kind}/text.txt", facts)) + "\n"

    def page_of(self, kind: str, /, cid: str, **facts: object) -> Page:
        """The HTML side of a kind of letter: the same words, with pictures and links (`pages.py`)."""
        return self._pages.page(kind, cid, **facts)

    def line(self, name: str, /, **facts: object) -> str:
        """A template that is one line, such as a Subject."""
        return " ".join(self._render(name, facts).split())

    def page(self, name: str, /, **facts: object) -> str:
        """A template that is read on a terminal, with no newline at the end."""
        return tidy(self._render(name, facts))

    def exists(self, name: str) -> bool:
        """Whether there is such a template; the name comes from our code, or from `help WORD`."""
        return name in self._names

    def names(self) -> list[str]:
        """All templates there are."""
        return self._names

    @cached_property
    def _names(self) -> list[str]:
        # Listed once, as each is compiled once: the folders don't change while takmail runs.
        return self._environment.list_templates()

    def _render(self, name: str, facts: dict[str, object]) -> str:
        return self._environment.get_template(name).render(**facts)


def fill(text: str, indent: str = "") -> str:
    """Paragraphs wrapped to the width of a letter, each line behind `indent`."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        textwrap.fill(
            " ".join(one.split()),
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for one in paragraphs
    )


def barred(text: str) -> str:
    """Somebody's own words, their lines kept where they fit and each behind a bar."""
    lines: list[str] = []
    for line in tidy(text).splitlines():
        lines += textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


def printable(text: str) -> str:
    """The text on one line, without what could drive a terminal or turn the line round: mails come from anywhere."""
    spaced = (" " if unicodedata.category(letter) == "Zs" else letter for letter in text)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in spaced)


def tidy(text: str) -> str:
    """No blank at the end of a line, never two blank lines, none at either end."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")
