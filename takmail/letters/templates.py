"""Render the templates with Jinja2. Each kind of letter has a folder in `templates/`.

The templates contain all wording for players. A missing fact is an error, and never a blank.
"""

from functools import cache, cached_property
from pathlib import Path

from takmail.blocks import Message
from takmail.letters import bridge
from takmail.letters.catalogue import ENGLISH, Catalogue
from takmail.letters.environment import environment
from takmail.letters.html import MarkedLetter, frame_environment, letter_environment, marked_letter
from takmail.letters.layout import fill, item_of, quoted, tidy


def folder() -> Path:
    """Return the folder of the templates: in the package if it is installed, next to it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


class Templates:
    """The templates of some folders, compiled once. An earlier folder's template hides a later one of the same name."""

    def __init__(self, *roots: Path) -> None:
        self._environment = environment(roots, autoescape=False)
        self._environment.filters["fill"] = fill
        self._environment.filters["item"] = item_of
        self._environment.filters["barred"] = quoted
        # The console's templates include some of the letters' templates. It shows what the text of a letter has.
        self._environment.filters["pre"] = str
        self._environment.filters["text_only"] = str
        self._environment.filters["html_only"] = str
        self._environment.globals["writes_html"] = False
        self._environment.filters["unbroken"] = str
        self._environment.filters["slot"] = lambda _name, _it: ""
        self._environment.filters["linked"] = lambda address, _words: address
        self._fixed_line = cache(lambda name: " ".join(self._render(name, {}).split()))
        self._letters, self._frame = letter_environment(roots), frame_environment(roots)
        self.catalogue = Catalogue(*roots)
        bridge.add_to(self._environment, self.catalogue, marks=False)
        bridge.add_to(self._letters, self.catalogue, marks=True)
        bridge.add_to(self._frame, self.catalogue, marks=False)

    def letter(self, kind: str, /, **facts: object) -> MarkedLetter:
        """Render a kind of letter. Raises jinja2's `UndefinedError` for a missing fact."""
        return marked_letter(self._letters, self._frame, kind, facts)

    def line(self, name: str, /, **facts: object) -> str:
        """Render a template that is one line, such as a Subject. A line without facts is rendered once."""
        return " ".join(self._render(name, facts).split()) if facts else self._fixed_line(name)

    def page(self, name: str, /, **facts: object) -> str:
        """Render a template for the terminal, without a newline at the end."""
        return tidy(self._render(name, facts))

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of all languages that have messages."""
        return self.catalogue.languages

    def has_message(self, name: str) -> bool:
        """Return whether there is a message of this name."""
        return self.catalogue.words(ENGLISH).has(name)

    def said(self, message: Message, language: str = ENGLISH) -> str:
        """Return a message in words, on one line."""
        return self.catalogue.words(language).text(message, {})

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
