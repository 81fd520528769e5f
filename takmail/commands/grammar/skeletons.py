"""Compute skeletons of names. Names that look alike have the same skeleton.

Skeletons follow UTS #39 ("Confusable Detection"), except that case is ignored and that the table is short. A Greek or
Cyrillic letter is replaced by the letter that its capital looks like. A change of the algorithm needs a new schema
version, so that `takmail.store.upgrade` computes the stored skeletons anew.
"""

import re
import unicodedata
from functools import lru_cache

_LOOK_LIKE = {
    "2": "ƨƻᒿꙅꝛ",
    "3": "ȝɜʒзӡ",
    "4": "Ꮞ",
    "6": "Ꮾ",
    "8": "ȣ",
    "9": "ꝯ",
    "a": "ɑαаᎪᗅꓮ",
    "b": "ƅβбвьѣҍᏏᏴᑲᑳᖯᗷꓐꞵ",
    "c": "сᏟꓚ",
    "d": "ðԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "εеҽᎬⴹꓰ",
    "f": "ϝքᖴꓝ",
    "g": "ƍԍցᏀᏳꓖ",
    "h": "ηнћһհᎻᏂᏲᕼꓧꚕ",
    "j": "ϳјᎫᒍꓙ",
    "k": "κкᏦꓗ",
    "l": "ǀɩιіӏւᎥᏞᒪᣳⵏꓡꓲꙇ",
    "m": "μϻмᎷᗰꓟ",
    "n": "ŋνղոռꓠ",
    "o": "θοσоѳөօᎾᏫⴱⵁⵔꓳ",
    "p": "þƿρϸрᏢᑭᣖꓑ",
    "q": "ԛգզⵕ",
    "r": "гᎡᏒᖇᣴᴦꓣꭇ",
    "s": "ƽѕտᏕᏚᣵꓢ",
    "t": "τтᎢꓔ",
    "u": "ʉʋџսᏌᑌꓴ",
    "v": "ѵᏙᐯⴸꓦ",
    "w": "ɯшѡԝաᎳᏔꓪꝡ",
    "x": "χхᕁᕽⵝꓫꭓ",
    "y": "ɣγυуүᎩᎽꓬ",
    "z": "ζᏃᙆꓜ",
}
"""Letters that look like Latin ones and digits, of scripts in use in which a whole word can look Latin."""
_LIKE_KATAKANA = dict(zip("力口二夕工卜八へ一", "カロニタエトハヘー", strict=True))
_EQUIVALENT = {"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"}
"""Characters, each with the text that it counts as.

A small L, a capital i and the digit one look alike in either case.
"""
_PLAIN = {foreign: plain for plain, letters in _LOOK_LIKE.items() for foreign in letters} | _LIKE_KATAKANA
_NAMED_AFTER = re.compile(r"LATIN .*\b([A-Z]{1,2})")
"""The Unicode name of a Latin letter that is named after one or two basic ones, such as small capitals and æ."""
_INVISIBLE = re.compile(
    "[\u02b0-\u02ff\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that are invisible or look at most like an apostrophe."""
_OVERLAY, _ABOVE_OR_BELOW = 1, 200
"""Unicode combining classes: that of strokes through a letter, and the lowest one of marks above and below a letter."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name: each letter and digit of it is replaced by the plainest one that it resembles.

    Accents, spaces and other signs are ignored, because readers hardly notice them. Vowel signs of Indian alphabets are
    letters and count. A name without letters and digits has the skeleton ''.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(map(_plain, _INVISIBLE.sub("", folded)))


@lru_cache(4096)
def _plain(letter: str) -> str:
    """Return what a letter, digit or mark counts as, '' for an accent or a sign."""
    combining = unicodedata.combining(letter)
    if combining == _OVERLAY or combining >= _ABOVE_OR_BELOW or unicodedata.category(letter)[0] not in "LMN":
        return ""
    plain = _PLAIN.get(letter) or _base(letter)
    return "".join(_EQUIVALENT.get(one, one) for one in _PLAIN.get(plain, plain))


def _base(letter: str) -> str:
    """Return a Latin or Cyrillic letter without what its Unicode name says after WITH, such as a hook or a stroke."""
    name = unicodedata.name(letter, "").partition(" WITH ")[0]
    latin = _NAMED_AFTER.fullmatch(name)
    if latin is not None:
        return latin[1].lower()
    try:
        return unicodedata.lookup(name) if name.startswith(("LATIN", "CYRILLIC")) else letter
    except KeyError:
        return letter
