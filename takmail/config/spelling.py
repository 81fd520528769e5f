"""Find misspelt sections and keys of config.toml, and the names that were meant."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from takmail.config import Section, Settings

_CUTOFF = 0.65
"""How similar two names have to be. `username` is close enough to `user`, and `server` is not."""


def corrected(tree: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the sections with misspelt names corrected, and a sentence for each correction.

    With the names corrected, a misspelt section or key that is required is not also reported as missing, and its value
    is checked, too.
    """
    problems = []
    sections: dict[str, Any] = {}
    # Only a table can be a misspelt section. Any other value is a key outside of all sections.
    tables = [name for name, value in tree.items() if isinstance(value, dict)]
    meant = _meant(tables, Settings.model_fields)
    for name, value in tree.items():
        section = meant.get(name, name)
        if section != name:
            problems.append(f"[{name}]: is not a section that takmail knows; did you mean [{section}]?")
        if section in Settings.model_fields and isinstance(value, dict):
            keys = _meant(value, _keys_of(section))
            problems += [
                f"[{section}] {key}: is not a key that takmail knows; did you mean `{right}`?"
                for key, right in keys.items()
            ]
            value = {keys.get(key, key): one for key, one in value.items()}
        sections[section] = value
    return sections, problems


def _meant(given: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Return the known name that each unknown name resembles most. A name that is given is not meant by another one."""
    found: dict[str, str] = {}
    for name in given:
        free = [one for one in known if one not in given and one not in found.values()]
        if name not in known and (close := get_close_matches(name.lower(), free, 1, _CUTOFF)):
            found[name] = close[0]
    return found


def _keys_of(section: str) -> Collection[str]:
    """Return the keys of a known section."""
    kind = Settings.model_fields[section].annotation
    sections = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, Section)]
    return sections[0].model_fields
