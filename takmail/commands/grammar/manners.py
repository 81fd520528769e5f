"""Recognise what people write around an order out of politeness: greetings, names, thanks, smileys."""

import re
from collections.abc import Collection

from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table, tokens_of, words_of

_MARKS = re.compile(r"(?:[ .,;:!。！，、…]|(?<![a-h][1-8])-)+$", re.IGNORECASE)
"""What may stand between an order and what is polite, or at the end of a line. `c3-` is a move in PTN."""
_CLAUSE_ENDS = re.compile(r"[,.;:!?()…。！，、]+|\s-+\s")
_SMILEY = re.compile(r"(?<!\w)(?!8\d)(?:[:;=8][-'^]?[()\[\]DdPpOoXx3|*/]+|[xX][dD]+|\^_*\^|<3)(?!\w)")
_LIST_MARK = re.compile(r"^(?:[-*•·+] +|/ ?(?=\w))")
_EMPHASIS = re.compile(r"^([*_\"'`«“]+)(.+?)[*_\"'`»”]+([.,!?]?)$")
QUESTION_MARKS = "?\u061f\u203d\u2753\u2754"
"""The question marks of all scripts."""


def is_question(line: str) -> bool:
    """Tell whether a line contains a question mark of any script."""
    return any(mark in line for mark in QUESTION_MARKS)


def clauses_of(text: str) -> list[str]:
    """Return the parts of a line between marks, without smileys."""
    return _CLAUSE_ENDS.split(_SMILEY.sub(" ", text))


def bare(text: str) -> str:
    """Return a line in plain form without polite words, closing marks, smileys, emphasis and list marks at its ends.

    A line that is too long for a move is returned unchanged.
    """
    while len(text) <= MAX_MOVE_CHARS:
        shorter = _MARKS.sub("", _SMILEY.sub("", _LIST_MARK.sub("", text)).strip(" "))
        emphasis = _EMPHASIS.fullmatch(shorter)
        shorter = emphasis[2] + emphasis[3] if emphasis else shorter
        shorter = _without_polite_ends(shorter)
        if shorter == text:
            break
        text = shorter
    return text


def _without_polite_ends(text: str) -> str:
    tokens = tokens_of(text)
    polite = list(table("polite").matches(tuple(token.word for token in tokens)))
    if polite and polite[0].start == 0 and polite[0].end < len(tokens):
        return text[tokens[polite[0].end].start :]
    if polite and polite[-1].end == len(tokens) and polite[-1].start > 0:
        return _MARKS.sub("", text[: tokens[polite[-1].start].start])
    return text


def behind_greeting(text: str, names: Collection[str]) -> str | None:
    """Return the text behind the greetings and names in a line in plain form, None if it begins with none of them.

    A name alone needs a mark behind it.
    """
    tokens = tokens_of(text)
    words, people = tuple(token.word for token in tokens), words_of_names(names)
    greetings = table("greetings", "polite").places(words)
    others = (place for place, word in enumerate(words) if place not in greetings and word not in people)
    count = next(others, len(words))
    if count == 0:
        return None
    rest = text[tokens[count].start :] if count < len(tokens) else ""
    has_mark = not text[tokens[count - 1].end :].removesuffix(rest).isspace()
    return rest if has_mark or not greetings.isdisjoint(range(count)) else None


def without_manners(text: str, names: Collection[str]) -> str:
    """Return the words of a line in plain form that are neither polite nor one of the names."""
    others = table("greetings", "polite", "farewells").others(words_of(_SMILEY.sub(" ", text)))
    people = words_of_names(names)
    return " ".join(word for word in others if word not in people)


def words_of_names(names: Collection[str]) -> frozenset[str]:
    """Return the words of names. Words with a digit are left out, as they may be places."""
    return frozenset(token.word for name in names for token in tokens_of(name) if token.word.isalpha())
