"""What people may be called: a name comes from anywhere and leads letters to people who never asked for them."""

import re
import unicodedata
from enum import StrEnum

from takmail.commands.grammar.commands import ANSWERS, STOPS
from takmail.commands.grammar.invitation_forms import FIRST, RELAY
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.skeleton import skeleton

MOST_NAME = 40
"""Characters of a name."""
_MOST_MARKS = 2
"""Accents on one letter; what has more reaches into the lines around it."""
_SIGNS = " .,'&()!_+-"
_LEADS_AWAY = re.compile(r"://|\bwww\b|\w[.。]\w{2,}|\d[.。]\d|@", re.IGNORECASE)
"""What a mail program would make a link of; the initials in J.R. are none."""
_NUMBER_BEHIND = re.compile(r"[\s\d#]+$")
_TAKEN_WORDS = frozenset(map(skeleton, (*FIRST, *ANSWERS, *STOPS, "vs", RELAY, "you", "takmail", "operator")))
"""Words that mean somebody else, or something in a command that names a player."""
_LETTERS = ("Lu", "Ll", "Lt", "Lo")
_EAST = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC")
"""Alphabets that are written together."""


class NameFault(StrEnum):
    """Why somebody can't be called so."""

    LONG = "long"
    LINK = "link"
    SIGNS = "signs"
    LETTERLESS = "letterless"
    MIXED = "mixed"
    MEANS_SOMETHING = "means_something"


def fault_in(name: str) -> NameFault | None:
    """What is wrong with a name in plain form, whoever it is to be for; None: nothing."""
    if _LEADS_AWAY.search(name):
        return NameFault.LINK
    if len(name) > MOST_NAME:
        return NameFault.LONG
    if not all(map(_may_stand_in_a_name, name)) or _has_many_marks(name):
        return NameFault.SIGNS
    if not any(unicodedata.category(letter)[0] == "L" for letter in name) or not skeleton(name):
        return NameFault.LETTERLESS
    if any(len(_alphabets(word)) > 1 for word in re.split(r"[^\w]+", name)):
        return NameFault.MIXED
    return NameFault.MEANS_SOMETHING if core(name) in _TAKEN_WORDS else None


def clean_name(name: str) -> str:
    """A display name as letters may show it; empty where it can be no name, or holds what looks like a link."""
    text = plain(name)
    if _LEADS_AWAY.search(text):
        return ""
    bare = "".join(letter if _may_stand_in_a_name(letter) else " " for letter in text)
    cut = " ".join(bare.split())[:MOST_NAME].rstrip()
    return "" if fault_in(cut) else cut


def core(name: str) -> str:
    """The skeleton of a name without the number that may stand behind it."""
    return skeleton(_NUMBER_BEHIND.sub("", name))


def provisional_name(address: str) -> str:
    """What a guest is called to the host, who gave the address: its first word, `Ben` for ben.x2@…, if it has one."""
    return re.split(r"[^a-z]", address)[0].capitalize()[:MOST_NAME]


def _may_stand_in_a_name(letter: str) -> bool:
    return letter in _SIGNS or unicodedata.category(letter)[0] in "LMN"


def _has_many_marks(name: str) -> bool:
    run = 0
    for letter in unicodedata.normalize("NFC", name):
        run = run + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if run > _MOST_MARKS:
            return True
    return False


def _alphabets(word: str) -> set[str]:
    """The alphabets of a word's letters, the East Asian ones as one; what only modifies a letter has none."""
    found = {
        unicodedata.name(letter, "").split(" ")[0]
        for letter in word
        if unicodedata.category(letter) in _LETTERS
    }
    return {"EAST" if one in _EAST else one for one in found}
