"""Render the templates with Jinja2. Each kind of letter has a folder in `templates/`.

The templates contain all wording for players. A missing fact is an error, and never a blank.
"""

import textwrap
import unicodedata
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from takmail.letters.html import Page, Pages
from takmail.letters.markup import WIDTH, columns


def folder() -> Path:
    """Return the folder of the templates: in the package if it is installed, next to it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


class Templates:
    """The templates of some folders, compiled once. An earlier folder's template hides a later one of the same name."""

    def __init__(self, *roots: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(roots),
            auto_reload=False,  # otherwise each use would check the file
            undefined=StrictUndefined,
            autoescape=False,  # letters are text/plain
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["fill"] = fill
        self._environment.filters["barred"] = quoted
        self._environment.filters["printable"] = printable
        self._environment.filters["age"] = age
        self._environment.filters["untabbed"] = str.expandtabs
        self._pages = Pages(*roots)
        # These filters change only the HTML part (`markup.py`), except `columns`, which also lays out the text.
        self._environment.filters["pre"] = str
        self._environment.filters["text_only"] = str
        self._environment.filters["columns"] = columns
        self._environment.filters["slot"] = lambda _name, _it: ""
        self._environment.filters["linked"] = lambda address, _words: address

    def letter(self, kind: str, /, **facts: object) -> str:
        """Render the text of a kind of letter, with a newline at the end.

        Raises jinja2's `UndefinedError` for a missing fact.
        """
        return tidy(self._render(f"{kind}/text.txt", facts)) + "\n"

    def page_of(self, kind: str, /, **facts: object) -> Page:
        """Render the HTML part of a kind of letter, as `Pages.page` does."""
        return self._pages.page(kind, **facts)

    def line(self, name: str, /, **facts: object) -> str:
        """Render a template that is one line, such as a Subject."""
        return " ".join(self._render(name, facts).split())

    def page(self, name: str, /, **facts: object) -> str:
        """Render a template for the terminal, without a newline at the end."""
        return tidy(self._render(name, facts))

    def exists(self, name: str) -> bool:
        """Return whether a template exists. Names come from our code, or from a player's `help WORD`."""
        return name in self._names

    def names(self) -> list[str]:
        """Return the names of all templates."""
        return self._names

    @cached_property
    def _names(self) -> list[str]:
        # Listed once: the folders don't change while takmail runs.
        return self._environment.list_templates()

    def _render(self, name: str, facts: dict[str, object]) -> str:
        return self._environment.get_template(name).render(**facts)


def fill(text: str, indent: str = "") -> str:
    """Wrap paragraphs to the width of a letter, each line with `indent`."""
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


def quoted(text: str) -> str:
    """Format somebody's words: put a bar before each line, and wrap only the lines that are too long."""
    lines: list[str] = []
    for line in tidy(text).splitlines():
        lines += textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


def printable(text: str) -> str:
    """Replace each control and direction character of untrusted text by U+FFFD, and each special space by a space."""
    spaced = (" " if unicodedata.category(letter) == "Zs" else letter for letter in text)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in spaced)


def age(seconds: int) -> str:
    """Return an age in seconds in its largest suitable unit."""
    for unit, name in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"


def tidy(text: str) -> str:
    """Remove blanks at the ends of lines, repeated blank lines, and blank lines at both ends of the text."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")
