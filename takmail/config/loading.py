"""Load config.toml into frozen settings.

Every key is checked before anything starts. All problems are reported at once, each in a plain sentence.
"""

import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from takmail.config import ConfigError, Settings
from takmail.config.spelling import corrected

_PACKAGE = Path(__file__).resolve().parent.parent

_LINE = re.compile(r"\(at line (\d+),")
_UNQUOTED = re.compile(r"""\s*(?P<key>\w+)\s*=\s*[^\s"'\[{][^"']*""")
"""A line with a value that is neither in quotes nor a list."""

_SEVERAL = ("engine",)
"""The sections that there may be several of."""

_UNKNOWN_SECTION = "is not a section that takmail knows; there are " + ", ".join(
    f"[[{name}]]" if name in _SEVERAL else f"[{name}]" for name in Settings.model_fields
)

_SENTENCES = {
    "missing": "is missing",
    "model_type": "must be a section, with its keys on the lines below",
    "string_type": "must be a text in quotes",
    "path_type": "must be a text in quotes",
    "tuple_type": 'must be a list of texts in quotes: ["program", "argument"]',
    "frozen_set_type": "must be a list of whole numbers: [5, 6]",
    "dict_type": 'must have names and values: {{ Threads = 2, Style = "solid" }}',
    "string_too_short": "is empty; fill it in",
    "too_short": "is empty; fill it in",
    "bool_type": "must be true or false, without quotes",
    "int_type": "must be a whole number, without quotes",
    "int_from_float": "must be a whole number, without quotes",
    "float_type": "must be a number, without quotes",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
}
"""What is wrong with a value, by the type of pydantic's error. The names in braces are those of its facts."""


def parse(text: str, where: Path) -> Settings:
    """Parse and check the text of a config.toml. Relative paths in it start at the folder of the file `where`.

    Raises `ConfigError` with all problems.
    """
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"is not TOML: {error}{_quotes_hint(text, str(error))}"]) from None
    tree, misspelt = corrected(tree)
    try:
        # With an empty [store], its default path is also relative to the file's folder, not to the current one.
        settings = Settings.model_validate({"store": {}, **tree}, context=where.resolve().parent)
    except ValidationError as error:
        raise ConfigError([*misspelt, *(_sentence(one) for one in error.errors())]) from None
    if misspelt:
        raise ConfigError(misspelt)
    return settings


def load(path: Path) -> Settings:
    """Read and check a config.toml. Raises `ConfigError` with all problems."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError([_how_to_begin(path)]) from None
    except OSError as error:
        raise ConfigError([f"can't be read: {error.strerror or error}"]) from None
    except UnicodeDecodeError:
        raise ConfigError(["can't be read: it is not UTF-8"]) from None
    return parse(text, path)


def example() -> Path:
    """Return the path of config.example.toml: in the package if it is installed, next to it in a checkout."""
    installed = _PACKAGE / "config.example.toml"
    return installed if installed.is_file() else _PACKAGE.parent / installed.name


def _how_to_begin(path: Path) -> str:
    """Return a sentence with the command that makes the missing config file."""
    where = "" if path == Path("config.toml") else f" --config {shlex.quote(str(path))}"
    return f"does not exist; make it with: takmail init you@provider.example{where}"


def _quotes_hint(text: str, error: str) -> str:
    """Return the hint that text stands in quotes, if the line that a TOML error names has none. Otherwise return ''.

    The value may be a password, so it is not shown.
    """
    line = _LINE.search(error)
    unquoted = line and _UNQUOTED.fullmatch(text.split("\n")[int(line[1]) - 1])
    return f'; a text stands in quotes: {unquoted["key"]} = "…"' if unquoted else ""


def _sentence(error: Mapping[str, Any]) -> str:
    """Word one of pydantic's errors for the operator, in the form `[section] key: what is wrong`."""
    place = [str(part) for part in error["loc"]]
    if error["type"] == "extra_forbidden" and len(place) == 1 and not isinstance(error["input"], dict):
        return f"{place[0]}: is outside of any section"
    section, key = f"[{place[0]}]", ".".join(place[1:])
    if place[0] in _SEVERAL:
        number, _, key = key.partition(".")
        section = f"[{section}] {int(number) + 1}" if number else f"[{section}]"
    where = f"{section} {key}".rstrip()
    return f"{where}: {_complaint(error['type'], error.get('ctx', {}), error['msg'], len(place))}"


def _complaint(kind: str, facts: Mapping[str, Any], message: str, depth: int) -> str:
    """Word what is wrong with a value, for an operator who doesn't know pydantic. `depth` is 1 for a whole section."""
    if kind == "tuple_type" and depth == 1:
        return "is a list of sections, each with two brackets"
    if kind == "extra_forbidden":
        return _UNKNOWN_SECTION if depth == 1 else "is not a key that takmail knows"
    if kind in _SENTENCES:
        return _SENTENCES[kind].format(**facts).replace("'", '"')
    return message.removeprefix("Value error, ")
