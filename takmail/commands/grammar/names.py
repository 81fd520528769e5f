"""Check players' names, and find links in them and in other words.

A name comes from any sender, and is shown to people who did not ask for it.
"""

import re
import unicodedata
from collections.abc import Callable
from enum import StrEnum
from itertools import groupby

from takmail.commands.grammar.invitation_forms import FIRST, RELAY, bot_in
from takmail.commands.grammar.normalize import STOPS, plain
from takmail.commands.grammar.skeletons import skeleton
from takmail.limits.words import MAX_FIRST_NAME_COLUMNS, MAX_NAME_CHARS, MAX_NAME_DIGITS

_ENCLOSING = "Me"
"""The Unicode category of marks around a letter, such as a circle, that would hide it."""
_TOO_MANY_ACCENTS = 3
"""The number of accents on one letter that would cover the lines above or below."""
_ACCENT = "Mn"
"""The Unicode category of accents."""
_ALLOWED_PUNCTUATION = " .,'&()!_+-"
_NUMBER = re.compile(r"\b(?=[oilsbz]*0)[0oilsbz]+\b|0", re.IGNORECASE)
"""A word of digits, which are zeros here, and of letters that resemble them; elsewhere a digit."""
_TRAILING_NUMBER = re.compile(r"[\s\d#]+$")
_RESERVED_WORDS = frozenset(map(skeleton, (*FIRST, "yes", "no", "ok", *STOPS, "vs", RELAY)))
"""Words that refer to somebody else, or that are keywords of commands with a player's name."""
_FIRST_WORD = re.compile(r"(?:[^\W\d_]{1,3}\.\s*|[^\W\d_]\s+)*[^\W_]*(?:'[^\W_]+)?(?:\s\d+)?")
"""Initials and titles, a word without hyphens, as a sentence could be written with them, and a number."""
_HISTORIC = frozenset(
    ("CARIAN", "CAUCASIAN", "COPTIC", "ELBASAN", "GOTHIC", "LYCIAN", "LYDIAN", "MIAO", "OLD", "WARANG")
)
"""First words of the Unicode names of scripts in which hardly anybody writes a name, but a word can look Latin."""
_LETTERS = ("Lu", "Ll", "Lt", "Lo")
"""The Unicode categories of letters, without modifier letters."""
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC")
"""Scripts that are used together and count as one alphabet."""


class NameFault(StrEnum):
    """The reasons why a name is not allowed.

    * `mixed`: a word has letters of several alphabets
    * `number`: it has so many digits that they may be a number to call
    * `official`: it could be taken for takmail's, for somebody's who runs it, or for a side of a game
    """

    LONG = "long"
    LINK = "link"
    SIGNS = "signs"
    LETTERLESS = "letterless"
    MIXED = "mixed"
    NUMBER = "number"
    OFFICIAL = "official"
    MEANS_SOMETHING = "means_something"


def fault_in(name: str) -> NameFault | None:
    """Return the reason why nobody may have a name, None if it is allowed. The name must be in plain form."""
    return next((fault for fault, has_fault in _FAULTS.items() if has_fault(name)), None)


def clean_name(name: str) -> str:
    """Return a display name in the form that letters may show, '' if it has no valid form or contains a link."""
    text = plain(name)
    if has_link(text):
        return ""
    bare = "".join(letter if _is_allowed_in_name(letter) else " " for letter in text)
    cut = " ".join(bare.split())[:MAX_NAME_CHARS].rstrip()
    return "" if fault_in(cut) else cut


def without_number(name: str) -> str:
    """Return a name without a trailing number."""
    return _TRAILING_NUMBER.sub("", name)


def core(name: str) -> str:
    """Return the skeleton of a name without a trailing number."""
    return skeleton(without_number(name))


