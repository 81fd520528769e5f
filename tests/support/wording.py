"""Word messages as a letter to an opponent of Ben has them: in English, or in any language."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from takmail.blocks import Blocks, Message, Text
from takmail.letters.catalogue import ENGLISH, UNBROKEN, Speaker, Words
from takmail.letters.templates import Templates, folder
from takmail.letters.text import as_text

CATALOGUE = Templates(folder())
"""Compiled once for all tests of a process, and for all services that they start in it."""
WORDS = CATALOGUE.words(ENGLISH)
COMMON = {
    "opponent": "Ben",
    "service": "takmail",
    "address": "play@takmail.test",
    "today": datetime(2026, 11, 21, 12, tzinfo=UTC),
}


_make = Templates.__init__


def _share_templates(templates: Templates, *roots: Path, **games: Any) -> None:
    """Make takmail use the compiled templates for the usual folder."""
    if roots == (folder(),) and not games:
        templates.__dict__ = CATALOGUE.__dict__
    else:
        _make(templates, *roots, **games)


Templates.__init__ = _share_templates  # type: ignore[method-assign]


def english(texts: Text | Iterable[Text], words: Words = WORDS) -> str:
    """Return messages in words, on one line."""
    worded = words.sentences([texts] if isinstance(texts, Message | str) else texts, COMMON)
    return worded.replace(UNBROKEN, " ")


def page(blocks: Blocks, words: Words = WORDS) -> str:
    """Return blocks as the text of a letter has them."""
    return as_text(blocks, Speaker(words, COMMON)).rstrip("\n")


def is_said(text: str, name: str, **values: object) -> bool:
    """Return whether a text has a message in any language, however its lines are broken."""
    bare = "".join(text.split())
    return any(worded in bare for worded in _bare(name, tuple(sorted(values.items()))))


@cache
def _bare(name: str, values: tuple[tuple[str, object], ...]) -> tuple[str, ...]:
    """Return a message in all languages, without white space."""
    worded = (
        CATALOGUE.words(language).text(Message(name, dict(values)), COMMON)
        for language in CATALOGUE.languages
    )
    return tuple("".join(one.split()) for one in worded)
