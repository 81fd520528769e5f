"""Recognise what people write around an order out of politeness: greetings, names, thanks, smileys."""

import re
from collections.abc import Collection

from takmail.vocabulary import Token, table, tokens_of

_MARKS = " .,;:!-。！，、…"
"""What may stand between an order and what is polite, or at the end of a line."""
_SMILEY = re.compile(r"(?<!\w)(?:[:;=8][-'^]?[()\[\]DdPpOo3|*/]+|[xX]D+|\^_*\^|<3)(?!\w)")
_LIST_MARK = re.compile(r"^(?:[-*•·>+] +|/ ?(?=\w))")
_EMPHASIS = re.compile(r"^([*_\"'`«“]+)(.+?)[*_\"'`»”]+([.,!?]?)$")
QUESTION_MARKS = "?\u061f\u203d\u2753\u2754"
"""The question marks of all scripts."""


def is_question(line: str) -> bool:
    """Tell whether a line contains a question mark of any script."""
    return any(mark in line for mark in QUESTION_MARKS)


def bare(text: str) -> str:
    """Return a line in plain form without polite words, closing marks, smileys, emphasis and list marks at its ends."""
    while True:
        shorter = _SMILEY.sub("", _LIST_MARK.sub("", text)).strip(" ").rstrip(_MARKS)
        emphasis = _EMPHASIS.fullmatch(shorter)
        shorter = emphasis[2] + emphasis[3] if emphasis else shorter
        shorter = _without_polite_ends(shorter)
        if shorter == text:
            return text
        text = shorter


def _without_polite_ends(text: str) -> str:
    tokens = tokens_of(text)
    polite = list(table("polite").matches(tuple(token.word for token in tokens)))
    if polite and polite[0].start == 0 and polite[0].end < len(tokens):
        return text[tokens[polite[0].end].start :]
    if polite and polite[-1].end == len(tokens) and polite[-1].start > 0:
        return text[: tokens[polite[-1].start].start].rstrip(_MARKS)
    return text


def behind_greeting(text: str, names: Collection[str]) -> str | None:
    """Return the text behind the greetings and names in a line in plain form, None if it begins with none of them.

    A name alone needs a mark behind it.
    """
    tokens = tokens_of(text)
    count, has_greeting = _greeting(tokens, names)
    if count == 0:
        return None
    rest = text[tokens[count].start :] if count < len(tokens) else ""
    has_mark = not text[tokens[count - 1].end :].removesuffix(rest).isspace()
    return rest if has_greeting or has_mark else None


def without_manners(text: str, names: Collection[str]) -> str:
    """Return the words of a line in plain form that are neither polite nor one of the names."""
    tokens = tokens_of(_SMILEY.sub(" ", text))
    left = list(tokens)
    for polite in _polite_words(tokens):
        left[polite[0] : polite[1]] = []
    return " ".join(token.word for token in left if token.word not in words_of_names(names))


def _polite_words(tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """Return the places of greetings and polite words, the last ones first."""
    words = tuple(token.word for token in tokens)
    places = [
        (match.start, match.end)
        for name in ("greetings", "polite", "farewells")
        for match in table(name).matches(words)
    ]
    separate: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if not separate or start >= separate[-1][1]:
            separate.append((start, end))
    return separate[::-1]


def _greeting(tokens: tuple[Token, ...], names: Collection[str]) -> tuple[int, bool]:
    """Return how many words at the beginning are greetings and names, and whether one of them is a greeting."""
    words, people = tuple(token.word for token in tokens), words_of_names(names)
    count, has_greeting = 0, False
    while count < len(words):
        greeting = next(table("greetings", "polite").matches(words[count:]), None)
        if greeting is not None and greeting.start == 0:
            count, has_greeting = count + greeting.end, True
        elif words[count] in people:
            count += 1
        else:
            break
    return count, has_greeting


def words_of_names(names: Collection[str]) -> frozenset[str]:
    """Return the words of names. Words with a digit are left out, as they may be places."""
    return frozenset(token.word for name in names for token in tokens_of(name) if token.word.isalpha())
