"""Load the wording: the messages of all languages, the HTML part of letters, and the pages of the console.

The console is the operator's, and its pages are English. `templates/console/` has a template for each.
"""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from takmail.blocks import Message, Texts
from takmail.games.registry import GAMES, Games
from takmail.letters.catalogue import ENGLISH, UNBROKEN, Catalogue
from takmail.letters.page import Pages
from takmail.letters.text import tidy, wrap


def folder() -> Path:
    """Return the folder of the templates: in the package if it is installed, next to it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


class Templates(Catalogue):
    """The messages and templates of some folders, compiled once. `pages` makes the HTML parts of letters.

    An earlier folder's template hides a later one of the same name.
    """

    def __init__(self, *roots: Path, games: Games = GAMES) -> None:
        super().__init__(*roots)
        self.pages = Pages(*roots)
        self._console = self._environment(roots, games)

    def line(self, name: str, /, **facts: object) -> str:
        """Render a template of the console that is one line."""
        return " ".join(self._render(name, facts).split())

    def page(self, name: str, /, **facts: object) -> str:
        """Render a template for the terminal, without a newline at the end."""
        return tidy(self._render(name, facts))

    def has_message(self, name: str) -> bool:
        """Return whether there is a message of this name. Names come from our code, or from a player's `help WORD`."""
        return name in self.words(ENGLISH).macros

    def said(self, message: Message, language: str = ENGLISH) -> str:
        """Return a message in words, on one line."""
        return self.words(language).text(message, {}).replace(UNBROKEN, " ")

    def _environment(self, roots: Sequence[Path], games: Games) -> Environment:
        made = Environment(
            loader=FileSystemLoader(roots),
            auto_reload=False,  # otherwise each use would check the file
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.filters |= {"untabbed": str.expandtabs, "printable": printable, "age": age, "fill": _fill}
        made.globals |= {
            "worded": self._worded,
            "wordings": {name: game.wording for name, game in games.by_name.items()},
        }
        return made

    def _worded(self, texts: Texts, **common: object) -> str:
        """Return a message or sentences in English, for the console. `common` are the parameters that all may have."""
        sentences = texts if isinstance(texts, tuple) else (texts,)
        return self.words(ENGLISH).sentences(sentences, common).replace(UNBROKEN, " ")

    def _render(self, name: str, facts: dict[str, object]) -> str:
        return self._console.get_template(name).render(**facts)


def _fill(text: str) -> str:
    """Wrap paragraphs to the width of a letter."""
    return "\n\n".join(wrap(" ".join(paragraph.split())) for paragraph in text.split("\n\n"))


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
