"""Reading `new 5 vs ben@example.org first=me komi=2` and its older sister `challenge`."""

import re

from takmail.mail.address import normal_address
from takmail.service.reading.commands import MOST_DETAIL, Command, New, Unclear
from takmail.service.reading.plain import clipped

FIRST = ("me", "them", "random")
_AROUND_WORDS = ",;:\"'()[]"


def read_new(rest: str, marked: bool) -> Command | None:
    """Read what stands behind `new`; "new to this, sorry" and "new address: ada@example.org" are chat."""
    words = _words(rest)
    opponents = _addresses(words)
    if not _is_meant(words, opponents, marked):
        return None
    if opponents and "vs" not in words:
        mended = [word for word in words if not normal_address(word)]
        return Unclear("new_without_vs", " ".join(["new", *mended, "vs", opponents[0]]))
    return _invitation(words, opponents)


def read_challenge(rest: str, marked: bool) -> Command | None:
    """Read what stands behind `challenge`, which needs no `vs`; "challenge accepted" is chat."""
    words = _words(rest)
    opponents = _addresses(words)
    return _invitation(words, opponents) if opponents or _is_meant(words, opponents, marked) else None


def _is_meant(words: list[str], opponents: list[str], marked: bool) -> bool:
    if marked or not words or words[0] == "vs" or words[0][0].isdigit():
        return True
    if "vs" in words:
        return bool(opponents)
    others = (word for word in words if not normal_address(word))
    return bool(opponents) and all("=" in word or word[0].isdigit() for word in others)


def _words(rest: str) -> list[str]:
    """The words in lower case, without the marks that people and programs put around an address."""
    apart = re.sub(r"(?<=\S)<", " <", rest.lower())
    return [bare for word in apart.split() if (bare := word.strip(_AROUND_WORDS))]


def _addresses(words: list[str]) -> list[str]:
    """The addresses, each once: mail programs repeat one behind itself, as <mailto:ben@example.org>."""
    return list(dict.fromkeys(address for word in words if (address := normal_address(word))))


def _invitation(words: list[str], opponents: list[str]) -> Command:
    """Size, komi and `first=` in any order; before the address may stand a name, as in Ben <ben@example.org>."""
    if not opponents:
        names = words[words.index("vs") + 1 :] if "vs" in words else []
        return (
            Unclear("new_needs_address", clipped(names[0], MOST_DETAIL))
            if names
            else Unclear("new_without_opponent")
        )
    if len(opponents) > 1:
        return Unclear("new_two_opponents")
    firsts, setup = [], []
    for word in _beside_the_opponent(words):
        if word.startswith("first="):
            firsts.append(word.removeprefix("first="))
        else:
            setup.append(word)
    wrong = next((first for first in firsts if first not in FIRST), None)
    if wrong is not None:
        return Unclear("new_first", clipped(wrong, MOST_DETAIL))
    if len(set(firsts)) > 1:
        return Unclear("new_first_twice")
    return New(opponents[0], tuple(setup), firsts[0] if firsts else "random")


def _beside_the_opponent(words: list[str]) -> list[str]:
    """All words but `vs`, the address and the name that stands between them."""
    address = next(at for at, word in enumerate(words) if normal_address(word))
    start = words.index("vs") if "vs" in words[:address] else address
    name = [word for word in words[start:address] if "=" in word]
    rest = words[:start] + name + words[address + 1 :]
    return [word for word in rest if word != "vs" and not normal_address(word)]
