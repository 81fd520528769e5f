"""Define the sections `[[engine]]` of config.toml: programs that play against people."""

import json
import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from takmail.config.section import Section, must, program_here
from takmail.vocabulary import table, words_of

_Size = Annotated[int, Field(ge=3, le=8, strict=True)]
_HalfKomi = Annotated[int, Field(ge=0, le=128, strict=True)]


_Value = Annotated[str, BeforeValidator(lambda value: json.dumps(value) if isinstance(value, int) else value)]
"""The value of an option. Numbers, true and false become the text that an engine is sent."""


def _is_free(name: str) -> bool:
    """Return whether players can call an engine by a name: no word of it means another bot, or nothing."""
    words = (name, *words_of(name))
    return not any(table(known).meaning(word) for known in ("bots", "fillers") for word in words)


class EngineSettings(Section):
    """One `[[engine]]`: an external engine that speaks TEI."""

    name: Annotated[
        str,
        must(
            re.compile(r"[a-z][a-z0-9-]{0,19}").fullmatch,
            "must be a word of at most 20 lower-case letters, digits and hyphens",
        ),
        must(_is_free, "players who write `vs bot {}` mean another bot; choose another name"),
    ]
    command: Annotated[tuple[str, ...], AfterValidator(program_here)]
    sizes: Annotated[frozenset[_Size], Field(min_length=1)]
    half_komi: Annotated[frozenset[_HalfKomi], Field(min_length=1)] = frozenset({0})
    movetime: int = Field(default=5_000, ge=1, le=60_000, strict=True)
    options: Mapping[str, _Value] = Field(default={})
    memory_mib: int = Field(default=1_024, ge=16, le=65_536, strict=True)
    keep_minutes: int = Field(default=0, ge=0, le=1_440, strict=True)
