"""The messages of all languages as they stand in their files, and which translations are missing or old.

`python -m tests.support.translations` lists them; `stamp ru NAME…` behind it writes the hash of the English message
behind the heads of these macros, or of all macros of that language.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from takmail.letters.catalogue import ENGLISH, LOCALES
from takmail.letters.templates import folder
from takmail.vocabulary.chinese import TRADITIONAL

_MACRO = re.compile(r"{% macro (\w+)\((.*?)\) %}({# ?[0-9a-f]{8} ?#})?(.*?){% endmacro %}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """A message in its file. `translates` is the hash of the English message that it translates, '' if it has none."""

    language: str
    family: str
    name: str
    parameters: str
    translates: str
    text: str

    @property
    def hash(self) -> str:
        """The hash of its parameters and its text, without differences in white space."""
        words = f"{self.parameters} {' '.join(self.text.split())}"
        return hashlib.sha256(words.encode()).hexdigest()[:8]


def sources(language: str, root: Path | None = None) -> Iterator[Source]:
    """Yield the messages of a language."""
    for path in sorted(((root or folder()) / language).glob("*.jinja")):
        for name, parameters, stamp, text in _MACRO.findall(path.read_text(encoding="utf-8")):
            yield Source(language, path.stem, name, parameters, stamp.strip("{# }"), text)


def faults(language: str) -> Iterator[str]:
    """Yield what is wrong with the messages of a language, compared with English."""
    english = {one.name: one for one in sources(ENGLISH)}
    translated = {one.name: one for one in sources(language)}
    yield from (f"{language}: {name} is missing" for name in english if name not in translated)
    for name, one in translated.items():
        if name not in english:
            yield f"{language}: {name} is no message"
        elif one.parameters != english[name].parameters:
            yield f"{language}: {name} has the parameters ({one.parameters}), and not ({english[name].parameters})"
        elif one.family != english[name].family:
            yield f"{language}: {name} stands in {one.family}, and not in {english[name].family}"
        elif one.translates != english[name].hash:
            yield f"{language}: {name} is older than the English message"


def stamp(language: str, *names: str) -> None:
    """Write the hash of the English message behind the heads of these macros of a language, or of all of them."""
    english = {one.name: one.hash for one in sources(ENGLISH) if not names or one.name in names}
    for path in (folder() / language).glob("*.jinja"):
        text = path.read_text(encoding="utf-8")
        path.write_text(_MACRO.sub(lambda found: _stamped(found, english), text), encoding="utf-8")


def _stamped(found: re.Match[str], english: dict[str, str]) -> str:
    name, parameters, _, text = found.groups()
    if name not in english:
        return found[0]
    mark = f"{{# {english[name]} #}}"
    return f"{{% macro {name}({parameters}) %}}{mark}{text}{{% endmacro %}}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["stamp"]:
        stamp(*sys.argv[2:])
    else:
        found = [fault for one in LOCALES if one not in (ENGLISH, TRADITIONAL) for fault in faults(one)]
        print(*found, sep="\n")
        sys.exit(1 if found else 0)