def first_name(name: str) -> str:
    """Return the first word of a name, with initials and titles before it.

    It is '' if it is long enough for a sentence, or official without the rest of the name, such as Bank in "Bank Ada".
    A number behind it tells it from another player's. A Chinese letter can be a word, and counts as four.
    """
    word = _FIRST_WORD.findall(name)[0].strip(" '")
    columns = sum(4 if unicodedata.east_asian_width(letter) == "W" else 1 for letter in word)
    return "" if columns > MAX_FIRST_NAME_COLUMNS or any(map(looks_official, word.split())) else word


def provisional_name(address: str) -> str:
    """Return the host's name for a guest, such as `Ben` for ben.x2@….

    It is '' if the address does not begin with a word.
    """
    return re.split(r"[^a-z]", address)[0].capitalize()[:MAX_NAME_CHARS]


def _is_allowed_in_name(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return letter in _ALLOWED_PUNCTUATION or (kind[0] in "LMN" and kind != _ENCLOSING)


def _has_odd_signs(name: str) -> bool:
    """Tell whether a name has letters of historic alphabets, too many accents on one letter, or other signs."""
    runs = groupby(unicodedata.normalize("NFC", name), key=lambda letter: unicodedata.category(letter))
    is_covered = any(kind == _ACCENT and len([*run]) >= _TOO_MANY_ACCENTS for kind, run in runs)
    return is_covered or not all(map(_is_allowed_in_name, name)) or bool(_HISTORIC & _alphabets(name))


def _has_no_letters(name: str) -> bool:
    return not any(unicodedata.category(letter)[0] == "L" for letter in name) or not skeleton(name)


def _is_mixed(name: str) -> bool:
    return any(len(_alphabets(word)) > 1 for word in re.split(r"[^\w]+", name))


def _has_long_number(name: str) -> bool:
    zeros = "".join("0" if letter.isnumeric() else letter for letter in name)
    return sum(len(number) for number in _NUMBER.findall(zeros)) > MAX_NAME_DIGITS


def _means_something(name: str) -> bool:
    """Tell whether a name is a word of commands, or means a bot."""
    is_bots = bot_in(re.sub(r"[\W_]+", " ", name.casefold())) is not None
    return is_bots or core(name) in _RESERVED_WORDS


def _alphabets(word: str) -> set[str]:
    """Return the alphabets of a word's letters. East Asian scripts count as one, and modifier letters do not count."""
    found = {
        unicodedata.name(letter, "").split(" ")[0]
        for letter in word
        if unicodedata.category(letter) in _LETTERS
    }
    return {"EAST" if one in _EAST_ASIAN else one for one in found}


_OFFICIALS = (
    "takmail admin sysadmin moderat moderad operator operad operateur support security securit seguridad sicherheit"
    " system sistem postmaster hostmaster webmaster webmestre sysop superuser helpdesk noreply donotreply daemon"
    " kundendienst kundenservice soporte betreiber beheerder админ модератор оператор поддержк безопасност систем"
)
"""The beginnings of words by which people know an official. Nobody's name has such a word."""
_OFFICIALS_WITHOUT_SPACES = "管理员 管理員 管理者 客服 版主 系统 系統 官方 安全中心 安全团队 运营"
"""The same in Chinese, which has no spaces around them."""
_ROLES = (
    "tak tzaar mail takbymail bot robot root abuse mailer staff team service services server game account customer"
    " help desk billing bank office info owner delivery subsystem referee judge white black player opponent guest"
    " host you yourself nobody noone arbiter umpire mod organizer organiser"
    " weiß schwarz niemand"
    " служба команда сервис белые белый черные черный соперник никто вы ты 你 您 对手 對手 白方 黑方 玩家 没人"
)
"""Words that are nobody's name if there is nothing else, but may stand in one, such as Jack Black's."""
_FILLERS = frozenset(("the", "a", "an", "your", "my", "our", "official", "real", "by", "of", "for", "from"))
"""Words that make no name of the other ones."""
_LEET = str.maketrans("34578", "eastb")
"""Digits that stand for letters which they do not resemble enough for a skeleton."""


def _one_of(words: str) -> str:
    return f"(?:{'|'.join(map(skeleton, words.split()))})"


_NAMES_OFFICIAL = re.compile(f"{_one_of(_OFFICIALS)}|.*{_one_of(_OFFICIALS_WITHOUT_SPACES)}")
_IS_ROLES = re.compile(f"(?:the)?(?:(?:{_one_of(_OFFICIALS)}|{_one_of(_ROLES)})s?)+")


def looks_official(name: str) -> bool:
    """Tell whether one of the words of a name is an official's, or if it has no words but those for roles.

    It is also read without the numbers behind its words and before them, and with digits as letters.
    """
    whole = name.casefold()
    without_ends = re.sub(r"\d+\b", "", whole), re.sub(r"\b\d+|\d+\b", "", whole)
    readings = (whole, *without_ends, whole.translate(_LEET))
    return any(_is_official(re.split(r"[^\w.]+", one)) for one in readings)


def _is_official(words: list[str]) -> bool:
    telling = [one for one in words if one not in _FILLERS]
    # "A d m i n" has spaces, and "An admin" has an article.
    joined = ("".join(map(skeleton, some)) for some in (words, telling))
    return any(_NAMES_OFFICIAL.match(skeleton(one)) for one in telling) or any(
        map(_IS_ROLES.fullmatch, joined)
    )


# Addresses and links, also those that are spelled so that people can read them.

_SPELLED = (
    r"://|@|\b(?:www|https?|mailto)\b|\bat\W+[\w-]+\W+(?:dot|punkt)\b"
    r"|[.。]\s*(?:com|org|net|info|biz|online|xyz)\b"
    r"|\b(?:dot|punkt|point)\W+(?:com|org|net|info|biz|online|xyz|app|shop|site|club|top|link|[a-z]{2})\b"
)
_IN_NAME = re.compile(rf"{_SPELLED}|\w[.。]\w{{2,}}|\d[.。]\d|\s[.。]\w{{2}}", re.IGNORECASE)
"""Initials such as J.R. do not match."""
_IN_TEXT = re.compile(
    rf"{_SPELLED}|(?:\w\.|\s\.\s?)[^\W\d_]{{2,}}|[a-z0-9]。[a-z]{{2,}}|(?:\d+\.){{3}}\d|(?:\d[ /.-]*){{7}}",
    re.IGNORECASE,
)
"""It also finds a number to call. Chinese sentences do not match."""
_MOMENT = re.compile(
    r"(?<![\d.])(?:\d\d?([./-])\d\d?\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d\d?\2\d\d?|[012]?\d[.:][0-5]\d)(?!\.?\d)"
)
"""A date or a time, whose digits are no number to call."""
_BRACKETS = re.compile(r"[][(){}<>]")
"""What could be written around a dot, so that it looks like none."""


def has_link(name: str) -> bool:
    """Tell whether a name in plain form holds what a mail program or a reader would take for an address or a link."""
    return _IN_NAME.search(_BRACKETS.sub("", name)) is not None


def leads_away(words: str) -> bool:
    """Tell whether a text holds an address, a link or a number to call."""
    bare = (_BRACKETS.sub("", plain(line)) for line in words.splitlines())
    return any(_IN_TEXT.search(_MOMENT.sub(" ", line)) for line in bare)


_FAULTS: dict[NameFault, Callable[[str], bool]] = {
    NameFault.LINK: has_link,
    NameFault.LONG: lambda name: len(name) > MAX_NAME_CHARS,
    NameFault.SIGNS: _has_odd_signs,
    NameFault.LETTERLESS: _has_no_letters,
    NameFault.MIXED: _is_mixed,
    NameFault.NUMBER: _has_long_number,
    NameFault.OFFICIAL: looks_official,
    NameFault.MEANS_SOMETHING: _means_something,
}
"""What tells that a name has a fault. The first one that it has is told."""
